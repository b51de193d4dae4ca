// Command servers measures septet beside other file servers, over their pipes,
// on a generated tree and on a real one:
//
//	servers -scratch DIR -real DIR -septet FILE [-reference FILE] [-mark3labs FILE] [-commander FILE]
//
// The servers take turns in every round, so that a busy moment of the machine
// meets all of them. Every answer is checked before its time counts.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var programs programs
	scratch := flag.String("scratch", "", "an empty directory for the generated tree and the homes of the servers")
	realTree := flag.String("real", "", "a copy of a real tree, which is written to")
	rounds := flag.Int("rounds", 5, "how often each server is started on each tree")
	flag.StringVar(&programs.septet, "septet", "", "the program")
	flag.StringVar(&programs.reference, "reference", "", "index.js of @modelcontextprotocol/server-filesystem")
	flag.StringVar(&programs.mark3labs, "mark3labs", "", "the program mcp-filesystem-server")
	flag.StringVar(&programs.commander, "commander", "", "index.js of @wonderwhy-er/desktop-commander")
	flag.Parse()

	generated := filepath.Join(*scratch, "generated")
	if err := generate(generated); err != nil {
		return err
	}
	for _, t := range []struct{ name, dir string }{{"generated tree", generated}, {"source of Go", *realTree}} {
		tree, err := survey(t.dir)
		if err != nil {
			return err
		}
		servers, err := contestants(programs, *scratch, t.dir)
		if err != nil {
			return err
		}
		for _, c := range servers {
			if err := quiet(ctx, c, tree, *scratch); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		board, err := compete(ctx, servers, tree, *rounds)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d files; milliseconds: median (p95), %d rounds\n", t.name, tree.count, *rounds)
		board.print(os.Stdout, servers)
	}
	return nil
}

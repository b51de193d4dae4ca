package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// lull is how long a server is watched after its last call.
const lull = 2 * time.Second

// quiet runs a server through every operation once under strace, and fails
// when it sends to or connects with an address of the network. Where strace is
// missing it says so and believes the server.
func quiet(ctx context.Context, c *contestant, t *tree, scratch string) error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers: strace is missing; not checked that", c.name, "keeps off the network")
		return nil
	}
	trace := filepath.Join(scratch, "trace-"+c.name)
	watched := *c
	watched.command = append([]string{strace, "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", trace}, c.command...)
	if err := converse(ctx, &watched, t); err != nil {
		return err
	}
	calls, err := os.ReadFile(trace)
	for line := range strings.Lines(string(calls)) {
		if strings.Contains(line, "AF_INET") {
			return fmt.Errorf("it uses the network: %s", line)
		}
	}
	return err
}

// converse asks a server for one of everything, and waits a while.
func converse(ctx context.Context, c *contestant, t *tree) error {
	server, d, _, err := meet(ctx, c, t)
	if err != nil {
		return err
	}
	defer server.stop()
	for _, o := range operations(t) {
		o.calls = 1
		if err := o.work(server, c, d, newBoard(t)); err != nil {
			return err
		}
	}
	time.Sleep(lull)
	return nil
}

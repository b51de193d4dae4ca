// Command packages makes the files of a release from the checkout it lies in:
//
//	packages OUT COMMIT-TIME OS/ARCH...
//
// It is a module of its own, so that what only a release needs is not in the
// go.mod of the program. scripts/release runs it, in a clone of the commit and
// with the Go toolchain and settings that make the result the same everywhere.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "packages: it needs a directory, the time of the commit and targets")
		fmt.Fprintln(os.Stderr, "hint: ./scripts/release [DIR] [OS/ARCH ...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(out, commitTime string, targets []string) error {
	seconds, err := strconv.ParseInt(commitTime, 10, 64)
	if err != nil {
		return err
	}
	r := &release{root: "../..", out: out, time: time.Unix(seconds, 0).UTC()}
	for _, name := range targets {
		if err := r.build(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, write := range []func() error{r.writeArchives, r.writeImage, r.writeBundle, r.writeSums} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

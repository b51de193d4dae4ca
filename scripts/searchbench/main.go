// Command searchbench runs the same searches with septet, over a warm pipe,
// and with ripgrep or fd as whole processes, one after the other in each round,
// checks that both found the same, and prints the ratio of the times. Below 1
// septet is faster. The last column is the ratio of processor time, which says
// more when the machine has other work.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	var b bench
	flag.StringVar(&b.cache, "cache", "", "directory for trees")
	flag.StringVar(&b.septet, "septet", "", "septet to measure")
	flag.StringVar(&b.rg, "rg", "rg", "ripgrep")
	flag.StringVar(&b.fd, "fd", "fd", "fd; without it its lines are left out")
	flag.IntVar(&b.rounds, "n", 7, "rounds")
	flag.StringVar(&b.only, "only", "", "only classes whose name holds this")
	flag.BoolVar(&b.compare, "equal", false, "compare results only, on many patterns")
	flag.Parse()
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "searchbench:", err)
		os.Exit(1)
	}
}

type bench struct {
	cache, septet, rg, fd, only string
	rounds                      int
	compare, failed             bool
}

func (b *bench) run() error {
	version, err := output(b.rg, "--version")
	if err != nil {
		return err
	}
	judged := strings.HasPrefix(version, "ripgrep 15.")
	fmt.Printf("%s, %d processors, %d rounds; judged: %v\n", strings.SplitN(version, "\n", 2)[0], runtime.NumCPU(), b.rounds, judged)
	trees, err := makeTrees(b.cache)
	if err != nil {
		return err
	}
	if b.compare {
		if err := b.equal(trees); err != nil {
			return err
		}
		if b.failed {
			return fmt.Errorf("results differ")
		}
		return nil
	}
	fmt.Printf("%-34s %-10s %9s %9s %6s %6s %6s\n", "class", "tree", "septet ms", "other ms", "ratio", "goal", "cpu")
	for _, c := range classes() {
		if strings.Contains(c.name, b.only) {
			if err := b.class(c, trees[c.tree]); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	fmt.Print(whyClose)
	if b.failed {
		return fmt.Errorf("results differ")
	}
	return nil
}

// whyClose is said below the table, for the lines that come near their goal or
// miss it.
const whyClose = `A search of septet is a call over a warm pipe, one of the others a whole process;
their start takes 2 ms. Walking a tree, and literals in small files, are mostly
kernel time, opening directories and files, that all of them pay.
`

// class measures one line of the table.
func (b *bench) class(c class, dir string) error {
	program := b.rg
	if c.fd {
		program = b.fd
		if _, err := os.Stat(program); err != nil {
			return nil
		}
	}
	s, err := startServer(b.septet, dir)
	if err != nil {
		return err
	}
	defer s.stop()
	var own, other []time.Duration
	var cpu, otherCPU time.Duration
	var ratios []float64 // round by round: what else the machine does meets both
	verdict := ""
	for round := range b.rounds + 1 {
		if round == 1 {
			cpu, otherCPU = s.cpu(), 0
		}
		begin := time.Now()
		text, err := s.call(c.tool, c.arguments)
		if err != nil {
			return err
		}
		took := time.Since(begin)
		begin = time.Now()
		want, used, err := runOther(program, dir, c.args)
		if err != nil {
			return err
		}
		otherCPU += used
		if round == 0 { // warms the cache, and is compared
			if !c.same(text, want) {
				verdict, b.failed = "DIFFERENT RESULTS", true
			}
			continue
		}
		own, other = append(own, took), append(other, time.Since(begin))
		ratios = append(ratios, float64(own[round-1])/float64(other[round-1]))
	}
	ratio := median(ratios)
	if verdict == "" {
		verdict = "met"
		if ratio > c.goal {
			verdict = "missed"
		}
	}
	cpu = s.cpu() - cpu
	fmt.Printf("%-34s %-10s %9.1f %9.1f %6.2f %6.2f %6.2f  %s\n", c.name, c.tree, ms(median(own)), ms(median(other)), ratio, c.goal, float64(cpu)/float64(otherCPU), verdict)
	return nil
}

// median returns the middle of values.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

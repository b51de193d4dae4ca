package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// operation is a row of the table: what is done, how often in a round, and
// whether the sum of the times counts instead of each.
type operation struct {
	name  string
	calls int
	make  func(d *desk, n int) (call, check)
	sum   bool
}

// operations in the order of the work. The first write comes before all other
// changes, because a server may open its store then.
func operations(t *tree) []operation {
	return []operation{
		{name: "first write", calls: 1, make: (*desk).write},
		{name: "read 10 KB", calls: 100, make: (*desk).read},
		{name: fmt.Sprintf("list %d entries", len(t.widest.names)), calls: 30, make: (*desk).listWidest},
		{name: rowSizes, calls: 30, make: (*desk).sizes},
		{name: "write 20 KB", calls: 50, make: (*desk).write},
		{name: "edit a file of 20 KB", calls: 50, make: (*desk).edit},
		{name: rowBash, calls: 20, make: (*desk).bash},
		{name: "1,000 mixed calls", calls: 1000, make: (*desk).mixed, sum: true},
	}
}

const (
	rowFirst = "start to first answer"
	rowTools = "tools/list after it"
	rowSizes = "the same with sizes"
	rowBash  = "bash true"
	rowIdle  = "memory idle, MB"
	rowPeak  = "memory peak, MB"
)

// settle is how long a server is left alone before its idle memory is read.
const settle = 300 * time.Millisecond

// budget is what a sum may take. A server that needs more gets no number; the
// slowest takes half of it on an idle machine.
const budget = time.Minute

// compete lets the servers take turns, and measures the peak of their memory
// afterwards, because looking often takes time from them.
func compete(ctx context.Context, servers []*contestant, t *tree, rounds int) (*board, error) {
	b := newBoard(t)
	for round := range rounds {
		for _, c := range servers {
			if err := timed(ctx, c, t, b, round > 0 && c.slow); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	for _, c := range servers {
		if err := weighed(ctx, c, t, b); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return b, nil
}

// meet starts a server and greets it; first is the time from its start to its
// first answer. The caller stops the server.
func meet(ctx context.Context, c *contestant, t *tree) (server *client, d *desk, first time.Duration, err error) {
	if d, err = newDesk(t, c); err != nil {
		return nil, nil, 0, err
	}
	began := time.Now()
	if server, err = launch(ctx, c, t.dir); err != nil {
		return nil, nil, 0, err
	}
	if _, err = server.hello(); err != nil {
		server.stop()
		return nil, nil, 0, err
	}
	return server, d, time.Since(began), nil
}

// timed is one life of a server in which times are taken, in brief without the
// mixed calls.
func timed(ctx context.Context, c *contestant, t *tree, b *board, brief bool) error {
	server, d, first, err := meet(ctx, c, t)
	if err != nil {
		return err
	}
	defer server.stop()
	b.add(rowFirst, c, ms(first))
	took, _, err := server.request("tools/list", args{})
	if err != nil {
		return err
	}
	b.add(rowTools, c, ms(took))
	time.Sleep(settle)
	b.add(rowIdle, c, resident(server.process.Process.Pid))
	for _, o := range operations(t) {
		if brief && o.sum {
			continue
		}
		if err := o.work(server, c, d, b); err != nil {
			return err
		}
	}
	return nil
}

// work does the operation as often as it says, if the server knows it.
func (o operation) work(server *client, c *contestant, d *desk, b *board) error {
	if o.name == rowBash && d.words.bash == nil || o.name == rowSizes && d.words.sizes == nil {
		return nil
	}
	var sum time.Duration
	for n := range o.calls {
		what, right := o.make(d, n)
		took, answer, err := server.call(what)
		if err == nil {
			err = right(answer)
		}
		if err != nil {
			return fmt.Errorf("%s, call %d: %w", o.name, n, err)
		}
		if sum += took; o.sum && sum > budget {
			fmt.Fprintf(os.Stderr, "servers: %s: %s: given up after %d in %v\n", c.name, o.name, n+1, budget)
			return nil
		}
		if !o.sum {
			b.add(o.name, c, ms(took))
		}
	}
	if o.sum {
		b.add(o.name, c, ms(sum))
	}
	return nil
}

// weighed is one life of a server in which its memory is watched; a slow one
// is spared the mixed calls.
func weighed(ctx context.Context, c *contestant, t *tree, b *board) error {
	server, d, _, err := meet(ctx, c, t)
	if err != nil {
		return err
	}
	defer server.stop()
	watch := watch(server.process.Process.Pid)
	ignored := newBoard(t)
	for _, o := range operations(t) {
		if c.slow && o.sum {
			continue
		}
		if err = o.work(server, c, d, ignored); err != nil {
			break
		}
	}
	b.add(rowPeak, c, watch.peak())
	return err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

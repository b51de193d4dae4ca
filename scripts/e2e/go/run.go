package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"
)

// patience ends a check whose answer does not come; a healthy server answers
// each of them in a fraction of it.
const patience = 20 * time.Second

// run is the scenario with one client at one revision.
type run struct {
	scenario scenario
	name     string
	revision string
	failures int
	client   client
}

func (r *run) all(workspace string, connect func(context.Context) (client, error)) {
	r.check("connect", func(context.Context) error {
		if err := r.scenario.prepare(workspace); err != nil {
			return err
		}
		var err error
		// The libraries end the process with this context: it outlives the check.
		r.client, err = connect(context.Background())
		return err
	})
	if r.failures > 0 {
		return
	}
	r.check("revision", r.checkRevision)
	r.check("list", r.checkList)
	for _, s := range r.scenario.Calls {
		r.check(s.Name, func(ctx context.Context) error { return r.checkCall(ctx, s) })
	}
	r.check("progress", r.checkProgress)
	r.check("cancel", r.checkCancel)
	r.check("unknown tool", r.checkUnknownTool)
	r.check("ping", func(ctx context.Context) error { return r.client.Ping(ctx) })
	r.check("close", r.checkClose)
}

func (r *run) check(name string, body func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := body(ctx); err != nil {
		r.failures++
		fmt.Printf("FAIL %s: %s: %v\n", r.name, name, err)
		return
	}
	fmt.Printf("ok   %s: %s\n", r.name, name)
}

func (r *run) checkRevision(context.Context) error {
	if got := r.client.Revision(); got != r.revision {
		return fmt.Errorf("agreed on %q", got)
	}
	return nil
}

func (r *run) checkList(ctx context.Context) error {
	names, err := r.client.Tools(ctx)
	if err != nil {
		return err
	}
	if !slices.Equal(names, r.scenario.Tools) {
		return fmt.Errorf("tools %v, want %v", names, r.scenario.Tools)
	}
	return nil
}

func (r *run) checkCall(ctx context.Context, s step) error {
	got, err := r.client.Call(ctx, s.Tool, s.Arguments, nil)
	if err != nil {
		return err
	}
	if got.code != s.Code || got.isError != (s.Code != "") {
		return fmt.Errorf("isError %v, code %q, want code %q; text:\n%s", got.isError, got.code, s.Code, got.text)
	}
	if !regexp.MustCompile(s.Text).MatchString(got.text) {
		return fmt.Errorf("text does not match %q:\n%s", s.Text, got.text)
	}
	return nil
}

func (r *run) checkProgress(ctx context.Context) error {
	var mu sync.Mutex
	var seen []float64
	s := r.scenario.Progress
	_, err := r.client.Call(ctx, s.Tool, s.Arguments, func(p float64) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, p)
	})
	mu.Lock()
	defer mu.Unlock()
	switch {
	case err != nil:
		return err
	case len(seen) == 0:
		return errors.New("no progress arrived")
	case !slices.IsSorted(seen):
		return fmt.Errorf("progress does not grow: %v", seen)
	}
	return nil
}

// checkCancel ends a call when its first sign of life arrives. The server must
// be at work again long before the command would have ended.
func (r *run) checkCancel(ctx context.Context) error {
	calling, stop := context.WithCancel(ctx)
	defer stop()
	s := r.scenario.Cancel
	if _, err := r.client.Call(calling, s.Tool, s.Arguments, func(float64) { stop() }); err == nil {
		return errors.New("the cancelled call was answered")
	}
	_, err := r.client.Call(ctx, "list", map[string]any{}, nil)
	return err
}

func (r *run) checkUnknownTool(ctx context.Context) error {
	_, err := r.client.Call(ctx, "teleport", nil, nil)
	if code := protocolCode(err); code != invalidParams {
		return fmt.Errorf("code %d: %v", code, err)
	}
	return nil
}

func (r *run) checkClose(ctx context.Context) error {
	done := make(chan error, 1)
	go func() { done <- r.client.Close() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("the process did not end")
	}
}

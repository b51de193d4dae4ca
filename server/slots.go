package server

import (
	"context"

	"septet/toolset"
)

// slots bound how many calls run at once. A call first waits for the slot of
// its kind and then for a general one, so that waiting shells keep no reader
// from running. Waiting calls are served in the order in which they came.
type slots struct {
	calls     chan struct{}
	processes chan struct{}
	searches  chan struct{}
}

func newSlots(c Config) *slots {
	return &slots{
		calls:     make(chan struct{}, c.MaxCalls),
		processes: make(chan struct{}, c.MaxProcesses),
		searches:  make(chan struct{}, c.MaxSearches),
	}
}

// acquire waits for a call's slots and returns what gives them back. The error
// is the cause with which ctx ended.
func (s *slots) acquire(ctx context.Context, load toolset.Load) (func(), error) {
	kind := s.of(load)
	if err := take(ctx, kind); err != nil {
		return nil, err
	}
	if err := take(ctx, s.calls); err != nil {
		give(kind)
		return nil, err
	}
	return func() {
		give(s.calls)
		give(kind)
	}, nil
}

// of returns the slots of a kind of call; nil when there is no bound.
func (s *slots) of(load toolset.Load) chan struct{} {
	switch load {
	case toolset.LoadProcess:
		return s.processes
	case toolset.LoadSearch:
		return s.searches
	}
	return nil
}

func take(ctx context.Context, c chan struct{}) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c == nil {
		return nil
	}
	select {
	case c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func give(c chan struct{}) {
	if c != nil {
		<-c
	}
}

package server_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"septet/server"
)

// connected runs a scenario on a clock of its own, with a host that has done
// its handshake. The scenario ends the connection.
func connected(t *testing.T, change func(*server.Config), scenario func(*testing.T, *host)) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, change)
		h.initialize(server.Revision20251125)
		scenario(t, h)
	})
}

// startWaiting starts calls that end only when they are made to. Their ids
// count from 1.
func (h *host) startWaiting(calls int) {
	h.t.Helper()
	for id := range calls {
		h.send(toolCall(strconv.Itoa(id+1), "wait", `{}`, ""))
		<-h.fake.running
	}
}

func TestEndOfInputWaitsForAcceptedCalls(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		h.startWaiting(1)
		_ = h.in.Close()
		time.Sleep(time.Second) // less than the drain
		h.fake.releaseAll()
		if o := h.next().outcome(t); o.IsError || o.Content[0].Text != "released" {
			t.Errorf("%+v", o)
		}
		began := time.Now()
		h.finish()
		if waited := time.Since(began); waited > 0 {
			t.Errorf("it still waited %v when nothing was in flight", waited)
		}
	})
}

func TestDrainEndsInCancel(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		h.startWaiting(1)
		began := time.Now()
		_ = h.in.Close()
		cancelled(t, h.next(), "shutting down")
		if waited := time.Since(began); waited != server.DefaultDrain {
			t.Errorf("cancelled after %v, want %v", waited, server.DefaultDrain)
		}
		h.finish()
	})
}

func TestIdleServerEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		began := time.Now()
		h.finish()
		if waited := time.Since(began); waited != 0 {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestNoDrainCancelsAtOnce(t *testing.T) {
	connected(t, func(c *server.Config) { c.Drain = -1 }, func(t *testing.T, h *host) {
		h.startWaiting(1)
		began := time.Now()
		_ = h.in.Close()
		cancelled(t, h.next(), "shutting down")
		h.finish()
		if waited := time.Since(began); waited != 0 {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestSignalCancelsAtOnceAndAnswers(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		h.startWaiting(2)
		began := time.Now()
		h.stop()
		cancelled(t, h.next(), "shutting down")
		cancelled(t, h.next(), "shutting down")
		if err := h.wait(); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestDeadOutputCancelsAtOnce(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		h.startWaiting(1)
		_ = h.out.Close()
		began := time.Now()
		h.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if err := h.wait(); err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestHostThatDoesNotReadCannotHoldTheEnd closes the input and reads nothing.
func TestHostThatDoesNotReadCannotHoldTheEnd(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		hold := h.holdReading()
		for id := range 3 {
			h.send(toolCall(strconv.Itoa(id), "big", `{"count":1000000}`, ""))
		}
		began := time.Now()
		_ = h.in.Close()
		if err := h.wait(); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited > 5*time.Second {
			t.Errorf("waited %v", waited)
		}
		close(hold)
		_ = h.out.Close()
	})
}

// TestFloodWithoutReaderIsThrottled sends frames to a server whose answers
// nobody reads: it must stop reading and not fill the memory.
func TestFloodWithoutReaderIsThrottled(t *testing.T) {
	listen := modern(`"%d-`+strings.Repeat("x", 900)+`"`, "subscriptions/listen", `"notifications":{},`)
	elements := make([]string, 100)
	for i := range elements {
		elements[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"%%[1]d-%d","method":"septet/effects","params":{"name":"change","arguments":{"text":"%s"}}}`, i, strings.Repeat("x", 1000))
	}
	for name, flood := range map[string]flood{
		"refusals":  {`{"x":%d}`, 100},
		"batches":   {"[" + strings.Join(elements, ",") + "]", 110_000},
		"listeners": {listen, 1100},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, flood.withoutReader) })
	}
}

// flood is frames that a host sends without reading their answers.
type flood struct {
	frame   string // with a verb for its number
	answers int    // bytes of the answers to one, about
}

func (f flood) withoutReader(t *testing.T) {
	h := start(t, nil)
	h.initialize(server.Revision20250326)
	hold := h.holdReading()
	sent := make(chan int, 1)
	go func() {
		n := 0
		for ; n < 24<<20/f.answers; n++ {
			if _, err := fmt.Fprintf(h.in, f.frame+"\n", n); err != nil {
				break
			}
		}
		sent <- n
	}()
	synctest.Wait()
	_ = h.out.Close()
	close(hold)
	_ = h.in.Close()
	if n := <-sent * f.answers; n > 16<<20 {
		t.Errorf("about %d bytes of answers were queued", n)
	}
	if err := h.wait(); err != nil {
		t.Error(err)
	}
}

// TestUnreadListenerCannotHoldTheEnd: its first frame waits behind what the
// host does not read.
func TestUnreadListenerCannotHoldTheEnd(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		hold := h.holdReading()
		for id := range 3 {
			h.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id))
		}
		h.send(modern(`3`, "subscriptions/listen", `"notifications":{},`))
		began := time.Now()
		_ = h.in.Close()
		if err := h.wait(); err != nil || time.Since(began) > 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		close(hold)
		_ = h.out.Close()
	})
}

func TestAnswersOfAnEndedInputComeBeforeTheEnd(t *testing.T) {
	for range 20 {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "echo", `{"text":"last"}`, ""))
		_ = h.in.Close()
		if a := h.next(); string(a.ID) != "1" {
			t.Errorf("%s", a.raw)
		}
		if err := h.wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestHostThatReadsSlowlyGetsEverything reads 1 KiB a second.
func TestHostThatReadsSlowlyGetsEverything(t *testing.T) {
	connected(t, nil, func(t *testing.T, h *host) {
		h.slow.Store(true)
		const calls = 100
		for id := range calls {
			h.send(toolCall(strconv.Itoa(id), "big", `{"count":2000}`, `,"_meta":{"progressToken":1}`))
		}
		h.send(toolCall(`"waits"`, "wait", `{}`, ""))
		<-h.fake.running // although most answers are still on their way
		h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"waits"}}`)
		seen := map[string]bool{}
		for range calls {
			a := h.next()
			if text := a.outcome(t).Content[0].Text; len(text) != 2000 || seen[string(a.ID)] {
				t.Errorf("id %s: %d bytes", a.ID, len(text))
			}
			seen[string(a.ID)] = true
		}
		h.slow.Store(false)
		h.silence()
		h.finish()
	})
}

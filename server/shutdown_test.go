package server_test

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"septet/server"
)

func TestEndOfInputWaitsForAcceptedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, ""))
		<-h.fake.running
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, ""))
		<-h.fake.running
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, func(c *server.Config) { c.Drain = -1 })
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, ""))
		<-h.fake.running
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, ""))
		h.send(toolCall("2", "wait", `{}`, ""))
		<-h.fake.running
		<-h.fake.running
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		h.send(toolCall("1", "wait", `{}`, ""))
		<-h.fake.running
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
		hold := h.holdReading()
		for range 3 {
			h.send(toolCall(`"`+time.Now().String()+`"`, "big", `{"count":1000000}`, ""))
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

// TestFloodWithoutReaderIsThrottled sends refusable frames to a server whose
// answers nobody reads: it must stop reading and not fill the memory.
func TestFloodWithoutReaderIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		hold := h.holdReading()
		sent := make(chan int, 1)
		go func() {
			n := 0
			for ; n < 1_000_000; n++ {
				if _, err := io.WriteString(h.in, strings.Repeat("x\n", 1000)); err != nil {
					break
				}
			}
			sent <- n
		}()
		synctest.Wait()
		_ = h.out.Close()
		close(hold)
		_ = h.in.Close()
		if n := <-sent * 1000 * 80; n > 16<<20 {
			t.Errorf("about %d bytes of answers were queued", n)
		}
		if err := h.wait(); err != nil {
			t.Error(err)
		}
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
	synctest.Test(t, func(t *testing.T) {
		h := start(t, nil)
		h.initialize(server.Revision20251125)
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

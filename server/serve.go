package server

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rs/zerolog"
	"github.com/sourcegraph/jsonrpc2"

	"septet/server/jsonrpc"
	"septet/session"
)

// server is one connection.
type server struct {
	config  Config
	stream  *jsonrpc.Stream
	methods map[string]method
	turns   session.Turns
	slots   *slots
	peer    peer // the reading goroutine's alone
	log     zerolog.Logger
	run     string        // tells the call ids of this process from those of others
	ending  chan struct{} // closed when the end has begun
}

// Serve answers what arrives on in until it ends, out is dead or ctx ends, and
// returns when no call is left. At the end of in, accepted calls may go on for
// the drain; otherwise they are cancelled at once. It closes neither pipe, and
// a read of in may still be waiting when it returns.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	c = c.withDefaults()
	s := &server{
		config: c,
		stream: jsonrpc.NewStream(in, out, jsonrpc.Options{
			Framing: c.Framing, MaxFrameBytes: c.MaxFrameBytes, MaxInFlightBytes: c.MaxInFlightBytes, HungUp: hungUp(in),
		}),
		slots:  newSlots(c),
		log:    c.Log,
		run:    newRunID(),
		ending: make(chan struct{}),
	}
	s.methods = s.table()
	calls, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(session.ErrShutdown)
	// The connection outlives ctx: calls that ctx's end cancels are answered.
	conn := jsonrpc2.NewConn(context.WithoutCancel(ctx), s.stream,
		handlerFunc(func(conn *jsonrpc2.Conn, r *jsonrpc2.Request) { s.handle(calls, conn, r) }),
		jsonrpc2.SetLogger(libraryLog{s.log}))
	s.await(ctx)
	cancel(session.ErrShutdown)
	s.turns.Hurry() // those that were cancelled before
	err := s.settle()
	if closeErr := conn.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("close the connection: %w", closeErr)
	}
	return err
}

// await returns when the calls that are left must be cancelled.
func (s *server) await(ctx context.Context) {
	defer s.stream.Stop()
	defer s.end()
	select {
	case <-ctx.Done():
		return
	case <-s.stream.Dead():
		return
	case <-s.stream.Ended():
	}
	s.end()
	drain := time.NewTimer(max(s.config.Drain, 0))
	defer drain.Stop()
	select {
	case <-s.stream.Idle():
	case <-drain.C:
	case <-ctx.Done():
	case <-s.stream.Dead():
	}
}

// end lets what is held open, and does no work, be answered.
func (s *server) end() {
	select {
	case <-s.ending:
	default:
		close(s.ending)
	}
}

// settle waits for the calls to end and for their answers to leave.
func (s *server) settle() error {
	timer := time.NewTimer(maxSettle)
	defer timer.Stop()
	select {
	case <-s.stream.Idle():
	case <-timer.C:
		return fmt.Errorf("calls still run %v after they were cancelled", maxSettle)
	}
	flush := time.NewTimer(maxFlush)
	defer flush.Stop()
	select {
	case <-s.stream.Flushed():
	case <-flush.C:
		s.log.Warn().Dur("after", maxFlush).Msg("the host did not read its last answers")
	}
	return nil
}

// handlerFunc adapts a function to the library's interface.
type handlerFunc func(*jsonrpc2.Conn, *jsonrpc2.Request)

func (f handlerFunc) Handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) { f(conn, r) }

// libraryLog takes what the library would print.
type libraryLog struct{ log zerolog.Logger }

func (l libraryLog) Printf(format string, v ...any) { l.log.Warn().Msgf(format, v...) }

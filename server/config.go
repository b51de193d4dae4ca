package server

import (
	"runtime"
	"time"

	"github.com/rs/zerolog"

	"septet/server/jsonrpc"
	"septet/session"
	"septet/toolset"
)

// Config is what a server is made from. The zero value of everything that is
// optional is usable.
type Config struct {
	Version string // required; of the program, as hosts show it

	// Finalize makes the toolset of the process, once. Required. It is called
	// at the first accepted initialize or the first modern request for tools,
	// with Selection or less.
	Finalize  func(toolset.Selection) (*toolset.FinalizedToolset, error)
	Selection toolset.Selection // optional; the most a host may select

	// History is the stored changes. Optional; without it there are none.
	History session.History

	Session string // required; names the session in the records of changes
	// SessionNamed says that a person chose Session: a handshake cannot
	// choose another. Optional.
	SessionNamed bool

	Structured bool // optional; results carry structured content too

	Framing       jsonrpc.Framing // optional; "" finds it out
	MaxFrameBytes int             // optional; 0 is jsonrpc.MaxFrameBytes
	Drain         time.Duration   // optional; 0 is DefaultDrain, negative is none

	MaxCalls     int // optional; 0 is DefaultMaxCalls
	MaxProcesses int // optional; 0 is DefaultMaxProcesses
	MaxSearches  int // optional; 0 is the number of processors

	MaxInFlightBytes int // optional; 0 is jsonrpc.MaxInFlightBytes

	Log zerolog.Logger // optional; the zero value writes nothing
}

func (c Config) withDefaults() Config {
	if c.Drain == 0 {
		c.Drain = DefaultDrain
	}
	c.MaxCalls = orDefault(c.MaxCalls, DefaultMaxCalls)
	c.MaxProcesses = orDefault(c.MaxProcesses, DefaultMaxProcesses)
	c.MaxSearches = orDefault(c.MaxSearches, runtime.NumCPU())
	return c
}

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

package cli

import (
	"io"
	stdlog "log"
	"os"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"
)

const (
	// maxLogLines may wait for a slow reader of the log; what comes on top is
	// dropped, so that a host that never reads stderr cannot stop the program.
	maxLogLines = 1000
	// logFlush is how long the last lines may take at the end.
	logFlush = 100 * time.Millisecond
)

// openLog makes the logger of --log-level and --log-file. Lines are written
// by a goroutine of their own. Call the returned function at the end; it does
// not wait for a reader that is gone.
func (o *options) openLog(stderr io.Writer) (zerolog.Logger, func(), error) {
	level, err := zerolog.ParseLevel(o.logLevel)
	if err != nil || o.logLevel == "" {
		return zerolog.Nop(), nil, usage("levels are debug, info, warn, error and disabled", "unknown log level %q", o.logLevel)
	}
	if level == zerolog.Disabled {
		return zerolog.Nop(), func() {}, nil
	}
	target := stderr
	if o.logFile != "" {
		f, err := os.OpenFile(o.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return zerolog.Nop(), nil, usage("--log-file names a file that can be written", "%v", err)
		}
		target = f
	}
	// The ring reports a lost race through the standard logger, straight to
	// stderr: with nobody reading there, that would stop the program.
	stdlog.SetOutput(io.Discard)
	lines := diode.NewWriter(keepOpen{target}, maxLogLines, 0, nil)
	var out io.Writer = lines
	if isTerminal(target) {
		out = zerolog.ConsoleWriter{Out: lines, TimeFormat: time.TimeOnly, NoColor: !coloured(target)}
	}
	return zerolog.New(out).Level(level).With().Timestamp().Logger(), func() { closeSoon(lines) }, nil
}

// keepOpen hides Close: the writer above would close stderr under everybody
// else.
type keepOpen struct{ io.Writer }

// closeSoon writes what waits, unless nobody reads it.
func closeSoon(c io.Closer) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Close() // there is nowhere left to report it
	}()
	select {
	case <-done:
	case <-time.After(logFlush):
	}
}

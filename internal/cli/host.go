package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"septet/backend"
	"septet/backend/local"
	"septet/backend/search"
	"septet/server"
	"septet/server/jsonrpc"
	"septet/session"
	"septet/tools"
	"septet/toolset"
)

// Program is what main puts together.
type Program struct {
	// Register fills the registry; required. It is the one list of tools.
	Register func(*toolset.Registry, tools.Config)
	// Shim is what local.ShimMain returned.
	Shim string
}

// host is a server that is ready to serve, with all that it works on.
type host struct {
	config   server.Config
	past     *past      // nil without a journal
	absent   []rootFlag // the roots that were not there; serve warns of them
	closeLog func()
}

// prepare checks the flags and puts the server's parts together. Nothing is
// written and no lock is taken: some hosts start the program only to see
// whether it answers.
func (o *options) prepare(cmd *cobra.Command, p Program) (*host, error) {
	if _, err := o.settle(cmd.Flags()); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	absent, err := o.absentRoots()
	if err != nil {
		return nil, err
	}
	log, closeLog, err := o.openLog(cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	h := &host{absent: absent, closeLog: closeLog}
	if err := h.configure(o, p, log); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *host) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return server.Serve(ctx, h.config, in, out)
}

func (h *host) close() {
	if err := h.past.close(); err != nil {
		h.config.Log.Error().Err(err).Msg("the journal could not be closed")
	}
	h.closeLog()
}

func (h *host) configure(o *options, p Program, log zerolog.Logger) error {
	registry, selection, err := o.selectTools(p)
	if err != nil {
		return err
	}
	at, err := o.places()
	if err != nil {
		return err
	}
	environment, err := o.environment()
	if err != nil {
		return err
	}
	operations := o.operations(p, at, log)
	var history session.History
	if !o.noJournal {
		if h.past, err = newPast(operations.Files, at, func(fact, hint string) {
			log.Warn().Str("hint", hint).Msg(fact)
		}); err != nil {
			return err
		}
		operations.Files, history = h.past.files, h.past.history
	}
	h.config = server.Config{
		Version: thisBuild().Version, Session: at.session, SessionNamed: o.session != "",
		Selection: selection, History: history, Structured: o.structured,
		Framing: jsonrpc.Framing(o.framing), MaxFrameBytes: int(o.maxFrame), Drain: o.drainOrNone(), Log: log,
		Finalize: func(s toolset.Selection) (*toolset.FinalizedToolset, error) {
			sc, err := session.New(session.Config{
				Paths: at.paths, Profile: session.Profile{Mode: s.Mode}, Environment: environment,
			}, operations)
			if err != nil {
				return nil, err
			}
			return registry.Finalize(sc, s)
		},
	}
	return nil
}

// selectTools fills the registry and refuses a selection that it cannot serve.
func (o *options) selectTools(p Program) (*toolset.Registry, toolset.Selection, error) {
	registry := &toolset.Registry{}
	p.Register(registry, tools.Config{SearchTimeout: o.searchTimeout})
	selection := toolset.Selection{Mode: session.Mode(o.mode), Tools: o.tools}
	// A set for no session: it only shows what is wrong with the selection.
	if _, err := registry.Finalize(nil, selection); err != nil {
		return nil, selection, usage("septet tools lists what there is", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return registry, selection, nil
}

// environment is what commands get.
func (o *options) environment() ([]string, error) {
	list, err := session.CommandEnvironment(session.EnvironmentConfig{
		Base: os.Environ(), Set: o.env, Keep: o.keepEnv, ScrubSecrets: o.scrubSecrets,
	})
	if err != nil {
		return nil, usage("--env NAME=VALUE", "%v", err)
	}
	return list, nil
}

// drainOrNone keeps "--drain 0" apart from no drain given.
func (o *options) drainOrNone() time.Duration {
	if o.drain == 0 {
		return -1
	}
	return o.drain
}

// operations are the backends of this machine.
func (o *options) operations(p Program, at places, log zerolog.Logger) backend.Operations {
	return backend.Operations{
		Files: local.Files(),
		Processes: local.Processes(local.ProcessConfig{
			Shim:     p.Shim,
			SpillDir: at.paths.Spill,
			Late: func(callID string, c backend.Completion) {
				log.Warn().Str("call", callID).Str("status", string(c.Status)).Msg("a command ended after its answer")
			},
		}),
		Search: search.New(search.Config{Environment: os.Getenv, Workers: o.searchThreads}),
	}
}

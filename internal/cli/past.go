package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"septet/backend"
	"septet/backend/local"
	"septet/safepath"
	"septet/session"
	"septet/session/journal"
)

// past is the journal of a workspace as the verbs about changes use it, and
// the file system that writes to it.
type past struct {
	store   *journal.Store
	paths   *safepath.Resolver
	files   backend.FileSystem
	history session.History
}

// newPast describes the journal of a place; the disk is touched when it is first
// used. notice is told what a person should know of it.
func newPast(inner backend.FileSystem, at places, notice func(fact, hint string)) (*past, error) {
	paths, err := safepath.NewResolver(inner.Volume(), at.paths)
	if err != nil {
		return nil, usage("septet serve --help shows what it takes", "%v", err)
	}
	store := journal.New(journal.Config{State: at.paths.State, Workspace: paths.WorkingDirectory(), Notice: notice})
	files := store.Wrap(inner)
	return &past{store: store, paths: paths, files: files, history: store.History(files, paths)}, nil
}

func (p *past) close() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.store.Close(), p.paths.Close())
}

// pastOptions are the flags of the verbs about changes.
type pastOptions struct {
	options
	asJSON bool
}

func (o *pastOptions) register(f *pflag.FlagSet) {
	o.registerPlaces(f)
	f.StringVar(&o.config, "config", "", "configuration `FILE`, or none")
	f.StringVar(&o.session, "session", "", "only changes of the session `ID` (default all of the workspace)")
	f.StringVar(&o.state, "state", "", "`DIR` of the program's own state (default the user's state directory)")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
}

// hideRoots leaves the flags of roots out of the help of a verb that only looks
// at the journal. It takes them, for a person edits the line of an undo.
func hideRoots(f *pflag.FlagSet) {
	for _, name := range []string{"read", "write", "skills", "protect"} {
		f.Lookup(name).Hidden = true
	}
}

// with opens the past that the command line names, for as long as use takes.
func (o *pastOptions) with(cmd *cobra.Command, use func(*past) error) error {
	if err := o.settle(cmd); err != nil {
		return err
	}
	return o.open(func(fact, hint string) {
		_ = report(cmd.ErrOrStderr(), &failure{fact: fact, hint: forPerson(hint)}) // no failure: the verb goes on
	}, use)
}

func (o *pastOptions) open(notice func(fact, hint string), use func(*past) error) error {
	if _, err := o.absentRoots(); err != nil {
		return err
	}
	at, err := o.places()
	if err != nil {
		return err
	}
	p, err := newPast(local.Files(), at, notice)
	if err != nil {
		return err
	}
	return errors.Join(use(p), p.close())
}

package toolset

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"septet/session"
)

// Registry holds every tool the program knows, in the order in which they are
// listed. The zero value is empty and ready. It is filled by Register and then
// only read; it is not safe for concurrent registration.
type Registry struct {
	entries  []*entry
	mistakes []error
}

var toolID = regexp.MustCompile(`^[a-z]+$`)

// Register adds a tool. Mistakes are kept and reported together by Finalize.
func Register[I any, O Output](r *Registry, t Tool[I, O]) {
	e, err := newEntry(t)
	if err != nil {
		r.mistakes = append(r.mistakes, err)
		return
	}
	if r.find(e.definition.Name) != nil {
		r.mistakes = append(r.mistakes, fmt.Errorf("tool %q is registered twice", e.definition.Name))
		return
	}
	r.entries = append(r.entries, e)
}

func newEntry[I any, O Output](t Tool[I, O]) (*entry, error) {
	spec := t.Spec()
	input, output := reflect.TypeFor[I](), reflect.TypeFor[O]()
	if err := checkSpec(spec); err != nil {
		return nil, fmt.Errorf("tool %q: %w", spec.ID, err)
	}
	definition, decoder, err := define(spec, input, output)
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", spec.ID, err)
	}
	return erase(t, definition, decoder), nil
}

func checkSpec(s Spec) error {
	var errs []error
	if !toolID.MatchString(s.ID) {
		errs = append(errs, errors.New("the id must be one lower-case word"))
	}
	if strings.TrimSpace(s.Title) == "" || strings.TrimSpace(s.Description) == "" {
		errs = append(errs, errors.New("title and description must not be blank"))
	}
	if s.Risk < RiskRead || s.Risk > RiskExecute {
		errs = append(errs, errors.New("the risk must be read, write or execute"))
	}
	return errors.Join(errs...)
}

func (r *Registry) find(name string) *entry {
	for _, e := range r.entries {
		if e.definition.Name == name {
			return e
		}
	}
	return nil
}

// Names lists the registered tools in order.
func (r *Registry) Names() []string {
	names := make([]string, len(r.entries))
	for i, e := range r.entries {
		names[i] = e.definition.Name
	}
	return names
}

// Finalize binds the selected tools to a session and freezes them. It reports
// every mistake of registration and selection at once.
func (r *Registry) Finalize(sc *session.SessionContext, s Selection) (*FinalizedToolset, error) {
	mistakes := append([]error(nil), r.mistakes...)
	if rank(s.mode()) < 0 {
		mistakes = append(mistakes, fmt.Errorf("unknown mode %q", s.Mode))
	}
	wanted := map[string]bool{}
	for _, name := range s.Tools {
		if err := r.checkSelected(name, s, wanted[name]); err != nil {
			mistakes = append(mistakes, err)
		}
		wanted[name] = true
	}
	if s.Tools != nil && len(s.Tools) == 0 {
		mistakes = append(mistakes, errors.New("no tool is selected"))
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, err
	}
	set := &FinalizedToolset{session: sc}
	for _, e := range r.entries {
		if (s.Tools == nil && s.allows(e.risk)) || wanted[e.definition.Name] {
			set.entries = append(set.entries, e)
		}
	}
	return set, nil
}

func (r *Registry) checkSelected(name string, s Selection, again bool) error {
	e := r.find(name)
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a selected tool's name is blank")
	case e == nil:
		err := fmt.Errorf("unknown tool %q; known are %s", name, strings.Join(r.Names(), ", "))
		if near := Closest(name, r.Names()); near != "" {
			err = fmt.Errorf("unknown tool %q; did you mean %q?", name, near)
		}
		return err
	case again:
		return fmt.Errorf("tool %q is selected twice", name)
	case !s.allows(e.risk):
		return fmt.Errorf("tool %q is not available in mode %q", name, s.mode())
	}
	return nil
}

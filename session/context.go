// Package session holds what is stable while a tool works: the session's
// directory, permissions, environment and backends, and the state of one call.
package session

import (
	"fmt"
	"slices"

	"septet/backend"
	"septet/safepath"
)

// Re-exported so that tools can name what they ask for without importing
// safepath: they can pass a CheckedPath on and do nothing else with it.
type (
	CheckedPath = safepath.CheckedPath
	Access      = safepath.Access
	Intent      = safepath.Intent
)

const (
	Read  = safepath.Read
	Write = safepath.Write

	File            = safepath.File
	Directory       = safepath.Directory
	FileOrDirectory = safepath.FileOrDirectory
)

// Config is what a SessionContext is made from.
type Config struct {
	Paths       safepath.Config // required
	Profile     Profile         // zero value: default mode
	Environment []string        // optional; KEY=VALUE, what commands get, already scrubbed
}

// SessionContext is what every call of one session shares. It is immutable and
// safe for concurrent use, and holds nothing of any one call.
type SessionContext struct {
	workingDirectory string
	profile          Profile
	environment      []string
	paths            *safepath.Resolver
	operations       backend.Operations
}

// New binds the backends to the session's directory and permissions.
func New(c Config, ops backend.Operations) (*SessionContext, error) {
	paths, err := safepath.NewResolver(ops.Files.Volume(), c.Paths)
	if err != nil {
		return nil, fmt.Errorf("session paths: %w", err)
	}
	return &SessionContext{
		workingDirectory: c.Paths.WorkingDirectory,
		profile:          c.Profile,
		environment:      slices.Clone(c.Environment),
		paths:            paths,
		operations:       ops,
	}, nil
}

// WorkingDirectory is the absolute path that relative paths start from.
func (s *SessionContext) WorkingDirectory() string { return s.workingDirectory }

// Profile is what the session's calls may do. No session has the zero profile.
func (s *SessionContext) Profile() Profile {
	if s == nil {
		return Profile{}
	}
	return s.profile
}

// Environment is the complete environment of commands, KEY=VALUE, a copy.
func (s *SessionContext) Environment() []string { return slices.Clone(s.environment) }

// Files, Processes and Search are the backends the session works on.
func (s *SessionContext) Files() backend.FileSystem  { return s.operations.Files }
func (s *SessionContext) Processes() backend.Process { return s.operations.Processes }
func (s *SessionContext) Search() backend.Searcher   { return s.operations.Search }

// Resolve checks a path that a caller named. The caller closes the result.
// Errors are *safepath.Error.
func (s *SessionContext) Resolve(raw string, a Access, i Intent) (*CheckedPath, error) {
	return s.paths.Resolve(raw, a, i)
}

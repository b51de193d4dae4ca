package search

import (
	"io"
	"path"
	"strings"

	"septet/backend/search/ignore"
	"septet/safepath"
)

// surroundings reads what lies around the place of a search and says which
// names it hides: the ignore files of the directories above, up to the top of
// the repository, and the user's git configuration. Nothing of it is ever
// shown.
type surroundings struct {
	volume      safepath.Volume
	environment func(string) string
	place       string // where the search begins, absolute
}

// rules returns the rules for the directory at l.
func (s *surroundings) rules(l safepath.Location) *ignore.Rules {
	full := path.Join(append([]string{l.Root}, l.Below...)...)
	s.place = full
	top, config := s.top(full, l.Root)
	global := ignore.Parse(s.globalExcludes(config))
	r := ignore.New(global, s.files(top))
	rest := strings.TrimPrefix(full[len(top):], "/")
	for dir := top; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		dir = path.Join(dir, name)
		r = r.Enter(name, s.files(dir))
	}
	return r
}

// top returns the highest directory whose ignore files matter, and the
// repository's own configuration: the top of the repository around full or,
// outside a repository, the root.
func (s *surroundings) top(full, root string) (string, []byte) {
	for dir := full; ; dir = path.Dir(dir) {
		if git, ok := s.gitDirectory(dir); ok {
			return dir, s.read(path.Join(git, "config"))
		}
		if dir == path.Dir(dir) {
			return root, nil
		}
	}
}

// files reads the ignore files of the directory at dir.
func (s *surroundings) files(dir string) ignore.Files {
	f := ignore.Files{
		GitIgnore: s.readPlain(path.Join(dir, ".gitignore")),
		Ignore:    s.readPlain(path.Join(dir, ".ignore")),
	}
	if git, ok := s.gitDirectory(dir); ok {
		f.Repository = true
		f.Exclude = s.read(path.Join(git, "info/exclude"))
	}
	return f
}

// gitDirectory finds the directory that holds the repository's configuration
// when dir is the top of a repository. A .git that is a file names it, and a
// linked worktree's names the main repository's in turn.
func (s *surroundings) gitDirectory(dir string) (string, bool) {
	git := path.Join(dir, ".git")
	st, err := s.volume.Lstat(git)
	if err != nil {
		return "", false
	}
	if st.Kind != safepath.KindFile {
		return git, s.exists(path.Join(git, "HEAD"))
	}
	to, ok := strings.CutPrefix(string(s.read(git)), "gitdir: ")
	if !ok {
		return "", false
	}
	git = absolute(dir, strings.TrimRight(to, "\r\n"))
	if common := strings.TrimRight(string(s.read(path.Join(git, "commondir"))), "\r\n"); common != "" {
		git = absolute(git, common)
	}
	return git, true
}

// globalExcludes reads the user's excludes: core.excludesFile of the git
// configurations, the last one wins, or the usual place.
func (s *surroundings) globalExcludes(repository []byte) []byte {
	home, xdg := s.environment("HOME"), s.environment("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = path.Join(home, ".config")
	}
	found := ""
	for _, c := range s.configurations(home, xdg) {
		s.excludesFile(&found, c, s.read(c), maxIncludes)
	}
	s.excludesFile(&found, "", repository, 0)
	if found == "" && xdg != "" {
		found = path.Join(xdg, "git/ignore")
	}
	found = s.expand(found, home)
	if !path.IsAbs(found) {
		return nil
	}
	return s.read(found)
}

// configurations lists git's configuration files, the strongest last.
func (s *surroundings) configurations(home, xdg string) []string {
	if home == "" && xdg == "" {
		return nil
	}
	var files []string
	if s.environment("GIT_CONFIG_NOSYSTEM") == "" {
		files = append(files, or(s.environment("GIT_CONFIG_SYSTEM"), "/etc/gitconfig"))
	}
	if global := s.environment("GIT_CONFIG_GLOBAL"); global != "" {
		return append(files, global)
	}
	if xdg != "" {
		files = append(files, path.Join(xdg, "git/config"))
	}
	if home != "" {
		files = append(files, path.Join(home, ".gitconfig"))
	}
	return files
}

// excludesFile puts the value of one configuration into found. What it
// includes is read before it, so its own value wins only when it has one.
func (s *surroundings) excludesFile(found *string, file string, content []byte, includes int) {
	value, included := ignore.ExcludesFile(content)
	for _, to := range included[:min(len(included), includes)] {
		to = absolute(path.Dir(file), s.expand(to, s.environment("HOME")))
		s.excludesFile(found, to, s.read(to), includes/2)
	}
	if value != "" {
		*found = value
	}
}

// expand replaces "~/" as git does.
func (s *surroundings) expand(file, home string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok && home != "" {
		return path.Join(home, rest)
	}
	return file
}

func (s *surroundings) exists(file string) bool {
	_, err := s.volume.Lstat(file)
	return err == nil
}

// read reads a file by path and follows links to it; nil when there is none.
func (s *surroundings) read(file string) []byte {
	for range maxLinks {
		st, err := s.volume.Lstat(file)
		if err != nil {
			return nil
		}
		if st.Kind != safepath.KindSymlink {
			return s.readPlain(file)
		}
		to, err := s.volume.Readlink(file)
		if err != nil {
			return nil
		}
		file = absolute(path.Dir(file), to)
	}
	return nil
}

// readPlain reads a regular file by path. A link is not followed: git does not
// follow one for the ignore files of a tree.
func (s *surroundings) readPlain(file string) []byte {
	dir, err := s.volume.OpenRoot(path.Dir(file))
	if err != nil {
		return nil
	}
	defer dir.Close()
	return readSmall(dir, path.Base(file))
}

// readSmall reads a small file; nil when it is not there or too large.
func readSmall(dir safepath.Dir, name string) []byte {
	return readIn(heldFolder{dir: dir}, name)
}

// readIn reads an ignore file of a folder.
func readIn(dir folder, name string) []byte {
	f, err := dir.open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if f.Size() > ignore.MaxFileBytes {
		return nil
	}
	b := make([]byte, f.Size())
	n, err := f.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return nil
	}
	return b[:n]
}
func absolute(dir, file string) string {
	if path.IsAbs(file) {
		return path.Clean(file)
	}
	return path.Join(dir, file)
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// exclude reads the info/exclude of the repository whose top is the directory
// at below, from the place; false when there is no repository after all.
func (s *surroundings) exclude(below string) ([]byte, bool) {
	git, ok := s.gitDirectory(path.Join(s.place, below))
	if !ok {
		return nil, false
	}
	return s.read(path.Join(git, "info/exclude")), true
}

package safepath

import (
	"strings"
	"sync"
	"time"
)

// sweepTimes remembers when a directory was last swept, so that it is read
// once per process and SweepAge, not on every write.
type sweepTimes struct {
	mu   sync.Mutex
	last map[FileID]time.Time
}

// due reports whether dir is to be swept now, and notes that it is.
func (s *sweepTimes) due(dir FileID, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.last[dir]) < SweepAge {
		return false
	}
	if s.last == nil || len(s.last) >= MaxSweptDirs {
		s.last = map[FileID]time.Time{}
	}
	s.last[dir] = now
	return true
}

// sweep removes temporary files that a killed process left in dir: only with
// our form of name, our owner, and too old to be one at work.
func (r *Resolver) sweep(dir Dir, owner uint32) {
	st, err := dir.Stat()
	now := time.Now()
	if err != nil || st.Size > MaxReadDirBytes || !r.sweeps.due(st.ID, now) {
		return
	}
	entries, err := dir.ReadNames()
	if err != nil {
		return
	}
	for _, e := range entries {
		if !isTemporary(e.Name) {
			continue
		}
		st, err := dir.Lookup(e.Name)
		mine := st.UID == owner || owner == 0 // root gives temporary files the owner of the target
		if err == nil && st.Kind == KindFile && mine && now.Sub(st.ModTime) > SweepAge {
			dir.Unlink(e.Name)
		}
	}
}

func isTemporary(name string) bool {
	digits, ok := strings.CutPrefix(name, temporaryPrefix)
	return ok && len(digits) == 16 && strings.Trim(digits, "0123456789abcdef") == ""
}

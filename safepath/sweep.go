package safepath

import (
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

// sweep removes temporary files that a killed process left in dir: only with a
// name that is ours alone, our owner, and from too long ago to be one at work.
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
		since, ok := temporarySince(e.Name)
		if !ok || now.Sub(since) <= SweepAge {
			continue
		}
		st, err := dir.Lookup(e.Name)
		mine := st.UID == owner || owner == 0 // root gives temporary files the owner of the target
		if err == nil && st.Kind == KindFile && mine {
			dir.Unlink(e.Name)
		}
	}
}

package journal

import (
	"context"
	"fmt"
	"io/fs"

	"septet/backend"
	"septet/safepath"
)

// version is what a file must be for a step to be taken, or what it is then.
type version struct {
	digest string      // "" for no file
	mode   fs.FileMode // permission bits; 0 for no file
}

func afterOf(r stored) version  { return version{r.AfterSHA256, r.ModeAfter.Perm()} }
func beforeOf(r stored) version { return version{r.BeforeSHA256, r.ModeBefore.Perm()} }

// plan goes through the steps without taking any and returns the conflicts. It
// looks at each file once; what a step would make of it is what the next one
// of the same file finds. A file with a conflict is not followed further: its
// older changes cannot be judged.
func (h *History) plan(ctx context.Context, steps []stored) ([]backend.Conflict, error) {
	var conflicts []backend.Conflict
	files := map[string]version{}
	lost := map[string]bool{}
	for _, r := range steps {
		if lost[r.Path] {
			continue
		}
		if is, followed := files[r.Path]; followed {
			if is != afterOf(r) {
				conflicts = append(conflicts, conflict(r, observed{digest: is.digest, mode: is.mode}))
				lost[r.Path] = true
			}
			files[r.Path] = beforeOf(r)
			continue
		}
		now, err := h.observe(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		if !now.is(afterOf(r)) {
			conflicts = append(conflicts, conflict(r, now))
			lost[r.Path] = true
		} else if err := h.mayWrite(r); err != nil {
			return nil, err
		}
		files[r.Path] = beforeOf(r)
	}
	return conflicts, nil
}

// mayWrite finds a refusal before the first step is taken: a root that is
// read-only now, a name that is protected by now, a file that may not be
// written any more.
func (h *History) mayWrite(r stored) error {
	p, err := h.paths.Resolve(r.Path, safepath.Write, safepath.File)
	if err != nil {
		return err
	}
	defer p.Close()
	if r.BeforeSHA256 == "" {
		return nil // it is removed, which is the directory's to allow
	}
	return safepath.CheckWritable(p)
}

// is reports whether what was seen is that version.
func (o observed) is(v version) bool {
	return o.other == "" && o.digest == v.digest && (v.digest == "" || o.mode == v.mode)
}

// conflict names both sides and says in words how they differ.
func conflict(r stored, now observed) backend.Conflict {
	return backend.Conflict{
		ChangeID: r.ID, Path: r.Path, Expected: r.AfterSHA256, Found: now.digest,
		Reason: difference(afterOf(r), now),
	}
}

func difference(want version, now observed) string {
	switch {
	case now.other != "":
		return now.other
	case now.digest == "" && now.gone != "":
		return now.gone
	case now.digest == "":
		return "the file is gone"
	case want.digest == "":
		return "there is a file again"
	case now.digest != want.digest:
		return "the content was changed"
	}
	return fmt.Sprintf("the mode was changed from %04o to %04o", want.mode, now.mode)
}

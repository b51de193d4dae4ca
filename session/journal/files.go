package journal

import (
	"bytes"
	"context"

	"septet/backend"
	"septet/safepath"
)

// files records what is replaced on the file system below it. Everything else
// passes through.
type files struct {
	backend.FileSystem
	store *Store
}

// Wrap returns inner with this journal around it: a replacement happens only
// when its old content and its intent are durable, and returns only when the
// outcome is. A failing journal fails it, with JournalFailed, before the file
// is touched.
func (s *Store) Wrap(inner backend.FileSystem) backend.FileSystem {
	return files{FileSystem: inner, store: s}
}

// Replace is the inner Replace with the journal's steps around its commit.
func (f files) Replace(ctx context.Context, p *safepath.CheckedPath, r backend.Replacement) (backend.Change, error) {
	in := intent{
		id: newID(), from: backend.ProvenanceOf(ctx), undoes: undoneBy(ctx), path: p.String(),
	}
	intended := false
	decide := r.Make
	r.Make = func(b backend.Before) ([]byte, error) {
		after, err := decide(b)
		if err != nil || isNoChange(b, after, r.Delete) {
			return after, err
		}
		whole := in.complete(b, after, r.Delete)
		if err = f.store.intend(ctx, whole); err == nil {
			in, intended = whole, true
		}
		return after, err
	}
	change, err := f.FileSystem.Replace(ctx, p, r)
	if !intended {
		return change, err
	}
	if err != nil {
		return change, f.giveUp(ctx, in.id, err)
	}
	change.ID = in.id
	change.Unrecorded = f.store.applied(ctx, in, change) != nil
	return change, nil
}

// giveUp records a failure. After one that could have come in the middle of
// the commit, or when it cannot be stored, the intent stays pending and the
// disk will tell.
func (f files) giveUp(ctx context.Context, id string, failure error) error {
	code := safepath.CodeOf(failure)
	if code == safepath.IOError || code == "" && ctx.Err() == nil {
		f.store.setLive(id, false)
		return failure
	}
	_ = f.store.failed(ctx, id)
	return failure
}

// isNoChange reports whether nothing will be written, so that nothing is to be
// recorded.
func isNoChange(b backend.Before, after []byte, remove bool) bool {
	if remove {
		return !b.Exists
	}
	return b.Exists && bytes.Equal(b.Content, after)
}

// complete adds what is known once the new content is.
func (in intent) complete(b backend.Before, after []byte, remove bool) intent {
	if b.Exists {
		in.before, in.mode = b.Content, b.Mode
		in.sums.before = digestOf(b.Content)
	}
	if !remove {
		in.sums.after = digestOf(after)
		in.size = int64(len(after))
	}
	return in
}

type undoKey struct{}

// withUndone marks a replacement as the one that takes a change back.
func withUndone(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, undoKey{}, id)
}

func undoneBy(ctx context.Context) string {
	id, _ := ctx.Value(undoKey{}).(string)
	return id
}

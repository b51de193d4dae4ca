package backend

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"septet/safepath"
)

// Files is the one FileSystem: what is local, in memory or elsewhere is the
// Volume below it. It is safe for concurrent use; writers of one file take
// turns only when they use the same Files.
type Files struct {
	volume safepath.Volume
	locks  locks
}

var _ FileSystem = (*Files)(nil)

// NewFiles returns the file system of a volume.
func NewFiles(v safepath.Volume) *Files { return &Files{volume: v} }

// Volume is where paths are resolved.
func (f *Files) Volume() safepath.Volume { return f.volume }

// own refuses a path of another volume: its handles would mean other files.
func (f *Files) own(ctx context.Context, p *safepath.CheckedPath) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if safepath.VolumeOf(p) != f.volume {
		return &Error{Code: safepath.InvalidPath, Fact: "the path was not checked on this file system"}
	}
	return nil
}

// Replace gives the file the content that r makes of it.
func (f *Files) Replace(ctx context.Context, p *safepath.CheckedPath, r Replacement) (Change, error) {
	if err := f.own(ctx, p); err != nil {
		return Change{}, err
	}
	release, err := f.lock(ctx, p)
	if err != nil {
		return Change{}, err
	}
	defer release()
	before, was, err := readText(p)
	if err != nil {
		return Change{}, err
	}
	after, err := r.Make(Before{Exists: was.Exists, Content: before, Mode: was.Stat.Mode.Perm()})
	if err != nil {
		return Change{}, err
	}
	if r.Delete {
		return remove(ctx, p, before, was)
	}
	if was.Exists && bytes.Equal(before, after) {
		return unchanged(p, was), nil
	}
	if err := errors.Join(checkContent(p, after), ctx.Err()); err != nil {
		return Change{}, err
	}
	done, err := safepath.Commit(p, safepath.Replacement{Content: after, Was: was, Perm: r.Mode})
	if err != nil {
		return Change{}, err
	}
	return newChange(p, before, after, was, done), nil
}

// remove takes the file away when it is still what was read.
func remove(ctx context.Context, p *safepath.CheckedPath, before []byte, was safepath.Version) (Change, error) {
	if !was.Exists {
		return Change{Kind: Unchanged, Path: p.String(), At: time.Now().UTC()}, nil
	}
	if err := ctx.Err(); err != nil {
		return Change{}, err
	}
	done, err := safepath.Remove(p, was)
	if err != nil {
		return Change{}, err
	}
	c := newChange(p, before, nil, was, done)
	c.Kind, c.AfterSHA256, c.ModeAfter = Deleted, "", 0
	return c, nil
}

// lock waits for the lock of p's writers. It is one by path and one by
// identity. The first keeps apart two that make the same missing parents: the
// identity is not known until one of them has made the directory. The second
// keeps apart the spellings of one file; its key is asked for again once it is
// held, for parents may have been made meanwhile. Nobody waits for a path while
// holding an identity, so there is no deadlock.
func (f *Files) lock(ctx context.Context, p *safepath.CheckedPath) (release func(), err error) {
	byPath, err := f.locks.acquire(ctx, "path "+p.String())
	if err != nil {
		return nil, err
	}
	for key := safepath.LockKey(p); ; {
		byIdentity, err := f.locks.acquire(ctx, key)
		if err != nil {
			byPath()
			return nil, err
		}
		now := safepath.LockKey(p)
		if now == key {
			return func() { byIdentity(); byPath() }, nil
		}
		byIdentity()
		key = now
	}
}

// readText reads the file as it is now; no file is no error.
func readText(p *safepath.CheckedPath) ([]byte, safepath.Version, error) {
	content, was, err := safepath.ReadVersion(p, MaxTextBytes)
	if safepath.CodeOf(err) == safepath.TooLarge {
		err = tooLargeText(p.String(), safepath.StatOf(p).Size)
	}
	if err == nil && was.Exists {
		err = CheckText(p.String(), content)
	}
	return content, was, err
}

// checkContent refuses what could never be edited or undone again.
func checkContent(p *safepath.CheckedPath, content []byte) error {
	if len(content) > MaxTextBytes {
		return tooLargeText("the new content of "+p.String(), int64(len(content)))
	}
	return CheckText("the new content of "+p.String(), content)
}

func unchanged(p *safepath.CheckedPath, was safepath.Version) Change {
	digest := hex.EncodeToString(was.Digest[:])
	return Change{
		Kind: Unchanged, Path: p.String(), At: time.Now().UTC(),
		BeforeSHA256: digest, AfterSHA256: digest,
		BytesBefore: was.Stat.Size, BytesAfter: was.Stat.Size,
		ModeBefore: was.Stat.Mode.Perm(), ModeAfter: was.Stat.Mode.Perm(),
	}
}

// newChange is the record of a commit that has happened.
func newChange(p *safepath.CheckedPath, before, after []byte, was safepath.Version, done safepath.Committed) Change {
	digest := sha256.Sum256(after)
	c := Change{
		ID: rand.Text(), Kind: Created, Path: p.String(), At: time.Now().UTC(),
		AfterSHA256: hex.EncodeToString(digest[:]),
		BytesBefore: int64(len(before)), BytesAfter: int64(len(after)),
		ModeBefore: done.ModeBefore, ModeAfter: done.ModeAfter,
		NonAtomic: done.NonAtomic, ReplaceWindow: done.ReplaceWindow, HardLinks: done.HardLinks,
		DroppedSetID: done.DroppedSetID, ParentMoved: done.ParentMoved, MadeParents: done.MadeDirs,
	}
	if was.Exists {
		c.Kind = Modified
		c.BeforeSHA256 = hex.EncodeToString(was.Digest[:])
	}
	c.Hunks, c.Added, c.Removed = DiffLines(string(before), string(after))
	return c
}

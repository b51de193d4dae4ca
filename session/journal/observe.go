package journal

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"septet/backend"
	"septet/safepath"
)

// Resolver checks paths as for any caller; *safepath.Resolver is one.
type Resolver interface {
	Resolve(raw string, a safepath.Access, i safepath.Intent) (*safepath.CheckedPath, error)
}

// observed is what is at a path now. Its zero value is "no file".
type observed struct {
	digest  string // "" when there is no file that could be read
	content []byte
	mode    fs.FileMode // permission bits
	other   string      // why it is no file as a change leaves one; "" when it is, or when nothing is there
	gone    string      // how the file is missing, for people
}

// observe looks at a recorded path. The error is for what could not be looked
// at: then nothing is known.
func (h *History) observe(ctx context.Context, path string) (observed, error) {
	p, err := h.paths.Resolve(path, safepath.Read, safepath.File)
	if err != nil {
		return notAFile(err)
	}
	defer p.Close()
	seen, err := h.read(ctx, p)
	if err != nil {
		return notAFile(err)
	}
	if p.String() != path {
		seen.other = "a link now leads to " + p.String()
	}
	return seen, nil
}

// notAFile sorts a failure to open: some say what is there, others that it
// could not be seen.
func notAFile(err error) (observed, error) {
	switch safepath.CodeOf(err) {
	case safepath.NotFound:
		return observed{gone: err.Error()}, nil
	case safepath.NotRegularFile, safepath.NotDirectory, safepath.OutsideRoots, safepath.TooLarge:
		return observed{other: err.Error()}, nil
	}
	return observed{}, err
}

// read reads all of a text file; a larger one cannot be a recorded one.
func (h *History) read(ctx context.Context, p *safepath.CheckedPath) (observed, error) {
	info, err := h.files.Stat(ctx, p)
	if err != nil {
		return observed{}, err
	}
	f, err := h.files.Open(ctx, p)
	if err != nil {
		return observed{}, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, backend.MaxTextBytes+1))
	if err != nil {
		return observed{}, &backend.Error{Code: safepath.IOError, Fact: fmt.Sprintf("%s: %v", p, err), Err: err}
	}
	if len(content) > backend.MaxTextBytes {
		return observed{other: fmt.Sprintf("the file grew to %d bytes", f.Size())}, nil
	}
	return observed{digest: digestOf(content), content: content, mode: info.Mode.Perm()}, nil
}

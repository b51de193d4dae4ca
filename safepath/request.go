package safepath

import (
	"fmt"
	"slices"
	"strings"
)

// request is a raw path after the checks that need no file system.
type request struct {
	raw      string
	access   Access
	intent   Intent
	root     string   // of the file system: "/", on Windows a drive
	parts    []string // absolute, ".." kept
	clean    []string // absolute, ".." resolved by text
	dots     bool     // raw holds ".."
	climbs   bool     // relative, and its text leaves the directory it starts in
	wantsDir bool     // raw ends like a directory: "x/", "x/."

	// How many of parts and clean are the working directory: its names are as
	// they are on disk, those of raw may be escaped.
	stored, storedClean int
}

func (r *Resolver) newRequest(raw string, access Access, intent Intent) (request, error) {
	if err := checkText(raw); err != nil {
		return request{}, err
	}
	if fact := refuseName(raw); fact != "" {
		return request{}, fail(InvalidPath, fact, "give a path relative to the working directory")
	}
	p := toSlash(raw)
	root, rest := splitRoot(p)
	own := components(rest)
	q := request{raw: raw, access: access, intent: intent, root: root, parts: own}
	q.dots = slices.Contains(own, "..")
	q.wantsDir = strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || p == "." || strings.HasSuffix(p, "..") && own[len(own)-1] == ".."
	if root == "" {
		root, rest = splitRoot(r.workdir)
		above := components(rest)
		lowest := lowestDepth(own)
		q.climbs = lowest < 0
		q.stored, q.storedClean = len(above), max(0, len(above)+lowest)
		q.root, q.parts = root, append(above, own...)
	}
	if len(q.parts) > MaxPathComponents {
		return request{}, fail(InvalidPath, fmt.Sprintf("path has %d components; at most %d are allowed", len(q.parts), MaxPathComponents), "choose a shorter path")
	}
	q.clean = cleanParts(q.parts)
	return q, nil
}

func checkText(raw string) error {
	switch {
	case raw == "":
		return fail(InvalidPath, "path is empty", `"." is the working directory`)
	case strings.ContainsRune(raw, 0):
		return fail(InvalidPath, "path holds a NUL byte", "leave the NUL byte out")
	case len(raw) > MaxPathBytes:
		return fail(InvalidPath, fmt.Sprintf("path has %d bytes; at most %d are allowed", len(raw), MaxPathBytes), "choose a shorter path")
	case strings.HasPrefix(raw, "~/"):
		return fail(InvalidPath, echo(raw)+": ~ is not expanded", "give a path relative to the working directory, or an absolute path; ./~ is a directory of that name")
	}
	return nil
}

// lowestDepth counts components: it is below zero for "a/../../x", which
// leaves although it begins inside.
func lowestDepth(parts []string) int {
	depth, lowest := 0, 0
	for _, part := range parts {
		if part != ".." {
			depth++
			continue
		}
		depth--
		lowest = min(lowest, depth)
	}
	return lowest
}

package search

import (
	"strings"

	"septet/backend/search/ignore"
	"septet/safepath"
)

// place is where a search begins.
type place struct {
	display string          // as shown; "." is the working directory
	dir     safepath.Dir    // nil when a file is named
	folder  folder          // the same, to be read
	file    safepath.Handle // nil when a directory is named
	below   []string        // components from the root to the place
	rules   *ignore.Rules   // nil when ignored names are wanted
	outside *surroundings
}

func (p *place) close() {
	if p.folder != nil {
		p.folder.Close()
	}
	if p.dir != nil {
		p.dir.Close()
	}
	if p.file != nil {
		p.file.Close()
	}
}

// begin opens what p names and reads the rules that lie above it. They are not
// applied to p itself: what is asked for by name is searched.
func (s *Searcher) begin(p *safepath.CheckedPath, includeIgnored bool) (*place, error) {
	at := safepath.LocationOf(p)
	start := &place{display: p.String(), below: at.Below}
	if safepath.StatOf(p).Kind != safepath.KindDirectory {
		file, err := safepath.Open(p)
		start.file = file
		return start, err
	}
	dir, err := safepath.OpenDir(p)
	if err != nil {
		return nil, err
	}
	start.dir = dir
	if start.folder, err = openFolder(dir); err != nil {
		dir.Close()
		return nil, startError(start.display, err)
	}
	if !includeIgnored {
		start.outside = &surroundings{volume: at.Volume, environment: s.config.Environment}
		start.rules = start.outside.rules(at)
	}
	return start, nil
}

// shown is the display form of a path below the place.
func (p *place) shown(below string) string {
	switch {
	case below == "":
		return p.display
	case p.display == "." && strings.HasPrefix(below, "~/"):
		return "./" + below
	case p.display == ".":
		return below
	case strings.HasSuffix(p.display, "/"):
		return p.display + below
	}
	return p.display + "/" + below
}

// Package tools is the one explicit list of the tools septet has.
package tools

import (
	"time"

	"septet/tools/bash"
	"septet/tools/edit"
	"septet/tools/glob"
	"septet/tools/grep"
	"septet/tools/list"
	"septet/tools/read"
	"septet/tools/write"
	"septet/toolset"
)

// Config is what a person may choose about the tools. The zero value is usable.
type Config struct {
	SearchTimeout time.Duration // of one grep or glob; optional, 0 is theirs
}

// Register adds every tool in the order in which hosts see them.
func Register(r *toolset.Registry, c Config) {
	toolset.Register(r, read.Tool{})
	toolset.Register(r, write.Tool{})
	toolset.Register(r, edit.Tool{})
	toolset.Register(r, grep.Tool{Timeout: c.SearchTimeout})
	toolset.Register(r, glob.Tool{Timeout: c.SearchTimeout})
	toolset.Register(r, list.Tool{})
	toolset.Register(r, bash.New())
}

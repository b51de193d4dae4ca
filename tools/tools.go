// Package tools is the one explicit list of the tools septet has.
package tools

import (
	"septet/tools/bash"
	"septet/tools/edit"
	"septet/tools/glob"
	"septet/tools/grep"
	"septet/tools/list"
	"septet/tools/read"
	"septet/tools/write"
	"septet/toolset"
)

// Register adds every tool in the order in which hosts see them.
func Register(r *toolset.Registry) {
	toolset.Register(r, read.Tool{})
	toolset.Register(r, write.Tool{})
	toolset.Register(r, edit.Tool{})
	toolset.Register(r, grep.Tool{})
	toolset.Register(r, glob.Tool{})
	toolset.Register(r, list.Tool{})
	toolset.Register(r, bash.New())
}

// Command septet gives an agent host seven tools over one pipe.
package main

import (
	"os"

	"septet/backend/local"
	"septet/internal/cli"
	"septet/tools"
)

func main() {
	// First: the supervisor of a command is this program too.
	shim := local.ShimMain()
	os.Exit(cli.Main(cli.Program{Register: tools.Register, Shim: shim}))
}

// Command septet gives an agent host seven tools over one pipe.
package main

import (
	"errors"
	"fmt"
	"os"

	"septet/backend/local"
	"septet/internal/cli"
	"septet/tools"
)

func main() {
	// First: the supervisor of a command is this program too.
	shim := local.ShimMain()
	// Should a supervisor be killed, what it leaves comes to this process and
	// is ended. Where there is no such thing the process group has to do.
	if err := local.AdoptOrphans(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		fmt.Fprintln(os.Stderr, "septet:", err)
	}
	local.ReserveThreads()
	// This environment holds what the host knows, commands get less.
	if err := local.Hide(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		fmt.Fprintln(os.Stderr, "septet:", err)
	}
	os.Exit(cli.Main(cli.Program{Register: tools.Register, Shim: shim}))
}

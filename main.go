// Command septet gives an agent host seven tools over one pipe.
package main

import (
	"os"

	"septet/internal/cli"
)

func main() {
	os.Exit(cli.Main())
}

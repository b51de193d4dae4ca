package cli

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// pending are flags that are accepted and do nothing yet, with what they will
// do. A host's configuration may name them already.
var pending = map[string]string{
	"config": "configuration files are not read yet",
}

// sayPending names on w the pending flags that were given.
func sayPending(w io.Writer, flags *pflag.FlagSet) {
	flags.Visit(func(f *pflag.Flag) {
		if why, found := pending[f.Name]; found {
			fmt.Fprintf(w, "septet: --%s has no effect: %s\n", f.Name, why)
		}
	})
}

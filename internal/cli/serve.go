package cli

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"septet/server"
)

func serveCommand(p Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Speak with a host on standard input and output",
		Long: `Speak with a host on standard input and output until the input ends. A host
starts this; it is also what septet does without a verb when its input is not a
terminal.`,
		Example: "  septet serve --workspace ~/project\n" +
			"  septet serve --mode read-only --read /usr/share/doc\n" +
			"  septet serve --tools read,grep,glob,list",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd, p) },
	}
	o.register(cmd.Flags())
	return cmd
}

// typedHere is for a person who started the server by hand: to them it would
// look as if it hung.
const typedHere = "septet serve waits for the frames of a host; ^D ends it. People: septet demo"

func (o *options) serve(cmd *cobra.Command, p Program) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out, err := server.TakeStdout()
	if err != nil {
		return err
	}
	host, err := o.prepare(cmd, p)
	if err != nil {
		return err
	}
	defer host.close()
	warnOfAbsent(host.absent, host.config.Log)
	if isatty.IsTerminal(os.Stdin.Fd()) {
		fmt.Fprintln(os.Stderr, typedHere)
	}
	return host.serve(ctx, os.Stdin, out)
}

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
)

// callOptions are what call takes besides the flags of serve.
type callOptions struct {
	invocation
	raw bool
}

func callCommand(p Program) *cobra.Command {
	var o callOptions
	cmd := &cobra.Command{
		Use:   "call TOOL [key=value ...]",
		Short: "Call one tool through the real server",
		Long: `Call one tool through the real server and print the text of its result. A value
is typed by the tool's schema; key=@FILE reads a file and key=- reads stdin.

Exit code: 0 (also when the command of bash fails), 1 when the result is an
error, 2 for a wrong command line or an unknown tool, 130 after ^C.`,
		Example: "  septet call read path=main.go limit=20\n" +
			"  septet call bash command='go test ./...' timeoutMs=60000\n" +
			"  septet call edit --args '{\"path\":\"a.txt\",\"oldText\":\"x\",\"newText\":\"y\"}'",
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.call(cmd, p, args)
		},
	}
	o.register(cmd)
	cmd.Flags().BoolVar(&o.raw, "raw", false, "print the whole result as JSON")
	listFlags(cmd, "workspace", "read", "write", "skills", "protect", "mode", "tools", "session", "state", "no-journal", "structured",
		"search-timeout", "search-threads", "env", "keep-env", "scrub-secrets", "config", "args", "raw")
	return cmd
}

func (o *callOptions) call(cmd *cobra.Command, p Program, words []string) error {
	return o.with(cmd, p, words, func(c *pipe, params callParams) error {
		raw, interrupted, err := callInterruptibly(c, params, newLiveLine(cmd.ErrOrStderr()))
		if err != nil {
			return err
		}
		return o.print(cmd.OutOrStdout(), raw, interrupted)
	})
}

// callInterruptibly makes the call. The first ^C asks the server to end it and
// waits for what was collected; the second one gives up waiting.
func callInterruptibly(c *pipe, params callParams, live *liveLine) (raw json.RawMessage, interrupted bool, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	answered := make(chan struct{})
	stopped := make(chan bool)
	id := c.nextID()
	params.Meta = object{"progressToken": id}
	go func() {
		defer close(stopped)
		select {
		case <-signals:
			signal.Stop(signals) // the next one ends the program
			_ = c.notify("$/cancel", object{"id": id})
			stopped <- true
		case <-answered:
		}
	}()
	go func() {
		defer close(answered)
		raw, err = c.request("tools/call", params, live.show)
	}()
	interrupted = <-stopped
	<-answered
	signal.Stop(signals)
	live.clear()
	return raw, interrupted, err
}

// callResult is what the verb needs of a result.
type callResult struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

func (o *callOptions) print(w io.Writer, raw json.RawMessage, interrupted bool) error {
	var result callResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	text := string(raw)
	if !o.raw {
		var blocks []string
		for _, block := range result.Content {
			blocks = append(blocks, block.Text)
		}
		text = strings.Join(blocks, "\n")
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	switch {
	case err != nil:
		return err
	case interrupted:
		return &failure{code: exitInterrupted}
	case result.IsError:
		return &failure{code: exitFailed}
	}
	return nil
}

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"septet/toolset"
)

// callOptions are what call takes besides the flags of serve.
type callOptions struct {
	options
	args string // JSON object, "-" for stdin, or ""
	raw  bool
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
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("septet tools lists them", "septet call needs the name of a tool")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.call(cmd, p, args[0], args[1:])
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().StringVar(&o.args, "args", "", "all arguments as one JSON `OBJECT`, or - to read it from stdin")
	cmd.Flags().BoolVar(&o.raw, "raw", false, "print the whole result as JSON")
	return cmd
}

func (o *callOptions) call(cmd *cobra.Command, p Program, name string, words []string) error {
	whole, err := wholeArguments(o.args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	host, err := o.prepare(cmd, p)
	if err != nil {
		return err
	}
	defer host.close()
	return withServer(cmd.Context(), host.serve, func(c *pipe) error {
		t, err := findTool(c, name)
		if err != nil {
			return err
		}
		arguments, err := typedArguments(words, whole, t.InputSchema, cmd.InOrStdin())
		if err != nil {
			return err
		}
		raw, interrupted, err := callInterruptibly(c, name, arguments, newLiveLine(cmd.ErrOrStderr()))
		if err != nil {
			return err
		}
		return o.print(cmd.OutOrStdout(), raw, interrupted)
	})
}

// findTool looks the tool up in what the server offers.
func findTool(c *pipe, name string) (tool, error) {
	tools, err := listTools(c)
	if err != nil {
		return tool{}, err
	}
	var names []string
	for _, t := range tools {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	hint := "septet tools lists the tools that are selected: " + strings.Join(names, ", ")
	if near := toolset.Closest(name, names); near != "" {
		hint = "septet call " + near
	}
	return tool{}, usage(hint, "unknown tool %q", name)
}

func listTools(c *pipe) ([]tool, error) {
	raw, err := c.request("tools/list", object{}, nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Tools []tool `json:"tools"`
	}
	return list.Tools, json.Unmarshal(raw, &list)
}

// callInterruptibly makes the call. The first ^C asks the server to end it and
// waits for what was collected; the second one gives up waiting.
func callInterruptibly(c *pipe, name string, arguments object, live *liveLine) (raw json.RawMessage, interrupted bool, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	answered := make(chan struct{})
	stopped := make(chan bool)
	id := c.nextID()
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
		raw, err = c.request("tools/call", callParams{name, arguments, object{"progressToken": id}}, live.show)
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

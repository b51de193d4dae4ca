package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"septet/toolset"
)

// invocation is a tool and its arguments on a command line, with the flags of
// the server that is to have it.
type invocation struct {
	options
	args string // JSON object, "-" for stdin, or ""
}

func (i *invocation) register(cmd *cobra.Command) {
	i.options.register(cmd.Flags())
	cmd.Flags().StringVar(&i.args, "args", "", "all arguments as one JSON `OBJECT`, or - to read it from stdin")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage("septet tools lists them", "%s needs the name of a tool", cmd.CommandPath())
		}
		return nil
	}
}

// with starts the server, types the arguments by the tool's schema and hands
// both to do. words are the name of the tool and its "key=value" arguments.
func (i *invocation) with(cmd *cobra.Command, p Program, words []string, do func(*pipe, callParams) error) error {
	stdin := &onceReader{Reader: cmd.InOrStdin()}
	whole, err := wholeArguments(i.args, stdin)
	if err != nil {
		return err
	}
	host, err := i.prepare(cmd, p)
	if err != nil {
		return err
	}
	defer host.close()
	return withServer(cmd.Context(), host.serve, func(c *pipe) error {
		t, err := findTool(c, words[0], cmd.CommandPath())
		if err != nil {
			return err
		}
		arguments, err := typedArguments(words[1:], whole, t.InputSchema, stdin)
		if err != nil {
			return err
		}
		return do(c, callParams{Name: t.Name, Arguments: arguments})
	})
}

// findTool looks the tool up in what the server offers. verb begins the hint.
func findTool(c *pipe, name, verb string) (tool, error) {
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
		hint = verb + " " + near
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

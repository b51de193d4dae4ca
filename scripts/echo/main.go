// Command echo is one tool that returns its text, served by one of three
// libraries: "echo septet", "echo go-sdk" or "echo mcp-go".
package main

import (
	"context"
	"fmt"
	"os"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"septet/backend/memory"
	"septet/safepath"
	"septet/server"
	"septet/session"
	"septet/toolset"
)

func main() {
	serve := map[string]func() error{"septet": serveSeptet, "go-sdk": serveGoSDK, "mcp-go": serveMCPGo}[os.Args[len(os.Args)-1]]
	if serve == nil {
		fmt.Fprintln(os.Stderr, "usage: echo septet|go-sdk|mcp-go")
		os.Exit(2)
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

// input is the argument in every library.
type input struct {
	Text string `json:"text" jsonschema:"what to return" jsonschema_description:"What to return."`
}

// output is septet's.
type output struct {
	Returned string `json:"returned" jsonschema_description:"What was sent."`
}

func (o output) Text() string { return o.Returned }

type echo struct{}

func (echo) Spec() toolset.Spec {
	return toolset.Spec{ID: "echo", Title: "Echo", Description: "Returns its text.", Risk: toolset.RiskRead}
}

func (echo) Effects(context.Context, *session.SessionContext, input) ([]session.Effect, error) {
	return nil, nil
}

func (echo) Call(_ context.Context, _ *session.SessionContext, _ *session.CallContext, in input) (output, error) {
	return output{in.Text}, nil
}

func serveSeptet() error {
	var registry toolset.Registry
	toolset.Register(&registry, echo{})
	paths := safepath.Config{WorkingDirectory: "/", Roots: []safepath.Root{{Path: "/"}}}
	return server.Serve(context.Background(), server.Config{
		Version: "1", Session: "echo",
		Finalize: func(s toolset.Selection) (*toolset.FinalizedToolset, error) {
			sc, err := session.New(session.Config{Paths: paths}, memory.New(memory.NewVolume(), nil))
			if err != nil {
				return nil, err
			}
			return registry.Finalize(sc, s)
		},
	}, os.Stdin, os.Stdout)
}

func serveGoSDK() error {
	s := gosdk.NewServer(&gosdk.Implementation{Name: "echo", Version: "1"}, nil)
	gosdk.AddTool(s, &gosdk.Tool{Name: "echo", Description: "Returns its text."},
		func(_ context.Context, _ *gosdk.CallToolRequest, in input) (*gosdk.CallToolResult, any, error) {
			return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: in.Text}}}, nil, nil
		})
	return s.Run(context.Background(), &gosdk.StdioTransport{})
}

func serveMCPGo() error {
	s := mcpgoserver.NewMCPServer("echo", "1")
	s.AddTool(mcpgo.NewTool("echo", mcpgo.WithDescription("Returns its text."), mcpgo.WithString("text", mcpgo.Required())),
		func(_ context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			text, err := r.RequireString("text")
			if err != nil {
				return nil, err
			}
			return mcpgo.NewToolResultText(text), nil
		})
	return mcpgoserver.ServeStdio(s)
}

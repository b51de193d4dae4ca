package main

import (
	"context"
	"errors"
	"fmt"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGo is the client of mark3labs/mcp-go.
type mcpGo struct {
	*mcpgo.Client
	progress *listeners
}

func connectMCPGo(ctx context.Context, revision string, command []string) (client, error) {
	pipe := transport.NewStdio(command[0], nil, command[1:]...)
	if err := pipe.Start(ctx); err != nil {
		return nil, err
	}
	c := mcpgo.NewClient(pipe, mcpgo.WithProtocolVersion(revision))
	listening := &listeners{}
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/progress" {
			done, _ := n.Params.AdditionalFields["progress"].(float64)
			listening.tell(fmt.Sprint(n.Params.AdditionalFields["progressToken"]), done)
		}
	})
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = revision
	hello.Params.ClientInfo = mcp.Implementation{Name: "septet-e2e", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &mcpGo{Client: c, progress: listening}, nil
}

func (c *mcpGo) Revision() string { return c.ProtocolVersion() }

func (c *mcpGo) Tools(ctx context.Context) ([]string, error) {
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}

func (c *mcpGo) Call(ctx context.Context, tool string, arguments map[string]any, progress func(float64)) (answer, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = arguments
	if progress != nil {
		token := c.progress.add(progress)
		defer c.progress.remove(token)
		request.Params.Meta = &mcp.Meta{ProgressToken: token}
	}
	result, err := c.CallTool(ctx, request)
	if err != nil {
		return answer{}, err
	}
	a := answer{isError: result.IsError}
	if result.Meta != nil {
		a.code = codeOf(result.Meta.AdditionalFields)
	}
	for _, block := range result.Content {
		if text, ok := block.(mcp.TextContent); ok {
			a.text += text.Text
		}
	}
	return a, nil
}

// mcpGoCode finds the code in an error of this library, which keeps only a
// sentinel for the codes of JSON-RPC.
func mcpGoCode(err error) int {
	if errors.Is(err, mcp.ErrInvalidParams) {
		return invalidParams
	}
	return 0
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK is the client of modelcontextprotocol/go-sdk.
type goSDK struct {
	session  *mcp.ClientSession
	progress *listeners
}

func connectGoSDK(ctx context.Context, revision string, command []string) (client, error) {
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr
	listening := &listeners{}
	c := mcp.NewClient(&mcp.Implementation{Name: "septet-e2e", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			listening.tell(fmt.Sprint(r.Params.ProgressToken), r.Params.Progress)
		},
	})
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: process}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, err
	}
	return &goSDK{session: session, progress: listening}, nil
}

func (c *goSDK) Revision() string { return c.session.InitializeResult().ProtocolVersion }

func (c *goSDK) Tools(ctx context.Context) ([]string, error) {
	list, err := c.session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}

func (c *goSDK) Call(ctx context.Context, tool string, arguments map[string]any, progress func(float64)) (answer, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments, Meta: mcp.Meta{}}
	if progress != nil {
		token := c.progress.add(progress)
		defer c.progress.remove(token)
		params.SetProgressToken(token)
	}
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		return answer{}, err
	}
	a := answer{isError: result.IsError, code: codeOf(result.Meta)}
	for _, block := range result.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			a.text += text.Text
		}
	}
	return a, nil
}

func (c *goSDK) Ping(ctx context.Context) error { return c.session.Ping(ctx, nil) }
func (c *goSDK) Close() error                   { return c.session.Close() }

// protocolCode finds the code that the server answered with, whichever library
// wrapped it; 0 when there is none.
func protocolCode(err error) int {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return int(wire.Code)
	}
	return mcpGoCode(err)
}

// listeners are the calls that wait for progress, by token.
type listeners struct {
	mu    sync.Mutex
	last  int
	funcs map[string]func(float64)
}

func (l *listeners) add(f func(float64)) (token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.funcs == nil {
		l.funcs = map[string]func(float64){}
	}
	l.last++
	token = fmt.Sprintf("progress-%d", l.last)
	l.funcs[token] = f
	return token
}

func (l *listeners) remove(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.funcs, token)
}

func (l *listeners) tell(token string, done float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.funcs[token]; f != nil {
		f(done)
	}
}

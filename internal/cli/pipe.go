package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// revision is what the verbs speak with the server.
const revision = "2025-11-25"

// pipe is a host's end of a pipe to a server. It sends one request at a time;
// notify may be called while request waits.
type pipe struct {
	mu       sync.Mutex // guards writes to requests
	requests io.WriteCloser
	answers  *bufio.Reader
	lastID   int
	// traffic, when set, is shown every frame: sent ones and received ones.
	traffic func(sent bool, line []byte)
}

// message is any frame that a server sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *protocolError  `json:"error"`
}

// protocolError is the error of a frame, as against a failed call's.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Code string `json:"code"`
	} `json:"data"`
}

func (e *protocolError) Error() string { return e.Message }

func newPipe(requests io.WriteCloser, answers io.Reader) *pipe {
	return &pipe{requests: requests, answers: bufio.NewReader(answers)}
}

// hello does the handshake and returns its result.
func (p *pipe) hello() (json.RawMessage, error) {
	result, err := p.request("initialize", object{
		"protocolVersion": revision, "capabilities": object{},
		"clientInfo": object{"name": "septet", "version": thisBuild().Version},
	}, nil)
	if err != nil {
		return nil, err
	}
	return result, p.notify("notifications/initialized", nil)
}

// object is a JSON object that is sent.
type object map[string]any

// outgoing is a frame that is sent, its members in the order people expect.
type outgoing struct {
	JSONRPC string `json:"jsonrpc"`
	ID      int    `json:"id,omitempty"` // 0 for a notification
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// callParams are the params of tools/call.
type callParams struct {
	Name      string `json:"name"`
	Arguments object `json:"arguments"`
	Meta      object `json:"_meta,omitempty"`
}

// nextID is the id that the next request will have.
func (p *pipe) nextID() int { return p.lastID + 1 }

// request sends a request and waits for its answer. seen, when set, is given
// the notifications that arrive meanwhile. The error of an error answer is a
// *protocolError.
func (p *pipe) request(method string, params any, seen func(message)) (json.RawMessage, error) {
	p.lastID++
	id := p.lastID
	if err := p.send(outgoing{JSONRPC: "2.0", ID: id, Method: method, Params: params}); err != nil {
		return nil, err
	}
	for {
		m, err := p.receive()
		switch {
		case err != nil:
			return nil, err
		case m.Method != "" && seen != nil:
			seen(m)
		case string(m.ID) == fmt.Sprint(id) && m.Error != nil:
			return nil, m.Error
		case string(m.ID) == fmt.Sprint(id):
			return m.Result, nil
		}
	}
}

func (p *pipe) notify(method string, params any) error {
	return p.send(outgoing{JSONRPC: "2.0", Method: method, Params: params})
}

func (p *pipe) send(frame outgoing) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(frame); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.traffic != nil {
		p.traffic(true, line.Bytes())
	}
	_, err := p.requests.Write(line.Bytes())
	return err
}

func (p *pipe) receive() (message, error) {
	line, err := p.answers.ReadBytes('\n')
	if err != nil {
		return message{}, fmt.Errorf("the server ended before it answered: %w", err)
	}
	if p.traffic != nil {
		p.traffic(false, line)
	}
	var m message
	return m, json.Unmarshal(line, &m)
}

func (p *pipe) close() error { return p.requests.Close() }

// serveFunc is a server that works until in ends.
type serveFunc func(ctx context.Context, in io.Reader, out io.Writer) error

// withServer runs a server in this process for as long as use takes. It speaks
// the frames that a host would see.
func withServer(ctx context.Context, serve serveFunc, use func(*pipe) error) error {
	serverIn, requests := io.Pipe()
	answers, serverOut := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := serve(ctx, serverIn, serverOut)
		_ = serverOut.CloseWithError(io.EOF) // cannot fail
		served <- err
	}()
	p := newPipe(requests, answers)
	_, err := p.hello()
	if err == nil {
		err = use(p)
	}
	_ = requests.Close() // cannot fail
	go func() { _, _ = io.Copy(io.Discard, answers) }()
	return errors.Join(err, <-served)
}

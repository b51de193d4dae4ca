package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"septet/server"
	"septet/server/jsonrpc"
)

// conformity checks every frame that a test makes the server write against the
// revision it is written for. The official schemas are in no package that a
// build can depend on, so the rules below say the same in our own words, and
// more: a member that a revision does not know is a mistake, although the
// schemas allow it.
type conformity struct {
	mu     sync.Mutex
	agreed server.Revision
	asked  map[string]question // by id
}

// question is a request that was sent.
type question struct {
	method string
	modern bool
}

// sent notes what a frame asks.
func (c *conformity) sent(frame string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Meta map[string]any `json:"_meta"`
		}
	}
	if json.Unmarshal([]byte(frame), &m) != nil || m.ID == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, modern := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]
	c.asked[string(m.ID)] = question{m.Method, modern}
}

// check reports what is wrong with a frame.
func (c *conformity) check(t *testing.T, frame string) {
	t.Helper()
	if len(frame) > jsonrpc.MaxAnswerBytes {
		t.Errorf("a frame of %d bytes: %.200s", len(frame), frame)
	}
	if strings.HasPrefix(frame, "[") {
		var elements []json.RawMessage
		if err := json.Unmarshal([]byte(frame), &elements); err != nil || len(elements) == 0 {
			t.Errorf("batch: %v: %.200s", err, frame)
		}
		for _, e := range elements {
			c.check(t, string(e))
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var m members
	if err := json.Unmarshal([]byte(frame), &m); err != nil {
		t.Errorf("no object: %v: %.200s", err, frame)
		return
	}
	if err := c.message(m); err != nil {
		t.Errorf("%v: %.300s", err, frame)
	}
}

// members is an object as it stands on the wire.
type members map[string]json.RawMessage

// has reports a missing member or one that is not allowed. A name with a
// question mark is optional.
func (m members) has(names ...string) error {
	for _, name := range names {
		if _, given := m[name]; !given && !strings.HasSuffix(name, "?") {
			return fmt.Errorf("member %s is missing", name)
		}
	}
	for name := range m {
		if !slices.Contains(names, name) && !slices.Contains(names, name+"?") {
			return fmt.Errorf("member %s is not part of the revision", name)
		}
	}
	return nil
}

// at returns an object inside an object.
func (m members) at(name string) members {
	var inner members
	_ = json.Unmarshal(m[name], &inner) // no object has no members, which has reports
	return inner
}

func (m members) text(name string) string {
	var s string
	_ = json.Unmarshal(m[name], &s)
	return s
}

func (c *conformity) message(m members) error {
	if m.text("jsonrpc") != "2.0" {
		return fmt.Errorf("jsonrpc is %s", m["jsonrpc"])
	}
	_, isError := m["error"]
	_, isResult := m["result"]
	switch {
	case isError:
		return checkError(m)
	case isResult:
		if err := m.has("jsonrpc", "id", "result"); err != nil {
			return err
		}
		return c.result(m)
	}
	if err := m.has("jsonrpc", "method", "params"); err != nil {
		return err
	}
	return c.notification(m.text("method"), m.at("params"))
}

func checkError(m members) error {
	if err := m.has("jsonrpc", "id?", "error"); err != nil {
		return err
	}
	var code int64
	e := m.at("error")
	if json.Unmarshal(e["code"], &code) != nil || e.text("message") == "" {
		return fmt.Errorf("error %s", m["error"])
	}
	return e.has("code", "message", "data?")
}

func (c *conformity) notification(method string, params members) error {
	switch method {
	case "notifications/progress":
		// Which revision it is written at is known to the call alone.
		return params.has("progressToken", "progress", "message?", "_meta")
	case "notifications/subscriptions/acknowledged":
		return params.has("_meta", "notifications")
	}
	return fmt.Errorf("unknown notification %q", method)
}

func (c *conformity) result(m members) error {
	asked, known := c.asked[string(m["id"])]
	if !known {
		return nil // sent in a batch or as raw bytes
	}
	delete(c.asked, string(m["id"]))
	revision := c.agreed
	if asked.modern {
		revision = server.Revision20260728
	}
	result := m.at("result")
	if asked.method == "initialize" {
		revision = server.Revision(result.text("protocolVersion"))
		c.agreed = revision
	}
	if err := checkStamp(result, revision, asked.method); err != nil {
		return err
	}
	switch asked.method {
	case "initialize":
		return checkInitialize(result, revision)
	case "tools/list":
		return checkTools(result, revision)
	case "tools/call":
		return checkCall(result, revision)
	case "ping":
		return result.has()
	}
	return nil
}

// checkStamp checks, and removes, what modern results carry and no other.
func checkStamp(result members, revision server.Revision, method string) error {
	cacheable := method == "tools/list" || method == "server/discover"
	if revision < server.Revision20260728 {
		for _, name := range []string{"resultType", "ttlMs", "cacheScope"} {
			if _, given := result[name]; given {
				return fmt.Errorf("%s in a legacy result", name)
			}
		}
		return nil
	}
	info := result.at("_meta").at("io.modelcontextprotocol/serverInfo")
	if result.text("resultType") != "complete" || info.text("name") == "" || info.text("version") == "" {
		return fmt.Errorf("resultType or serverInfo is missing")
	}
	if cacheable != (string(result["ttlMs"]) == "300000" && result.text("cacheScope") == "public") {
		return fmt.Errorf("ttlMs and cacheScope: %s, %s", result["ttlMs"], result["cacheScope"])
	}
	delete(result, "resultType")
	delete(result, "ttlMs")
	delete(result, "cacheScope")
	return nil
}

func checkInitialize(result members, revision server.Revision) error {
	info := []string{"name", "version"}
	if revision >= server.Revision20250618 {
		info = append(info, "title")
	}
	if revision >= server.Revision20251125 {
		info = append(info, "description")
	}
	if err := result.at("serverInfo").has(info...); err != nil {
		return err
	}
	if err := result.at("capabilities").has("tools", "experimental", "extensions"); err != nil {
		return err
	}
	return result.has("protocolVersion", "capabilities", "serverInfo")
}

func checkTools(result members, revision server.Revision) error {
	var tools []members
	if err := json.Unmarshal(result["tools"], &tools); err != nil {
		return err
	}
	names := []string{"name", "description", "inputSchema"}
	if revision >= server.Revision20250326 {
		names = append(names, "annotations")
	}
	if revision >= server.Revision20250618 {
		names = append(names, "title", "outputSchema?")
	}
	for _, tool := range tools {
		if err := tool.has(names...); err != nil {
			return err
		}
		if schema := tool.at("inputSchema"); schema.text("type") != "object" {
			return fmt.Errorf("input schema of %s", tool["name"])
		}
		if hints := tool.at("annotations"); hints != nil {
			if err := hints.has("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"); err != nil {
				return err
			}
		}
	}
	return result.has("tools", "_meta?")
}

func checkCall(result members, revision server.Revision) error {
	var content []members
	if err := json.Unmarshal(result["content"], &content); err != nil || len(content) == 0 {
		return fmt.Errorf("content: %v", err)
	}
	for _, block := range content {
		if err := block.has("type", "text"); err != nil || block.text("type") != "text" {
			return fmt.Errorf("block %v: %v", block, err)
		}
	}
	status := result.at("_meta").text("septet/status")
	_, isError := result["isError"]
	if !slices.Contains([]string{"succeeded", "failed", "denied", "cancelled", "outcome_unknown"}, status) || isError != (status != "succeeded") {
		return fmt.Errorf("status %q, isError %t", status, isError)
	}
	if revision >= server.Revision20250618 && !isError {
		return result.has("content", "structuredContent?", "_meta")
	}
	return result.has("content", "isError?", "_meta")
}

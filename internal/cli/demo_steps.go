package cli

import (
	"encoding/json"
	"fmt"
)

// demoStep is one tool call of the demonstration.
type demoStep struct {
	title  string
	why    string
	tool   string
	args   object
	cancel bool // when the first sign of life arrives
}

var demoSteps = []demoStep{
	{"write", "A whole new file. The answer is one line for the model; what changed, with digests and hunks, is beside it in _meta for the host to show.",
		"write", object{"path": "greet.sh", "content": "#!/bin/sh\n# greets\necho \"hello $1\"\n"}, false},
	{"read", "Text comes back as it is, byte for byte.",
		"read", object{"path": "greet.sh"}, false},
	{"edit", "Exact text is replaced. If the file changed meanwhile, or the text is there twice, nothing is written and the answer says what to do.",
		"edit", object{"path": "greet.sh", "oldText": "hello $1", "newText": "hello ${1:-world}"}, false},
	{"grep", "Lines by regular expression; ignore files are honoured.",
		"grep", object{"pattern": "hello.*world"}, false},
	{"glob", "Names by pattern.",
		"glob", object{"pattern": "**/*.sh"}, false},
	{"list", "One directory.",
		"list", object{}, false},
	{"bash, with progress", "The host gave a progress token, so it hears of the output while the command runs. A command's exit code is an answer, not an error.",
		"bash", object{"command": "for i in 1 2 3; do sh greet.sh $i; sleep 0.15; done; exit 7"}, false},
	{"A refusal", "Paths that leave the workspace are refused, links and races included. An error is one fact and a hint with the next step.",
		"read", object{"path": "../../etc/passwd"}, false},
	{"Cancel", "A command that would run for a minute. When its first output arrives the host sends $/cancel: the command and all it started are ended, and the answer keeps what was collected.",
		"bash", object{"command": "echo compiling; sleep 60"}, true},
}

// playDemo has the whole conversation.
func playDemo(p *pipe, s *screen) error {
	s.title("Handshake", "The host says which revision of the protocol it speaks; the server agrees.")
	if _, err := p.hello(); err != nil {
		return err
	}
	s.title("What can you do?", "Seven tools, each with a schema of its arguments. The set is frozen now.")
	tools, err := listTools(p)
	if err != nil {
		return err
	}
	for _, t := range tools {
		s.tool(t.Name, firstSentence(t.Description))
	}
	for _, step := range demoSteps {
		s.title(step.title, step.why)
		if err := playStep(p, s, step); err != nil {
			return fmt.Errorf("%s: %w", step.title, err)
		}
	}
	s.title("Undo", "Every change was recorded before it happened. The host takes both back, newest first; had somebody else touched the file meanwhile, nothing would be written.")
	if err := playUndo(p, s); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return nil
}

// playUndo takes back what the steps have changed.
func playUndo(p *pipe, s *screen) error {
	raw, err := p.request("septet/changes/undo", object{"last": 2}, nil)
	if err != nil {
		return err
	}
	var done undone
	if err := json.Unmarshal(raw, &done); err != nil {
		return err
	}
	s.result(fmt.Sprintf("%d changes undone, %d conflicts: the file is gone", len(done.Undone), len(done.Conflicts)))
	return nil
}

func playStep(p *pipe, s *screen, step demoStep) error {
	id := p.nextID()
	params := callParams{Name: step.tool, Arguments: step.args}
	if step.tool == "bash" {
		params.Meta = object{"progressToken": id}
	}
	cancelled := false
	raw, err := p.request("tools/call", params, func(message) {
		if step.cancel && !cancelled {
			cancelled = true
			_ = p.notify("$/cancel", object{"id": id}) // a dead pipe fails the request too
		}
	})
	if err != nil {
		return err
	}
	var result callResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return err
	}
	for _, block := range result.Content {
		s.result(block.Text)
	}
	for _, line := range changedLines(raw) {
		s.change(line)
	}
	return nil
}

// changedLines are the lines of the hunks in a result's artifacts.
func changedLines(raw json.RawMessage) []string {
	var result struct {
		Meta struct {
			Artifacts []struct {
				Hunks []struct {
					Lines []string `json:"lines"`
				} `json:"hunks"`
			} `json:"septet/artifacts"`
		} `json:"_meta"`
	}
	if json.Unmarshal(raw, &result) != nil {
		return nil
	}
	var lines []string
	for _, artifact := range result.Meta.Artifacts {
		for _, hunk := range artifact.Hunks {
			lines = append(lines, hunk.Lines...)
		}
	}
	return lines
}

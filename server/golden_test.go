package server_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"septet/server"
	"septet/session"
	"septet/toolset"
)

var update = flag.Bool("update", false, "write what is received into the golden transcripts")

const goldenDir = "../testdata/golden/wire"

// TestGoldenTranscripts replays conversations. A line that begins with "> " is
// sent, one that begins with "< " must be received, in that order; everything
// else is a comment.
func TestGoldenTranscripts(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { replay(t, file) })
		})
	}
}

func replay(t *testing.T, file string) {
	h := start(t, func(c *server.Config) {
		c.Selection = toolset.Selection{Tools: []string{"echo", "change", "wait", "paced", "refuse"}}
	})
	h.fake.paced = func(report func(session.Progress)) {
		report(session.Progress{Kind: session.ProgressStdout, Chunk: "building\n3 of 9\n", Done: 16})
		time.Sleep(time.Second)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var received []string
	for _, line := range strings.Split(string(text), "\n") {
		if frame, send := strings.CutPrefix(line, "> "); send {
			h.send(frame)
		}
		if want, expected := strings.CutPrefix(line, "< "); expected {
			got := h.recv()
			if got != want && !*update {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			line = "< " + got
		}
		received = append(received, line)
	}
	h.silence()
	h.finish()
	for frame := range h.frames {
		t.Errorf("left over: %s", frame)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(received, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

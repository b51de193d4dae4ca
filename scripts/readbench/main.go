// Command readbench measures how long a read of a 10 KB file takes over the
// pipe of a server, one call at a time:
//
//	readbench DIR SEPTET [NODE SERVER]
//
// NODE SERVER is the reference file server of the protocol's project. The two
// take turns, so that a busy moment of the machine meets both.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	rounds    = 5
	calls     = 500
	fileBytes = 10_000
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"readbench","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// contestant is a server and the name of its tool.
type contestant struct {
	name, tool string
	command    []string
	took       []time.Duration // of one call, a median a round
}

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "readbench:", err)
		os.Exit(1)
	}
}

func run(dir string, programs []string) error {
	file := filepath.Join(dir, "ten.txt")
	line := strings.Repeat("x", 99) + "\n"
	if err := os.WriteFile(file, []byte(strings.Repeat(line, fileBytes/len(line))), 0o644); err != nil {
		return err
	}
	list := []*contestant{{name: "septet", tool: "read", command: []string{programs[0], "serve", "--workspace", dir, "--no-journal"}}}
	if len(programs) > 2 {
		list = append(list, &contestant{name: "server-filesystem", tool: "read_text_file", command: append(programs[1:], dir)})
	}
	for range rounds {
		for _, c := range list {
			if err := c.round(file); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	for _, c := range list {
		fmt.Printf("read 10 KB, %-22s %8.3f ms\n", c.name, ms(c.took))
	}
	if len(list) > 1 {
		fmt.Printf("ratio                              %8.2f\n", ms(list[0].took)/ms(list[1].took))
	}
	return nil
}

// round starts the server and calls its tool many times.
func (c *contestant) round(file string) error {
	process := exec.Command(c.command[0], c.command[1:]...)
	in, err := process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	defer process.Wait()
	defer in.Close()
	answers := bufio.NewReaderSize(out, 1<<20)
	if _, err := io.WriteString(in, hello); err != nil {
		return err
	}
	if err := await(answers, 0, ""); err != nil {
		return err
	}
	var took []time.Duration
	for id := 1; id <= calls; id++ {
		began := time.Now()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"path":%q}}}`+"\n", id, c.tool, file)
		if err := await(answers, id, "xxxxxxxxxx"); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	c.took = append(c.took, took[len(took)/2])
	return nil
}

// await reads up to the answer of a request, which must hold a text.
func await(answers *bufio.Reader, id int, text string) error {
	for {
		line, err := answers.ReadString('\n')
		if err != nil {
			return err
		}
		if !strings.Contains(line, fmt.Sprintf(`"id":%d`, id)) {
			continue
		}
		if !strings.Contains(line, text) || strings.Contains(line, `"isError":true`) {
			return fmt.Errorf("a strange answer: %.200s", line)
		}
		return nil
	}
}

func ms(took []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(took))
	return float64(sorted[len(sorted)/2].Microseconds()) / 1000
}

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"septet/internal/cli/settings"
)

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch a host and a server talk: every frame, explained",
		Long: `Start a real server in a temporary directory and speak with it as a host does:
handshake, the seven tools, progress, a refusal, a cancel and an undo. Every
frame that crosses the pipe is shown. It takes a second or two and needs no
network.`,
		Example: "  septet demo",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.OutOrStdout()) },
	}
}

func runDemo(out io.Writer) error {
	top, err := os.MkdirTemp("", "septet-demo-")
	if err != nil {
		return &failure{code: exitFailed, fact: fmt.Sprintf("no temporary directory can be made: %v", err), hint: "set TMPDIR to a directory that can be written"}
	}
	defer func() { _ = os.RemoveAll(top) }() // a temporary directory
	workspace := filepath.Join(top, "project")
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		return err
	}
	screen := newScreen(out)
	if screen.columns == 0 {
		screen.columns = usualColumns // it is for people, wherever it goes
	}
	started := time.Now()
	child, err := startChild(workspace, filepath.Join(top, "state"))
	if err != nil {
		return err
	}
	child.pipe.traffic = screen.frame
	screen.title("A host starts septet", fmt.Sprintf("septet serve --workspace %s\n%s", workspace, demoLegend))
	if err := playDemo(child.pipe, screen); err != nil {
		child.kill()
		return err
	}
	screen.title("The host closes the pipe", "The server sees the end of its input and ends. Nothing it started is left.")
	if err := child.end(); err != nil {
		return err
	}
	screen.say(fmt.Sprintf("exit code 0 after %.1f s and %d frames", time.Since(started).Seconds(), screen.frames))
	return screen.err
}

const demoLegend = "It speaks one JSON object a line: the host writes --> and reads <-- them."

// child is a server in a process of its own.
type child struct {
	process *exec.Cmd
	pipe    *pipe
}

func startChild(workspace, state string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	process := exec.Command(program, "serve", "--workspace", workspace, "--state", state, "--config", "none")
	// The demonstration is the same for everybody.
	process.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, settings.Prefix) })
	process.Stderr = os.Stderr
	requests, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	return &child{process: process, pipe: newPipe(requests, answers)}, nil
}

// end closes the pipe and waits for the server.
func (c *child) end() error {
	if err := c.pipe.close(); err != nil {
		return err
	}
	return c.process.Wait()
}

func (c *child) kill() {
	_ = c.process.Process.Kill() // it may have ended already
	_ = c.process.Wait()
}

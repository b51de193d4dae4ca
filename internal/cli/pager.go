package cli

import (
	"io"
	"os"
	"os/exec"
)

// paged prints through the person's pager when w is a terminal, in colour
// unless NO_COLOR is set, and plainly elsewhere.
func paged(w io.Writer, print func(*screen) error) error {
	if !isTerminal(w) {
		return print(&screen{w: w})
	}
	s := &screen{w: w, colour: coloured(w), visible: true}
	pager := pagerCommand()
	if pager == nil {
		return print(s)
	}
	pager.Stdout, pager.Stderr = w, os.Stderr
	in, err := pager.StdinPipe()
	if err != nil {
		return err
	}
	if err := pager.Start(); err != nil {
		return print(s)
	}
	s.w = in
	_ = print(s)   // fails when the person leaves before the end
	_ = in.Close() // the same
	return pager.Wait()
}

// pagerCommand is $PAGER, else less so that it shows colours and ends by
// itself after less than a page; nil when there is none.
func pagerCommand() *exec.Cmd {
	if custom, set := os.LookupEnv("PAGER"); set {
		if custom == "" || custom == "cat" {
			return nil
		}
		return exec.Command("sh", "-c", custom)
	}
	if path, err := exec.LookPath("less"); err == nil {
		return exec.Command(path, "-FRX")
	}
	return nil
}

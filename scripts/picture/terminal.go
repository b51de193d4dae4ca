//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	columns = 100
	rows    = 50
)

// inTerminal runs a command of bash with a terminal of its own and returns
// what it printed. A command that fails is none of our business.
func inTerminal(command, dir string, env []string) (string, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "", err
	}
	defer master.Close()
	terminal, err := otherEnd(master)
	if err != nil {
		return "", err
	}
	process := exec.Command("bash", "-c", command)
	process.Dir, process.Env = dir, env
	process.Stdin, process.Stdout, process.Stderr = terminal, terminal, terminal
	process.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = process.Start()
	_ = terminal.Close() // the process has its own
	if err != nil {
		return "", err
	}
	output, err := io.ReadAll(master)
	if errors.Is(err, unix.EIO) { // how a terminal says that nobody writes any more
		err = nil
	}
	_ = process.Wait() // its exit code is not shown
	return string(output), err
}

func otherEnd(master *os.File) (*os.File, error) {
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		return nil, err
	}
	return os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
}

package local

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"septet/backend"
)

// maxLeftoverNames bounds the names in an answer; a fork bomb has thousands.
const maxLeftoverNames = 50

// process is one line of the process table. The zero value is no process.
type process struct {
	pid     int
	name    string
	state   byte // the kernel's letter
	parent  int
	group   int
	session int
	started uint64 // clock ticks since the system was started
}

// dead reports whether nothing of it runs any more.
func (p process) dead() bool { return p.pid == 0 || p.state == 'Z' || p.state == 'X' }

func procMounted() bool {
	_, err := os.Lstat("/proc/self/stat")
	return err == nil
}

// processOf reads what /proc says about pid.
func processOf(pid int) process {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}
	}
	// pid (name) state ppid pgrp session ...: the name may hold anything, so
	// its end is the last parenthesis.
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}
	}
	fields := strings.Fields(string(stat[end+1:]))
	const startField = 19 // of those after the name
	if len(fields) <= startField {
		return process{}
	}
	p := process{pid: pid, name: string(stat[open+1 : end]), state: fields[0][0]}
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	p.session, _ = strconv.Atoi(fields[3])
	p.started, _ = strconv.ParseUint(fields[startField], 10, 64)
	return p
}

// childrenOf lists the direct children of pid, ended ones too. A child that is
// made meanwhile may be missed: look again.
func childrenOf(pid int) []int {
	var pids []int
	root := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, _ := os.ReadDir(root)
	for _, t := range threads {
		list, err := os.ReadFile(filepath.Join(root, t.Name(), "children"))
		if os.IsNotExist(err) && processOf(pid).pid != 0 && !childrenListed() {
			return childrenByScan(pid)
		}
		for _, f := range bytes.Fields(list) {
			if child, err := strconv.Atoi(string(f)); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// childrenListed reports whether this kernel has lists of children.
func childrenListed() bool {
	_, err := os.Lstat("/proc/thread-self/children")
	return err == nil
}

func childrenByScan(parent int) []int {
	return scan(func(p process) bool { return p.parent == parent })
}

// groupMembers lists the living processes of a group.
func groupMembers(group int) []int {
	return scan(func(p process) bool { return p.group == group && !p.dead() })
}

// scan lists the processes that want wants.
func scan(want func(process) bool) []int {
	var pids []int
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p := processOf(pid); p.pid != 0 && want(p) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// below returns what is alive among pids and their descendants.
func below(pids []int) []process {
	var found []process
	for queue := pids; len(queue) > 0 && len(found) < maxLeftoverNames; queue = queue[1:] {
		if p := processOf(queue[0]); !p.dead() {
			found = append(found, p)
		}
		queue = append(queue[:len(queue):len(queue)], childrenOf(queue[0])...)
	}
	return found
}

func namesOf(pids []int) []string {
	var names []string
	for _, p := range below(pids) {
		names = append(names, printable(p.name))
	}
	return names
}

func statesOf(pids []int) []backend.Alive {
	var alive []backend.Alive
	for _, p := range below(pids) {
		alive = append(alive, backend.Alive{PID: p.pid, Name: printable(p.name), State: string(p.state)})
	}
	return alive
}

// printable escapes a process's name, which it chose itself.
func printable(name string) string {
	return strings.ReplaceAll(string(clean([]byte(name), maxTextBytes, false).text), "\n", `\n`)
}

package local

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"septet/backend"
)

// maxLeftoverNames bounds the names in an answer, which then end with "...": a
// fork bomb has thousands.
const maxLeftoverNames = 50

// process is one line of the process table. The zero value is no process.
type process struct {
	pid     int
	name    string
	state   byte // the kernel's letter
	parent  int
	group   int
	session int
	threads int
	started uint64 // clock ticks since the system was started
}

// dead reports whether nothing of it runs any more. The state is that of its
// first thread, which may end before the others.
func (p process) dead() bool {
	return p.pid == 0 || (p.state == 'Z' || p.state == 'X') && p.threads <= 1
}

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
	const threadsField, startField = 17, 19 // of those after the name
	if len(fields) <= startField {
		return process{}
	}
	p := process{pid: pid, name: string(stat[open+1 : end]), state: fields[0][0]}
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	p.session, _ = strconv.Atoi(fields[3])
	p.threads, _ = strconv.Atoi(fields[threadsField])
	p.started, _ = strconv.ParseUint(fields[startField], 10, 64)
	return p
}

// childrenOf lists the direct children of pid, ended ones too. A child that is
// made meanwhile may be missed: look again. It reports whether it could look.
func childrenOf(pid int) (pids []int, ok bool) {
	root := "/proc/" + strconv.Itoa(pid) + "/task"
	threads, err := os.ReadDir(root)
	ok = err == nil
	for _, t := range threads {
		list, err := os.ReadFile(filepath.Join(root, t.Name(), "children"))
		if os.IsNotExist(err) && processOf(pid).pid != 0 && !childrenListed() {
			return childrenByScan(pid), true
		}
		ok = ok && (err == nil || os.IsNotExist(err)) // a thread may end meanwhile
		pids = appendPIDs(pids, list)
	}
	return pids, ok
}

func appendPIDs(pids []int, list []byte) []int {
	for _, f := range bytes.Fields(list) {
		if child, err := strconv.Atoi(string(f)); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}

// openChildren opens the lists of children of this process that can grow: of
// this thread, which starts the leader, and of the first, which gets the
// orphans. Nil when there is none.
func openChildren() []*os.File {
	var lists []*os.File
	for _, thread := range slices.Compact([]int{unix.Getpid(), unix.Gettid()}) {
		list, err := os.Open(fmt.Sprintf("/proc/self/task/%d/children", thread))
		if err != nil {
			return nil
		}
		lists = append(lists, list)
	}
	return lists
}

// listed reads lists of children, like childrenOf, but opens nothing: a command
// can use up the files of its user or of the system, and can forbid its shim to
// open any.
func listed(lists []*os.File) (pids []int, ok bool) {
	for _, list := range lists {
		text, err := io.ReadAll(io.NewSectionReader(list, 0, math.MaxInt64))
		if err != nil {
			return nil, false
		}
		pids = appendPIDs(pids, text)
	}
	return pids, lists != nil
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

// below returns what is alive among pids and their descendants, one more than
// are named at most.
func below(pids []int) []process {
	var found []process
	for queue := pids; len(queue) > 0 && len(found) <= maxLeftoverNames; queue = queue[1:] {
		if p := processOf(queue[0]); !p.dead() {
			found = append(found, p)
		}
		children, _ := childrenOf(queue[0])
		queue = append(queue[:len(queue):len(queue)], children...)
	}
	return found
}

func namesOf(pids []int) []string {
	var names []string
	for _, p := range below(pids) {
		names = append(names, printable(p.name))
	}
	if len(names) > maxLeftoverNames {
		names[maxLeftoverNames] = "..."
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

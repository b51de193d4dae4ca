package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"
)

// look is how often the memory of a family is read for its peak.
const look = 5 * time.Millisecond

// process is one of a family, by its id.
type process int

func (p process) kill() {
	if found, err := os.FindProcess(int(p)); err == nil {
		found.Kill()
	}
}

// family is the process and all that descend from it; the process alone where
// the system does not tell.
func family(pid int) []process {
	members := []process{process(pid)}
	for i := 0; i < len(members); i++ {
		tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", members[i]))
		for _, task := range tasks {
			children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", members[i], task.Name()))
			for _, field := range strings.Fields(string(children)) {
				var child process
				if _, err := fmt.Sscan(field, &child); err == nil {
					members = append(members, child)
				}
			}
		}
	}
	return members
}

// field is a value in KiB from the status of a process; 0 when it has ended.
func (p process) field(name string) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
	for line := range bytes.Lines(status) {
		var kib int
		if n, _ := fmt.Sscanf(string(line), name+": %d kB", &kib); n == 1 {
			return kib
		}
	}
	return 0
}

// resident is what a family has in memory, in MB. Pages that two processes
// share count twice.
func resident(pid int) float64 {
	sum := 0
	for _, member := range family(pid) {
		sum += member.field("VmRSS")
	}
	return megabytes(sum)
}

func megabytes(kib int) float64 { return float64(kib) * 1024 / 1e6 }

// watcher looks for the peak of a family's memory.
type watcher struct {
	pid  int
	stop chan struct{}
	most chan float64
}

func watch(pid int) *watcher {
	w := &watcher{pid: pid, stop: make(chan struct{}), most: make(chan float64)}
	go func() {
		ticker := time.NewTicker(look)
		defer ticker.Stop()
		most := 0.0
		for {
			select {
			case <-ticker.C:
				most = max(most, resident(pid))
			case <-w.stop:
				w.most <- most
				return
			}
		}
	}()
	return w
}

// peak ends the watch. The kernel's own mark of the server is never missed by
// looking too seldom; that of its children may be.
func (w *watcher) peak() float64 {
	close(w.stop)
	return max(<-w.most, megabytes(process(w.pid).field("VmHWM")))
}

// Command startup starts a server again and again and prints how long its
// first answers take and how much memory it has while idle.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// runs is odd, so that the median is one of them.
const runs = 31

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
	list  = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
)

func main() {
	var first, listed, ended []time.Duration
	var memory []int
	for range runs {
		m, err := measure(os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "startup:", err)
			os.Exit(1)
		}
		first, listed, ended = append(first, m.first), append(listed, m.listed), append(ended, m.ended)
		memory = append(memory, m.memoryKiB)
	}
	report("start to first answer", first)
	report("start to list of tools", listed)
	report("end of input to exit", ended)
	slices.Sort(memory)
	fmt.Printf("%-34s %8.1f MB\n", "idle memory (resident)", float64(memory[runs/2])*1024/1e6)
}

type measurement struct {
	first, listed, ended time.Duration
	memoryKiB            int // 0 where /proc is missing
}

func measure(command []string) (measurement, error) {
	var m measurement
	process := exec.Command(command[0], command[1:]...)
	in, err := process.StdinPipe()
	if err != nil {
		return m, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return m, err
	}
	started := time.Now()
	if err := process.Start(); err != nil {
		return m, err
	}
	answers := bufio.NewReader(out)
	for _, step := range []struct {
		frame string
		took  *time.Duration
	}{{hello, &m.first}, {list, &m.listed}} {
		if _, err := in.Write([]byte(step.frame)); err != nil {
			return m, err
		}
		if _, err := answers.ReadString('\n'); err != nil {
			return m, err
		}
		*step.took = time.Since(started)
	}
	m.memoryKiB = residentKiB(process.Process.Pid)
	closed := time.Now()
	if err := in.Close(); err != nil {
		return m, err
	}
	err = process.Wait()
	m.ended = time.Since(closed)
	return m, err
}

func residentKiB(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		var kib int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kib); n == 1 {
			return kib
		}
	}
	return 0
}

func report(what string, times []time.Duration) {
	slices.Sort(times)
	fmt.Printf("%-34s %8.1f ms   (p95 %.1f)\n", what, ms(times[len(times)/2]), ms(times[len(times)*95/100]))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

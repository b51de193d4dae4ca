//go:build linux

package local

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"septet/backend"
	"septet/safepath"
)

// bench runs commands for measurements; nothing is looked for afterwards.
func bench(b *testing.B, ctx context.Context, script string, output func(string)) backend.Completion {
	b.Helper()
	dir, err := os.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer dir.Close()
	p := Processes(ProcessConfig{Shim: shimPath, SpillDir: b.TempDir() + "/spill/s"}).(*processes)
	command := backend.Command{Script: script, Env: os.Environ(), CallID: "1"}
	if output != nil {
		command.Output = func(_ backend.StreamName, text string, _ int64) { output(text) }
	}
	c, err := p.runIn(ctx, command, &safepath.WorkDir{File: dir, Path: dir.Name()})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkProcessCall is the price of the shortest command.
func BenchmarkProcessCall(b *testing.B) {
	for b.Loop() {
		bench(b, b.Context(), ":", nil)
	}
}

// BenchmarkProcessDrain compares how fast output is taken with how fast cat
// takes it, two seconds each.
func BenchmarkProcessDrain(b *testing.B) {
	const length = 2 * time.Second
	b.Run("septet", func(b *testing.B) {
		for b.Loop() {
			ctx, stop := context.WithTimeout(b.Context(), length)
			c := bench(b, ctx, "yes", func(string) {})
			stop()
			b.ReportMetric(float64(c.Stdout.Bytes)/1e9/c.Duration.Seconds(), "GB/s")
		}
	})
	b.Run("cat", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(catRate(b, length))/1e9/length.Seconds(), "GB/s")
		}
	})
}

// catRate counts what `yes | cat >/dev/null` moves in d.
func catRate(b *testing.B, d time.Duration) int64 {
	yes, cat := exec.Command("yes"), exec.Command("cat")
	cat.Stdin, _ = yes.StdoutPipe()
	if err := cat.Start(); err != nil {
		b.Fatal(err)
	}
	if err := yes.Start(); err != nil {
		b.Fatal(err)
	}
	time.Sleep(d)
	written := number(b, fmt.Sprintf("/proc/%d/io", yes.Process.Pid), "wchar:")
	_ = yes.Process.Kill()
	_ = yes.Wait()
	_ = cat.Wait()
	return written
}

// BenchmarkProcessGrowth is by how much the server's memory grows at most
// while a command writes without end: the highest of the samples, against what
// it was after one short command.
func BenchmarkProcessGrowth(b *testing.B) {
	rows := []struct {
		name, script string
		length       time.Duration
	}{
		{"yes", "yes", 5 * time.Second},
		{"one line", "head -c 1000000000 /dev/zero | tr '\\0' x", time.Minute},
		{"urandom", "cat /dev/urandom", 2 * time.Second},
	}
	for _, row := range rows {
		b.Run(strings.ReplaceAll(row.name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				bench(b, b.Context(), "echo hi", func(string) {})
				before := watch(b, func() {})
				ctx, stop := context.WithTimeout(b.Context(), row.length)
				peak := watch(b, func() { bench(b, ctx, row.script, func(string) {}) })
				stop()
				b.ReportMetric(float64(peak-before)/1024, "growth-KiB")
			}
		})
	}
}

// watch returns the highest resident size while do runs. It allocates nothing
// itself.
func watch(b *testing.B, do func()) int64 {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	defer statm.Close()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	peak := resident(statm)
	for {
		peak = max(peak, resident(statm))
		select {
		case <-done:
			return max(peak, resident(statm))
		case <-ticker.C:
		}
	}
}

// resident is this process's resident memory in bytes: the second number of
// statm, in pages.
func resident(statm *os.File) int64 {
	var buffer [256]byte
	n, _ := statm.ReadAt(buffer[:], 0)
	var pages int64
	field := 0
	for _, c := range buffer[:n] {
		switch {
		case c == ' ':
			field++
		case field == 1:
			pages = pages*10 + int64(c-'0')
		}
	}
	return pages * int64(os.Getpagesize())
}

// number reads the number after a label in a file of /proc.
func number(b *testing.B, path, label string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == label {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n
		}
	}
	b.Fatalf("%s has no %s", path, label)
	return 0
}

// BenchmarkProcessCancel is the time from a cancel to the answer.
func BenchmarkProcessCancel(b *testing.B) {
	const samples = 100
	for name, script := range map[string]string{
		"sleep":       "echo ready; sleep 60; :",
		"yes":         "yes ready",
		"50-children": "for i in {1..50}; do sleep 60 & done; echo ready; wait",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var took []time.Duration
				for range samples {
					took = append(took, cancelTime(b, script))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			}
		})
	}
}

func cancelTime(b *testing.B, script string) time.Duration {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var asked time.Time
	bench(b, ctx, script, func(text string) {
		if asked.IsZero() && strings.Contains(text, "ready") {
			asked = time.Now()
			cancel()
		}
	})
	return time.Since(asked)
}

// BenchmarkCapture is the work on output itself, without pipes.
func BenchmarkCapture(b *testing.B) {
	chunk := []byte(strings.Repeat("y\n", readBytes/2))
	c := newCapture(nil, make(chan struct{}, 1))
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		c.write(chunk)
	}
}

package local

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"septet/backend"
)

// take gives raw to a new capture in pieces of random size.
func take(raw []byte, seed uint64) *capture {
	c := newCapture(nil, nil)
	random := rand.New(rand.NewPCG(seed, 1))
	for len(raw) > 0 {
		n := min(len(raw), 1+random.IntN(readBytes))
		c.write(raw[:n])
		raw = raw[n:]
	}
	return c
}

func numbered(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "line %d of many\n", i)
	}
	return b.Bytes()
}

// What is shown and what is counted as omitted add up, for streams of every
// size around the bounds.
func TestCaptureAddsUp(t *testing.T) {
	all := numbered(60_000)
	for _, size := range []int{0, 1, 100, maxTextBytes, 2 * maxTextBytes, 2*maxTextBytes + 1, maxWindowBytes, maxWindowBytes + 1,
		2 * maxWindowBytes, 2*maxWindowBytes + 1, 3 * maxWindowBytes, len(all)} {
		for seed := range uint64(5) {
			raw := all[:size]
			got := take(raw, seed).captured()
			if got.Bytes != int64(size) || got.Lines != int64(bytes.Count(raw, []byte{'\n'})) {
				t.Fatalf("%d bytes: counted %d bytes, %d lines", size, got.Bytes, got.Lines)
			}
			if int64(len(got.Head)+len(got.Tail))+got.OmittedBytes != got.Bytes {
				t.Fatalf("%d bytes: %d + %d + %d omitted", size, len(got.Head), len(got.Tail), got.OmittedBytes)
			}
			gap := raw[len(got.Head) : len(raw)-len(got.Tail)]
			if got.OmittedLines != int64(bytes.Count(gap, []byte{'\n'})) {
				t.Fatalf("%d bytes: %d lines omitted", size, got.OmittedLines)
			}
			if !bytes.HasPrefix(raw, []byte(got.Head)) || !bytes.HasSuffix(raw, []byte(got.Tail)) {
				t.Fatalf("%d bytes: the ends are not those of the stream", size)
			}
			if size <= 2*maxTextBytes && got.OmittedBytes != 0 {
				t.Fatalf("%d bytes: %d omitted though all could be kept", size, got.OmittedBytes)
			}
		}
	}
}

// They add up in the command's bytes when what is shown is longer or shorter
// than those, and no cut shows a part of a sequence: here in one line, with
// nearly everything of it dropped or nothing near that would end one.
func TestCaptureAddsUpDecorated(t *testing.T) {
	units := map[string]string{
		"colours": "\x1b[38;5;196m漢\x1b[0m", "binary": "\xff\x01漢", "mostly colours": strings.Repeat("\x1b[38;5;196m", 40) + "漢",
		"titles": "\x1b]0;" + strings.Repeat("long title ", 200) + "\a漢",
	}
	for name, unit := range units {
		for seed := range uint64(5) {
			raw := []byte(strings.Repeat("漢", int(seed)) + strings.Repeat(unit, 1_500_000/len(unit)))
			got := take(raw, seed).captured()
			_, head := got.HeadFrom.Before(len(got.Head))
			_, tail := got.TailFrom.Before(len(got.Tail))
			if int64(head)+got.OmittedBytes+int64(tail) != got.Bytes || got.OmittedBytes == 0 {
				t.Errorf("%s: %d + %d omitted + %d of %d", name, head, got.OmittedBytes, tail, got.Bytes)
			}
			if left := strings.Trim(got.Head+got.Tail, "漢"); name != "binary" && left != "" {
				t.Errorf("%s: shows %.40q", name, left)
			}
		}
	}
}

// No cut falls inside a rune, wherever the reads end.
func TestCaptureCutsAtRunes(t *testing.T) {
	for shift := range 4 {
		raw := []byte(strings.Repeat("a", shift) + strings.Repeat("漢😀é", 200_000))
		got := take(raw, uint64(shift)).captured()
		if got.Binary || strings.Contains(got.Head+got.Tail, `\x`) || !utf8.ValidString(got.Head+got.Tail) {
			t.Errorf("shift %d: head ends %q, tail begins %q", shift, got.Head[len(got.Head)-12:], got.Tail[:12])
		}
		if int64(len(got.Head)+len(got.Tail))+got.OmittedBytes != int64(len(raw)) {
			t.Errorf("shift %d: does not add up", shift)
		}
	}
}

// A cut inside an escape sequence shows nothing of it.
func TestCaptureCutsOutsideSequences(t *testing.T) {
	for shift := range 12 {
		raw := []byte(strings.Repeat("a", shift) + strings.Repeat("\x1b[38;5;196mx\x1b[0m\n", 100_000))
		got := take(raw, uint64(shift)).captured()
		if text := strings.Trim(got.Head[shift:]+got.Tail, "x\n"); text != "" {
			t.Errorf("shift %d: %q", shift, text)
		}
	}
}

// A progress bar of any length is its last frame, and takes no memory.
func TestCaptureFrames(t *testing.T) {
	var raw bytes.Buffer
	raw.WriteString("start\n")
	for i := range 300_000 {
		fmt.Fprintf(&raw, "%7d of 300000\r", i)
	}
	raw.WriteString("done\nend\n")
	c := take(raw.Bytes(), 1)
	got := c.captured()
	if got.Head != "start\ndone\nend\n" || got.OmittedBytes != 0 {
		t.Errorf("got %.100q, %d omitted", got.Head, got.OmittedBytes)
	}
	if got.Bytes != int64(raw.Len()) || c.window.tail != nil {
		t.Errorf("counted %d of %d bytes; ring used: %t", got.Bytes, raw.Len(), c.window.tail != nil)
	}
}

// Frames after the beginning of the window was full replace each other too.
func TestCaptureFramesInTheRing(t *testing.T) {
	var raw bytes.Buffer
	raw.Write(numbered(30_000))
	before := raw.Len()
	for i := range 50_000 {
		fmt.Fprintf(&raw, "%d%%\r", i)
	}
	raw.WriteString("\r\nend\n")
	c := take(raw.Bytes(), 2)
	if got := c.captured(); !strings.HasSuffix(got.Tail, "many\n49999%\nend\n") {
		t.Errorf("tail ends %q", got.Tail[len(got.Tail)-40:])
	}
	if dropped := c.window.dropped; dropped > int64(before) {
		t.Errorf("frames pushed %d bytes out, more than the %d before them", dropped, before)
	}
}

func TestCaptureProgress(t *testing.T) {
	news := make(chan struct{}, 1)
	c := newCapture(nil, news)
	c.write([]byte("one\xe6\xbc"))
	c.write([]byte("\xa2\x1b[3"))
	if text, total := c.progress(false); text != "one漢" || total != 9 {
		t.Errorf("got %q, %d", text, total)
	}
	c.write([]byte("1mred"))
	if text, _ := c.progress(false); text != "red" {
		t.Errorf("got %q", text)
	}
	c.write([]byte(strings.Repeat("漢", 10_000)))
	text, total := c.progress(true)
	if len(text) > maxProgressBytes || len(text) < maxProgressBytes-4 || strings.Trim(text, "漢") != "" || total != 9+5+30_000 {
		t.Errorf("got %d bytes of %d: %.20q", len(text), total, text)
	}
	if len(news) != 1 {
		t.Error("nobody was told")
	}
}

// A chunk of progress that begins somewhere shows no part of a sequence, and
// what came since the last chunk is not lost by that.
func TestCaptureProgressInsideSequences(t *testing.T) {
	for shift := range 30 {
		c := newCapture(nil, make(chan struct{}, 1))
		c.write([]byte(strings.Repeat("漢", shift) + strings.Repeat("\x1b[38;5;196m漢\x1b]0;title of a window\a", 1000)))
		text, _ := c.progress(false)
		if text == "" || strings.Trim(text, "漢") != "" {
			t.Errorf("shift %d: %q", shift, text)
		}
		c.write([]byte("38;5m"))
		if text, _ := c.progress(false); text != "38;5m" {
			t.Errorf("shift %d: then %q", shift, text)
		}
	}
}

func TestSpill(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "spill", "s1")
	raw := numbered(2000)
	write := func(id string, raw []byte) backend.Captured {
		c := newCapture(newSpill(dir, id, spillOut), nil)
		for part := range bytes.SplitAfterSeq(raw, []byte("9\n")) {
			c.write(part)
		}
		defer c.spill.close()
		return c.captured()
	}
	if got := write("short", raw[:backend.MaxInlineBytes]); got.SpillPath != "" {
		t.Errorf("a short stream was kept in %s", got.SpillPath)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was made though nothing was kept")
	}
	got := write("../7", raw)
	if want := filepath.Join(dir, "%2e%2e%2f7.out"); got.SpillPath != want {
		t.Errorf("kept in %q, want %q", got.SpillPath, want)
	}
	kept, err := os.ReadFile(got.SpillPath)
	if err != nil || !bytes.Equal(kept, raw) {
		t.Errorf("kept %d of %d bytes, %v", len(kept), len(raw), err)
	}
	if again := write("../7", raw); again.SpillPath == got.SpillPath || again.SpillPath == "" {
		t.Errorf("the second is kept in %q", again.SpillPath)
	}
	if got := write("frames", []byte(strings.Repeat("frame\r", 10_000))); got.SpillPath != "" {
		t.Errorf("frames that collapsed are kept in %s", got.SpillPath)
	}
	if got := write("binary", bytes.Repeat([]byte{0xff}, 9000)); got.SpillPath == "" {
		t.Error("a short stream with a long text was not kept")
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 3 {
		t.Errorf("%d files: %v", len(left), left)
	}
	for _, f := range left {
		if info, _ := f.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
}

// A file that cannot be written changes nothing but its path.
func TestSpillFails(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "s1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCapture(newSpill(filepath.Join(root, "s1"), "1", spillOut), nil)
	raw := numbered(2000)
	c.write(raw)
	if got := c.captured(); got.SpillPath != "" || got.Head != string(raw) {
		t.Errorf("path %q, %d of %d bytes", got.SpillPath, len(got.Head), len(raw))
	}
}

// The file stops at its bound.
func TestSpillBound(t *testing.T) {
	s := newSpill(filepath.Join(t.TempDir(), "s1"), "1", spillErr)
	block := make([]byte, 1<<20)
	for range backend.MaxSpillBytes>>20 + 2 {
		s.write(block)
	}
	info, err := os.Stat(s.settle(true))
	s.close()
	if err != nil || info.Size() != backend.MaxSpillBytes {
		t.Fatalf("%v, %v", info, err)
	}
}

func TestPrune(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	file := func(name string, size int64, age time.Duration) {
		path := filepath.Join(root, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Truncate(path, size)
		_ = os.Chtimes(path, now, now.Add(-age))
	}
	file("a/old.out", 1, maxSpillAge+time.Hour)
	file("a/old.txt", 1, maxSpillAge+time.Hour) // not ours
	file("b/old.err", 1, maxSpillAge+time.Hour)
	file("c/first.out", maxSpillTotalBytes/2, 3*time.Hour)
	file("c/second.out", maxSpillTotalBytes/2, 2*time.Hour)
	file("c/third.out", maxSpillTotalBytes/2, time.Hour)
	prune(root, now)
	left, _ := filepath.Glob(filepath.Join(root, "*", "*"))
	want := "a/old.txt c/second.out c/third.out"
	for i, path := range left {
		left[i], _ = filepath.Rel(root, path)
	}
	if got := strings.Join(left, " "); got != want {
		t.Errorf("left %s, want %s", got, want)
	}
	if _, err := os.Stat(filepath.Join(root, "b")); err == nil {
		t.Error("an empty session folder is left")
	}
}

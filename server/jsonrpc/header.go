package jsonrpc

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// lengthHeader names the one header that matters.
const lengthHeader = "content-length:"

var (
	errBadHeader = &Error{Code: ParseError, Message: "bad header block; skipped to the next Content-Length"}
	errCutShort  = &Error{Code: ParseError, Message: "the input ended inside a frame"}
)

// nextByHeader reads one header block and its body.
func (f *frameReader) nextByHeader() ([]byte, error) {
	if f.lost {
		f.resync()
	}
	if err := f.skipBlanks(); err != nil {
		return nil, err
	}
	length, ok := f.readHeader()
	f.lost = !ok
	switch {
	case !ok:
		return nil, errBadHeader
	case length > f.max:
		if _, err := io.CopyN(io.Discard, f.in, int64(length)); err != nil {
			return nil, errCutShort
		}
		return nil, frameTooLarge(f.max)
	}
	return f.readBody(length)
}

// readBody grows with what really arrives: a declared length alone costs no
// memory.
func (f *frameReader) readBody(length int) ([]byte, error) {
	var body bytes.Buffer
	if _, err := io.CopyN(&body, f.in, int64(length)); err != nil {
		return nil, errCutShort
	}
	frame := trimFrame(body.Bytes())
	if len(frame) == 0 {
		return nil, errNotJSON
	}
	return frame, nil
}

// readHeader reads up to the blank line that ends the block and returns the
// length it declares; false when the block is bad. A line that is no header is
// not consumed, for a header can be glued to it.
func (f *frameReader) readHeader() (int, bool) {
	length, total := -1, 0
	for f.startsWithHeader() {
		line, err := f.in.ReadSlice('\n')
		total += len(line)
		if err != nil || total > maxHeaderBytes {
			return 0, false
		}
		value, found := strings.CutPrefix(strings.ToLower(string(line)), lengthHeader)
		if !found {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n > maxSkippedBytes || length >= 0 {
			return 0, false
		}
		length = n
	}
	return length, length >= 0 && f.skipEmptyLine()
}

func (f *frameReader) skipEmptyLine() bool {
	first, err := f.in.ReadByte()
	if err == nil && first == '\r' {
		first, err = f.in.ReadByte()
	}
	return err == nil && first == '\n'
}

// resync skips to the next thing that can only be a header: the name of the
// length, a number and the end of the line. Inside a JSON string, where a
// client could quote a header, the end of a line cannot stand.
//
// The header need not stand at the start of a line: a body is followed by none,
// so behind a wrong length it never does.
func (f *frameReader) resync() {
	for {
		if f.atHeader() {
			return
		}
		if _, err := f.in.Discard(1); err != nil {
			return
		}
	}
}

// atHeader looks ahead, byte by byte, whether a length header starts here. What
// it accepts readHeader must consume, or the reader would never get past it.
func (f *frameReader) atHeader() bool {
	for n := 1; n <= len(lengthHeader); n++ {
		start, err := f.in.Peek(n)
		if err != nil || !strings.EqualFold(string(start), lengthHeader[:n]) {
			return false
		}
	}
	const maxNumberBytes = 16
	for n := len(lengthHeader) + 1; n < len(lengthHeader)+maxNumberBytes; n++ {
		start, err := f.in.Peek(n)
		if err != nil {
			return false
		}
		switch c := start[n-1]; {
		case c == '\n':
			return true
		case c == ' ' || c == '\t' || c == '\r' || c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return false
}

// size writes a number of bytes for people.
func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}

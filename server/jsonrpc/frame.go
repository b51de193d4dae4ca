package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Framing says how frames are delimited, in both directions.
type Framing string

const (
	// FramingAuto takes the framing of the first frame that arrives. It is
	// also what the empty string means.
	FramingAuto Framing = "auto"
	// FramingLine is one frame a line.
	FramingLine Framing = "line"
	// FramingHeader is a Content-Length header before each frame, as editors
	// speak it.
	FramingHeader Framing = "header"
)

var (
	bom = []byte("\xef\xbb\xbf")

	// contentPrefix starts every header that is known.
	contentPrefix = []byte("content-")
)

// blanks may stand before a frame.
const blanks = " \t\r\n"

// frameReader takes frames off a byte stream. It is used by one goroutine.
type frameReader struct {
	in      *bufio.Reader
	framing Framing
	max     int           // bytes of one frame
	framed  func(Framing) // told the framing once it is known
	lost    bool          // the last header block was bad: find the next one first
}

func newFrameReader(in io.Reader, framing Framing, max int, framed func(Framing)) *frameReader {
	const bufferBytes = 64 << 10 // what a pipe holds
	return &frameReader{in: bufio.NewReaderSize(in, bufferBytes), framing: framing, max: max, framed: framed}
}

// next returns the next frame, never empty and owned by the caller. An *Error
// is about one frame and the next call goes on behind it; any other error is
// the end of the input.
func (f *frameReader) next() ([]byte, error) {
	if f.framing == "" || f.framing == FramingAuto {
		if err := f.detect(); err != nil {
			return nil, err
		}
	}
	if f.framing == FramingHeader {
		return f.nextByHeader()
	}
	return f.nextLine()
}

// detect skips blanks and decides by what comes first. It looks at no more
// bytes than it needs: a client that waits for an answer sends no more.
func (f *frameReader) detect() error {
	if err := f.skipBlanks(); err != nil {
		return err
	}
	f.framing = FramingLine
	if f.startsWithHeader() {
		f.framing = FramingHeader
	}
	f.framed(f.framing)
	return nil
}

func (f *frameReader) startsWithHeader() bool {
	for n := 1; n <= len(contentPrefix); n++ {
		start, err := f.in.Peek(n)
		if err != nil || !bytes.EqualFold(start, contentPrefix[:n]) {
			return false
		}
	}
	return true
}

// skipBlanks stops before the first byte that is neither blank nor a byte
// order mark.
func (f *frameReader) skipBlanks() error {
	for {
		first, err := f.in.Peek(1)
		if err != nil {
			return err
		}
		skip := 1
		switch {
		case first[0] == bom[0]:
			mark, err := f.in.Peek(len(bom))
			if err != nil || !bytes.Equal(mark, bom) {
				return nil
			}
			skip = len(bom)
		case bytes.IndexByte([]byte(blanks), first[0]) < 0:
			return nil
		}
		if _, err := f.in.Discard(skip); err != nil {
			return err
		}
	}
}

// nextLine returns the next line that is not blank. The last one need not end
// with a newline.
func (f *frameReader) nextLine() ([]byte, error) {
	for {
		line, err := f.readLine()
		if line = trimFrame(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

func trimFrame(line []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(bytes.TrimLeft(line, blanks), bom), blanks)
}

// readLine reads up to the next newline or the end. A line over the bound is
// read to its end and thrown away.
func (f *frameReader) readLine() ([]byte, error) {
	var line []byte
	over := false
	for {
		part, err := f.in.ReadSlice('\n')
		over = over || len(line)+len(bytes.TrimRight(part, "\r\n")) > f.max
		if over {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case over:
			return nil, frameTooLarge(f.max)
		case err != nil && len(line) > 0:
			return line, nil // the next read finds the same end
		}
		return line, err
	}
}

func frameTooLarge(max int) *Error {
	return &Error{Code: InvalidRequest, Message: "frame over " + size(max) + " skipped"}
}

// Package jsonrpc reads and writes JSON-RPC 2.0 frames on a pair of pipes. It
// is the ObjectStream under sourcegraph/jsonrpc2, whose own streams end the
// connection on the first bad frame, change ids they cannot represent and drop
// answers at the end of input.
//
// Stream reads a frame, checks it, answers a bad one itself, expands batches
// and registers each message in its table of calls. The library sees only a
// frame with the method and a key of ours; the client's id is put back byte
// for byte when the answer is written. Nothing that a client sends ends the
// stream.
package jsonrpc

import "time"

const (
	// MaxFrameBytes is the usual bound of one incoming frame: a peer that never
	// ends its line must not make the memory grow. Over it the frame is skipped
	// and refused, and the next one is served.
	MaxFrameBytes = 16 << 20

	// MaxAnswerBytes bounds one outgoing frame. The TypeScript clients drop the
	// connection at 10 MiB, the Go client at 16 MiB.
	MaxAnswerBytes = 8 << 20

	// MaxIDBytes bounds an id, which every answer repeats: a thousand of them
	// must fit into the frame that answers a batch. Real ones have 1 to 40 bytes.
	MaxIDBytes = 1 << 10

	// MaxBatchMessages bounds one batch: two bytes of input can cost eighty of
	// output. A longer batch is refused as a whole.
	MaxBatchMessages = 1000

	// maxErrorTextBytes bounds the text of an error, which can repeat what was
	// sent. It has room for the longest path and what is wrong with it.
	maxErrorTextBytes = 8 << 10

	// MaxInFlightCalls bounds the calls that wait or run. One that waits costs
	// about 8 KiB, so they take 32 MiB at the most; a host that has thousands
	// without an answer does not look at answers.
	MaxInFlightCalls = 4096

	// MaxInFlightBytes bounds the parameters of those calls, and the answers
	// that wait for the rest of their batch. It is room for 60 files of the
	// largest size that can be written, and never less than four frames.
	MaxInFlightBytes = 64 << 20

	// maxUnreadBytes is how much may wait for a host that does not read before
	// the reader of its frames waits too.
	maxUnreadBytes = 4 << 20

	// hangUpInterval is how long nothing may leave before a reader that waits
	// looks whether the host is gone. A host that reads is never asked.
	hangUpInterval = 100 * time.Millisecond

	// maxKeptFrameBytes is the size up to which a frame is kept for the sake of
	// the message in it. Of a larger one a small message is copied.
	maxKeptFrameBytes = 4 << 10

	// maxHeaderBytes bounds one header block; real ones have 25 to 80 bytes.
	maxHeaderBytes = 4 << 10

	// maxSkippedBytes is the largest body that is skipped by its declared
	// length. A larger number is taken for a broken header.
	maxSkippedBytes = 1 << 30
)

package safepath

import "time"

// beingWritten reports whether another program has the file open for writing
// and has written to it lately, as one has that saves it just now: what it
// writes next would be lost with the file. One that merely keeps a file open,
// as a server its log, is no reason to refuse. Where the system cannot tell,
// the answer is false.
func beingWritten(h Handle) bool {
	w, ok := h.(interface{ openForWriting() bool })
	if !ok || !w.openForWriting() {
		return false
	}
	st, err := h.Stat()
	return err == nil && time.Since(st.ModTime) < WriterIdle
}

// awaitWriter gives a program that is saving the file the time to finish.
func awaitWriter(h Handle) {
	for end := time.Now().Add(MaxWriterWait); beingWritten(h) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

package server_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"

	"septet/server"
	"septet/toolset"
)

// BenchmarkCalls measures small calls over real pipes, one at a time and many
// at once.
func BenchmarkCalls(b *testing.B) {
	for _, window := range []int{1, 64} {
		b.Run(fmt.Sprintf("window=%d", window), func(b *testing.B) {
			inRead, in, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			out, outWrite, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			c := server.Config{Version: "1", Session: "s", Finalize: newFakes().finalize, Selection: toolset.Selection{Tools: []string{"echo"}}}
			served := make(chan error, 1)
			go func() { served <- server.Serve(b.Context(), c, inRead, outWrite) }()
			answers := bufio.NewReaderSize(out, 64<<10)
			const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n"
			if _, err := io.WriteString(in, hello); err != nil {
				b.Fatal(err)
			}
			if _, err := answers.ReadString('\n'); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			open := make(chan struct{}, window)
			go func() {
				for i := range b.N {
					open <- struct{}{}
					_, _ = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello there"}}}`+"\n", i+1)
				}
			}()
			for range b.N {
				if _, err := answers.ReadString('\n'); err != nil {
					b.Fatal(err)
				}
				<-open
			}
			b.StopTimer()
			_ = in.Close()
			if err := <-served; err != nil {
				b.Fatal(err)
			}
		})
	}
}

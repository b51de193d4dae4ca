//go:build unix

package line

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded returns memory behind which nothing can be read.
func guarded(t *testing.T, size int) []byte {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	space, err := unix.Mmap(-1, 0, size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err == nil {
		err = unix.Mprotect(space[size:], unix.PROT_NONE)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(space) })
	return space[:size:size]
}

package local

import (
	"runtime"
	"sync"
)

const (
	// shimThreads and serverThreads are made in advance. What waits in the
	// kernel at one time fits: in a shim the leader's end, the next order and
	// one look at /proc; in a server about as much as it has calls that start
	// or end in the same moment.
	shimThreads   = 4
	serverThreads = 8
)

// ReserveThreads makes the threads in advance that this process will need. A
// Go program that needs one and gets none ends on the spot, and a command that
// uses up the processes of its user, or of its container, keeps it from
// getting one. Main calls it.
func ReserveThreads() { reserveThreads(serverThreads) }

// reserveThreads makes n threads beside those that run. The runtime keeps them
// and takes them before it makes new ones.
func reserveThreads(n int) {
	var made, freed sync.WaitGroup
	release := make(chan struct{})
	for range n {
		made.Add(1)
		freed.Go(func() {
			runtime.LockOSThread() // so that no two share one
			defer runtime.UnlockOSThread()
			made.Done()
			<-release
		})
	}
	made.Wait()
	close(release)
	freed.Wait()
}

package backend

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// TestLocksAreGrantedInOrder: who asked first gets the lock first, and who
// gave up holds up nobody.
func TestLocksAreGrantedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l locks
		release, err := l.acquire(t.Context(), "k")
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		gone, give := context.WithCancel(t.Context())
		for i := range 10 {
			ctx := t.Context()
			if i == 4 {
				ctx = gone
			}
			go func() {
				release, err := l.acquire(ctx, "k")
				if err == nil {
					order = append(order, i)
					release()
				}
			}()
			synctest.Wait()
		}
		if other, err := l.acquire(t.Context(), "other"); err != nil {
			t.Error(err)
		} else {
			other()
		}
		give()
		synctest.Wait()
		release()
		synctest.Wait()
		if want := []int{0, 1, 2, 3, 5, 6, 7, 8, 9}; !slices.Equal(order, want) {
			t.Errorf("order %v, want %v", order, want)
		}
		if len(l.queues) != 0 {
			t.Errorf("queues are left: %v", l.queues)
		}
	})
}

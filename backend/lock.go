package backend

import (
	"context"
	"slices"
	"sync"
)

// locks is a table of locks by key. Each is granted in the order of asking,
// so that no writer of a busy file waits for ever.
type locks struct {
	mu     sync.Mutex
	queues map[string][]chan struct{} // per key; the first holds the lock
}

// acquire waits for the lock and returns its release, which must be called
// once. When the context ends first, it returns the context's error.
func (l *locks) acquire(ctx context.Context, key string) (release func(), err error) {
	turn := l.enqueue(key)
	release = func() { l.leave(key, turn) }
	select {
	case <-turn:
		return release, nil
	default:
	}
	select {
	case <-turn:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

// enqueue returns a channel that is closed when the lock is held.
func (l *locks) enqueue(key string) chan struct{} {
	turn := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.queues == nil {
		l.queues = map[string][]chan struct{}{}
	}
	if len(l.queues[key]) == 0 {
		close(turn)
	}
	l.queues[key] = append(l.queues[key], turn)
	return turn
}

// leave gives up a place in the queue and wakes the next when it was the first.
func (l *locks) leave(key string, turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.queues[key]
	at := slices.Index(queue, turn)
	queue = slices.Delete(queue, at, at+1)
	if len(queue) == 0 {
		delete(l.queues, key)
		return
	}
	l.queues[key] = queue
	if at == 0 {
		close(queue[0])
	}
}

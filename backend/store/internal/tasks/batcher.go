package tasks

import (
	"context"
	"sync"

	"gorm.io/gorm"
)

// batcher joins what many callers want written into one change: the first of them brings what
// has come until the writer is ready for it. One statement for all costs hardly more than one
// for each. The zero value is ready.
type batcher[T any] struct {
	mu      sync.Mutex
	waiting []*batched[T]
}

type batched[T any] struct {
	item T
	done chan error // holds one
}

// writes runs a change inside the writer's next transaction.
type writes = func(ctx context.Context, change func(tx *gorm.DB) error) error

// write has the item written with others and returns once it is durable. It is made whole or
// not at all, and so are all that are written with it.
func (g *batcher[T]) write(ctx context.Context, write writes, item T, insert func(tx *gorm.DB, items []T) error) error {
	mine := &batched[T]{item: item, done: make(chan error, 1)}
	g.mu.Lock()
	g.waiting = append(g.waiting, mine)
	first := len(g.waiting) == 1
	g.mu.Unlock()
	if !first {
		select {
		case err := <-mine.done:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var batch []*batched[T]
	// Others depend on it, so that this caller's leaving must not end it.
	err := write(context.WithoutCancel(ctx), func(tx *gorm.DB) error {
		batch = g.take()
		items := make([]T, len(batch))
		for i, b := range batch {
			items[i] = b.item
		}
		return insert(tx, items)
	})
	if batch == nil { // the writer has ended before
		batch = g.take()
	}
	for _, b := range batch {
		b.done <- err
	}
	return err
}

func (g *batcher[T]) take() []*batched[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	batch := g.waiting
	g.waiting = nil
	return batch
}

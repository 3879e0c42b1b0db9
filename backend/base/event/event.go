// Package event fans facts out to readers, in order or not at all: a reader that
// lags is cut, and starts again from the whole picture. Nothing is skipped silently.
package event

import (
	"errors"
	"sync"
)

// ErrLagged is why a Subscription ended when its reader was too slow.
var ErrLagged = errors.New("event: the reader was too slow and was cut")

// Topic carries facts of one type. The zero value is ready to use.
type Topic[T any] struct {
	// Recall, set before anything is published, keeps by a key of its choice what a reader
	// has to know that comes later, and drops what is over. It must not call the Topic.
	Recall func(kept map[string]T, fact T)

	mu     sync.Mutex
	kept   map[string]T
	subs   map[*Subscription[T]]struct{}
	closed bool
}

// Subscription is one reader's view of a Topic. The reader calls Close when it is done.
type Subscription[T any] struct {
	topic *Topic[T]
	ch    chan T
	err   error
}

// Subscribe starts a reader that may lag at most buffer facts behind; buffer is at least 1.
func (t *Topic[T]) Subscribe(buffer int) *Subscription[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.subscribe(max(buffer, 1))
}

// SubscribeLate is Subscribe for a reader that first gets what Recall has kept. That does
// not count as lagging.
func (t *Topic[T]) SubscribeLate(buffer int) *Subscription[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.subscribe(max(buffer, 1) + len(t.kept))
	if !t.closed {
		for _, fact := range t.kept {
			s.ch <- fact
		}
	}
	return s
}

// subscribe adds a reader; t.mu is held.
func (t *Topic[T]) subscribe(size int) *Subscription[T] {
	s := &Subscription[T]{topic: t, ch: make(chan T, size)}
	if t.closed {
		close(s.ch)
		return s
	}
	if t.subs == nil {
		t.subs = map[*Subscription[T]]struct{}{}
	}
	t.subs[s] = struct{}{}
	return s
}

// Publish hands the fact to every reader without blocking. A reader whose buffer
// is full is cut: its channel closes, and Err returns ErrLagged.
func (t *Topic[T]) Publish(fact T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Recall != nil {
		if t.kept == nil {
			t.kept = map[string]T{}
		}
		t.Recall(t.kept, fact)
	}
	for s := range t.subs {
		select {
		case s.ch <- fact:
		default:
			s.err = ErrLagged
			delete(t.subs, s)
			close(s.ch)
		}
	}
}

// Close ends all readers. Publishing afterwards does nothing.
func (t *Topic[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for s := range t.subs {
		delete(t.subs, s)
		close(s.ch)
	}
}

// Readers returns how many subscriptions are open.
func (t *Topic[T]) Readers() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.subs)
}

// C delivers the facts in order. It is closed when the reader is cut or closed.
func (s *Subscription[T]) C() <-chan T { return s.ch }

// Err tells, once C is closed, why: ErrLagged, or nil after Close.
func (s *Subscription[T]) Err() error {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	return s.err
}

// Close ends the subscription; calling it again does nothing.
func (s *Subscription[T]) Close() {
	s.topic.mu.Lock()
	defer s.topic.mu.Unlock()
	if _, ok := s.topic.subs[s]; ok {
		delete(s.topic.subs, s)
		close(s.ch)
	}
}

// Package taskevents delivers the events of tasks, first the stored and then the live ones, in order and without gaps
// (requirement CO-5).
package taskevents

import (
	"context"
	"sync"

	"agentflow/backend/base/event"
	"agentflow/backend/work/task"
)

// Store holds the events. They are saved before they are published.
type Store interface {
	// Task returns a task, or NOT_FOUND.
	Task(ctx context.Context, id task.ID) (task.Task, error)
	// TaskEvents lists a task's events after seq, in order.
	TaskEvents(ctx context.Context, id task.ID, after int64, limit int) ([]task.Event, error)
}

// Streams are the event streams of all tasks. Create one with New.
type Streams struct {
	store Store

	mu      sync.Mutex
	watched map[task.ID]*event.Topic[task.Event]
	watches map[task.ID]int
}

// New returns the Streams of a store.
func New(store Store) *Streams {
	return &Streams{store: store, watched: map[task.ID]*event.Topic[task.Event]{}, watches: map[task.ID]int{}}
}

const (
	buffer = 256 // events that a watcher can lag behind before it reads the store again
	page   = 500 // events read at once
)

// Publish sends a task's next events, which are already saved, to its watchers.
func (s *Streams) Publish(events []task.Event) {
	if len(events) == 0 {
		return
	}
	s.mu.Lock()
	topic := s.watched[events[0].TaskID]
	s.mu.Unlock()
	if topic == nil {
		return
	}
	for _, e := range events {
		topic.Publish(e)
	}
}

// Watch sends the task's events after seq to send, in order and without gaps, first the stored ones. It blocks and
// returns nil after the last event, which is of type end. If ctx ends, it returns the cause; if send fails, that
// error; for an unknown task, NOT_FOUND.
func (s *Streams) Watch(ctx context.Context, id task.ID, after int64, send func([]task.Event) error) error {
	if _, err := s.store.Task(ctx, id); err != nil {
		return err
	}
	topic := s.open(id)
	defer s.close(id)
	for {
		live := topic.Subscribe(buffer)
		seq, ended, err := s.past(ctx, id, after, send)
		if err == nil && !ended {
			seq, ended, err = follow(ctx, live, seq, send)
		}
		live.Close()
		if err != nil || ended {
			return err
		}
		after = seq
	}
}

// past sends the stored events.
func (s *Streams) past(
	ctx context.Context,
	id task.ID,
	after int64,
	send func([]task.Event) error,
) (seq int64, ended bool, err error) {
	for {
		kept, err := s.store.TaskEvents(ctx, id, after, page)
		if err != nil || len(kept) == 0 {
			return after, false, err
		}
		if err := send(kept); err != nil {
			return after, false, err
		}
		last := kept[len(kept)-1]
		if after = last.Seq; last.Type == task.EventEnd {
			return after, true, nil
		}
		if len(kept) < page {
			return after, false, nil
		}
	}
}

// follow sends live events until the end, or until one was missed.
func follow(
	ctx context.Context,
	live *event.Subscription[task.Event],
	after int64,
	send func([]task.Event) error,
) (seq int64, ended bool, err error) {
	for {
		select {
		case <-ctx.Done():
			return after, false, context.Cause(ctx)
		case e, ok := <-live.C():
			if !ok || e.Seq > after+1 {
				return after, false, nil
			}
			if e.Seq <= after {
				continue
			}
			batch := []task.Event{e}
			missed := false
			for after = e.Seq; e.Type != task.EventEnd && len(live.C()) > 0 && !missed; {
				next, ok := <-live.C()
				if missed = !ok || next.Seq > after+1; missed || next.Seq <= after {
					continue
				}
				e, after = next, next.Seq
				batch = append(batch, e)
			}
			if err := send(batch); err != nil || e.Type == task.EventEnd || missed {
				return after, e.Type == task.EventEnd, err
			}
		}
	}
}

func (s *Streams) open(id task.ID) *event.Topic[task.Event] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched[id] == nil {
		s.watched[id] = new(event.Topic[task.Event])
	}
	s.watches[id]++
	return s.watched[id]
}

func (s *Streams) close(id task.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watches[id]--; s.watches[id] == 0 {
		delete(s.watches, id)
		delete(s.watched, id)
	}
}

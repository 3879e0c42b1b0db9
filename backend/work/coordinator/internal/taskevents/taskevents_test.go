package taskevents

import (
	"context"
	"errors"
	"sync"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// store keeps the events of the task t.
type store struct {
	mu     sync.Mutex
	events []task.Event
}

func (s *store) Task(_ context.Context, id task.ID) (task.Task, error) {
	if id != "t" {
		return task.Task{}, errcode.New(errcode.NotFound, "no task")
	}
	return task.Task{ID: id}, nil
}

func (s *store) TaskEvents(_ context.Context, _ task.ID, after int64, limit int) ([]task.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := min(int(after), len(s.events))
	return append([]task.Event(nil), s.events[from:min(from+limit, len(s.events))]...), nil
}

// add saves the next event.
func (s *store) add(typ task.EventType) task.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := task.Event{TaskID: "t", Seq: int64(len(s.events) + 1), Type: typ}
	s.events = append(s.events, e)
	return e
}

// A watcher gets every event once and in order, also those that are published while it reads the stored ones, and
// those that were never published to it.
func TestCO5_WatchHasNoGapsAndNoDoubles(t *testing.T) {
	const all = 3*page + 7
	kept := &store{}
	s := New(kept)
	for range page + 3 {
		kept.add(task.EventDelta)
	}
	next := int64(1)
	err := s.Watch(t.Context(), "t", 0, func(events []task.Event) error {
		for _, e := range events {
			if e.Seq != next {
				t.Fatalf("event %d, want %d", e.Seq, next)
			}
			next++
		}
		for n := next; n <= next+buffer && len(kept.events) < all; n++ {
			typ := task.EventDelta
			if len(kept.events) == all-1 {
				typ = task.EventEnd
			}
			if e := kept.add(typ); n%2 == 0 || typ == task.EventEnd { // half of them only reach the store
				s.Publish([]task.Event{e})
			}
		}
		return nil
	})
	if err != nil || next != all+1 {
		t.Errorf("%d of %d events, %v", next-1, all, err)
	}
	if len(s.watched) != 0 || len(s.watches) != 0 {
		t.Errorf("still watched: %v", s.watches)
	}
}

// A watch ends with what went wrong: an unknown task, a reader that fails, or the end of its context.
func TestCO5_WatchEndsWithTheCause(t *testing.T) {
	kept := &store{}
	kept.add(task.EventDelta)
	s := New(kept)
	none := func([]task.Event) error { return nil }
	if err := s.Watch(t.Context(), "other", 0, none); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown task: %v", err)
	}
	enough := errors.New("enough")
	if err := s.Watch(t.Context(), "t", 0, func([]task.Event) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a reader that fails: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if err := s.Watch(ctx, "t", 0, none); !errors.Is(err, enough) {
		t.Errorf("an ended context: %v", err)
	}
}

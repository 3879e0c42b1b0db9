package coordinator

import (
	"sync"
	"time"

	"agentflow/backend/task"
)

// worked knows since when tasks are worked on, by a clock that nobody sets: what is kept of a task
// says so by the calendar only, and a jump of that must neither use up a task's time nor lengthen it.
type worked struct {
	mu    sync.Mutex
	since map[task.ID]start
}

// start is when a task was begun, by the calendar as it is kept, and by the clock that runs.
type start struct {
	kept  int64
	began time.Time
}

// took is how long the task has been worked on.
func (w *worked) took(t *task.Task) time.Duration {
	if len(t.Attempts) == 0 {
		return 0
	}
	first := t.Attempts[0].StartedAt
	w.mu.Lock()
	defer w.mu.Unlock()
	s, known := w.since[t.ID]
	if !known || s.kept != first.UnixNano() { // of before this hub was started only the calendar can tell
		s = start{first.UnixNano(), time.Now().Add(-max(0, time.Since(first)))}
		w.since[t.ID] = s
	}
	return time.Since(s.began)
}

func (w *worked) forget(id task.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.since, id)
}

package coordinator

import (
	"sync"
	"time"

	"agentflow/backend/work/task"
)

// stopwatch measures how long tasks have been running, with the monotonic clock. Stored times are wall-clock times, and
// a jump of the wall clock must neither shorten nor lengthen a task's time.
type stopwatch struct {
	mu    sync.Mutex
	since map[task.ID]start
}

// start is when a task started: the stored wall-clock time and a monotonic time.
type start struct {
	kept  int64
	began time.Time
}

// elapsed returns how long the task has been running.
func (w *stopwatch) elapsed(t *task.Task) time.Duration {
	first := t.Began()
	if first.IsZero() {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s, known := w.since[t.ID]
	if !known || s.kept != first.UnixNano() { // for a start before the last restart, only the wall clock is known
		s = start{first.UnixNano(), time.Now().Add(-max(0, time.Since(first)))}
		w.since[t.ID] = s
	}
	return time.Since(s.began)
}

func (w *stopwatch) forget(id task.ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.since, id)
}

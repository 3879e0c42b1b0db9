package builtin

import (
	"context"
	"errors"
	"sync"

	"agentflow/backend/base/errcode"
)

const (
	maxReplies    = 16  // under way at once
	maxPerSession = 16  // waiting or under way
	maxRuns       = 512 // waiting or under way
	busyRetryMs   = int64(2000)
)

// Why a reply was cancelled.
var (
	errAborted   = errors.New("somebody stopped the reply")
	errStopped   = errors.New("AgentFlow stopped before the reply was done")
	errReplyTime = errors.New("the reply took too long")
)

// run is one reply that is owed.
type run struct {
	ask    Message // of the user
	ctx    context.Context
	cancel context.CancelCauseFunc
	kept   bool // what became of it; guarded by the queue
}

// queue lets the runs of one session follow each other, and bounds all.
type queue struct {
	wake chan struct{} // holds one token while there may be something to start

	mu      sync.Mutex
	runs    map[string][]*run // by session, in order; the first may be under way
	ready   []string          // sessions whose first run may start
	places  map[string]int    // taken, by session: reserved, waiting or under way
	total   int
	active  int
	stopped bool
}

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), runs: map[string][]*run{}, places: map[string]int{}}
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// reserve takes a place before the message is stored, so that no stored message finds
// the queue full.
func (q *queue) reserve(session string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.stopped:
		return errcode.New(errcode.Unavailable, "the local gateway is stopping")
	case q.total >= maxRuns || q.places[session] >= maxPerSession:
		return errcode.New(errcode.RateLimited,
			"too many messages wait for a reply; try again when some have been answered").
			With(errcode.KeyRetryAfterMs, busyRetryMs)
	}
	q.total++
	q.places[session]++
	return nil
}

func (q *queue) release(session string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free(session)
}

func (q *queue) free(session string) {
	q.total--
	if q.places[session]--; q.places[session] == 0 {
		delete(q.places, session)
	}
}

// push hands over a run that has a place. It returns false when the queue has stopped.
func (q *queue) push(r *run) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	key := r.ask.SessionKey
	if q.stopped {
		q.free(key)
		return false
	}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	q.runs[key] = append(q.runs[key], r)
	if len(q.runs[key]) == 1 {
		q.ready = append(q.ready, key)
		q.signal()
	}
	return true
}

// next returns a run to start now, or nil.
func (q *queue) next() *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped || q.active >= maxReplies || len(q.ready) == 0 {
		return nil
	}
	key := q.ready[0]
	q.ready = q.ready[1:]
	q.active++
	return q.runs[key][0]
}

// done takes a run out that next had returned.
func (q *queue) done(r *run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	r.cancel(nil)
	key := r.ask.SessionKey
	q.active--
	q.free(key)
	if q.runs[key] = q.runs[key][1:]; len(q.runs[key]) > 0 {
		q.ready = append(q.ready, key)
	} else {
		delete(q.runs, key)
	}
	q.signal()
}

// keep notes that the outcome of a run is stored. It runs before clients are notified, so
// that no client finds the run still under way after its notification.
func (q *queue) keep(r *run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	r.kept = true
}

// holds reports whether the session has a run that has not ended, or the one named.
func (q *queue) holds(session, runID string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.runs[session] {
		if !r.kept && (runID == "" || r.ask.RunID == runID) {
			return true
		}
	}
	return false
}

// abort cancels the session's runs that have not ended, or the one named, and returns their ids.
func (q *queue) abort(session, runID string) []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	ids := []string{}
	for _, r := range q.runs[session] {
		if !r.kept && (runID == "" || r.ask.RunID == runID) {
			r.cancel(errAborted)
			ids = append(ids, r.ask.RunID)
		}
	}
	return ids
}

// close cancels everything and returns the runs that were never started.
func (q *queue) close() []*run {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	var waiting []*run
	for key, runs := range q.runs {
		for i, r := range runs {
			r.cancel(errStopped)
			if i > 0 || q.isReady(key) {
				waiting = append(waiting, r)
			}
		}
	}
	return waiting
}

func (q *queue) isReady(session string) bool {
	for _, key := range q.ready {
		if key == session {
			return true
		}
	}
	return false
}

package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/base/safego"
)

// queueSize bounds the writes that wait; batchSize those that share one fsync.
const (
	queueSize = 1024
	batchSize = 256
)

var errClosed = errors.New("store: the writer has ended")

// writer is the only one that writes. It joins the writes that wait into one
// transaction, because the fsync at its end costs more than they do.
type writer struct {
	db    *gorm.DB
	queue chan *job
	done  chan struct{}

	every   time.Duration                   // between two calls of check
	check   func(ctx context.Context) error // nil: nothing is to be checked. An error ends the writer
	refused error                           // why nothing may be written now; set by check
}

type job struct {
	change func(tx *gorm.DB) error
	result chan error  // holds one
	begun  atomic.Bool // by the writer, or given up by the caller, whichever comes first
}

// safe makes the change; a panic in it fails it alone.
func (j *job) safe(tx *gorm.DB) error {
	return safego.Call(context.Background(), nil, "a write", func() error { return j.change(tx) })
}

func newWriter(db *gorm.DB) *writer {
	return &writer{db: db, queue: make(chan *job, queueSize), done: make(chan struct{})}
}

// do waits until change is committed. If ctx ends before the writer has begun it, it is never
// made; once begun, its outcome is waited for. So change doesn't run after do has returned.
func (w *writer) do(ctx context.Context, change func(tx *gorm.DB) error) error {
	j := &job{change: change, result: make(chan error, 1)}
	select {
	case w.queue <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.done:
		return errClosed
	}
	select {
	case err := <-j.result:
		return err
	case <-ctx.Done():
		if j.begun.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.result // the writer answers all that it has begun
	case <-w.done:
		select {
		case err := <-j.result:
			return err
		default:
			return errClosed
		}
	}
}

func (w *writer) run(ctx context.Context) error {
	defer close(w.done)
	var due <-chan time.Time
	if w.check != nil {
		tick := time.NewTicker(w.every)
		defer tick.Stop()
		due = tick.C
	}
	for {
		select {
		case j := <-w.queue:
			w.commit(w.collect(j))
		case <-due:
			if err := w.check(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			for {
				select {
				case j := <-w.queue:
					w.commit(w.collect(j))
				default:
					return nil
				}
			}
		}
	}
}

func (w *writer) collect(first *job) []*job {
	batch := []*job{first}
	runtime.Gosched() // lets those who are about to write join the batch
	for len(batch) < batchSize {
		select {
		case j := <-w.queue:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// commit gives each of several jobs its own savepoint, so that one that fails does
// not take the others with it.
func (w *writer) commit(batch []*job) {
	batch = slices.DeleteFunc(batch, func(j *job) bool { return !j.begun.CompareAndSwap(false, true) })
	if w.refused != nil {
		for _, j := range batch {
			j.result <- w.refused
		}
		return
	}
	if len(batch) == 0 {
		return
	}
	if len(batch) == 1 {
		batch[0].result <- w.db.Transaction(batch[0].safe)
		return
	}
	results := make([]error, len(batch))
	err := w.db.Transaction(func(tx *gorm.DB) error {
		for i, j := range batch {
			results[i] = tx.Transaction(j.safe)
		}
		return nil
	})
	if err != nil {
		// A full disk makes SQLite roll the whole transaction back: the commit then fails
		// for a reason that says nothing, and nobody's change is stored.
		for _, failed := range results {
			if failed != nil {
				err = failed
				break
			}
		}
	}
	for i, j := range batch {
		if results[i] == nil {
			results[i] = err
		}
		j.result <- results[i]
	}
}

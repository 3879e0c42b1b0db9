package coordinator_test

import (
	"context"
	"sync/atomic"
	"testing"

	"agentflow/backend/model/llm"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// pausingStore is a store whose first answers are held back.
type pausingStore struct {
	coordinator.Store
	unfinished, read func() // after the first read of each kind
}

func (p *pausingStore) Unfinished(ctx context.Context, after task.ID, limit int) ([]task.Task, error) {
	list, err := p.Store.Unfinished(ctx, after, limit)
	p.unfinished()
	return list, err
}

func (p *pausingStore) Task(ctx context.Context, id task.ID) (task.Task, error) {
	t, err := p.Store.Task(ctx, id)
	p.read()
	return t, err
}

// pause returns a function that waits once for release, and is passed by everybody after that.
func pause() (once func(), reached, release chan struct{}) {
	reached, release = make(chan struct{}), make(chan struct{})
	var passed atomic.Bool
	return func() {
		if passed.CompareAndSwap(false, true) {
			close(reached)
			<-release
		}
	}, reached, release
}

// interrupted is a bench that ended while an agent worked on a task, and starts again over a store
// that is paused.
func interrupted(t *testing.T, p *pausingStore) (*bench, task.ID) {
	t.Helper()
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	sent := b.submit(task.Chat, "work", "")
	<-began
	b.stop()
	p.Store = b.opts.Store
	b.opts.Store = p
	return b, sent.ID
}

// A task that is canceled while the hub takes it up at its start ends, and the hub goes on.
func TestTR5_ACancelWhileTheHubStartsEndsTheTask(t *testing.T) {
	unfinished, listed, release := pause()
	b, id := interrupted(t, &pausingStore{unfinished: unfinished, read: func() {}})
	b.start()
	<-listed
	if err := b.Cancel(t.Context(), id); err != nil {
		t.Error(err)
	}
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	close(release)
	if got := b.ended(b.submit(task.Chat, "next", "").ID); got.Status != task.Completed {
		t.Errorf("another task: %+v", got)
	}
	if got := b.ended(id); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
}

// A cancel that has read a task which goes on meanwhile ends what it is now, and is no error.
func TestTR5_ACancelOfATaskThatGoesOnMeanwhileEndsIt(t *testing.T) {
	unfinished, listed, takeUp := pause()
	read, canceling, goOn := pause()
	b, id := interrupted(t, &pausingStore{unfinished: unfinished, read: read})
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	b.start()
	<-listed
	canceled := make(chan error, 1)
	go func() { canceled <- b.Cancel(context.WithoutCancel(t.Context()), id) }()
	<-canceling
	close(takeUp)
	<-began
	close(goOn)
	if err := <-canceled; err != nil {
		t.Error(err)
	}
	if got := b.ended(id); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
}

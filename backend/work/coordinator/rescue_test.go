package coordinator_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// faultyStore is a store with some failing calls, as on a full disk.
type faultyStore struct {
	coordinator.Store
	mu   sync.Mutex
	save func(task.Task) error // nil: nothing fails
	read func(task.ID) error
}

var errDisk = errors.New("the disk is full")

func (f *faultyStore) set(save func(task.Task) error, read func(task.ID) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.save, f.read = save, read
}

func (f *faultyStore) SaveTask(ctx context.Context, t task.Task, events []task.Event) error {
	if err := told(f, &f.save, t); err != nil {
		return err
	}
	return f.Store.SaveTask(ctx, t, events)
}

// told runs the failure check, one call at a time.
func told[T any](f *faultyStore, fails *func(T) error, v T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if *fails == nil {
		return nil
	}
	return (*fails)(v)
}

func (f *faultyStore) Task(ctx context.Context, id task.ID) (task.Task, error) {
	if err := told(f, &f.read, id); err != nil {
		return task.Task{}, err
	}
	return f.Store.Task(ctx, id)
}

// failing returns a check that fails the first n matching calls.
func failing[T any](n int, which func(T) bool) func(T) error {
	return func(v T) error {
		if n > 0 && which(v) {
			n--
			return errDisk
		}
		return nil
	}
}

// newFaultyBench is a bench whose store can fail.
func newFaultyBench(t *testing.T, agents ...topology.Agent) (*bench, *faultyStore) {
	t.Helper()
	b := newBench(t, agents...)
	b.stop()
	f := &faultyStore{Store: b.opts.Store}
	b.opts.Store, b.opts.Rescue = f, time.Millisecond
	b.start()
	return b, f
}

// A task whose attempt couldn't be saved is queued again, without a restart of the hub.
func TestTR5_ATaskIsRetriedWhoseAttemptCouldNotBeSaved(t *testing.T) {
	for name, which := range map[string]func(task.Task) bool{
		"the start":  func(x task.Task) bool { return x.Open() && x.Seq == 2 },
		"the result": func(x task.Task) bool { return x.Status.Ended() },
	} {
		t.Run(name, func(t *testing.T) {
			b, f := newFaultyBench(t, pm("dev-1"), dev("dev-1"))
			f.set(failing(3, which), nil)
			got := b.ended(b.submit(task.Chat, "say hello", "").ID)
			if got.Status != task.Completed {
				t.Fatalf("%s: %s", got.Status, got.ErrorMessage)
			}
			if n := got.Tries(); n != 0 {
				t.Errorf("%d attempts counted as failed: %+v", n, got.Attempts)
			}
			for _, a := range got.Attempts[:len(got.Attempts)-1] {
				if a.Error != task.NotSaved || a.Cause == nil || a.Cause.Code != task.CauseNotSaved || a.EndedAt.IsZero() {
					t.Errorf("an attempt that couldn't be saved: %+v", a)
				}
			}
		})
	}
}

// A task that can't be read when its turn comes is queued again.
func TestTR5_ATaskIsRetriedThatCouldNotBeRead(t *testing.T) {
	b, f := newFaultyBench(t)
	sent := b.submit(task.Chat, "say hello", "")
	failed := make(chan struct{})
	n := 0
	f.set(nil, func(task.ID) error {
		if n++; n == 3 {
			close(failed)
		}
		if n <= 3 {
			return errDisk
		}
		return nil
	})
	b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), dev("dev-1")}})
	<-failed
	if got := b.ended(sent.ID); got.Status != task.Completed || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
}

// A waiting task whose cancellation fails keeps its place in the queue.
func TestTR5_ATaskStaysQueuedWhoseCancelFails(t *testing.T) {
	for name, fail := range map[string]func(*faultyStore){
		"read":  func(f *faultyStore) { f.set(nil, failing(1, func(task.ID) bool { return true })) },
		"write": func(f *faultyStore) { f.set(failing(1, func(task.Task) bool { return true }), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			b, f := newFaultyBench(t)
			sent := b.submit(task.Chat, "say hello", "")
			fail(f)
			if err := b.Cancel(t.Context(), sent.ID); !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
			b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{pm("dev-1"), dev("dev-1")}})
			if got := b.ended(sent.ID); got.Status != task.Completed {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A subtask that can't be ended with its parent stays in the queue under its own ID.
func TestTR5_ASubtaskStaysQueuedThatCouldNotBeEnded(t *testing.T) {
	lead := pm("dev-1")
	lead.Connections = commands("dev-1")
	b, f := newFaultyBench(t, lead, dev("dev-1"))
	began := make(chan llm.Request, 4)
	b.models.answer = waits(began)
	parent := b.submit(task.Chat, "parent", `{"agent":"dev-1"}`)
	<-began
	child := task.Task{
		SessionID: "s",
		Type:      task.Chat,
		Prompt:    "child",
		Trace:     &task.Trace{Parent: parent.ID, Root: parent.ID, Chain: []string{"pm-1"}},
	}
	got, err := b.Submit(t.Context(), child, "")
	if err != nil || got.Rejected != "" {
		t.Fatal(err, got.Rejected)
	}
	f.set(nil, failing(1, func(id task.ID) bool { return id == got.Task.ID }))
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	if err := b.Cancel(t.Context(), parent.ID); err != nil {
		t.Fatal(err)
	}
	if end := b.ended(got.Task.ID); !end.Status.Ended() {
		t.Errorf("%+v", end)
	}
}

// A cancel during the hand-off to a reviewer ends the task and isn't an error.
func TestTR5_ACancelDuringAHandOffToAReviewerEndsTheTask(t *testing.T) {
	worker := dev("dev-1")
	worker.Connections = nil
	reviewer := dev("rev-1")
	reviewer.Connections = []topology.Connection{{TargetID: "dev-1", Type: topology.Review}}
	b, f := newFaultyBench(t, pm("dev-1"), worker, reviewer)
	handing, cancelled := make(chan struct{}), make(chan error, 1)
	began := make(chan llm.Request, 1)
	handed := sync.OnceFunc(func() { close(handing) })
	f.set(func(x task.Task) error {
		if x.Reviewed() && len(x.Attempts) == 1 { // the work is done and is being handed to the reviewer
			handed()
		}
		return nil
	}, nil)
	b.models.answer = func(ctx context.Context, r llm.Request, _ func(string) error) (string, error) {
		if r.System == "I am rev-1" {
			began <- r
			<-ctx.Done()
			return "", context.Cause(ctx)
		}
		return "done", nil
	}
	sent := b.submit(task.Chat, "work", "")
	<-handing
	go func() { cancelled <- b.Cancel(t.Context(), sent.ID) }()
	if err := <-cancelled; err != nil {
		t.Fatal(err)
	}
	if got := b.ended(sent.ID); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
}

// A panic in one attempt fails that attempt: the task is retried, and other tasks continue.
func TestTR5_APanicEndsOneAttempt(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	b.models.answer = func(_ context.Context, r llm.Request, onDelta func(string) error) (string, error) {
		if r.Messages[0].Text == "broken" {
			panic("the answer is no JSON")
		}
		return "fine", onDelta("fine")
	}
	broken, fine := b.submit(task.Chat, "broken", ""), b.submit(task.Chat, "fine", "")
	if got := b.ended(fine.ID); got.Status != task.Completed {
		t.Errorf("another task: %+v", got)
	}
	got := b.ended(broken.ID)
	if got.Status != task.Failed || len(got.Attempts) != 3 || got.Cause == nil || got.Cause.Code != "internal_error" || got.Cause.Params["logId"] == "" {
		t.Errorf("%s after %d attempts, %+v", got.Status, len(got.Attempts), got.Cause)
	}
	if len(b.Busy()) != 0 {
		t.Errorf("busy: %v", b.Busy())
	}
}

// A panic in the coordinator itself fails the task without a retry.
func TestTR5_APanicInTheCoordinatorEndsOneTask(t *testing.T) {
	b, f := newFaultyBench(t, pm("dev-1"), dev("dev-1"))
	broken := b.submit(task.Chat, "broken", `{"priority":-1}`)
	_ = b.ended(broken.ID)
	f.set(func(x task.Task) error {
		if x.Prompt == "worse" && x.Open() {
			panic("no")
		}
		return nil
	}, nil)
	if got := b.ended(b.submit(task.Chat, "worse", "").ID); got.Status != task.Failed || got.Cause.Code != "internal_error" {
		t.Errorf("%+v", got)
	}
	if got := b.ended(b.submit(task.Chat, "next", "").ID); got.Status != task.Completed {
		t.Errorf("%+v", got)
	}
}

// A panic in the timer that publishes joined pieces fails that task and no other.
func TestTR5_APanicInATimerEndsOneAttempt(t *testing.T) {
	b, f := newFaultyBench(t, dev("dev-1"))
	b.opts.Join = 50 * time.Millisecond
	b.stop()
	b.models.answer = func(ctx context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		if err := onDelta("first"); err != nil {
			return "", err
		}
		b.models.mu.Lock()
		b.models.answer = says("hello")
		b.models.mu.Unlock()
		once := true
		f.set(func(task.Task) error {
			if once {
				once = false
				panic("no")
			}
			return nil
		}, nil)
		if err := onDelta("second"); err != nil {
			return "", err
		}
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
	b.start()
	got := b.ended(b.submit(task.Chat, "say hello", "").ID)
	if got.Status != task.Failed || got.Cause == nil || got.Cause.Code != "internal_error" {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	if next := b.ended(b.submit(task.Chat, "say hello", "").ID); next.Status != task.Completed {
		t.Errorf("the next one: %s %s", next.Status, next.ErrorMessage)
	}
}

package tasks

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/dbtest"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

func open(t *testing.T) *Tasks {
	t.Helper()
	db := dbtest.Open(t)
	return &Tasks{Read: db, Write: dbtest.Write(db), Found: dbtest.Found, Classify: dbtest.Classify, Last: new(Last)}
}

func add(t *testing.T, s *Tasks, id string, status task.Status) task.Task {
	t.Helper()
	one := task.Accepted(task.Task{ID: task.ID(id), SessionID: "s", Type: task.Chat, Prompt: "p"})
	one.Status = status
	if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
		t.Fatal(err)
	}
	return one
}

// In a backup that is restored, the tasks that haven't ended wait for a person. The others stay as they are.
func TestHold_MarksUnfinishedTasks(t *testing.T) {
	s := open(t)
	held := map[task.Status]bool{task.Pending: true, task.InProgress: true, task.Completed: false, task.Failed: false}
	for status := range held {
		add(t, s, string(status), status)
	}
	if n, err := Hold(s.Read); err != nil || n != 2 {
		t.Errorf("%d are held, %v, want 2", n, err)
	}
	for status, want := range held {
		if one, err := s.Task(t.Context(), task.ID(status)); err != nil || one.Held != want {
			t.Errorf("%s: held is %t, %v", status, one.Held, err)
		}
	}
}

// A save that is based on an older state changes nothing, and says whether the task is gone or was changed.
func TestSaveTask_OfAnOlderStateIsAConflict(t *testing.T) {
	s := open(t)
	one := add(t, s, "t", task.Pending)
	one.Seq += 5
	if err := s.SaveTask(t.Context(), one, nil); !errcode.HasReason(err, coordinator.ReasonChanged) {
		t.Errorf("of an older state: %v", err)
	}
	one.ID = "gone"
	if err := s.SaveTask(t.Context(), one, nil); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("of no task: %v", err)
	}
}

// The session's column says where a task belongs, not a text that only mentions the session.
func TestTasks_OfASession(t *testing.T) {
	s := open(t)
	for id, session := range map[string]string{"a": "s", "b": "o\x00dd", "c": "s"} {
		one := task.Task{ID: task.ID(id), SessionID: session, Type: task.Chat, Prompt: `"sessionId":"none"`}
		if _, _, err := s.AddTask(t.Context(), task.Accepted(one), ""); err != nil {
			t.Fatal(err)
		}
	}
	for session, want := range map[string]int{"s": 2, "o\x00dd": 1, "none": 0, "": 3} {
		list, err := s.Tasks(t.Context(), coordinator.Query{Session: session, Limit: 5})
		if err != nil || len(list) != want {
			t.Errorf("%q: %d tasks, %v, want %d", session, len(list), err, want)
		}
		n, err := s.CountRecent(t.Context(), coordinator.Recent{Session: session})
		if err != nil || n != want {
			t.Errorf("%q: %d are counted, %v, want %d", session, n, err, want)
		}
	}
}

// What many want written goes into one change. Each caller learns how it went, also the one that left.
func TestBatcher_JoinsWhatWaits(t *testing.T) {
	broken := errors.New("broken")
	for _, outcome := range []error{nil, broken} {
		var g batcher[int]
		entered, leave := make(chan struct{}), make(chan struct{})
		results := make(chan error, 3)
		var written []int
		hold := func(_ context.Context, change func(tx *gorm.DB) error) error {
			close(entered)
			<-leave
			return change(nil)
		}
		insert := func(_ *gorm.DB, items []int) error {
			written = append(written, items...)
			return outcome
		}
		go func() { results <- g.write(t.Context(), hold, 1, insert) }()
		<-entered
		left, cancel := context.WithCancel(t.Context())
		cancel()
		if err := g.write(left, hold, 2, insert); !errors.Is(err, context.Canceled) {
			t.Errorf("who left: %v", err)
		}
		go func() { results <- g.write(t.Context(), hold, 3, insert) }()
		for waiting := 0; waiting < 3; runtime.Gosched() {
			g.mu.Lock()
			waiting = len(g.waiting)
			g.mu.Unlock()
		}
		close(leave)
		for range 2 {
			if err := <-results; !errors.Is(err, outcome) {
				t.Errorf("got %v, want %v", err, outcome)
			}
		}
		if len(written) != 3 {
			t.Errorf("written together: %v", written)
		}
	}
}

func TestBound_NumbersThePlaces(t *testing.T) {
	if got := places(2, 3); got != "(?,?),(?,?),(?,?)" {
		t.Errorf("places: %s", got)
	}
	if got := bound(open(t).Read, "a = ?"); got != "a = ?" {
		t.Errorf("for SQLite: %s", got)
	}
}

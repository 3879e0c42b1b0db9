package coordinator_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"agentflow/backend/store"
	"agentflow/backend/team/roster"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// The numbers of tasks are asked for as soon as the hub is back: a task that waits to be resumed counted as running
// until the hub had read it.
func TestTR2_F6_TheHeldTasksCountFromTheFirstAnswer(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ran := make(chan error, 2)
	go func() { ran <- db.Run(ctx) }()
	machine := func() *coordinator.Machine {
		return coordinator.New(coordinator.Options{
			Store:  store.Tasks(db),
			Roster: new(roster.Roster),
			Models: &models{},
			Logger: slog.New(slog.DiscardHandler),
			Getenv: func(string) string { return "" },
		})
	}
	submitted, err := machine().Submit(ctx, task.Task{SessionID: "s", Type: task.Chat, Prompt: "p"}, "")
	if err != nil {
		t.Fatal(err)
	}
	held := submitted.Task
	held.Held = true
	if err := store.Tasks(db).SaveTask(ctx, held, nil); err != nil {
		t.Fatal(err)
	}
	m := machine()
	left, leave := context.WithCancelCause(ctx)
	gone := errors.New("gone")
	leave(gone)
	if c, err := m.Count(left); !errors.Is(err, gone) {
		t.Errorf("counted before the tasks were read: %+v %v", c, err)
	}
	go func() { ran <- m.Run(ctx) }()
	if c, err := m.Count(ctx); err != nil || c.Held != 1 || c.ByStatus[task.Pending] != 0 {
		t.Errorf("%+v %v", c, err)
	}
	if err := m.Resume(ctx, held.ID); err != nil {
		t.Error(err)
	}
	if c, err := m.Count(ctx); err != nil || c.Held != 0 || c.ByStatus[task.Pending] != 1 {
		t.Errorf("resumed: %+v %v", c, err)
	}
	end()
	for range 2 {
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

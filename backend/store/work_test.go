package store_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/store"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// odd is what a database might stumble over: a text of a worker holds anything.
const odd = "日本語 \x00 \U0001F980 ' \" \\ \u202e"

// keepsTasks takes a task through its life and reads it as a hub does that starts again.
func keepsTasks(t *testing.T, s coordinator.Store) {
	t.Helper()
	one := task.Accepted(
		task.Task{ID: "t-1", SessionID: "s", Type: task.Chat, Prompt: odd, Context: json.RawMessage(`{"a":"\u0000"}`)},
	)
	if _, fresh, err := s.AddTask(t.Context(), one, "once"); err != nil || !fresh {
		t.Fatalf("added: %t, %v", fresh, err)
	}
	if again, fresh, err := s.AddTask(t.Context(), one, "once"); err != nil || fresh || again.Prompt != odd {
		t.Fatalf("added again: %+v, %t, %v", again, fresh, err)
	}
	other := pending("t-2")
	if _, _, err := s.AddTask(t.Context(), other, ""); err != nil {
		t.Fatal(err)
	}
	one.Status, one.Result, one.Seq = task.Completed, json.RawMessage(`{"text":"\u0000"}`), 2
	one.Attempts = []task.Attempt{{Agent: "dev", StartedAt: time.Now(), Error: odd}}
	if err := s.SaveTask(t.Context(), one, []task.Event{{TaskID: "t-1", Seq: 2, Type: "status", Text: odd}}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Task(t.Context(), "t-1")
	if err != nil || got.Status != task.Completed || got.Prompt != odd || string(got.Result) != string(one.Result) || got.Attempts[0].Error != odd {
		t.Errorf("it is %+v, %v", got, err)
	}
	if list, err := s.TaskEvents(t.Context(), "t-1", 1, 10); err != nil || len(list) != 1 || list[0].Seq != 2 || list[0].Text != odd {
		t.Errorf("its events are %+v, %v", list, err)
	}
	if left, err := s.Unfinished(t.Context(), "", 10); err != nil || len(left) != 1 || left[0].ID != "t-2" {
		t.Errorf("unfinished are %+v, %v", left, err)
	}
	if _, err := s.Task(t.Context(), "t-3"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("a task that is not there: %v", err)
	}
}

// keepsPlans changes a plan and reads it as a hub does that starts again.
func keepsPlans(t *testing.T, s planner.Store) {
	t.Helper()
	start := func() *planner.Machine {
		m, err := planner.New(t.Context(),
			planner.Options{Store: s, Author: "Ann", Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := start()
	made, err := m.Create(t.Context(), "店", nil)
	if err != nil {
		t.Fatal(err)
	}
	patch := &plan.Patch{
		Type:    "plan_patch",
		Version: 1,
		Payload: plan.Payload{
			Operations: []plan.Operation{{Op: plan.Create, TempID: "a", Title: ptr("大"), Description: ptr(odd)}},
		},
	}
	applied, err := m.Edit(t.Context(), made.ID, made.Head, patch, "add")
	if err != nil {
		t.Fatal(err)
	}
	id := applied.IDs["a"]
	if err := m.Report(t.Context(), made.ID, id, planner.Progress{Status: plan.Failed, Output: odd, UpdatedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	whole, err := start().Get(t.Context(), made.ID)
	if err != nil || whole.Name != "店" || len(whole.Plan.Tasks) == 0 || whole.Progress[id].Output != odd {
		t.Errorf("the plan is %+v, %v", whole, err)
	}
	m = start()
	if err := m.Undo(t.Context(), made.ID, whole.Head); err != nil {
		t.Fatal(err)
	}
	again, err := start().Get(t.Context(), made.ID)
	if err != nil || strings.Contains(mustJSON(t, again.Plan), "日本語") {
		t.Errorf("after the undo it is %+v, %v", again, err)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func ptr[T any](v T) *T { return &v }

func TestCO4_TasksAndPlansAreKept(t *testing.T) {
	t.Run("tasks", func(t *testing.T) { keepsTasks(t, store.Tasks(open(t, t.TempDir()))) })
	t.Run("plans", func(t *testing.T) { keepsPlans(t, store.Plans(open(t, t.TempDir()))) })
}

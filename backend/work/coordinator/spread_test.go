package coordinator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// Tasks for any agent of a role are spread over the idle agents in turn. Busy agents get none.
func TestCO3_LoadIsSpreadOverIdleAgents(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2", "dev-3", "dev-4"), dev("dev-1"), dev("dev-2"), dev("dev-3"), topology.Agent{ID: "dev-4", Role: "Developer"}) // which has no model
	who := func(tasks ...task.Task) string {
		t.Helper()
		var out []string
		for _, sent := range tasks {
			got := b.ended(sent.ID)
			if len(got.Attempts) != 1 {
				t.Fatalf("%+v", got)
			}
			out = append(out, got.Attempts[0].Agent)
		}
		return strings.Join(out, " ")
	}
	for round := range 3 { // one after another: no agent is busy
		for i := range 3 {
			if got, want := who(b.submit(task.Chat, "p", "")), fmt.Sprintf("dev-%d", i+1); got != want {
				t.Errorf("round %d: %s got it, want %s", round, got, want)
			}
		}
	}
	began := make(chan llm.Request, 3)
	b.models.mu.Lock()
	b.models.answer = waits(began)
	b.models.mu.Unlock()
	var held []task.Task
	var at []string
	for range 3 { // in parallel: each agent has one
		held = append(held, b.submit(task.Chat, "hold", ""))
		at = append(at, (<-began).System)
	}
	if slices.Sort(at); strings.Join(at, ", ") != "I am dev-1, I am dev-2, I am dev-3" {
		t.Errorf("running: %v", at)
	}
	b.models.mu.Lock()
	b.models.answer = says("done")
	b.models.mu.Unlock()
	for _, one := range held[:2] { // dev-3 continues
		if err := b.Cancel(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
	}
	var rest []task.Task
	for range 4 {
		rest = append(rest, b.submit(task.Chat, "p", ""))
		b.ended(rest[len(rest)-1].ID)
	}
	if got := who(rest...); got != "dev-1 dev-2 dev-1 dev-2" {
		t.Errorf("while dev-3 is busy: %s", got)
	}
	if err := b.Cancel(t.Context(), held[2].ID); err != nil {
		t.Fatal(err)
	}
}

// A failed task is retried after a pause that doubles. After its last attempt it fails with the reason of each.
func TestCO4_RetriesWaitLongerEachTimeAndEveryReasonIsListed(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	b.stop()
	b.opts.Attempts, b.opts.Backoff = 4, 30*time.Millisecond
	b.start()
	n := 0
	b.models.answer = func(context.Context, llm.Request, func(string) error) (string, error) {
		n++
		return "", errcode.New(errcode.Unavailable, "reason %d", n)
	}
	got := b.ended(b.submit(task.Chat, "p", "").ID)
	if got.Status != task.Failed || len(got.Attempts) != 4 || n != 4 {
		t.Fatalf("%+v", got)
	}
	lines := strings.Split(got.ErrorMessage, "\n")
	for i, a := range got.Attempts {
		if why := fmt.Sprintf("reason %d", i+1); a.Error != why || len(lines) != 4 || lines[i] != fmt.Sprintf("attempt %d, dev-1: %s", i+1, why) {
			t.Errorf("attempt %d failed with %q, the task with %q", i+1, a.Error, got.ErrorMessage)
		}
		if i == 0 {
			continue
		}
		pause := a.StartedAt.Sub(got.Attempts[i-1].EndedAt)
		if want := b.opts.Backoff << (i - 1); pause < want {
			t.Errorf("attempt %d came %s after the one before, want %s at least", i+1, pause, want)
		}
	}
}

package coordinator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/coordinator"
	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/roster"
	"agentflow/backend/store"
	"agentflow/backend/task"
	"agentflow/backend/topology"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// models is a model server of which each test says what it answers.
type models struct {
	mu     sync.Mutex
	answer func(ctx context.Context, r llm.Request, onDelta func(string) error) (string, error)
	asked  []llm.Request
}

func (m *models) Check(model llm.Model) error {
	if model == "" {
		return errcode.New(errcode.Validation, "no model")
	}
	return nil
}

func (m *models) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	answer := m.answer
	m.mu.Unlock()
	text, err := answer(ctx, r, onDelta)
	return llm.Answer{Text: text, Model: r.Model, Finish: llm.FinishStop, TokensIn: 3, TokensOut: 2}, err
}

func (m *models) requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.asked...)
}

func says(pieces ...string) func(context.Context, llm.Request, func(string) error) (string, error) {
	return func(_ context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		for _, p := range pieces {
			if err := onDelta(p); err != nil {
				return "", err
			}
		}
		return strings.Join(pieces, ""), nil
	}
}

// waits blocks until the attempt is ended, and tells that it began.
func waits(began chan<- llm.Request) func(context.Context, llm.Request, func(string) error) (string, error) {
	return func(ctx context.Context, r llm.Request, _ func(string) error) (string, error) {
		began <- r
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
}

// bench is a coordinator over a real database.
type bench struct {
	*coordinator.Machine
	t      *testing.T
	store  *store.Store
	roster *roster.Roster
	models *models
	opts   coordinator.Options
	stop   func()
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, s.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newBench(t *testing.T, agents ...topology.Agent) *bench {
	t.Helper()
	b := &bench{t: t, store: openStore(t), roster: new(roster.Roster), models: &models{answer: says("hello", " world")}}
	if len(agents) > 0 {
		b.roster.Apply("1", &topology.Topology{Agents: agents})
	}
	b.opts = coordinator.Options{
		Store: b.store, Roster: b.roster, Models: b.models, Logger: slog.New(slog.DiscardHandler), Backoff: time.Millisecond,
		Getenv: func(name string) string {
			return map[string]string{"DEV_SECRET": "dev-secret", "REV_SECRET": "rev-secret"}[name]
		},
	}
	b.start()
	t.Cleanup(func() { b.stop() })
	return b
}

// start makes a machine over the same database, as a hub does that is started again.
func (b *bench) start() {
	b.Machine = coordinator.New(b.opts)
	machine := b.Machine
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- machine.Run(ctx) }()
	once := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
	})
	b.stop = once
}

func (b *bench) submit(typ task.Type, prompt, extra string) task.Task {
	b.t.Helper()
	t := task.Task{SessionID: "s", Type: typ, Prompt: prompt}
	if extra != "" {
		t.Context = json.RawMessage(extra)
	}
	got, err := b.Submit(b.t.Context(), t, "")
	if err != nil || got.Rejected != "" {
		b.t.Fatalf("%v %s", err, got.Rejected)
	}
	return got.Task
}

// watch collects a task's events to its end.
func (b *bench) watch(id task.ID, after int64) []task.Event {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	var all []task.Event
	if err := b.Watch(ctx, id, after, func(e []task.Event) error { all = append(all, e...); return nil }); err != nil {
		b.t.Fatalf("%v after %+v", err, all)
	}
	return all
}

// ended waits for a task's end.
func (b *bench) ended(id task.ID) task.Task {
	b.t.Helper()
	b.watch(id, 0)
	t, err := b.Task(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return t
}

func commands(to ...topology.AgentID) []topology.Connection {
	var out []topology.Connection
	for _, id := range to {
		out = append(out, topology.Connection{TargetID: id, Type: topology.Command})
	}
	return out
}

func pm(to ...topology.AgentID) topology.Agent {
	return topology.Agent{ID: "pm-1", Role: "Coordinator", Model: "m/1", Connections: commands(to...)}
}

func dev(id topology.AgentID) topology.Agent {
	return topology.Agent{ID: id, Role: "Developer", Model: "m/1", Persona: "I am " + string(id)}
}

func TestCO4_ATaskIsDoneAndEveryStepIsKept(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	sent := b.submit(task.Chat, "say hello", "")
	events := b.watch(sent.ID, 0)
	text := ""
	for i, e := range events {
		if e.Seq != int64(i+1) || e.TaskID != sent.ID {
			t.Fatalf("event %d: %+v", i, e)
		}
		text += e.Text
	}
	last := events[len(events)-1]
	var result struct{ Text, Model string }
	if err := json.Unmarshal(last.Result, &result); err != nil || last.Type != task.EventEnd || last.Status != task.Completed || *last.Progress != 100 {
		t.Fatalf("the last event: %+v, %v", last, err)
	}
	if text != "hello world" || result.Text != text || result.Model != "m/1" || events[0].Status != task.Pending || events[1].Status != task.InProgress {
		t.Errorf("%q %+v %+v", text, result, events)
	}
	got := b.ended(sent.ID)
	if got.Status != task.Completed || len(got.Attempts) != 1 || got.Attempts[0].Agent != "dev-1" || got.Attempts[0].EndedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	if r := b.models.requests(); len(r) != 1 || r[0].System != "I am dev-1" || r[0].Messages[0].Text != "say hello" {
		t.Errorf("asked %+v", r)
	}
	if rest := b.watch(sent.ID, 2); rest[0].Seq != 3 || len(rest) != len(events)-2 {
		t.Errorf("resumed after 2: %+v", rest)
	}
}

func TestCO3_WhatTheConnectionsForbidIsRejected(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"), dev("dev-2"))
	for _, c := range []struct{ agent, says string }{
		{"dev-2", "no command connection leads from pm-1 to dev-2"},
		{"dev-9", "no agent dev-9"},
	} {
		got, err := b.Submit(t.Context(), task.Task{SessionID: "s", Type: task.Chat, Prompt: "p", Context: json.RawMessage(fmt.Sprintf(`{"agent":%q}`, c.agent))}, "")
		if err != nil || !strings.Contains(got.Rejected, c.says) {
			t.Errorf("%s: %v, %q", c.agent, err, got.Rejected)
		}
		if _, err := b.Task(t.Context(), got.Task.ID); !errcode.Is(err, errcode.NotFound) {
			t.Errorf("a rejected task was kept: %v", err)
		}
	}
	b.roster.Apply("2", &topology.Topology{Agents: []topology.Agent{pm(), dev("dev-1")}})
	got, err := b.Submit(t.Context(), task.Task{SessionID: "s", Type: task.Chat, Prompt: "p"}, "")
	if err != nil || !strings.Contains(got.Rejected, "no command connection leads from pm-1") {
		t.Errorf("%v, %q", err, got.Rejected)
	}
}

func TestCO3_ATaskThatNobodyCanTakeYetWaits(t *testing.T) {
	b := newBench(t)
	sent := b.submit(task.Chat, "anybody?", "")
	if got, err := b.Task(t.Context(), sent.ID); err != nil || got.Status != task.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{{ID: "a", Model: ""}}})
	b.roster.Apply("2", &topology.Topology{Agents: []topology.Agent{{ID: "a", Model: "m/1"}}})
	if got := b.ended(sent.ID); got.Status != task.Completed {
		t.Errorf("%+v", got)
	}
}

func TestCO3_TheSameTaskTwiceIsOne(t *testing.T) {
	b := newBench(t)
	first, err := b.Submit(t.Context(), task.Task{SessionID: "s", Type: task.Chat, Prompt: "p"}, "key-1")
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.Submit(t.Context(), task.Task{SessionID: "s", Type: task.Chat, Prompt: "other"}, "key-1")
	if err != nil || !again.Again || again.Task.ID != first.Task.ID || again.Task.Prompt != "p" {
		t.Errorf("%+v, %v", again, err)
	}
	again, err = b.Submit(t.Context(), task.Task{ID: first.Task.ID, SessionID: "s", Type: task.Chat, Prompt: "other"}, "")
	if err != nil || !again.Again || again.Task.Prompt != "p" {
		t.Errorf("%+v, %v", again, err)
	}
	all, err := b.Tasks(t.Context(), coordinator.Query{})
	if err != nil || len(all) != 1 {
		t.Errorf("%d tasks, %v", len(all), err)
	}
}

func TestCO4_AttemptsAreRepeatedAndTheirReasonsKept(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2"), dev("dev-1"), dev("dev-2"))
	b.models.answer = func(_ context.Context, r llm.Request, _ func(string) error) (string, error) {
		return "", errcode.New(errcode.Unavailable, "%s is overloaded", r.System)
	}
	got := b.ended(b.submit(task.Chat, "p", "").ID)
	want := "attempt 1, dev-1: I am dev-1 is overloaded\nattempt 2, dev-2: I am dev-2 is overloaded\nattempt 3, dev-1: I am dev-1 is overloaded"
	if got.Status != task.Failed || got.ErrorMessage != want {
		t.Errorf("%s:\n%s", got.Status, got.ErrorMessage)
	}
	b.models.mu.Lock()
	b.models.answer = func(context.Context, llm.Request, func(string) error) (string, error) {
		return "", errcode.New(errcode.Unauthorized, "the key is wrong")
	}
	b.models.mu.Unlock()
	if got := b.ended(b.submit(task.Chat, "p", "").ID); got.Status != task.Failed || got.ErrorMessage != "the key is wrong" || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestCO4_CancelEndsWhatWaitsAndWhatRuns(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	runs := b.submit(task.Chat, "runs", "")
	<-began
	idle := b.submit(task.Chat, "waits", "")
	for _, id := range []task.ID{idle.ID, runs.ID} {
		if err := b.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := b.ended(id); got.Status != task.Failed || got.ErrorMessage != coordinator.ErrCancelled.Error() {
			t.Errorf("%+v", got)
		}
		if err := b.Cancel(t.Context(), id); !errcode.Is(err, errcode.Conflict) {
			t.Errorf("cancelled twice: %v", err)
		}
	}
	if err := b.Cancel(t.Context(), "none"); !errcode.Is(err, errcode.NotFound) {
		t.Error(err)
	}
	if len(b.Busy()) != 0 {
		t.Errorf("still busy: %v", b.Busy())
	}
}

func TestCO4_ATaskEndsWithItsTime(t *testing.T) {
	b := newBench(t, dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	if got := b.ended(b.submit(task.Chat, "p", `{"timeoutSec":1}`).ID); got.ErrorMessage != coordinator.ErrDeadline.Error() {
		t.Errorf("%+v", got)
	}
}

func TestCO4_PriorityComesFirst(t *testing.T) {
	b := newBench(t)
	b.submit(task.Chat, "third", "")
	b.submit(task.Chat, "second", `{"priority":5}`)
	last := b.submit(task.Chat, "fourth", `{"priority":-1}`)
	b.submit(task.Chat, "first", `{"priority":9}`)
	b.roster.Apply("1", &topology.Topology{Agents: []topology.Agent{dev("dev-1")}})
	b.ended(last.ID)
	var order []string
	for _, r := range b.models.requests() {
		order = append(order, r.Messages[0].Text)
	}
	if strings.Join(order, " ") != "first second third fourth" {
		t.Errorf("the order was %v", order)
	}
}

func TestCO4_WhatTheHubLeftGoesOnAtTheNextStart(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	runs, idle := b.submit(task.Chat, "runs", ""), b.submit(task.Chat, "waits", "")
	<-began
	b.stop()
	if got, _ := b.Task(t.Context(), runs.ID); got.Status != task.InProgress {
		t.Fatalf("a task that was stopped is %s", got.Status)
	}
	b.models.answer = says("done")
	b.start()
	for _, id := range []task.ID{runs.ID, idle.ID} {
		if got := b.ended(id); got.Status != task.Completed {
			t.Errorf("%+v", got)
		}
	}
	if got := b.ended(runs.ID); len(got.Attempts) != 2 || !strings.Contains(got.Attempts[0].Error, "stopped") {
		t.Errorf("attempts %+v", got.Attempts)
	}
}

// TestCO5_WatchersMissNothing has several watchers, some late, some slow, at a task that
// streams a lot.
func TestCO5_WatchersMissNothing(t *testing.T) {
	b := newBench(t, dev("dev-1"))
	b.opts.Join = time.Nanosecond
	b.stop()
	b.models.answer = func(_ context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		for i := range 600 {
			if err := onDelta(fmt.Sprintf("%d ", i)); err != nil {
				return "", err
			}
		}
		return "all", nil
	}
	b.start()
	sent := b.submit(task.Chat, "count", "")
	var all sync.WaitGroup
	for w := range 6 {
		all.Go(func() {
			var seq int64
			err := b.Watch(t.Context(), sent.ID, 0, func(events []task.Event) error {
				for _, e := range events {
					if e.Seq != seq+1 {
						return fmt.Errorf("watcher %d: event %d after %d", w, e.Seq, seq)
					}
					seq = e.Seq
				}
				return nil
			})
			if err != nil || seq < 600 {
				t.Errorf("watcher %d: %d events, %v", w, seq, err)
			}
		})
	}
	all.Wait()
}

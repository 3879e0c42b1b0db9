package coordinator_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/store"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// models is a model server with answers set by each test.
type models struct {
	mu     sync.Mutex
	answer func(ctx context.Context, r llm.Request, onDelta func(string) error) (string, error)
	calls  func(llm.Request) []llm.Call // the tool calls that the model requests; nil: none
	asked  []llm.Request
	price  float64 // of each answer; 0 is unpriced
}

var queryAll = coordinator.Query{Limit: 500}

func (m *models) Check(model llm.Model) error {
	if model == "" {
		return errcode.New(errcode.Validation, "no model")
	}
	if model == "gone/m" {
		return errcode.New(errcode.Unavailable, "no provider has it")
	}
	return nil
}

func (m *models) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	answer := m.answer
	var calls []llm.Call
	if m.calls != nil {
		calls = m.calls(r)
	}
	m.mu.Unlock()
	text, err := answer(ctx, r, onDelta)
	return llm.Answer{
		Text:      text,
		Model:     r.Model,
		Finish:    llm.FinishStop,
		Calls:     calls,
		TokensIn:  3,
		TokensOut: 2,
		CostUSD:   m.price,
		Priced:    m.price > 0,
	}, err
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

// waits returns an answer that blocks until the attempt is canceled; it reports its start on began.
func waits(began chan<- llm.Request) func(context.Context, llm.Request, func(string) error) (string, error) {
	return func(ctx context.Context, r llm.Request, _ func(string) error) (string, error) {
		began <- r
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
}

// bench is a coordinator with a real database.
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
		Store: store.Tasks(
			b.store,
		),
		Roster:  b.roster,
		Models:  b.models,
		Logger:  slog.New(slog.DiscardHandler),
		Backoff: time.Millisecond,
		Getenv: func(name string) string {
			return map[string]string{"DEV_SECRET": "dev-secret-of-24-bytes-or-more", "REV_SECRET": "rev-secret-of-24-bytes-or-more"}[name]
		},
	}
	b.start()
	t.Cleanup(func() { b.stop() })
	return b
}

// start creates a Machine on the same database, like a restarted hub.
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

// pm is a Coordinator without a model: it can only pass tasks on.
func pm(to ...topology.AgentID) topology.Agent {
	return topology.Agent{ID: "pm-1", Role: "Coordinator", Connections: commands(to...)}
}

func dev(id topology.AgentID) topology.Agent {
	return topology.Agent{ID: id, Role: "Developer", Model: "m/1", Persona: "I am " + string(id)}
}

package coordinator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/store"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
	for _, c := range []struct{ agent, says, cause string }{
		{"dev-2", "pm-1 has no Delegate connection to dev-2", task.ReasonNoConnection},
		{"dev-9", "no agent dev-9", task.CauseUnknown},
	} {
		got, err := b.Submit(
			t.Context(),
			task.Task{
				SessionID: "s",
				Type:      task.Chat,
				Prompt:    "p",
				Context:   json.RawMessage(fmt.Sprintf(`{"agent":%q}`, c.agent)),
			},
			"",
		)
		if err != nil || !strings.Contains(got.Rejected, c.says) || got.Cause == nil || got.Cause.Code != c.cause {
			t.Errorf("%s: %v, %q", c.agent, err, got.Rejected)
		}
		if _, err := b.Task(t.Context(), got.Task.ID); !errcode.Is(err, errcode.NotFound) {
			t.Errorf("a rejected task was kept: %v", err)
		}
	}
	b.roster.Apply("2", &topology.Topology{Agents: []topology.Agent{pm(), dev("dev-1")}})
	sent := b.submit(task.Chat, "p", "") // pm-1 has no model, and nobody to pass it on to
	if w := b.waits(sent.ID); w == nil || w.Reason != coordinator.WaitsForAbility || w.Agents[0].Agent != "pm-1" {
		t.Errorf("%+v", w)
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
	again, err = b.Submit(t.Context(), task.Task{ID: first.Task.ID, SessionID: "s", Type: task.Chat, Prompt: "other"},
		"")
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
	if got.Status != task.Failed || got.ErrorMessage != want || got.Cause == nil || got.Cause.Code != "unavailable" || got.Attempts[0].Cause == nil {
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
		if got := b.ended(id); got.Status != task.Canceled || got.ErrorMessage != coordinator.ErrCancelled.Error() || got.Cause == nil || got.Cause.Code != task.CauseCancelled {
			t.Errorf("%+v", got)
		}
		if err := b.Cancel(t.Context(), id); !errcode.Is(err, errcode.Conflict) {
			t.Errorf("canceled twice: %v", err)
		}
	}
	if err := b.Cancel(t.Context(), "none"); !errcode.Is(err, errcode.NotFound) {
		t.Error(err)
	}
	if len(b.Busy()) != 0 {
		t.Errorf("still busy: %v", b.Busy())
	}
}

// A client that cancels and disconnects doesn't leave behind a task that is in no queue.
func TestCO4_ACancelOfWhoHasLeftIsStillOne(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	runs := b.submit(task.Chat, "runs", "")
	<-began
	idle := b.submit(task.Chat, "waits", "")
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := b.Cancel(left, idle.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.ended(idle.ID); got.Status != task.Canceled {
		t.Errorf("%+v", got)
	}
	if err := b.Cancel(t.Context(), runs.ID); err != nil {
		t.Error(err)
	}
}

// A failed submission has saved nothing: a task that is saved but not queued would wait forever.
func TestCO3_WhatIsKeptOfWhoHasLeftIsQueued(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	m := coordinator.New(coordinator.Options{
		Store:  store.Tasks(db),
		Roster: new(roster.Roster),
		Models: &models{},
		Logger: slog.New(slog.DiscardHandler),
		Getenv: func(string) string { return "" },
	})
	left, leave := context.WithCancel(t.Context())
	leave()
	var taken atomic.Int64
	var all sync.WaitGroup
	for range 20 { // the writer isn't running yet, so all but the first submission wait for the first
		all.Go(func() {
			if _, err := m.Submit(left, task.Task{SessionID: "s", Type: task.Chat, Prompt: "p"}, ""); err == nil {
				taken.Add(1)
			}
		})
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- db.Run(ctx) }()
	all.Wait()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	n, err := store.Tasks(db).CountTasks(t.Context(), task.Pending)
	if queued := m.Work().Waiting; err != nil || n != taken.Load() || queued != int(n) {
		t.Errorf("%d saved, %d accepted, %d queued: %v", n, taken.Load(), queued, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func TestCO4_ATaskEndsWithItsTime(t *testing.T) {
	b := newBench(t, dev("dev-1"))
	began := make(chan llm.Request, 1)
	b.models.answer = waits(began)
	if got := b.ended(b.submit(task.Chat, "p", `{"timeoutSec":1}`).ID); got.ErrorMessage != coordinator.ErrDeadline.Error() || got.Cause == nil || got.Cause.Code != task.CauseDeadline {
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

// TestCO5_WatchersMissNothing has several watchers, some late, some slow, on a task that streams many events.
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

// The first piece of an answer is published at once and later pieces are joined: no two events come within 16 ms,
// except the last one.
func TestCO5_TheFirstPieceIsToldAtOnceAndTheRestIsJoined(t *testing.T) {
	const join = 16 * time.Millisecond // the default
	b := newBench(t, dev("dev-1"))
	seen := make(chan struct{})
	b.stop()
	b.models.answer = func(ctx context.Context, _ llm.Request, onDelta func(string) error) (string, error) {
		if err := onDelta("first "); err != nil {
			return "", err
		}
		select { // the answer continues only after the first piece was seen, so that piece waits for nothing
		case <-seen:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		for began, n := time.Now(), 0; time.Since(began) < 10*join; n++ {
			if n%1000 != 0 { // keep the answer finite
				continue
			}
			if err := onDelta("x"); err != nil {
				return "", err
			}
		}
		return "", onDelta(" last")
	}
	b.start()
	sent := b.submit(task.Chat, "say much", "")
	var pieces []task.Event
	if err := b.Watch(t.Context(), sent.ID, 0, func(events []task.Event) error {
		for _, e := range events {
			if e.Type != task.EventDelta {
				continue
			}
			if pieces = append(pieces, e); len(pieces) == 1 {
				close(seen)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(pieces) < 2 || pieces[0].Text != "first " || !strings.HasSuffix(pieces[len(pieces)-1].Text, " last") {
		t.Fatalf("%d pieces, the first is %+v", len(pieces), pieces[0])
	}
	for i, e := range pieces[1:max(1, len(pieces)-1)] {
		if gap := e.At.Sub(pieces[i].At); gap < join {
			t.Errorf("piece %d comes %s after the previous one", i+2, gap)
		}
	}
}

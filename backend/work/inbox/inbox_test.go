package inbox_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/store"
	"agentflow/backend/work/inbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns an inbox on a database in dir; stop ends both.
func open(t *testing.T, dir string, gone time.Duration) (*inbox.Machine, func()) {
	t.Helper()
	s, err := store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(ctx) })
	m, err := inbox.New(t.Context(), inbox.Options{Store: store.Inbox(s), Ground: ground, Logger: slog.New(slog.DiscardHandler), Gone: gone})
	if err != nil {
		t.Fatal(err)
	}
	running.Go(func() { _ = m.Run(ctx) })
	var once sync.Once
	stop := func() {
		once.Do(func() {
			cancel()
			running.Wait()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return m, stop
}

func wants(agent, tool string) inbox.Question {
	return inbox.Question{Agent: agent, Task: "t-1", Tool: tool, From: "shell", Arguments: json.RawMessage(`{"command":"npm ci"}`), Said: "I need the packages."}
}

// waits returns the waiting question, once there is one.
func waits(t *testing.T, m *inbox.Machine) inbox.Entry {
	t.Helper()
	sub := m.Subscribe(16)
	defer sub.Close()
	for {
		if list := m.Waiting(); len(list) > 0 {
			return list[0]
		}
		select {
		case <-sub.C():
		case <-t.Context().Done():
			t.Fatal("nothing waits")
		}
	}
}

type asked struct {
	entry inbox.Entry
	err   error
}

func ask(ctx context.Context, m *inbox.Machine, q inbox.Question) <-chan asked {
	out := make(chan asked, 1)
	go func() {
		e, err := m.Ask(ctx, q)
		out <- asked{e, err}
	}()
	return out
}

// A question is answered once, even with concurrent answers, and its asker continues.
func TestAQuestionIsAnsweredOnce(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	answer := ask(t.Context(), m, wants("dev-1", "shell_exec"))
	e := waits(t, m)
	if e.Agent != "dev-1" || e.Task != "t-1" || e.Said != "I need the packages." || string(e.Arguments) != `{"command":"npm ci"}` || e.State != inbox.Waiting {
		t.Errorf("%+v", e)
	}
	if _, err := m.Answer(t.Context(), e.ID, "maybe", ""); !errcode.Is(err, errcode.Validation) {
		t.Errorf("an unknown choice: %v", err)
	}
	var wins, losses sync.Map
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := m.Answer(t.Context(), e.ID, inbox.Deny, fmt.Sprint("word ", i)); err == nil {
				wins.Store(i, true)
			} else if errcode.Is(err, errcode.Conflict) && errcode.HasReason(err, string(inbox.Answered)) {
				losses.Store(i, true)
			}
		})
	}
	all.Wait()
	count := func(m *sync.Map) (n int) {
		m.Range(func(any, any) bool { n++; return true })
		return n
	}
	if count(&wins) != 1 || count(&losses) != 7 {
		t.Errorf("%d won, %d lost", count(&wins), count(&losses))
	}
	got := <-answer
	if v, err := got.entry.Verdict(); got.err != nil || err != nil || v.Allow || !strings.HasPrefix(v.Word, "word ") {
		t.Errorf("%+v", got)
	}
	ended, err := m.Ended(t.Context(), inbox.Query{})
	if err != nil || len(ended) != 1 || ended[0].Word != got.entry.Word || len(m.Waiting()) != 0 {
		t.Errorf("%+v, %v", ended, err)
	}
	if _, err := m.Answer(t.Context(), "nobody", inbox.Once, ""); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown question: %v", err)
	}
}

// ground returns the ground of the agent dev-1, for tests.
func ground(_ context.Context, q inbox.Question) inbox.Ground {
	return inbox.Ground{Team: "gateway:local", Workspace: "/w", Fingerprint: "f-" + q.Agent}
}

// standing answers one question with a standing permission.
func standing(t *testing.T, m *inbox.Machine, q inbox.Question, s inbox.Standing) error {
	t.Helper()
	answer := ask(t.Context(), m, q)
	e := waits(t, m)
	_, err := m.Decide(t.Context(), e.ID, inbox.Always, "", &s)
	if err != nil {
		if _, err := m.Answer(t.Context(), e.ID, inbox.Deny, ""); err != nil {
			t.Fatal(err)
		}
	}
	<-answer
	return err
}

// unasked reports whether a rule answers a question; a waiting question is denied.
func unasked(t *testing.T, m *inbox.Machine, q inbox.Question) bool {
	t.Helper()
	e, err := m.Put(t.Context(), q, rand.Text())
	if err != nil {
		t.Fatal(err)
	}
	if e.State == inbox.Waiting {
		if _, err := m.Answer(t.Context(), e.ID, inbox.Deny, ""); err != nil {
			t.Fatal(err)
		}
	}
	return e.ByRule
}

func command(line string) inbox.Question {
	args, _ := json.Marshal(map[string]string{"command": line})
	return inbox.Question{Agent: "dev-1", Task: "t-1", Tool: "shell_exec", From: "shell", Arguments: args}
}

// TestTR2_F3_AStandingPermissionIsNarrow: it names agent, source, task and command, survives a restart, counts its
// uses, and can be revoked.
func TestTR2_F3_AStandingPermissionIsNarrow(t *testing.T) {
	dir := t.TempDir()
	m, stop := open(t, dir, 0)
	if err := standing(t, m, command("npm ci"), inbox.Standing{Until: inbox.UntilRevoked}); err != nil {
		t.Fatal(err)
	}
	stop()
	m, _ = open(t, dir, 0)
	other, far, elsewhere := command("npm ci"), command("npm ci"), command("npm ci")
	other.Agent, far.From, elsewhere.Arguments = "dev-2", "other", json.RawMessage(`{"command":"npm ci","dir":"sub"}`)
	if !unasked(t, m, command("npm ci")) || unasked(t, m, command("npm ci; rm -rf .")) || unasked(t, m, other) || unasked(t, m, far) || unasked(t, m, elsewhere) {
		t.Error("the permission is for this command of this agent, and for nothing else")
	}
	rules := m.Rules()
	if len(rules) != 1 || rules[0].Uses != 1 || rules[0].Command != "npm ci" || rules[0].Workspace != "/w" || rules[0].UsedAt.IsZero() {
		t.Fatalf("%+v", rules)
	}
	if err := m.DropRule(t.Context(), rules[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := m.DropRule(t.Context(), rules[0].ID); !errcode.Is(err, errcode.NotFound) || unasked(t, m, command("npm ci")) {
		t.Errorf("revoked twice: %v", err)
	}
	if err := standing(t, m, command("npm ci"), inbox.Standing{Until: inbox.UntilTask}); err != nil {
		t.Fatal(err)
	}
	next := command("npm ci")
	if next.Task = "t-2"; unasked(t, m, next) || !unasked(t, m, command("npm ci")) {
		t.Error("the permission is for one task")
	}
	if err := m.DropAgent(t.Context(), "dev-1"); err != nil || len(m.Rules()) > 0 {
		t.Errorf("%v, %+v", err, m.Rules())
	}
}

// TestTR2_F3_ACommandIsAllowedByItsBeginning: only for one program, without shell syntax.
func TestTR2_F3_ACommandIsAllowedByItsBeginning(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	if err := standing(t, m, command("git log -n 5"), inbox.Standing{Until: inbox.UntilToday, Starts: "git log"}); err != nil {
		t.Fatal(err)
	}
	for line, is := range map[string]bool{
		"git log": true, "git log --oneline main": true, "git push": false, "git logs": false, "git log; id": false, "git log $(id)": false,
		"git log\nid": false, "git log | sh": false, "git  log": false, "A=1 git log": false,
	} {
		if unasked(t, m, command(line)) != is {
			t.Errorf("%q: answered by a rule: %v", line, !is)
		}
	}
	for _, line := range []string{"sh -c id", "sudo git log", "env git log", "git", "python3 x.py", "git log > x"} {
		first, _, _ := strings.Cut(line, " ")
		for _, starts := range []string{first, line} {
			if err := standing(t, m, command(line), inbox.Standing{Until: inbox.UntilToday, Starts: starts}); !errcode.Is(err, errcode.Validation) {
				t.Errorf("%q by %q: %v", line, starts, err)
			}
		}
	}
	if err := standing(t, m, command("git status"), inbox.Standing{Until: "ever"}); !errcode.Is(err, errcode.Validation) {
		t.Errorf("without an end: %v", err)
	}
	question := ask(t.Context(), m, inbox.Question{Agent: "dev-1", Text: "Which Friday?"})
	e := waits(t, m)
	if _, err := m.Answer(t.Context(), e.ID, inbox.Always, ""); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a question in words was allowed always: %v", err)
	}
	if _, err := m.Answer(t.Context(), e.ID, inbox.Once, "The 27th"); err != nil {
		t.Error(err)
	}
	if got := <-question; got.entry.Word != "The 27th" {
		t.Errorf("%+v", got)
	}
}

// A question ends with its asker: with the work, the hub, or a remote agent.
func TestAQuestionGoesWithItsAsker(t *testing.T) {
	dir := t.TempDir()
	m, stop := open(t, dir, time.Hour)
	ctx, cancel := context.WithCancelCause(t.Context())
	answer := ask(ctx, m, wants("dev-1", "a"))
	waits(t, m)
	mine := errors.New("cancelled by a person")
	cancel(mine)
	if got := <-answer; !errors.Is(got.err, mine) || got.entry.State != inbox.Expired || got.entry.Reason != inbox.ReasonEnded {
		t.Errorf("%+v", got)
	}
	far, err := m.Put(t.Context(), wants("far-1", "b"), "key-1")
	if err != nil || far.State != inbox.Waiting || !far.Elsewhere {
		t.Fatalf("%+v, %v", far, err)
	}
	if again, err := m.Put(t.Context(), wants("far-1", "b"), "key-1"); err != nil || again.ID != far.ID {
		t.Errorf("the same key: %+v, %v", again, err)
	}
	if _, err := m.Wait(t.Context(), "far-2", far.ID); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("another agent waited: %v", err)
	}
	here, end := context.WithCancelCause(context.Background())
	lost := ask(here, m, wants("dev-1", "c"))
	for len(m.Waiting()) < 2 {
		waits(t, m)
	}
	stop() // like a kill: the question of an agent in the hub stays stored as waiting
	end(mine)
	<-lost

	m, stop = open(t, dir, time.Hour)
	if list := m.Waiting(); len(list) != 1 || list[0].ID != far.ID {
		t.Fatalf("after a restart: %+v", list)
	}
	ended, err := m.Ended(t.Context(), inbox.Query{Limit: 1})
	if err != nil || ended[0].Reason != inbox.ReasonRestarted || ended[0].Tool != "c" {
		t.Errorf("%+v, %v", ended, err)
	}
	if older, err := m.Ended(t.Context(), inbox.Query{Before: ended[0].ID}); err != nil || len(older) != 1 || older[0].Tool != "a" {
		t.Errorf("%+v, %v", older, err)
	}
	got := make(chan inbox.Entry, 1)
	go func() {
		e, _ := m.Wait(t.Context(), "far-1", far.ID)
		got <- e
	}()
	if _, err := m.Answer(t.Context(), far.ID, inbox.Once, ""); err != nil {
		t.Error(err)
	}
	if e := <-got; e.Choice != inbox.Once {
		t.Errorf("%+v", e)
	}
	if e, err := m.Wait(t.Context(), "far-1", far.ID); err != nil || e.Choice != inbox.Once {
		t.Errorf("asked again: %+v, %v", e, err)
	}
	stop()

	m, _ = open(t, dir, time.Millisecond)
	far, err = m.Put(t.Context(), wants("far-1", "b"), "key-2")
	if err != nil {
		t.Fatal(err)
	}
	sub := m.Subscribe(16)
	defer sub.Close()
	for len(m.Waiting()) > 0 {
		select {
		case <-sub.C():
		case <-t.Context().Done():
			t.Fatal("it still waits")
		}
	}
	if e, err := m.Wait(t.Context(), "far-1", far.ID); err != nil || e.State != inbox.Expired || e.Reason != inbox.ReasonGone {
		t.Errorf("%+v, %v", e, err)
	}
}

// TR-2: an agent in another process says in which folder it works. That folder is shown, and standing permissions
// count for it; without one it is the team's.
func TestTR2_ARemoteAgentSaysItsFolder(t *testing.T) {
	m, _ := open(t, t.TempDir(), time.Hour)
	for key, folder := range map[string]string{"told": "/srv/far", "untold": ""} {
		q := wants("far-1", "shell_exec")
		q.Folder = folder
		e, err := m.Put(t.Context(), q, key)
		if want := cmp.Or(folder, "/w"); err != nil || e.Workspace != want {
			t.Errorf("%s: %+v, %v, want %s", key, e.Ground, err, want)
		}
	}
}

// Invalid questions are rejected. What the agent said before is cut, but never what it asks for.
func TestQuestionsAreBounded(t *testing.T) {
	m, _ := open(t, t.TempDir(), time.Hour)
	for _, q := range []inbox.Question{{Agent: "a"}, {Tool: "t"}, {Agent: "a", Text: "  "}, {Agent: "a", Tool: "t", Arguments: json.RawMessage("{")},
		{Agent: "a", Tool: "t", Arguments: json.RawMessage(`{"command":"ls","command":"rm"}`)}, {Agent: "a", Tool: "t", Arguments: json.RawMessage(`[1]`)},
		{Agent: "a", Tool: "t", Arguments: json.RawMessage(`{"x":"` + strings.Repeat("x", 100_000) + `"}`)}, {Agent: "a", Text: strings.Repeat("x", 100_000)}} {
		if _, err := m.Put(t.Context(), q, "k"); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	long, err := m.Put(t.Context(), inbox.Question{Agent: "a", Tool: "t", Said: strings.Repeat("あ", 10_000), Arguments: json.RawMessage(`{"command": "ls\u0020 "}`)}, "k")
	if err != nil || len(long.Said) > 9000 || string(long.Arguments) != `{"command":"ls  "}` {
		t.Errorf("%d %s, %v", len(long.Said), long.Arguments, err)
	}
}

// TestTR2_F18_OneAgentDoesNotFillTheInbox: other agents can still ask.
func TestTR2_F18_OneAgentDoesNotFillTheInbox(t *testing.T) {
	m, _ := open(t, t.TempDir(), time.Hour)
	for i := range inbox.MaxOfAgent {
		if _, err := m.Put(t.Context(), wants("far-1", "b"), fmt.Sprint("k", i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Put(t.Context(), wants("far-1", "b"), "one more"); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("one more: %v", err)
	}
	for i := inbox.MaxOfAgent; i < inbox.MaxWaiting; i++ {
		if _, err := m.Put(t.Context(), wants(fmt.Sprint("far-", 2+i/inbox.MaxOfAgent), "b"), fmt.Sprint("k", i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Put(t.Context(), wants("near", "b"), "k"); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("one more of another agent: %v", err)
	}
}

// The tool.Asker converts answers to verdicts.
func TestTheAskerOfATool(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	a := inbox.Asker{Inbox: m, Agent: "dev-1", Room: "team"}
	for _, c := range []struct {
		choice inbox.Choice
		allow  bool
	}{{inbox.Once, true}, {inbox.Deny, false}} {
		got := make(chan tool.Verdict, 1)
		go func() {
			v, _ := a.Ask(t.Context(), tool.Question{Tool: "w", Effect: &tool.FileEffect{Op: tool.Replaces, Size: 36}})
			got <- v
		}()
		e := waits(t, m)
		if e.Room != "team" || e.Effect == nil || e.Effect.Size != 36 {
			t.Errorf("%+v", e)
		}
		if _, err := m.Answer(t.Context(), e.ID, c.choice, "why"); err != nil {
			t.Fatal(err)
		}
		if v := <-got; v.Allow != c.allow || v.Word != "why" {
			t.Errorf("%s: %+v", c.choice, v)
		}
	}
}

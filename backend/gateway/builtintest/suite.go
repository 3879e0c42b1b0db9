package builtintest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
)

// RunStoreSuite shows that a Store does what its interface says. open makes an empty
// one for each test.
func RunStoreSuite(t *testing.T, open func(t *testing.T) builtin.Store) {
	tests := map[string]func(t *testing.T, s builtin.Store){
		"config round trip": configRoundTrip, "config compare and swap": configCompareAndSwap, "config race": configRace,
		"messages in order": messagesInOrder, "idempotency": idempotency, "idempotency race": idempotencyRace,
		"sessions": sessions, "unanswered": unanswered,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

var start = time.Date(2026, 2, 18, 7, 50, 0, 123_000_000, time.UTC)

func configRoundTrip(t *testing.T, s builtin.Store) {
	ctx := t.Context()
	if text, ok, err := s.LoadConfig(ctx); err != nil || ok || text != "" {
		t.Fatalf("an empty store holds %q, %v, %v", text, ok, err)
	}
	want := "# 日本語のコメント\r\nagents: {} \n\n" + strings.Repeat("# long\n", 100_000)
	must(t, s.SaveConfig(ctx, want, "h1", "", start))
	if text, ok, err := s.LoadConfig(ctx); err != nil || !ok || text != want {
		t.Fatalf("loaded %d bytes of %d, %v, %v", len(text), len(want), ok, err)
	}
	must(t, s.SaveConfig(ctx, "", "h2", "h1", start)) // an empty text is a config, too
	if text, ok, err := s.LoadConfig(ctx); err != nil || !ok || text != "" {
		t.Fatalf("loaded %q, %v, %v", text, ok, err)
	}
}

func configCompareAndSwap(t *testing.T, s builtin.Store) {
	ctx := t.Context()
	if err := s.SaveConfig(ctx, "x", "h1", "h0", start); !errcode.Is(err, errcode.Conflict) {
		t.Fatalf("the first save upon a base gave %v", err)
	}
	must(t, s.SaveConfig(ctx, "a", "h1", "", start))
	for _, base := range []string{"", "h0", "H1"} {
		if err := s.SaveConfig(ctx, "b", "h2", base, start); !errcode.Is(err, errcode.Conflict) {
			t.Fatalf("base %q gave %v", base, err)
		}
	}
	if text, _, _ := s.LoadConfig(ctx); text != "a" {
		t.Fatalf("a refused save wrote %q", text)
	}
	must(t, s.SaveConfig(ctx, "b", "h2", "h1", start))
}

func configRace(t *testing.T, s builtin.Store) {
	ctx := t.Context()
	must(t, s.SaveConfig(ctx, "base", "base", "", start))
	won := race(func(i int) bool {
		err := s.SaveConfig(ctx, fmt.Sprint(i), fmt.Sprintf("h%d", i), "base", start)
		if err != nil && !errcode.Is(err, errcode.Conflict) {
			t.Errorf("save %d: %v", i, err)
		}
		return err == nil
	})
	if won != 1 {
		t.Fatalf("%d of 8 saves upon the same base went through", won)
	}
}

func messagesInOrder(t *testing.T, s builtin.Store) {
	ctx := t.Context()
	const key = "agent:pm-1:main"
	for i := range 5 {
		// Ids and times run backwards: the order is that of the appends.
		m := builtin.Message{
			ID: fmt.Sprintf("m%d", 9-i), SessionKey: key, AgentID: "pm-1", Role: builtin.RoleUser, Text: fmt.Sprintf("行 %d", i),
			RunID: fmt.Sprint(i), Model: "demo/echo", State: builtin.StateAborted, At: start.Add(-time.Duration(i) * time.Second),
			Cause: &errcode.Cause{Code: "bad_key", Params: map[string]string{"provider": "talk"}},
		}
		stored, fresh, err := s.AppendMessage(ctx, m)
		if err != nil || !fresh || stored.ID != m.ID {
			t.Fatalf("append gave %+v, %v, %v", stored, fresh, err)
		}
	}
	got, err := s.Messages(ctx, key, 3, 0)
	must(t, err)
	if len(got) != 3 || got[0].Text != "行 2" || got[2].Text != "行 4" {
		t.Fatalf("the last 3 are %+v", got)
	}
	if before, err := s.Messages(ctx, key, 3, 3); err != nil || len(before) != 2 || before[0].Text != "行 0" || before[1].Text != "行 1" {
		t.Fatalf("before the last 3 are %+v, %v", before, err)
	}
	m := got[2]
	if m.ID != "m5" || m.SessionKey != key || m.AgentID != "pm-1" || m.Role != builtin.RoleUser || m.RunID != "4" ||
		m.Model != "demo/echo" || m.State != builtin.StateAborted || !m.At.Equal(start.Add(-4*time.Second)) ||
		m.Cause == nil || m.Cause.Code != "bad_key" || m.Cause.Params["provider"] != "talk" {
		t.Fatalf("a field was lost: %+v", m)
	}
	if none, err := s.Messages(ctx, "agent:pm-1:other", 3, 0); err != nil || len(none) != 0 {
		t.Fatalf("a session that is not there holds %+v, %v", none, err)
	}
}

func idempotency(t *testing.T, s builtin.Store) {
	first := userMessage("a", "m1", "key")
	append1(t, s, first)
	again := userMessage("a", "m2", "key")
	if stored, fresh, err := s.AppendMessage(t.Context(), again); err != nil || fresh || stored.ID != "m1" || stored.Text != first.Text {
		t.Fatalf("the same key again gave %+v, %v, %v", stored, fresh, err)
	}
	append1(t, s, userMessage("b", "m3", "key")) // another session
	append1(t, s, userMessage("a", "m4", ""))
	append1(t, s, userMessage("a", "m5", "")) // no key is no double
	if got, _ := s.Messages(t.Context(), "a", 10, 0); len(got) != 3 {
		t.Fatalf("stored %+v", got)
	}
}

func idempotencyRace(t *testing.T, s builtin.Store) {
	won := race(func(i int) bool {
		_, fresh, err := s.AppendMessage(t.Context(), userMessage("a", fmt.Sprintf("m%d", i), "key"))
		if err != nil {
			t.Errorf("append %d: %v", i, err)
		}
		return fresh
	})
	if got, err := s.Messages(t.Context(), "a", 10, 0); err != nil || won != 1 || len(got) != 1 {
		t.Fatalf("%d of 8 were fresh, %d are stored, %v", won, len(got), err)
	}
}

func sessions(t *testing.T, s builtin.Store) {
	append1(t, s, userMessage("a", "m1", ""))
	append1(t, s, userMessage("b", "m2", ""))
	append1(t, s, userMessage("c", "m3", ""))
	append1(t, s, userMessage("a", "m4", ""))
	rows, err := s.Sessions(t.Context(), 2)
	must(t, err)
	if len(rows) != 2 || rows[0].SessionKey != "a" || rows[1].SessionKey != "c" {
		t.Fatalf("the latest two are %+v", rows)
	}
	if r := rows[0]; r.Last.ID != "m4" || r.AgentID != "pm-1" || !r.ActiveAt.Equal(r.Last.At) || r.Last.Text != "text of m4" {
		t.Fatalf("row %+v", r)
	}
}

func unanswered(t *testing.T, s builtin.Store) {
	append1(t, s, userMessage("a", "m1", ""))
	append1(t, s, userMessage("a", "m2", ""))
	reply := userMessage("a", "m3", "")
	reply.Role, reply.RunID, reply.State = builtin.RoleAssistant, "m1", builtin.StateError
	append1(t, s, reply)
	elsewhere := userMessage("b", "m4", "") // a run of the same name in another session
	elsewhere.RunID = "m1"
	append1(t, s, elsewhere)
	got, err := s.Unanswered(t.Context())
	must(t, err)
	if len(got) != 2 || got[0].ID != "m2" || got[1].ID != "m4" {
		t.Fatalf("unanswered are %+v", got)
	}
}

func userMessage(session, id, key string) builtin.Message {
	return builtin.Message{
		ID: id, SessionKey: session, AgentID: "pm-1", Role: builtin.RoleUser, Text: "text of " + id,
		RunID: id, IdempotencyKey: key, At: start,
	}
}

func append1(t *testing.T, s builtin.SessionStore, m builtin.Message) {
	t.Helper()
	if _, fresh, err := s.AppendMessage(context.WithoutCancel(t.Context()), m); err != nil || !fresh {
		t.Fatalf("append of %s: fresh %v, %v", m.ID, fresh, err)
	}
}

// race runs do eight times at once and counts who won.
func race(do func(i int) bool) int {
	var wg sync.WaitGroup
	results := make(chan bool, 8)
	for i := range cap(results) {
		wg.Go(func() { results <- do(i) })
	}
	wg.Wait()
	close(results)
	won := 0
	for ok := range results {
		if ok {
			won++
		}
	}
	return won
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

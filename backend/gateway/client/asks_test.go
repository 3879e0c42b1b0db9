package client_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// recordedAsks are the events and lists of a real gateway, in order.
func recordedAsks(t *testing.T, version string) (events []client.Event, lists map[string]json.RawMessage) {
	t.Helper()
	data, err := os.ReadFile("testdata/asks-" + version + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lists = map[string]json.RawMessage{}
	for line := range strings.Lines(string(data)) {
		var row struct {
			Event, Method string
			Payload       json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Event != "" {
			events = append(events, client.Event{Name: row.Event, Payload: row.Payload})
		} else if _, had := lists[row.Method]; !had {
			lists[row.Method] = row.Payload
		}
	}
	return events, lists
}

const recordedFacts = `{"ask":"on-miss","command":"git push --force origin main","cwd":"/srv/shop","host":"gateway",` +
	`"security":"allowlist"}`

// OC-5: what real gateways of both generations send is read: an approval with all that a person decides about, and
// how it ended.
func TestOC5_RecordedApprovalsAreRead(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]struct {
		events int
		facts  string
		kinds  []client.AskKind
	}{
		"2026.9.6": {
			8, recordedFacts,
			[]client.AskKind{client.AskExec, client.AskPlugin, client.AskQuestion, client.AskExec},
		},
		"2026.2.26": {
			3, recordedFacts,
			[]client.AskKind{client.AskExec, client.AskExec},
		},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			events, _ := recordedAsks(t, version)
			var began []*client.Ask
			var ended []*client.AskEnd
			for _, e := range events {
				b, n, ok := client.ParseAsk(e)
				if !ok {
					t.Fatalf("not read: %s %s", e.Name, e.Payload)
				}
				if b != nil {
					began = append(began, b)
				} else {
					ended = append(ended, n)
				}
			}
			if len(events) != want.events {
				t.Errorf("%d events", len(events))
			}
			first := began[0]
			if string(first.Facts) != want.facts || first.Agent != "main" || first.Session != "agent:main:main" ||
				first.ExpiresAt.Sub(first.CreatedAt) != time.Minute || len(first.Decisions) != 3 {
				t.Errorf("%+v, facts %s", first, first.Facts)
			}
			var kinds []client.AskKind
			for _, b := range began {
				kinds = append(kinds, b.Kind)
			}
			slices.Sort(kinds)
			slices.Sort(want.kinds)
			if !slices.Equal(kinds, want.kinds) {
				t.Errorf("kinds %v", kinds)
			}
			if end := ended[0]; end.ID != first.ID || end.Decision != client.DecisionOnce || end.By != "AgentFlow" {
				t.Errorf("end %+v", end)
			}
			last := began[len(began)-1] // its ask is "always", so it can't be allowed from now on
			if !slices.Equal(last.Decisions, []string{client.DecisionOnce, client.DecisionDeny}) {
				t.Errorf("decisions %v", last.Decisions)
			}
		})
	}
}

// OC-5: what can't be known isn't left out: a field of a newer gateway is one of the facts.
func TestOC5_UnknownFactsStay(t *testing.T) {
	t.Parallel()
	began, _, ok := client.ParseAsk(client.Event{Name: "exec.approval.requested", Payload: json.RawMessage(
		`{"id":"a","request":{"command":"ls","elevated":true,"timeout":9007199254740993,"cwd":null,"runId":"r"}}`)})
	if !ok || string(began.Facts) != `{"command":"ls","elevated":true,"timeout":9007199254740993}` {
		t.Fatalf("%v %s", ok, began.Facts)
	}
	for _, bad := range []string{`{}`, `[]`, `null`, `{"id":1}`, `{"id":"a","request":[]}`} {
		if b, _, ok := client.ParseAsk(client.Event{Name: "exec.approval.requested",
			Payload: json.RawMessage(bad)}); ok {
			t.Errorf("%s was read as %+v", bad, b)
		}
	}
}

// OC-5: only what the token may see is asked for, and a gateway that can't list is said to.
func TestOC5_ScopesAndListsAreNeverAssumed(t *testing.T) {
	t.Parallel()
	all := []client.AskKind{client.AskExec, client.AskPlugin, client.AskQuestion}
	for name, c := range map[string]struct {
		generation                 gatewaytest.Generation
		scopes                     []string
		listed, unlisted, withheld []client.AskKind
	}{
		"admin":     {scopes: nil, listed: all},
		"read only": {scopes: []string{"operator.read"}, withheld: all},
		"approvals": {scopes: []string{"operator.read", "operator.approvals"}, listed: all[:2], withheld: all[2:]},
		"february":  {generation: gatewaytest.February, unlisted: all[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{Generation: c.generation})
			s.SetFaults(gatewaytest.Faults{Scopes: c.scopes})
			got, err := dial(t, s).Asks(ctx(t))
			if err != nil || !slices.Equal(got.Listed, c.listed) || !slices.Equal(got.Unlisted, c.unlisted) ||
				!slices.Equal(got.Denied, c.withheld) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// OC-5: an answer that comes too late is CONFLICT, and one with an unknown outcome is reported as such. It isn't
// sent again.
func TestOC5_AnAnswerIsSentOnce(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	s.Asks.Add(gatewaytest.Ask{Kind: client.AskExec, ID: "a", Request: map[string]any{"command": "ls"}})
	if err := c.AnswerAsk(ctx(t), client.AskExec, "a", client.AskAnswer{Decision: client.DecisionDeny}); err != nil {
		t.Fatal(err)
	}
	late := c.AnswerAsk(ctx(t), client.AskExec, "a", client.AskAnswer{Decision: client.DecisionOnce})
	if !errcode.Is(late, errcode.Conflict) || !errcode.HasReason(late, client.ReasonTooLate) {
		t.Errorf("too late: %v", late)
	}
	s.Asks.Add(gatewaytest.Ask{Kind: client.AskQuestion, ID: "q", Request: map[string]any{"questions": []any{}}})
	s.SetFaults(gatewaytest.Faults{CutAfter: map[string]bool{"question.resolve": true}})
	lost := c.AnswerAsk(ctx(t), client.AskQuestion, "q", client.AskAnswer{Answers: map[string][]string{"x": {"y"}}})
	if !errcode.HasReason(lost, errcode.ReasonUnknown) || s.Count("question.resolve") != 1 {
		t.Errorf("%v, sent %d times", lost, s.Count("question.resolve"))
	}
}

// asksOfReal raises an approval at a real gateway without a model. It is listed and answered (OC-5).
func asksOfReal(t *testing.T, peer *gatewaytest.Real) {
	long, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	dialReal := func(approver bool) *client.Client {
		c := run(t, client.Options{
			URL: peer.URL, Token: token(peer.Token), Device: client.NewFileDeviceStore(t.TempDir()),
			Approver: approver,
			Timing:   client.Timing{Call: time.Minute},
		})
		if err := c.WaitConnected(long); err != nil {
			t.Fatal(err)
		}
		return c
	}
	person, asker := dialReal(true), dialReal(false)
	events := person.Events(1024)
	defer events.Close()
	next := func() (*client.Ask, *client.AskEnd) {
		for {
			select {
			case e := <-events.C():
				if began, ended, ok := client.ParseAsk(e); ok {
					return began, ended
				}
			case <-long.Done():
				t.Fatal("no event")
			}
		}
	}
	_, err := asker.Call(long, "exec.approval.request", map[string]any{
		"command": "git status", "cwd": "/srv/shop", "host": "gateway", "agentId": "main", "timeoutMs": 60_000,
		"twoPhase": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	began, _ := next()
	if began == nil || began.Agent != "main" || !strings.Contains(string(began.Facts),
		`"command":"git status"`) {
		t.Fatalf("%+v", began)
	}
	got, err := person.Asks(long)
	listed := slices.ContainsFunc(got.List, func(a client.Ask) bool { return a.ID == began.ID })
	if newest := person.Status().Protocol >= 4; err != nil || listed != newest || len(got.Denied) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := person.AnswerAsk(long, client.AskExec, began.ID,
		client.AskAnswer{Decision: client.DecisionDeny}); err != nil {
		t.Fatal(err)
	}
	if _, end := next(); end == nil || end.Decision != client.DecisionDeny || end.By != "AgentFlow" {
		t.Errorf("end %+v", end)
	}
	late := person.AnswerAsk(long, client.AskExec, began.ID, client.AskAnswer{Decision: client.DecisionOnce})
	if !errcode.HasReason(late, client.ReasonTooLate) {
		t.Errorf("too late: %v", late)
	}
}

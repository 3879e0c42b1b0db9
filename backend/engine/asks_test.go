package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/work/inbox"
)

func (h *hub) waiting() []inbox.Entry {
	h.t.Helper()
	var out struct{ Entries []inbox.Entry }
	h.must("GET", "/api/inbox", nil, &out)
	return out.Entries
}

func (h *hub) endedEntries() []inbox.Entry {
	h.t.Helper()
	var out struct{ Entries []inbox.Entry }
	h.must("GET", "/api/inbox?state=ended", nil, &out)
	return out.Entries
}

// asked waits until so many entries wait, and returns them.
func (h *hub) asked(n int) []inbox.Entry {
	h.t.Helper()
	var out []inbox.Entry
	poll(h.t, func() bool {
		out = h.waiting()
		return len(out) == n
	})
	return out
}

func (h *hub) reply(e inbox.Entry, body map[string]any) *errcode.Error {
	h.t.Helper()
	_, err := h.call("POST", "/api/inbox/"+string(e.ID)+"/answer", body, nil)
	return err
}

func push(id string) gatewaytest.Ask {
	return gatewaytest.Ask{Kind: client.AskExec, ID: id, Request: map[string]any{
		"command": "git push " + id, "cwd": "/srv/shop", "host": "gateway", "agentId": "main",
		"sessionKey": "agent:main:main",
		"ask":        "on-miss", "nodeId": nil, "allowedDecisions": []string{"allow-once", "allow-always", "deny"},
	}}
}

// OC-5: what a gateway asks stands in the inbox with all that a person decides about. The answer goes back
// once, and the audit log says who gave it.
func TestOC5_AGatewaysRequestsAreAnsweredInTheInbox(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	peer.Asks.Add(push("main"))
	e := h.asked(1)[0]
	if e.Gateway == nil || e.Gateway.Name != "studio" || e.Gateway.Kind != inbox.Exec ||
		e.Gateway.Session != "agent:main:main" ||
		e.Agent != "main" || len(e.Gateway.Choices) != 3 || time.Until(e.Gateway.ExpiresAt) < 50*time.Minute ||
		e.Offer != nil ||
		string(e.Arguments) != `{"ask":"on-miss","command":"git push main","cwd":"/srv/shop","host":"gateway"}` {
		t.Fatalf("%+v %+v %s", e, e.Gateway, e.Arguments)
	}
	if err := h.reply(e, map[string]any{"choice": "always"}); err != nil {
		t.Fatal(err)
	}
	if got := peer.Asks.Decision(client.AskExec, "main"); got != client.DecisionAlways ||
		peer.Count("exec.approval.resolve") != 1 {
		t.Errorf("the gateway got %q, %d times", got, peer.Count("exec.approval.resolve"))
	}
	var rules struct{ Rules []inbox.Rule }
	h.must("GET", "/api/inbox/rules", nil, &rules)
	if len(rules.Rules) != 0 {
		t.Errorf("AgentFlow keeps the gateway's permission: %+v", rules.Rules)
	}
	late := h.reply(e, map[string]any{"choice": "deny"})
	if late == nil || late.Code != errcode.Conflict || late.Details["by"] != "owner" ||
		late.Details["choice"] != "always" {
		t.Errorf("the second gets %v", late)
	}
	peer.Asks.Add(gatewaytest.Ask{Kind: client.AskPlugin, ID: "plugin:1", Request: map[string]any{
		"title": "Send mail", "description": "To mia@example.com", "agentId": "main", "toolName": "mail_send",
		"allowedDecisions": []string{"allow-once"},
	}})
	p := h.asked(1)[0]
	if p.Tool != "mail_send" || p.Gateway.Title != "Send mail" || !slices.Equal(p.Gateway.Choices,
		[]inbox.Choice{"once", "deny"}) {
		t.Errorf("%+v %+v", p, p.Gateway)
	}
	if err := h.reply(p, map[string]any{"choice": "always"}); err == nil || err.Code != errcode.Validation {
		t.Errorf("what the plugin doesn't offer: %v", err)
	}
	if err := h.reply(p, map[string]any{"choice": "deny"}); err != nil {
		t.Error(err)
	}
	peer.Asks.Add(gatewaytest.Ask{Kind: client.AskQuestion, ID: "q", Request: map[string]any{"agentId": "main",
		"questions": []any{
			map[string]any{"questionId": "color", "question": "Which color?", "isOther": true, "options": []any{
				map[string]any{"label": "Red"}, map[string]any{"label": "Blue", "description": "like the sea"}}},
		}}})
	q := h.asked(1)[0]
	if q.Text != "Which color?" || len(q.Gateway.Fields) != 1 ||
		q.Gateway.Fields[0].Options[1].About != "like the sea" {
		t.Errorf("%+v %+v", q, q.Gateway)
	}
	if err := h.reply(q, map[string]any{"choice": "once",
		"answers": map[string]any{"color": []string{"Green"}}}); err != nil {
		t.Error(err)
	}
	h.asked(0)
	var got []string
	for _, e := range h.endedEntries() {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", e.Gateway.Kind, e.State, e.Choice, e.By, e.Word))
	}
	if want := []string{"question answered once owner Green", "plugin answered deny owner ",
		"exec answered always owner "}; !slices.Equal(got, want) {
		t.Errorf("ended: %q", got)
	}
	log, err := os.ReadFile(filepath.Join(h.dir, "audit.jsonl"))
	line := ""
	for l := range strings.Lines(string(log)) {
		if strings.Contains(l, "/api/inbox/"+string(q.ID)+"/answer") {
			line = l
		}
	}
	if err != nil || !strings.Contains(line, `"who":"owner"`) {
		t.Errorf("audit: %q, %v", line, err)
	}
}

// OC-5: two people press at once, here and at the gateway: one answer counts, and everybody sees whose.
func TestOC5_FirstAnswerCounts(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	for i := range 8 {
		id := fmt.Sprint("r", i)
		peer.Asks.Add(push(id))
		e := h.asked(1)[0]
		var all sync.WaitGroup
		var here [3]*errcode.Error
		var there bool
		for j := range here {
			all.Go(func() { here[j] = h.reply(e, map[string]any{"choice": "once"}) })
		}
		all.Go(func() { there = peer.Asks.Resolve(client.AskExec, id, client.DecisionDeny, "mia") })
		all.Wait()
		h.asked(0)
		end := h.endedEntries()[0]
		won := 0
		for _, err := range here {
			if err == nil {
				won++
			}
		}
		wantBy, wantChoice, wantWon := "owner", inbox.Once, 1
		if there {
			wantBy, wantChoice, wantWon = "mia", inbox.Deny, 0
		}
		if won != wantWon || end.By != wantBy || end.Choice != wantChoice {
			t.Fatalf("round %d: the gateway took %v, %d of us won, the history says %s by %q", i, there, won,
				end.Choice, end.By)
		}
	}
}

// OC-5: while the link is lost, entries are stale and can't be answered. Then the gateway's list counts.
func TestOC5_ALostLinkMakesEntriesStale(t *testing.T) {
	t.Parallel()
	for name, generation := range map[string]gatewaytest.Generation{"newest": gatewaytest.Newest,
		"february": gatewaytest.February} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			peer.Asks.Add(push("a"))
			peer.Asks.Add(push("b"))
			list := h.asked(2)
			peer.Down()
			poll(t, func() bool { return h.waiting()[0].Gateway.Stale })
			if err := h.reply(list[0], map[string]any{"choice": "once"}); err == nil ||
				err.Reason() != errcode.ReasonLinkDown {
				t.Errorf("answered without a link: %v", err)
			}
			peer.Asks.Resolve(client.AskExec, "a", client.DecisionDeny, "mia")
			peer.Up()
			h.connected("studio")
			if generation == gatewaytest.February { // it has no list, and refuses what it doesn't know
				poll(t, func() bool { return !h.waiting()[0].Gateway.Stale })
				if err := h.reply(list[0], map[string]any{"choice": "once"}); err == nil ||
					err.Code != errcode.Conflict {
					t.Errorf("answered what was over: %v", err)
				}
			}
			left := h.asked(1)
			poll(t, func() bool { return !h.waiting()[0].Gateway.Stale })
			if err := h.reply(left[0], map[string]any{"choice": "once"}); err != nil || left[0].ID != list[1].ID {
				t.Errorf("after the link is back: %v", err)
			}
			if got := peer.Asks.Decision(client.AskExec, "b"); got != client.DecisionOnce {
				t.Errorf("the gateway got %q", got)
			}
		})
	}
}

// OC-5: an answer whose link breaks isn't sent twice: the list says whether the gateway got it.
func TestOC5_AnAnswerOnABrokenLinkIsNotRepeated(t *testing.T) {
	t.Parallel()
	for _, arrives := range []bool{true, false} {
		t.Run(fmt.Sprint("arrives ", arrives), func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, gatewaytest.Options{})
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			peer.Asks.Add(push("a"))
			e := h.asked(1)[0]
			broken := map[string]bool{"exec.approval.resolve": true}
			faults := gatewaytest.Faults{Cut: broken}
			if arrives {
				faults = gatewaytest.Faults{CutAfter: broken, Scopes: nil}
			}
			peer.SetFaults(faults)
			err := h.reply(e, map[string]any{"choice": "once"})
			peer.SetFaults(gatewaytest.Faults{})
			if sent := peer.Count("exec.approval.resolve"); sent != 1 {
				t.Errorf("sent %d times: %v", sent, err)
			}
			if arrives {
				h.asked(0)
				if end := h.endedEntries()[0]; err == nil && end.By != "owner" || err != nil &&
					end.Reason != inbox.ReasonUnconfirmed && end.Choice != inbox.Once {
					t.Errorf("%v: %+v", err, end)
				}
				return
			}
			poll(t, func() bool { return !h.waiting()[0].Gateway.Stale })
			if err := h.reply(e, map[string]any{"choice": "deny"}); err != nil || peer.Asks.Decision(client.AskExec,
				"a") != client.DecisionDeny {
				t.Errorf("after the list: %v", err)
			}
		})
	}
}

// OC-5: the hub keeps none of it: after a restart the gateway's list is there, without what ended meanwhile. What was
// asked without an event is found, too.
func TestOC5_ARestartReadsTheList(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	start := engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 20 * time.Millisecond}
	h := startHubWith(t, start)
	h.connected("studio")
	peer.Asks.Add(push("a"))
	peer.Asks.AddSilently(push("b"))
	h.asked(2)
	h.stop()
	peer.Asks.Resolve(client.AskExec, "a", client.DecisionDeny, "mia")
	h = startHubWith(t, start)
	left := h.asked(1)
	if err := h.reply(left[0], map[string]any{"choice": "once"}); err != nil || peer.Asks.Decision(client.AskExec,
		"b") != client.DecisionOnce {
		t.Errorf("%v", err)
	}
	peer.Asks.Add(push("c"))
	h.asked(1)
	if status, err := h.call("DELETE", "/api/gateways/studio", nil, nil); err != nil {
		t.Fatal(status, err)
	}
	h.asked(0)
	if end := h.endedEntries()[0]; end.Reason != inbox.ReasonRemoved {
		t.Errorf("%+v", end)
	}
}

// approves answers an approval that a program raises on a real gateway (OC-5).
func (h *hub) approves(t *testing.T, peer *gatewaytest.Real) {
	t.Helper()
	link, stop, err := engine.DialGateway(t.Context(), engine.DialOptions{
		URL: peer.URL, Dir: t.TempDir(), Wait: time.Minute,
		Token: func(context.Context) (string, error) { return peer.Token, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	answer := make(chan string, 1)
	go func() {
		raw, err := link.Client().Call(t.Context(), "exec.approval.request", map[string]any{
			"command": "git push", "cwd": "/srv/shop", "host": "gateway", "agentId": "main",
			"timeoutMs": 25_000,
		})
		answer <- fmt.Sprint(string(raw), err)
	}()
	e := h.asked(1)[0]
	if !strings.Contains(string(e.Arguments), `"command":"git push"`) || e.Agent != "main" {
		t.Errorf("%+v %s", e, e.Arguments)
	}
	if err := h.reply(e, map[string]any{"choice": "once"}); err != nil {
		t.Fatal(err)
	}
	if got := <-answer; !strings.Contains(got, `"decision":"allow-once"`) {
		t.Errorf("who asked gets %s", got)
	}
	h.asked(0)
	if end := h.endedEntries()[0]; end.By != "owner" || end.Choice != inbox.Once {
		t.Errorf("%+v", end)
	}
}

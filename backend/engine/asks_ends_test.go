package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/work/inbox"
)

// OC-5: an entry ends with its time, with a word of why.
func TestOC5_EntriesExpire(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	far := push("a")
	far.CreatedAt, far.For = time.Now().Add(-time.Hour), 100*time.Millisecond // a clock that is an hour late
	peer.Ask(far)
	peer.Ask(push("b"))
	poll(t, func() bool { return len(h.endedEntries()) == 1 })
	peer.Resolve(client.AskExec, "b", client.DecisionDeny, "") // by nobody: its run was stopped
	h.asked(0)
	list := h.endedEntries()
	if list[1].Reason != inbox.ReasonTimedOut || list[0].State != inbox.Expired ||
		list[0].Reason != inbox.ReasonElsewhere {
		t.Errorf("%+v", list)
	}
}

// OC-5: what can't be shown whole can't be allowed, and what turns its direction reaches the page as it is, to be
// marked.
func TestOC5_WhatCannotBeShownCannotBeAllowed(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]map[string]any{
		"too long":       {"command": "echo " + strings.Repeat("x", 70<<10), "agentId": "main"},
		"no command":     {"cwd": "/", "agentId": "main"},
		"no text":        {"command": []string{"rm", "-rf", "/"}, "agentId": "main"},
		"only blanks":    {"command": " \u2003\n", "agentId": "main"},
		"a long agent":   {"command": "ls", "agentId": strings.Repeat("a", 1000)},
		"a large number": {"command": "ls", "agentId": "main", "timeout": json.RawMessage("9007199254740993")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, gatewaytest.Options{})
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			peer.Ask(gatewaytest.Ask{Kind: client.AskExec, ID: "x", Request: request})
			e := h.asked(1)[0]
			if !e.Gateway.Unclear || !slices.Equal(e.Gateway.Choices, []inbox.Choice{inbox.Deny}) ||
				len(e.Arguments) > 10<<10 {
				t.Fatalf("%+v, %d bytes", e.Gateway, len(e.Arguments))
			}
			if err := h.reply(e, map[string]any{"choice": "once"}); err == nil || err.Code != errcode.Validation {
				t.Errorf("allowed: %v", err)
			}
			if err := h.reply(e, map[string]any{"choice": "deny"}); err != nil {
				t.Error(err)
			}
		})
	}
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	peer.Ask(gatewaytest.Ask{Kind: client.AskQuestion, ID: "s", Request: map[string]any{"questions": []any{
		map[string]any{"questionId": "key", "question": "Key?", "isSecret": true, "options": []any{}},
	}}})
	if e := h.asked(1)[0]; !slices.Equal(e.Gateway.Choices, []inbox.Choice{inbox.Deny}) ||
		!e.Gateway.Fields[0].Secret {
		t.Errorf("a secret can be given here: %+v", e.Gateway)
	}
}

// OC-5: a token that may not see approvals is said so, and everything else goes on.
func TestOC5_AMissingScopeIsSaid(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.SetFaults(gatewaytest.Faults{Scopes: []string{"operator.read", "operator.write"}})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	poll(t, func() bool { return h.gateway("studio").AsksDenied })
	if n := peer.Count("exec.approval.list"); n != 0 {
		t.Errorf("asked %d times for what it may not see", n)
	}
	peer.SetFaults(gatewaytest.Faults{})
	peer.Disconnect(websocket.CloseServiceRestart, "service restart")
	poll(t, func() bool { return !h.gateway("studio").AsksDenied })
	peer.Ask(push("a"))
	h.asked(1)
}

// OC-5: a gateway that asks without end fills only its own share, and the rest follows as entries end.
func TestOC5_AGatewayHasAShareOfTheInbox(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	for i := range inbox.MaxOfGateway + 5 {
		peer.Ask(push(fmt.Sprint("r", i)))
	}
	list := h.asked(inbox.MaxOfGateway)
	if err := h.reply(list[0], map[string]any{"choice": "deny"}); err != nil {
		t.Fatal(err)
	}
	h.asked(inbox.MaxOfGateway) // with one that did not fit before
	if n := len(h.endedEntries()); n != 1 {
		t.Errorf("%d ended", n)
	}
}

// OC-5 against the real thing: an approval that a program raises on the gateway is answered in the inbox, on OpenClaw of
// both generations.
func TestOC5_ApprovalsOfRealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.StartReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
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
					"command":   "git push",
					"cwd":       "/srv/shop",
					"host":      "gateway",
					"agentId":   "main",
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
				t.Errorf("who asked is told %s", got)
			}
			h.asked(0)
			if end := h.endedEntries()[0]; end.By != "owner" || end.Choice != inbox.Once {
				t.Errorf("%+v", end)
			}
		})
	}
}

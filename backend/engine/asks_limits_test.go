package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
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
	peer.Asks.Add(push("b"))
	h.asked(1) // from here on, the hub hears of each: the gateway's list has no expired ones
	far := push("a")
	far.CreatedAt, far.For = time.Now().Add(-time.Hour), 100*time.Millisecond // a clock that is an hour late
	peer.Asks.Add(far)
	poll(t, func() bool { return len(h.endedEntries()) == 1 })
	peer.Asks.Resolve(client.AskExec, "b", client.DecisionDeny, "") // by nobody: its run was stopped
	h.asked(0)
	list := h.endedEntries()
	if list[0].Reason != inbox.ReasonTimedOut || list[1].State != inbox.Expired ||
		list[1].Reason != inbox.ReasonElsewhere {
		t.Errorf("%+v", list)
	}
}

// OC-5: what can't be shown whole can't be allowed, and what turns its direction is marked by the page.
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
			peer.Asks.Add(gatewaytest.Ask{Kind: client.AskExec, ID: "x", Request: request})
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
	peer.Asks.Add(gatewaytest.Ask{Kind: client.AskQuestion, ID: "s", Request: map[string]any{"questions": []any{
		map[string]any{"questionId": "key", "question": "Key?", "isSecret": true, "options": []any{}},
	}}})
	if e := h.asked(1)[0]; !slices.Equal(e.Gateway.Choices, []inbox.Choice{inbox.Deny}) || !e.Gateway.Fields[0].Secret {
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
	peer.Asks.Add(push("a"))
	h.asked(1)
}

// OC-5: a gateway that asks without end fills only its own share, and the rest follows as entries end.
func TestOC5_AGatewayHasAShareOfTheInbox(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	for i := range inbox.MaxOfGateway + 5 {
		peer.Asks.Add(push(fmt.Sprint("r", i)))
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

//go:build linux

package foreman_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/errcode"
	"agentflow/backend/inbox"
	"agentflow/backend/planner"
	"agentflow/backend/runner/runnertest"
)

// speaking is a coding CLI over ACP, which asks leave before it does anything.
const speaking = `#!/bin/sh
answer() { read -r line; id=$(printf %s "$line" | sed 's/.*"id":\([0-9]*\).*/\1/'); }
tell() { printf '%s\n' "{\"jsonrpc\":\"2.0\",$1}"; }
answer; tell "\"id\":$id,\"result\":{\"protocolVersion\":1}"
answer; tell "\"id\":$id,\"result\":{\"sessionId\":\"S\"}"
answer; turn=$id; case $line in *COPY*) what=two ;; *) what=one ;; esac
tell "\"id\":\"leave\",\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"S\",\"toolCall\":{\"toolCallId\":\"1\",\"title\":\"write $what.txt\",\"kind\":\"edit\"},\"options\":[{\"kind\":\"allow_once\",\"name\":\"y\",\"optionId\":\"y\"},{\"kind\":\"reject_once\",\"name\":\"n\",\"optionId\":\"n\"}]}"
read -r line
case $line in *'"optionId":"y"'*) echo one > $what.txt ;; esac
tell "\"method\":\"session/update\",\"params\":{\"sessionId\":\"S\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"hands on\"}}}"
tell "\"id\":$turn,\"result\":{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":7,\"outputTokens\":3,\"totalTokens\":10}}"
`

// Over ACP a worker asks leave, the person answers in the inbox, and an always holds for the
// whole plan.
func TestME11_AWorkerAsksForLeaveInTheInbox(t *testing.T) {
	s := build(t)
	runnertest.CLI(t, s.cli, speaking)
	s.refused(errcode.Validation, "", s.path("run"), s.order(m{"askTools": true}))
	s.must(http.MethodPost, s.path("run"), s.order(m{"mode": "acp"}), nil) // which asks, where nobody has said that all is allowed
	s.answers("worker tool", "write one.txt", inbox.Always)
	w := s.worked(planner.Ended)
	s.merged()
	if out := w.Progress[s.one].Output; !strings.Contains(out, "was allowed: write one.txt\nhands on\n") || w.Work.TokensIn < 2*7+6*100 {
		t.Errorf("%s: %+v", out, w.Work)
	}
}

// A person may say beforehand that all is allowed: then nobody is asked.
func TestME11_AWorkerIsAllowedAll(t *testing.T) {
	s := build(t)
	runnertest.CLI(t, s.cli, speaking)
	s.must(http.MethodPost, s.path("run"), s.order(m{"mode": "acp", "askTools": false}), nil)
	w := s.worked(planner.Ended)
	s.merged()
	if out := w.Progress[s.one].Output; !strings.Contains(out, "was allowed: write one.txt\nhands on\n") {
		t.Error(out)
	}
}

//go:build linux

package planexec_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runnertest"
	"agentflow/backend/work/inbox"
)

// speaking is a coding CLI over ACP that asks for approval before each action.
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

// Over ACP a worker asks for approval, the person answers in the inbox, and Always applies to the whole plan.
func TestME11_AWorkerAsksForLeaveInTheInbox(t *testing.T) {
	s := build(t)
	runnertest.CLI(t, s.cli, speaking)
	s.refused(errcode.Validation, "", s.path("run"), s.order(m{"askTools": true}))
	s.must(http.MethodPost, s.path("run"), s.order(m{"mode": "acp"}), nil) // asks by default
	s.answers("worker tool", "write one.txt", inbox.Always)
	w := s.worked(planner.Ended)
	s.merged()
	if out := w.Progress[s.one].Output; !strings.Contains(out, "was allowed: write one.txt\nhands on\n") || w.Work.TokensIn < 2*7+6*100 {
		t.Errorf("%s: %+v", out, w.Work)
	}
}

// A person can allow everything in advance; then nothing is asked.
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

// wanting is a coding CLI over ACP that asks for approval of one long input, one that is too long, one that is
// ambiguous, and a number that a page can't show.
const wanting = `#!/bin/sh
answer() { read -r line; id=$(printf %s "$line" | sed 's/.*"id":\([0-9]*\).*/\1/'); }
tell() { printf '%s\n' "{\"jsonrpc\":\"2.0\",$1}"; }
long() { head -c "$1" /dev/zero | tr '\0' x; }
leave() { # file, input
tell "\"id\":\"leave\",\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"S\",\"toolCall\":{\"toolCallId\":\"1\",\"title\":\"write $1\",\"kind\":\"execute\",\"rawInput\":$2},\"options\":[{\"kind\":\"allow_once\",\"name\":\"y\",\"optionId\":\"y\"},{\"kind\":\"reject_once\",\"name\":\"n\",\"optionId\":\"n\"}]}"
read -r line
case $line in *'"optionId":"y"'*) echo one > "$1" ;; esac
}
answer; tell "\"id\":$id,\"result\":{\"protocolVersion\":1}"
answer; tell "\"id\":$id,\"result\":{\"sessionId\":\"S\"}"
answer; turn=$id; case $line in *COPY*) what=two ;; *) what=one ;; esac
leave "$what.txt" "{\"command\":\"ls\",\"cwd\":\"/\",\"text\":\"$(long 6000)END\",\"env\":{\"LD_PRELOAD\":\"/tmp/x.so\"}}"
leave evil-long.txt "{\"command\":\"$(long 70000)\"}"
leave evil-twice.txt "{\"command\":\"rm\",\"command\":\"ls\"}"
leave evil-number.txt "{\"command\":\"ls\",\"pid\":9007199254740993}"
tell "\"method\":\"session/update\",\"params\":{\"sessionId\":\"S\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"hands on\"}}}"
tell "\"id\":$turn,\"result\":{\"stopReason\":\"end_turn\",\"usage\":{\"inputTokens\":7,\"outputTokens\":3,\"totalTokens\":10}}"
`

// TestTR2_F5_AWorkersRequestIsShownWholeOrRefused: the question contains the whole input.
func TestTR2_F5_AWorkersRequestIsShownWholeOrRefused(t *testing.T) {
	s := build(t)
	runnertest.CLI(t, s.cli, wanting)
	s.must(http.MethodPost, s.path("run"), s.order(m{"mode": "acp", "askTools": true}), nil)
	s.answers("worker tool", `"input":{"command":"ls","cwd":"/","env":{"LD_PRELOAD":"/tmp/x.so"},"text":"xxx`,
		inbox.Once)
	s.answers("worker tool", `xEND"}`, inbox.Once)
	w := s.worked(planner.Ended)
	s.merged()
	out := w.Progress[s.one].Output
	if !strings.Contains(out, "the worker was not allowed to: a person can't be asked about") || strings.Count(out, "can be read in more than one way") != 2 {
		t.Error(out)
	}
}

package planexec

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/runner"
)

// The codes stay with their lines when the start of a long output is dropped.
func TestTheCodesFollowTheirLines(t *testing.T) {
	var at report
	for i := range 100 {
		at.say(runner.Event{Type: runner.EventDecision, Text: "go\non"})
		at.say(runner.Event{Type: runner.EventWarning, Text: "the note", Cause: &errcode.Cause{Code: "note"}})
		at.say(runner.Event{Type: runner.EventWorker, Worker: &codecli.Event{Text: strings.Repeat("語", 10*i)}})
	}
	lines := strings.Split(at.Output, "\n")
	if len(at.Output) > tailKept || len(at.Own) == 0 || len(at.Own) == 200 {
		t.Fatalf("%d bytes, %d codes", len(at.Output), len(at.Own))
	}
	n := 0
	for _, o := range at.Own {
		want := map[string]string{"decision": "decision: ", "note": "warning: the note"}[o.Cause.Code]
		if !strings.HasPrefix(lines[o.Line], want) || o.Chars != len(want) {
			t.Errorf("line %d, %d characters of %q", o.Line, o.Chars, lines[o.Line])
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "decision: ") || strings.HasPrefix(line, "warning: ") {
			n++
		}
	}
	if n != len(at.Own) {
		t.Errorf("%d lines, %d codes", n, len(at.Own))
	}
	at.say(runner.Event{Type: runner.EventMerge, Text: strings.Repeat("x", 2*tailKept)})
	if len(at.Own) != 0 {
		t.Errorf("half a line has a code: %+v", at.Own)
	}
}

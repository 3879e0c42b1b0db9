//go:build linux

package runner

import (
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/runnertest"
)

// Whatever the planner says: a failing test, a missing criterion, or a worker without changes isn't a success, and
// max_loops ends the task.
func TestME2_EvidenceOutweighsWords(t *testing.T) {
	liar := strings.ReplaceAll(working, "echo line >> made.txt", "echo wrong >> made.txt")
	for name, c := range map[string]struct {
		script, test, assessment, reason string
		runs                             int
		cause, n                         string
	}{
		"a failing test": {liar, `test "$(cat made.txt)" = line`, runnertest.Assessed,
			"The tests failed 3 times, so the task stopped. Last: the test command ended with exit code 1.", 1, causeTests, "3"},
		"a criterion left out": {working, "", strings.Replace(runnertest.Assessed, `["AC-1"]`, `[]`, 1),
			"as often as max_loops allows (2) and stopped. Last: not met: AC-1.", 1, causeUnmet, "2"},
		"no such test folder": {working, "exit 7", runnertest.Assessed, "exit code 7.", 1, causeTests, "3"},
		"not executable": {working, "exit 126", runnertest.Assessed,
			"code 126 (not executable).", 1, causeNotExecutable, "3"},
		"not found": {working, "/no/such", runnertest.Assessed,
			"exit code 127 (not found).", 1, causeNotFound, "3"},
	} {
		b := newBench(t, c.script)
		m := codeclitest.Serve(t, func(api, body string) codeclitest.Reply {
			if runnertest.Protocol(body) == meta.CompletionAssessment {
				return codeclitest.Reply{Text: c.assessment}
			}
			return decides(api, body)
		})
		task := b.task()
		task.Test.Command = c.test
		out, err := Run(t.Context(), task, b.options(m.URL, func(Event) {}))
		if err != nil || out.State != plan.Failed || !strings.Contains(out.Reason, c.reason) ||
			lines(b.count) != c.runs {
			t.Errorf("%s: %+v, %v, %d runs", name, out, err, lines(b.count))
		}
		if out.Cause == nil || out.Cause.Code != c.cause || out.Cause.Params["n"] != c.n {
			t.Errorf("%s: cause %+v", name, out.Cause)
		}
		if out.Branch != "agentflow/T-1" || runnertest.Read(filepath.Join(b.repo, "made.txt")) != "" || runnertest.Git(t, b.repo, "show", out.Branch+":made.txt") == "" {
			t.Errorf("%s: failed work is merged, or lost: %+v", name, out)
		}
	}
}

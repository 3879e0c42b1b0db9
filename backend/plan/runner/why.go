package runner

import (
	"fmt"
	"strconv"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/worktree"
)

// Why a task failed or isn't merged, as causes. The page has their texts.
const (
	causeTests         = "tests_failed"
	causeNotExecutable = "tests_not_executable"
	causeNotFound      = "tests_not_found"
	causeNoEnd         = "tests_too_slow"
	causeNoFolder      = "tests_no_folder"
	causeUnmet         = "criteria_unmet"
	causeSentBack      = "sent_back"
	causeMarked        = "conflict_markers"
	causeUnmerged      = "not_merged"
)

// The exit codes of a shell that couldn't run its command.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// ExitCode is an exit code of a test command, with its meaning if it has one.
func ExitCode(code int) string {
	text := "exit code " + strconv.Itoa(code)
	switch code {
	case exitNotExecutable:
		return text + " (not executable)"
	case exitNotFound:
		return text + " (not found)"
	}
	return text
}

// unmet is what still lacks when the planner calls a task complete.
type unmet struct {
	text     string
	criteria []string // empty: the tests, or conflicts
	marked   []string // files with conflict markers
}

// lastTest says how the failed test command ended.
func (w *work) lastTest() string {
	switch t := w.record.Test; {
	case t.TimedOut:
		return "the test command took longer than " + testPatience.String() + " and was ended"
	case t.NoFolder:
		return "there is no folder " + w.Test.Cwd + " for the test command"
	default:
		return "the test command ended with " + ExitCode(t.ExitCode)
	}
}

// tooOften is the outcome of a task that would return to RUNNING once more than MaxLoops allows; missing is nil if
// the planner wanted more work.
func (w *work) tooOften(missing *unmet) Outcome {
	if t := w.record.Test; t.Ran && t.ExitCode != 0 && (missing == nil || len(missing.criteria) == 0) {
		return w.testsFail()
	}
	out := Outcome{State: plan.Failed, Cause: &errcode.Cause{Code: causeSentBack}}
	out.Reason = fmt.Sprintf("The task was returned to the worker as often as max_loops allows (%d) and stopped.", w.MaxLoops)
	if missing != nil {
		out.Cause = (&errcode.Cause{Code: causeUnmet}).About("criteria", strings.Join(missing.criteria, ", "))
		if len(missing.marked) > 0 {
			out.Cause = (&errcode.Cause{Code: causeMarked}).About("files", list(missing.marked))
		}
		out.Reason += " Last: " + missing.text + "."
	}
	out.Cause = out.Cause.About("n", strconv.Itoa(w.MaxLoops))
	return out
}

// testsFail is the outcome of a task whose tests failed to the end.
func (w *work) testsFail() Outcome {
	code, t := causeTests, w.record.Test
	switch {
	case t.TimedOut:
		code = causeNoEnd
	case t.NoFolder:
		code = causeNoFolder
	case t.ExitCode == exitNotExecutable:
		code = causeNotExecutable
	case t.ExitCode == exitNotFound:
		code = causeNotFound
	}
	times, n := fmt.Sprintf("%d times", w.testsFailed), strconv.Itoa(w.testsFailed)
	cause := (&errcode.Cause{Code: code}).About("n", n).About("exit", strconv.Itoa(t.ExitCode))
	if w.testsFailed == 1 {
		times, cause = "once", cause.About("unit", "once") // its text has no number
	}
	if t.NoFolder {
		cause = cause.About("folder", w.Test.Cwd)
	}
	return Outcome{
		State: plan.Failed, Cause: cause,
		Reason: fmt.Sprintf("The tests failed %s, so the task stopped. Last: %s.", times, w.lastTest()),
	}
}

// unmerged is the cause of a complete task whose work isn't merged.
func unmerged(p *Problem, tree *worktree.Tree) *errcode.Cause {
	code := causeUnmerged
	switch p.Reason {
	case worktree.ReasonConflict, worktree.ReasonDirty, worktree.ReasonDetached, worktree.ReasonOngoing:
		code += "_" + p.Reason
	}
	cause := (&errcode.Cause{Code: code}).About("branch", tree.Branch)
	if p.Reply != "" {
		cause = cause.About("said", p.Reply)
	}
	if p.Reason == worktree.ReasonConflict || p.Reason == worktree.ReasonDetached {
		cause = cause.About("into", tree.Into())
	}
	if len(p.Files) > 0 {
		cause = cause.About("files", list(p.Files))
	}
	return cause
}

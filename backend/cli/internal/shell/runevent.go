package shell

import (
	"strings"

	"agentflow/backend/cli/internal/term"
	"agentflow/backend/plan/runner"
)

// Letters of a line of a worker's output, and of other texts.
const (
	shownWorker = 200
	shownText   = 400
)

// RunEvent prints an event of a task that a planner and workers do. The lead is put before each line.
func (s *Shell) RunEvent(lead string, e runner.Event) {
	line := func(format string, args ...any) { s.Screen.Print("%s"+format+"\n", append([]any{lead}, args...)...) }
	text := term.OneLine(s.Screen.Words(strings.TrimSpace(e.Text)), shownText)
	switch e.Type {
	case runner.EventState:
		line("%s", s.Screen.Paint(term.Green, string(e.State)))
	case runner.EventResumed:
		line("%s", s.Screen.Say("continues after %d completed steps", e.Steps))
	case runner.EventCriteria:
		for _, c := range e.Criteria {
			line("  %s: %s", c.ID, term.OneLine(c.Description, shownText))
		}
	case runner.EventWorker:
		line("    %s", term.OneLine(e.Worker.Text, shownWorker))
	case runner.EventSpent: // for programs; how much a call used is in the note
	case runner.EventVerdict:
		line("  %s", strings.TrimSpace(text+" "+strings.Join(e.Files, ", ")))
	case runner.EventTest:
		line("%s", s.Screen.Say("  the test command ended with exit code %d", *e.ExitCode))
	case runner.EventMerge:
		if e.Merged {
			text = s.Screen.Say("merged into %s", e.Branch)
		}
		line("  %s", text)
	case runner.EventWarning:
		line("%s: %s", s.Screen.Paint(term.Yellow, s.Screen.Say("warning")), text)
	case runner.EventEnd:
		line("%s", text)
		line("%s", e.Path)
	default:
		line("  %s", text)
	}
}

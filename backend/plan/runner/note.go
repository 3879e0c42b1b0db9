package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
)

// Types of an Event.
const (
	EventState      = "state"
	EventResumed    = "resumed"
	EventCriteria   = "criteria"
	EventDecision   = "decision"
	EventWorker     = "worker"
	EventSpent      = "spent" // a worker's attempt: its reported use, which may be empty; sent once
	EventVerdict    = "verdict"
	EventTest       = "test"
	EventAssessment = "assessment"
	EventMerge      = "merge"
	EventWarning    = "warning"
	EventEnd        = "end"
)

// Event is an event of a task, as agentflow run --json prints it.
type Event struct {
	Type      string                     `json:"type"`
	State     plan.Status                `json:"state,omitempty"`
	Text      string                     `json:"text,omitempty"`
	Cause     *errcode.Cause             `json:"cause,omitempty"` // the text in a word, if it's the runner's own
	Steps     int                        `json:"steps,omitempty"` // steps replayed after a kill
	Criteria  []meta.AcceptanceCriterion `json:"acceptance_criteria,omitempty"`
	Action    meta.Action                `json:"action,omitempty"`
	Worker    *codecli.Event             `json:"event,omitempty"`
	Done      *bool                      `json:"done,omitempty"`
	Files     []string                   `json:"files,omitempty"`
	Base      string                     `json:"base,omitempty"` // the base commit of the work
	Commit    string                     `json:"commit,omitempty"`
	ExitCode  *int                       `json:"exit_code,omitempty"`
	Passed    []string                   `json:"passed_criteria,omitempty"`
	Risks     []string                   `json:"remaining_risks,omitempty"`
	Branch    string                     `json:"branch,omitempty"`
	Merged    bool                       `json:"merged,omitempty"`
	Path      string                     `json:"note,omitempty"`
	TokensIn  int                        `json:"tokens_in,omitempty"`
	TokensOut int                        `json:"tokens_out,omitempty"`
	CostUSD   float64                    `json:"cost_usd,omitempty"` // if the worker reported it
}

// Record is the known history of a task.
type Record struct {
	Began      time.Time
	Criteria   []meta.AcceptanceCriterion
	Attempts   []Attempt
	Test       Tested
	Assessment *meta.CompletionAssessmentAnswer
	Outcome    *Outcome
}

const (
	notesDir = ".agent-runner"
	noteMode = 0o644
)

func (w *work) notePath() string { return filepath.Join(w.Repo, notesDir, "task-"+w.ID+".md") }

// warn reports what a person should know, with a cause of one param.
func (w *work) warn(text, code, key, value string) {
	w.o.Tell(Event{Type: EventWarning, Text: text, Cause: (&errcode.Cause{Code: code}).About(key, value)})
}

// hideNotes keeps the notes out of the person's git status. It does so before there are any, so that a person can
// change it. It warns about a failure and continues.
func (w *work) hideNotes(ctx context.Context) {
	_, err := os.Stat(filepath.Dir(w.notePath()))
	if w.place.repo == nil || !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := w.place.repo.Exclude(ctx, notesDir+"/"); err != nil {
		w.warn("git status will show the notes: "+err.Error(), "notes_shown", "said", err.Error())
	}
}

// writeNote writes the task's note. It warns about a failure once and continues, because only the journal matters.
func (w *work) writeNote() {
	path := w.notePath()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = atomicfile.Write(path, []byte(w.note()), noteMode)
	}
	if err != nil && w.state == plan.Pending {
		w.warn("the note cannot be written: "+err.Error(), "note_unwritten", "said", err.Error())
	}
}

func (w *work) note() string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("# %s\n", w.Title)
	line("- task: %s", w.ID)
	line("- state: %s", w.state)
	if o := w.record.Outcome; o != nil && o.Reason != "" {
		line("- reason: %s", oneLine(o.Reason))
	}
	if w.place.tree != nil {
		line("- branch: %s, to be merged into %s", w.place.tree.Branch, w.place.repo.Branch)
	}
	if o := w.record.Outcome; o != nil && o.Merge != nil {
		line("- not merged: %s", oneLine(o.Merge.Message))
	}
	if len(w.record.Criteria) > 0 {
		line("\n## Acceptance criteria\n")
		for _, c := range w.record.Criteria {
			mark := " "
			if a := w.record.Assessment; a != nil && slices.Contains(a.Details.PassedCriteria, c.ID) {
				mark = "x"
			}
			line("- [%s] %s: %s", mark, c.ID, oneLine(c.Description))
		}
	}
	for i, a := range w.record.Attempts {
		line("\n## Attempt %d\n", i+1)
		line("- done: %v, exit code %d, %s, %d tokens in, %d out", a.Done, a.Verdict.ExitCode,
			a.Took.Round(time.Second), a.Verdict.TokensIn, a.Verdict.TokensOut)
		if a.Verdict.Reason != "" {
			line("- reason: %s", oneLine(a.Verdict.Reason))
		}
		line("- files: %s", list(a.Changes))
		if len(a.Left) > 0 {
			line("- %s", ownRepositories(a.Left))
		}
		line("\nPrompt:\n\n%s", quoted(a.Prompt))
		line("\nLast words:\n\n%s", quoted(a.Verdict.Message))
	}
	if t := w.record.Test; t.Ran {
		line("\n## Test\n\n`%s` ended with %s.\n\n%s", oneLine(w.Test.Command), ExitCode(t.ExitCode),
			quoted(lastBytes(t.Output, tailKept)))
	}
	if a := w.record.Assessment; a != nil {
		line("\n## Assessment\n\n%s", a.Summary)
		for _, r := range a.Details.RemainingRisks {
			line("- risk: %s", oneLine(r))
		}
	}
	return b.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// quoted formats a text as a quotation, whatever Markdown it contains.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

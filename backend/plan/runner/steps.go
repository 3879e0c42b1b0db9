package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/worktree"
)

// Limits.
const (
	testPatience = 10 * time.Minute
	testKept     = 16 << 10 // bytes of the head and tail of a test's output
	tailKept     = 4 << 10  // bytes of a worker's output sent to the planner
	summaryKept  = 8000     // characters of the PRD sent at each step
)

func (w *work) criteria(ctx context.Context) error {
	a, err := step(w.journal, stepCriteria, func(bool) (meta.PlanTaskAnswer, error) {
		if len(w.Criteria) > 0 {
			return meta.PlanTaskAnswer{Type: meta.PlanTask, AcceptanceCriteria: w.Criteria}, nil
		}
		return w.o.Meta.PlanTask(ctx, meta.PRD{Task: w.Settings, Text: w.PRD})
	})
	if err != nil {
		return err
	}
	w.record.Criteria = a.AcceptanceCriteria
	w.tell(Event{Type: EventCriteria, Criteria: a.AcceptanceCriteria})
	return nil
}

// context returns the planner's input.
func (w *work) context(last meta.WorkerResult) meta.TaskContext {
	return meta.TaskContext{
		Task:               meta.TaskSummary{ID: w.ID, Title: w.Title, PRDSummary: firstRunes(w.PRD, summaryKept)},
		AcceptanceCriteria: w.record.Criteria, LastWorkerResult: last, State: string(w.state),
		Worker: meta.WorkerSetup{WorkerType: string(w.o.Worker.Kind), Mode: cmp.Or(w.o.Worker.Mode, codecli.Exec)},
	}
}

func (w *work) next(ctx context.Context, last meta.WorkerResult) (meta.NextActionAnswer, error) {
	a, err := step(w.journal, stepAction, func(bool) (meta.NextActionAnswer, error) {
		return w.o.Meta.NextAction(ctx, w.context(last))
	})
	if err == nil {
		w.tell(Event{Type: EventDecision, Action: a.Decision.Action, Text: a.Decision.Reason})
	}
	return a, err
}

// attempt runs a worker and returns its result for the planner.
func (w *work) attempt(ctx context.Context, call *meta.WorkerCall) (meta.WorkerResult, error) {
	again := w.journal.again()
	if ctx.Err() != nil && !again { // not started, so nothing is used
		return meta.WorkerResult{}, context.Cause(ctx)
	}
	a, err := step(w.journal, stepWorker, func(interrupted bool) (Attempt, error) {
		if interrupted && !w.journal.told { // it was killed with this program: its use is unknown
			w.o.Tell(Event{Type: EventSpent})
		}
		if interrupted && w.place.tree != nil {
			if err := w.place.tree.Discard(ctx); err != nil {
				return Attempt{}, err
			}
			if len(w.conflicts) > 0 {
				if _, err := w.place.tree.Join(ctx); err != nil {
					return Attempt{}, err
				}
			}
		}
		return w.try(ctx, call)
	})
	if err != nil {
		return meta.WorkerResult{}, err
	}
	if !again && !a.Refused { // before its result can stop the task
		w.o.Tell(spent(a.Verdict))
	}
	w.record.Attempts = append(w.record.Attempts, a)
	if len(a.Left) > 0 && !again {
		w.warn(ownRepositories(a.Left), "own_repositories", "files", list(a.Left))
	}
	w.tell(Event{Type: EventVerdict, Done: &a.Done, Text: a.Verdict.Reason, Files: a.Changes, Base: a.Base, Commit: a.Commit})
	told := meta.WorkerResult{Exists: true, ExitCode: a.Verdict.ExitCode, StdoutTail: a.Verdict.Message + "\n" + lastBytes(a.Verdict.Output, tailKept)}
	if !a.Done && told.ExitCode == 0 {
		told.ExitCode = 1 // its exit code reports success, but its events don't
	}
	told.Evidence = a.evidence()
	return told, nil
}

func (w *work) try(ctx context.Context, call *meta.WorkerCall) (Attempt, error) {
	began := time.Now()
	read, write := w.place.reach()
	at := codecli.Place{
		Dir:     w.place.dir,
		Home:    filepath.Join(w.dir, "home"),
		Records: proc.Records(w.o.Dir),
		NoGit:   w.place.tree == nil,
		Read:    read,
		Write:   write,
	}
	v, err := w.o.Worker.Run(ctx, at, codecli.Call{
		Kind: codecli.Kind(
			call.WorkerType,
		),
		Mode:         call.Mode,
		Prompt:       call.Prompt,
		Model:        call.Model,
		Flags:        call.Flags,
		Env:          call.Env,
		ToolSpecific: call.ToolSpecific,
		UseStdin:     call.UseStdin,
	}, func(e codecli.Event) { w.o.Tell(Event{Type: EventWorker, Worker: &e}) })
	refused := ctx.Err() == nil && (errcode.Is(err, errcode.Forbidden) || errcode.Is(err, errcode.Validation))
	if refused { // the call is invalid: the planner gets the error
		v, err = codecli.Verdict{ExitCode: 1, Reason: errcode.From(err).Message}, nil
	}
	if err != nil && ctx.Err() != nil {
		return Attempt{}, w.stopped(v, err)
	}
	if err != nil {
		return Attempt{}, err
	}
	a := Attempt{Prompt: call.Prompt, Verdict: v, Refused: refused, Took: time.Since(began)}
	if w.place.tree == nil {
		a.judge(worktree.Collected{})
		return a, nil
	}
	return a, w.collect(ctx, &a)
}

// stopped records that a stopped attempt's use has been reported, and reports it.
func (w *work) stopped(v codecli.Verdict, why error) error {
	if err := w.journal.write(entry{Step: stepWorker, Begun: true, Told: true}); err != nil {
		return err
	}
	w.o.Tell(spent(v))
	return why
}

func spent(v codecli.Verdict) Event {
	return Event{Type: EventSpent, TokensIn: v.TokensIn, TokensOut: v.TokensOut, CostUSD: v.Cost}
}

// Tested is the result of the test command.
type Tested struct {
	Ran      bool   `json:"ran"`
	ExitCode int    `json:"exitCode"`
	Output   string `json:"output"`
	TimedOut bool   `json:"timedOut,omitempty"`
	NoFolder bool   `json:"noFolder,omitempty"` // the folder of the test command doesn't exist
}

// test runs the test command and adds its result as evidence.
func (w *work) test(ctx context.Context, last meta.WorkerResult) (meta.WorkerResult, error) {
	r, err := step(w.journal, stepTest, func(bool) (Tested, error) { return w.runTest(ctx) })
	if err != nil {
		return last, err
	}
	w.record.Test = r
	if r.Ran && r.ExitCode != 0 {
		w.testsFailed++
	}
	if r.Ran {
		w.tell(Event{Type: EventTest, ExitCode: &r.ExitCode, Text: lastBytes(r.Output, tailKept)})
		last.Evidence += fmt.Sprintf("\nthe test command %q ended with %s:\n%s", w.Test.Command, ExitCode(r.ExitCode),
			lastBytes(r.Output, tailKept))
	}
	return last, nil
}

func (w *work) runTest(ctx context.Context) (Tested, error) {
	if w.Test.Command == "" {
		return Tested{}, nil
	}
	dir := filepath.Join(w.place.dir, w.Test.Cwd)
	if _, err := os.Stat(dir); err != nil {
		none := Tested{Ran: true, ExitCode: -1, NoFolder: true, Output: "there is no folder " + w.Test.Cwd}
		return none, nil //nolint:nilerr // it is the test's result
	}
	out := proc.HeadTailBuffer{Most: testKept}
	read, write := w.place.reach()
	res, err := w.o.Worker.Sandbox.Run(ctx, proc.Command{
		Path: "sh", Args: []string{"-c", w.Test.Command}, Dir: dir, Env: shell.Environment(), Output: out.Take, Errors: out.Take,
		Timeout: testPatience, Records: proc.Records(w.o.Dir),
	}, sandbox.Access{Read: read, Write: write})
	t := Tested{Ran: true, ExitCode: res.Code, Output: out.Text()}
	switch {
	case errors.Is(err, proc.ErrTimeout):
		t.TimedOut, t.ExitCode = true, -1
		t.Output += "\nit took longer than " + testPatience.String() + " and was ended"
	case err != nil && ctx.Err() != nil:
		return t, context.Cause(ctx)
	case errcode.HasReason(err, sandbox.ReasonNone):
		return t, err
	case err != nil:
		return t, errcode.Wrap(errcode.Unavailable, err, "the test command cannot be run: %s", err.Error())
	}
	return t, nil
}

// assess checks the criteria and returns which aren't met. A failed test, or an assessment that leaves out criteria,
// outweighs the claim that all is done.
func (w *work) assess(ctx context.Context, last meta.WorkerResult) (missing *unmet, err error) {
	if w.record.Test.Ran && w.record.Test.ExitCode != 0 {
		return &unmet{text: w.lastTest()}, nil
	}
	if missing, err := w.unresolved(); err != nil || missing != nil {
		return missing, err
	}
	a, err := step(w.journal, stepAssess, func(bool) (meta.CompletionAssessmentAnswer, error) {
		return w.o.Meta.Assess(ctx, w.context(last))
	})
	if err != nil {
		return nil, err
	}
	w.record.Assessment = &a
	w.tell(Event{
		Type:   EventAssessment,
		Text:   a.Summary,
		Passed: a.Details.PassedCriteria,
		Risks:  a.Details.RemainingRisks,
	})
	if a.Details.PassedCriteria == nil { // the list is optional in the protocol
		return nil, nil
	}
	var open []string
	for _, c := range w.record.Criteria {
		if !slices.Contains(a.Details.PassedCriteria, c.ID) {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return &unmet{text: "not met: " + strings.Join(open, ", "), criteria: open}, nil
	}
	return nil, nil
}

// folder returns a repository's name among the worktrees.
func folder(repo string) string {
	sum := sha256.Sum256([]byte(repo))
	return filepath.Base(repo) + "-" + hex.EncodeToString(sum[:4])
}

// list joins file names, up to a limit.
func list(files []string) string {
	const most = 50
	switch {
	case len(files) == 0:
		return "none"
	case len(files) > most:
		return strings.Join(files[:most], ", ") + fmt.Sprintf(" and %d more", len(files)-most)
	}
	return strings.Join(files, ", ")
}

func lastBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := text[len(text)-most:]
	for len(cut) > 0 && !utf8.RuneStart(cut[0]) {
		cut = cut[1:]
	}
	return cut
}

func firstRunes(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Package plantask runs a complex task of the coordinator as a plan: the planner decomposes it, a person approves it if
// wanted, and coding CLIs run it. The plan's progress and result are reported as the task's (requirements CO-3,
// ME-8).
package plantask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Order is how complex tasks are run. Without a worker, plans aren't set up.
type Order struct {
	planner.Order
	AskPlan bool // in the inbox, before the plan is worked
}

// Worker runs complex tasks as plans. It implements worker.Worker.
type Worker struct {
	Planner  *planner.Machine
	Executor *planexec.Machine
	Order    Order
	Model    llm.Model     // of the agent: the planner's model if the order names none
	Alone    worker.Worker // runs what can't be a plan here
	Asker    tool.Asker
	Getenv   func(string) string
}

var _ worker.Worker = (*Worker)(nil)

// question is the tool name shown in the inbox.
const question = "work plan"

// Reasons of errors.
const (
	ReasonRefused = "plan_refused" // by a person
	ReasonFailed  = "plan_failed"  // some of its tasks failed: details.plan
)

// Run implements worker.Worker. The result is {"text","plan","tasks":[{"id","title","status"}]}. A resumed task
// continues with its plan.
func (w *Worker) Run(ctx context.Context, job worker.Job, tell func(worker.Update) error) (json.RawMessage, error) {
	if why := w.missing(); why != "" {
		if err := tell(worker.Update{Log: "one agent does this complex task alone, without a plan: " + why}); err != nil {
			return nil, err
		}
		return w.Alone.Run(ctx, job, tell)
	}
	w.Order.Model = llm.Model(cmp.Or(string(w.Order.Model), w.Getenv(meta.EnvModel), string(w.Model)))
	p, err := w.Planner.CreateFor(ctx, job.TaskID, job.Prompt)
	if err != nil {
		return nil, err
	}
	earlier, err := w.Planner.Get(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	e := &taskRun{Worker: w, id: p.ID, job: job, tell: tell, before: spent(&earlier).Least(job.Envelope.Spent), stands: map[plan.ID]plan.Status{}}
	result, err := e.toTheEnd(ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
		if !errors.Is(err, worker.ErrStopped) {
			e.giveUp(context.WithoutCancel(ctx))
		}
	}
	return result, err
}

// missing returns why there can't be a plan here, or "".
func (w *Worker) missing() string {
	if w.Order.Worker == "" {
		return "no coding CLI is set up for complex tasks (complexTasks.worker in the settings file)"
	}
	if w.Order.Folder == "" {
		return "neither the settings (complexTasks.folder) nor the agent (workspace) name a folder to work in"
	}
	return codecli.Missing(codecli.Kind(w.Order.Worker), w.Order.Command)
}

// taskRun is one task that is run as a plan.
type taskRun struct {
	*Worker
	id     planner.ID
	job    worker.Job
	tell   func(worker.Update) error
	before task.Spent // by earlier attempts, already reported; later costs are reported now
	told   task.Spent
	stands map[plan.ID]plan.Status // the last reported statuses
}

func (e *taskRun) toTheEnd(ctx context.Context) (json.RawMessage, error) {
	if err := e.planned(ctx); err != nil {
		return nil, err
	}
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	w, err := e.until(ctx, func(w *planner.Whole) (bool, error) {
		if err := e.report(w); err != nil {
			return false, err
		}
		return over(w.Work), nil
	})
	if err != nil {
		return nil, err
	}
	switch w.Work.State {
	case planner.Paused:
		return nil, w.Work.Failure
	case planner.Stopped:
		return nil, errcode.New(errcode.Forbidden, "the work on the plan %s was canceled", w.Name).With(errcode.KeyReason, ReasonRefused).With("plan", string(e.id))
	}
	return e.result(w)
}

// over reports whether the work has ended. A plan paused by a person or by the hub's end continues later.
func over(w *planner.Work) bool {
	switch w.State {
	case planner.Working:
		return false
	case planner.Paused:
		return w.Failure != nil && w.Failure.Reason() != planexec.ReasonRestarted
	}
	return true
}

// planned gets the task's plan created and approved.
func (e *taskRun) planned(ctx context.Context) error {
	now, err := e.Planner.Get(ctx, e.id)
	if err != nil {
		return err
	}
	of := e.proposal(&now)
	if of == "" {
		if err := e.tell(worker.Update{Log: fmt.Sprintf("the planner %s breaks the task down into the plan %s", e.Order.Model, e.id), Progress: 1}); err != nil {
			return err
		}
		asked, err := e.Planner.Proposals().Ask(ctx, e.id, e.job.Prompt, string(e.Order.Model))
		if err != nil {
			return err
		}
		of = asked.ID
	}
	return e.approved(ctx, of)
}

// proposal returns the proposal for the task's goal that is open or accepted.
func (e *taskRun) proposal(w *planner.Whole) planner.ProposalID {
	for _, p := range slices.Backward(w.Proposals) {
		if p.Request == e.job.Prompt && (p.State.Open() || p.State == planner.Accepted) {
			return p.ID
		}
	}
	return ""
}

// approved waits for the planner's answer and for the person, who can also accept the proposal on its own page.
func (e *taskRun) approved(ctx context.Context, of planner.ProposalID) error {
	var p planner.Shown
	_, err := e.until(ctx, func(w *planner.Whole) (bool, error) {
		p = find(w, of)
		return p.State != planner.Asking, e.cost(w)
	})
	if err != nil {
		return err
	}
	if p.State == planner.Waiting && e.Order.AskPlan {
		if err := e.asked(ctx, &p); err != nil {
			return err
		}
	}
	now, err := e.Planner.Get(ctx, e.id)
	if err != nil {
		return err
	}
	switch p = find(&now, of); p.State {
	case planner.Accepted:
		return nil
	case planner.Waiting:
		return e.Planner.Proposals().Accept(ctx, e.id, of, now.Head, true)
	case planner.Failed:
		return p.Failure
	}
	return refused(e.id)
}

func refused(id planner.ID) error {
	return errcode.New(errcode.Forbidden,
		"the plan was refused").With(errcode.KeyReason, ReasonRefused).With("plan", string(id))
}

// asked asks the person in the inbox, until they answer there or decide on the proposal's page.
func (e *taskRun) asked(ctx context.Context, p *planner.Shown) error {
	if err := e.tell(worker.Update{Log: fmt.Sprintf("the plan %s waits for a person's approval in the inbox", e.id), Progress: 5}); err != nil {
		return err
	}
	titles := make([]string, 0, len(p.Changes))
	for _, c := range p.Changes {
		titles = append(titles, c.Title)
	}
	arguments, err := json.Marshal(map[string]any{
		"plan": e.id, "understanding": p.Patch.Payload.Understanding, "tasks": titles, "folder": e.Order.Folder,
		"worker": e.Order.Worker, "test": e.Order.Test})
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the question cannot be written")
	}
	asking, withdraw := context.WithCancelCause(ctx)
	var judged sync.WaitGroup
	judged.Go(func() {
		withdraw(safego.Call(asking, nil, "the wait for a judgement", func() error {
			_, err := e.until(asking, func(w *planner.Whole) (bool, error) { return find(w, p.ID).State != planner.Waiting, nil })
			return cmp.Or(err, errJudged)
		}))
	})
	v, err := e.Asker.Ask(asking, tool.Question{Tool: question, Arguments: arguments})
	withdraw(nil)
	judged.Wait()
	switch {
	case errors.Is(context.Cause(asking), errJudged):
		return nil
	case err != nil:
		return err
	case v.Allow:
		return nil
	}
	if err := e.Planner.Proposals().Refuse(ctx, e.id, p.ID); err != nil && !errcode.HasReason(err, planner.ReasonEnded) {
		return err
	}
	return refused(e.id)
}

var errJudged = errors.New("errand: the proposal was judged on its own screen")

func find(w *planner.Whole, id planner.ProposalID) planner.Shown {
	for _, p := range w.Proposals {
		if p.ID == id {
			return p
		}
	}
	return planner.Shown{}
}

// begin starts the plan, or resumes it after an earlier attempt.
func (e *taskRun) begin(ctx context.Context) error {
	p, err := e.Planner.Plan(e.id)
	if err != nil {
		return err
	}
	switch {
	case p.Work == nil, p.Work.Held && p.Done < p.Tasks: // what a backup says of the order doesn't count
		err = e.Executor.Start(ctx, e.id, e.Order.Order)
	case p.Work.State == planner.Stopped, p.Work.State == planner.Ended && p.Done == p.Tasks:
		return nil
	case p.Work.State == planner.Paused && p.Work.Failure == nil: // by a person, who will resume it
		return nil
	default:
		err = e.Executor.Resume(ctx, e.id, planner.Budget{})
	}
	if errcode.HasReason(err, planexec.ReasonWorked) {
		return nil
	}
	return err
}

// until waits for a state of the plan.
func (e *taskRun) until(ctx context.Context, is func(*planner.Whole) (bool, error)) (*planner.Whole, error) {
	for {
		changes := e.Planner.Subscribe(1) // subscribe first, so that no change is missed
		w, err := e.Planner.Get(ctx, e.id)
		if err == nil {
			var done bool
			if done, err = is(&w); done && err == nil {
				changes.Close()
				return &w, nil
			}
		}
		if err == nil {
			select {
			case _, more := <-changes.C(): // a lagging subscription closes, which also means a change
				if !more && changes.Err() == nil { // the hub stops
					<-ctx.Done()
					err = context.Cause(ctx)
				}
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		changes.Close()
		if err != nil {
			return nil, err
		}
	}
}

// report reports the new statuses of the plan's tasks.
func (e *taskRun) report(w *planner.Whole) error {
	if err := e.cost(w); err != nil {
		return err
	}
	for _, t := range w.Plan.Tasks {
		at, worked := w.Progress[t.ID]
		if !worked || e.stands[t.ID] == at.Status {
			continue
		}
		e.stands[t.ID] = at.Status
		text := fmt.Sprintf("%s: %s", t.Title, at.Status)
		if at.Error != "" {
			text += ", " + at.Error
		}
		if err := e.tell(worker.Update{Log: text, Progress: 10 + 85*float64(w.Done)/float64(max(1, w.Tasks))}); err != nil {
			return err
		}
	}
	return nil
}

// cost reports the plan's cost within this attempt: planner calls and work.
func (e *taskRun) cost(w *planner.Whole) error {
	if now := spent(w).Since(e.before); now != e.told {
		e.told = now
		return e.tell(worker.Update{Spent: &now})
	}
	return nil
}

// spent returns the cost of a plan: planner calls and work.
func spent(w *planner.Whole) (all task.Spent) {
	for _, p := range w.Proposals {
		all = all.Plus(task.Spent{TokensIn: p.TokensIn, TokensOut: p.TokensOut, USD: p.CostUSD, Unpriced: p.Unpriced})
	}
	if at := w.Work; at != nil {
		all = all.Plus(task.Spent{TokensIn: at.TokensIn, TokensOut: at.TokensOut, USD: at.USD, Unpriced: at.Unpriced || at.Untold > 0})
	}
	return all
}

func (e *taskRun) result(w *planner.Whole) (json.RawMessage, error) {
	type done struct {
		ID     plan.ID     `json:"id"`
		Title  string      `json:"title"`
		Status plan.Status `json:"status"`
	}
	var open []string
	all := []done{}
	for _, t := range w.Plan.Tasks {
		all = append(all, done{t.ID, t.Title, t.Status})
		if t.Status != plan.Complete && t.Status != "" {
			open = append(open, strings.TrimSpace(fmt.Sprintf("%s is %s. %s", t.Title, t.Status, w.Progress[t.ID].Error)))
		}
	}
	if len(open) > 0 {
		return nil, errcode.New(errcode.Validation,
			"%d of %d tasks of the plan are complete: %s", w.Done, w.Tasks, strings.Join(open, "; ")).
			With(errcode.KeyReason, ReasonFailed).With("plan", string(e.id))
	}
	text := fmt.Sprintf("The plan is complete (tasks: %d). Its work is in %s.", len(all), w.Work.Folder)
	return json.Marshal(struct {
		Text  string     `json:"text"`
		Plan  planner.ID `json:"plan"`
		Tasks []done     `json:"tasks"`
	}{text, e.id, all})
}

// patience is how long giveUp waits for the plan's work to end.
const patience = time.Minute

// giveUp cancels everything for the plan, because it is no longer wanted.
func (e *taskRun) giveUp(ctx context.Context) {
	ctx, release := context.WithTimeout(ctx, patience)
	defer release()
	_ = e.Executor.Cancel(ctx, e.id) // it may have ended, or not started
	if w, err := e.Planner.Get(ctx, e.id); err == nil {
		for _, p := range w.Proposals {
			switch p.State {
			case planner.Asking:
				_ = e.Planner.Proposals().Cancel(ctx, e.id, p.ID)
			case planner.Waiting:
				_ = e.Planner.Proposals().Refuse(ctx, e.id, p.ID)
			}
		}
	}
}

package plansapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/worktree"
	"agentflow/backend/server/httperr"
)

// Executor has plans worked. *planexec.Machine is one.
type Executor interface {
	Start(ctx context.Context, id planner.ID, o planner.Order) error
	Pause(ctx context.Context, id planner.ID) error
	Resume(ctx context.Context, id planner.ID, b planner.Budget) error
	Cancel(ctx context.Context, id planner.ID) error
	Retry(ctx context.Context, id planner.ID, task plan.ID) error
	Workers(ctx context.Context) []codecli.Found
	Changes(ctx context.Context, id planner.ID, task plan.ID, attempt int) (planexec.TaskChanges, error)
	File(ctx context.Context, id planner.ID, task plan.ID, attempt int, path string) (worktree.Sides, error)
}

var _ Executor = (*planexec.Machine)(nil)

func (s *Routes) registerWork(api huma.API) {
	route := func(method, path, id, summary string) huma.Operation {
		return httperr.Route(method, path, id, summary, "plans")
	}
	huma.Register(api, route(http.MethodGet, "/api/plans/workers", "listPlanWorkers", "List coding CLIs\n"+
		"Shows which coding CLIs are installed on the hub's computer."), httperr.Handler(s.Logger, s.workers))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/run", "runPlan", "Run a plan\n"+
		"Starts coding CLIs on the plan's tasks in a folder of the hub's computer. The request itself is the "+
		"approval."), httperr.Handler(s.Logger, s.run))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/pause", "pausePlan", "Pause a plan\n"+
		"Answers when all workers stopped. `resume` continues where they were."), httperr.Handler(s.Logger, s.pause))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/resume", "resumePlan", "Resume a plan\n"+
		"Continues a plan that is paused or has ended. A body changes its budget."), httperr.Handler(s.Logger, s.resume))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/cancel", "cancelPlan", "Cancel a plan\n"+
		"Stops the workers. Work that isn't merged stays on its branch. `resume` continues the plan."), httperr.Handler(s.Logger, s.end))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/tasks/{task}/retry", "retryPlanTask", "Retry a plan task\n"+
		"Runs a failed task again. A plan that has ended continues."), httperr.Handler(s.Logger, s.retry))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/tasks/{task}/changes", "listPlanTaskChanges", "List files changed by a plan task"), httperr.Handler(s.Logger, s.changes))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/tasks/{task}/file", "getPlanTaskFile", "Get a file changed by a plan task\n"+
		"Returns the file before and after."), httperr.Handler(s.Logger, s.taskFile))
}

type planWorkers struct {
	Body struct {
		Workers []codecli.Found `json:"workers"`
	}
}

func (s *Routes) workers(ctx context.Context, _ *struct{}) (*planWorkers, error) {
	out := &planWorkers{}
	out.Body.Workers = s.Executor.Workers(ctx)
	return out, nil
}

type planOrdering struct {
	Path
	Body planner.Order
}

func (s *Routes) run(ctx context.Context, in *planOrdering) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Executor.Start(ctx, in.ID, in.Body))
}

func (s *Routes) pause(ctx context.Context, in *Path) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Executor.Pause(ctx, in.ID))
}

type planResuming struct {
	Path
	Body planner.Budget
}

func (s *Routes) resume(ctx context.Context, in *planResuming) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Executor.Resume(ctx, in.ID, in.Body))
}

func (s *Routes) end(ctx context.Context, in *Path) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Executor.Cancel(ctx, in.ID))
}

type planRetrying struct {
	Path
	Task plan.ID `path:"task" maxLength:"200" doc:"ID of the plan task."`
}

func (s *Routes) retry(ctx context.Context, in *planRetrying) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Executor.Retry(ctx, in.ID, in.Task))
}

// TaskPath names a task of a plan, and one of its tries.
type TaskPath struct {
	Path
	Task    plan.ID `path:"task" maxLength:"200" doc:"ID of the plan task."`
	Attempt int     `query:"attempt" minimum:"0" doc:"Number of the attempt, from 1. Default: 0, the last one."`
}

type planTaskChanges struct{ Body planexec.TaskChanges }

func (s *Routes) changes(ctx context.Context, in *TaskPath) (*planTaskChanges, error) {
	c, err := s.Executor.Changes(ctx, in.ID, in.Task, in.Attempt)
	return &planTaskChanges{c}, err
}

type planTaskFile struct {
	TaskPath
	File string `query:"path" required:"true" minLength:"1" maxLength:"4000" doc:"Path of one of the changed files, 1 to 4000 characters."`
}

type planTaskSides struct{ Body worktree.Sides }

func (s *Routes) taskFile(ctx context.Context, in *planTaskFile) (*planTaskSides, error) {
	f, err := s.Executor.File(ctx, in.ID, in.Task, in.Attempt, in.File)
	return &planTaskSides{f}, err
}

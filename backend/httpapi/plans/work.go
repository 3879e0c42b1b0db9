package plans

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/codecli"
	"agentflow/backend/foreman"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/plan"
	"agentflow/backend/planner"
	"agentflow/backend/worktree"
)

// Foreman has plans worked. *foreman.Machine is one.
type Foreman interface {
	Start(ctx context.Context, id planner.ID, o planner.Order) error
	Pause(ctx context.Context, id planner.ID) error
	Resume(ctx context.Context, id planner.ID, b planner.Budget) error
	Cancel(ctx context.Context, id planner.ID) error
	Retry(ctx context.Context, id planner.ID, task plan.ID) error
	Workers(ctx context.Context) []codecli.Found
	Changes(ctx context.Context, id planner.ID, task plan.ID, attempt int) (foreman.TaskChanges, error)
	File(ctx context.Context, id planner.ID, task plan.ID, attempt int, path string) (worktree.Sides, error)
}

var _ Foreman = (*foreman.Machine)(nil)

func (s *Routes) registerWork(api huma.API) {
	route := func(method, path, id, summary string) huma.Operation {
		return answer.Route(method, path, id, summary, "plans")
	}
	huma.Register(api, route(http.MethodGet, "/api/plans/workers", "listPlanWorkers", "The coding CLIs as they are on the hub's computer"), answer.Handler(s.Logger, s.workers))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/run", "runPlan", "Have the plan worked; the request is the approval"), answer.Handler(s.Logger, s.run))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/pause", "pausePlan", "Stop the work so that it can go on where it was; answers when everything has ended"), answer.Handler(s.Logger, s.pause))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/resume", "resumePlan", "Go on with a plan that is paused or has ended"), answer.Handler(s.Logger, s.resume))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/cancel", "cancelPlan", "End the work; what is not merged stays on its branch"), answer.Handler(s.Logger, s.end))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/tasks/{task}/retry", "retryPlanTask", "Try a failed task again; a plan that has ended is worked again"), answer.Handler(s.Logger, s.retry))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/tasks/{task}/changes", "listPlanTaskChanges", "The files that a try of a task has changed"), answer.Handler(s.Logger, s.changes))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/tasks/{task}/file", "getPlanTaskFile", "One of those files, before and after"), answer.Handler(s.Logger, s.taskFile))
}

type planWorkers struct {
	Body struct {
		Workers []codecli.Found `json:"workers"`
	}
}

func (s *Routes) workers(ctx context.Context, _ *struct{}) (*planWorkers, error) {
	out := &planWorkers{}
	out.Body.Workers = s.Foreman.Workers(ctx)
	return out, nil
}

type planOrdering struct {
	Path
	Body planner.Order
}

func (s *Routes) run(ctx context.Context, in *planOrdering) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Foreman.Start(ctx, in.ID, in.Body))
}

func (s *Routes) pause(ctx context.Context, in *Path) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Foreman.Pause(ctx, in.ID))
}

type planResuming struct {
	Path
	Body planner.Budget
}

func (s *Routes) resume(ctx context.Context, in *planResuming) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Foreman.Resume(ctx, in.ID, in.Body))
}

func (s *Routes) end(ctx context.Context, in *Path) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Foreman.Cancel(ctx, in.ID))
}

type planRetrying struct {
	Path
	Task plan.ID `path:"task" maxLength:"200"`
}

func (s *Routes) retry(ctx context.Context, in *planRetrying) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Foreman.Retry(ctx, in.ID, in.Task))
}

// TaskPath names a task of a plan, and one of its tries.
type TaskPath struct {
	Path
	Task    plan.ID `path:"task" maxLength:"200"`
	Attempt int     `query:"attempt" minimum:"0" doc:"from 1; default: the last"`
}

type planTaskChanges struct{ Body foreman.TaskChanges }

func (s *Routes) changes(ctx context.Context, in *TaskPath) (*planTaskChanges, error) {
	c, err := s.Foreman.Changes(ctx, in.ID, in.Task, in.Attempt)
	return &planTaskChanges{c}, err
}

type planTaskFile struct {
	TaskPath
	File string `query:"path" required:"true" minLength:"1" maxLength:"4000" doc:"one of those that changed"`
}

type planTaskSides struct{ Body worktree.Sides }

func (s *Routes) taskFile(ctx context.Context, in *planTaskFile) (*planTaskSides, error) {
	f, err := s.Foreman.File(ctx, in.ID, in.Task, in.Attempt, in.File)
	return &planTaskSides{f}, err
}

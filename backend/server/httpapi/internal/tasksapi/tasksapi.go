// Package tasksapi serves the coordinator: the routes of the seeds at the root (CO-3 to CO-6,
// AG-1 to AG-3), and streams of a task's events.
package tasksapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Routes are the routes about tasks.
type Routes struct {
	Coordinator *coordinator.Machine
	Logger      *slog.Logger
	Pace        *auth.Pace // how fast callers submit tasks; nil: as they like

	streams auth.Shares   // that are open
	lag     time.Duration // a test's; 0 is maxLag
}

// Register adds the routes.
func (s *Routes) Register(api huma.API, mux *httperr.Mux) {
	const tag = "tasks"
	route := func(method, path, id, summary string) huma.Operation {
		o := httperr.Also(httperr.Route(method, path, id, summary, tag), http.StatusTooManyRequests,
			http.StatusServiceUnavailable)
		if method == http.MethodPost {
			o = httperr.Also(o, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage)
		}
		return o
	}
	huma.Register(api, route(http.MethodPost, "/submit_task", "submitTask", "Submit a task\n"+
		"Adds a task to the team's queue (CO-3). When the answer arrives, the task is on disk and survives a "+
		"restart. With an `Idempotency-Key`, you can safely retry."), httperr.Handler(s.Logger, s.submit))
	huma.Register(api, route(http.MethodPost, "/tasks", "assignTask", "Assign a task to the hub\n"+
		"For other agents (AG-1). A repeated request with the same `taskId` is the same task."), httperr.Handler(s.Logger, s.assign))
	huma.Register(api, route(http.MethodGet, "/tasks", "listTasks", "List tasks\n"+
		"The newest task comes first. Page with `before`."), httperr.Handler(s.Logger, s.list))
	huma.Register(api, route(http.MethodGet, "/tasks/{taskId}", "getTask", "Get a task\n"+
		"Returns the task with its attempts and its result."), httperr.Handler(s.Logger, s.get))
	huma.Register(api, route(http.MethodGet, "/tasks/{taskId}/status", "taskStatus", "Get a task's status\n"+
		"Returns the status, progress and result (CO-4). A canceled task is `failed` here, with `cancelled`."),
		httperr.Handler(s.Logger, s.status))
	huma.Register(api, route(http.MethodPost, "/tasks/{taskId}/result", "reportTask", "Report a task result\n"+
		"For the agent that runs the task (AG-2). A report for an earlier attempt is ignored."), httperr.Handler(s.Logger, s.report))
	huma.Register(api, route(http.MethodPost, "/tasks/{taskId}/delegations", "delegateTask", "Delegate a task\n"+
		"For the agent that runs the task. Creates a subtask for another agent. A repeated request with the same "+
		"key returns the first subtask."), httperr.Handler(s.Logger, s.delegate))
	huma.Register(
		api,
		route(http.MethodGet, "/tasks/{taskId}/delegations/{childId}", "awaitDelegated", "Wait for a delegated task\n"+
			"Answers when the subtask has ended, or after `wait` seconds with its current status."),
		httperr.Handler(s.Logger, s.awaitDelegated),
	)
	huma.Register(api, route(http.MethodPost, "/tasks/{taskId}/cancel", "cancelTask", "Cancel a task\n"+
		"Stops the task and everything that was delegated for it. Its status becomes `canceled`. CONFLICT if it "+
		"has ended."), httperr.Handler(s.Logger, s.cancel))
	huma.Register(api, route(http.MethodPost, "/tasks/{taskId}/resume", "resumeTask", "Resume a restored task\n"+
		"Starts a task that came with a restored backup and waits for a person."), httperr.Handler(s.Logger, s.resume))
	huma.Register(api, route(http.MethodPost, "/tasks/{taskId}/retry", "retryTask", "Retry a task\n"+
		"Submits a failed or canceled task again as a new one. Each of the two names the other."),
		httperr.Handler(s.Logger, s.retry))
	huma.Register(api, route(http.MethodGet, "/status", "agentStatus", "Get the hub's status\n"+
		"Describes the hub as an agent: its role, its tools and its current task (AG-3)."), httperr.Handler(s.Logger, s.agentStatus))
	huma.Register(api, route(http.MethodGet, "/api/tasks", "overviewTasks", "List task summaries\n"+
		"The newest task comes first. Includes the number of tasks per status."), httperr.Handler(s.Logger, s.overview))
	huma.Register(api, route(http.MethodGet, "/api/task-agents", "listTaskAgents", "List agents for tasks\n"+
		"Lists the agents of the applied team and of the added gateways, and whether they can take tasks."),
		httperr.Handler(s.Logger, s.candidates))
	mux.HandleFunc("GET /tasks/{taskId}/events", s.serveEvents)
	mux.HandleFunc("GET /tasks/{taskId}/stream", s.serveStream)
}

type submission struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"200" doc:"Idempotency key, at most 200 characters. A repeated request with the same key returns the first task. Default: each request is a new task."`
	Body           struct {
		SessionID  string          `json:"sessionId" minLength:"1" maxLength:"200" doc:"Session that the task belongs to, at most 200 characters."`
		UserPrompt string          `json:"userPrompt" minLength:"1" maxLength:"524288" doc:"What to do, at most 512 KiB."`
		TaskType   task.Type       `json:"taskType" doc:"Type of the task."`
		Context    json.RawMessage `json:"context,omitempty" doc:"More data as an object. AgentFlow reads agent, priority, timeoutSec and budget {tokens, usd, seconds}, and passes on the rest. Default: none."`
	}
}

type submitted struct {
	Body struct {
		TaskID  task.ID        `json:"taskId"`
		Status  string         `json:"status" enum:"accepted,rejected"`
		Message string         `json:"message" doc:"Reason of a rejection."`
		Cause   *errcode.Cause `json:"cause,omitempty" doc:"Reason of a rejection, for programs."`
	}
}

func (s *Routes) submit(ctx context.Context, in *submission) (*submitted, error) {
	return s.take(
		ctx,
		task.Task{
			SessionID: in.Body.SessionID,
			Type:      in.Body.TaskType,
			Prompt:    in.Body.UserPrompt,
			Context:   in.Body.Context,
		},
		in.IdempotencyKey,
	)
}

func (s *Routes) take(ctx context.Context, t task.Task, key string) (*submitted, error) {
	auth.Say(ctx, t.Prompt)
	if err := s.Pace.Submit(ctx); err != nil {
		return nil, err
	}
	by := auth.By(ctx)
	t.Caller = task.Origin{ID: by.ID, Name: by.Name}
	got, err := s.Coordinator.Submit(ctx, t, key)
	if err != nil {
		return nil, err
	}
	out := &submitted{}
	out.Body.TaskID, out.Body.Status, out.Body.Message = got.Task.ID, "accepted", "the task waits for an agent"
	switch {
	case got.Rejected != "":
		out.Body.Status, out.Body.Message, out.Body.Cause = "rejected", got.Rejected, got.Cause
	case got.Again:
		out.Body.Message = "the task had been submitted before"
	}
	return out, nil
}

type assignment struct {
	Body struct {
		TaskID   task.ID         `json:"taskId" minLength:"1" maxLength:"200" doc:"ID that the caller chose, at most 200 characters. A repeated ID is the same task."`
		TaskType string          `json:"taskType" minLength:"1" maxLength:"200" doc:"Type of the task, at most 200 characters."`
		Prompt   string          `json:"prompt" minLength:"1" maxLength:"524288" doc:"What to do, at most 512 KiB."`
		Context  json.RawMessage `json:"context,omitempty" doc:"More data for the task, as an object. Default: none."`
	}
}

type assigned struct {
	Body struct {
		Status  string `json:"status" enum:"accepted,rejected"`
		Message string `json:"message" doc:"Reason of a rejection."`
	}
}

// assign takes a task as agents give them. Their types are free; one that is not the
// coordinator's own is a complex task.
func (s *Routes) assign(ctx context.Context, in *assignment) (*assigned, error) {
	t := task.Task{
		ID:        in.Body.TaskID,
		SessionID: "agents",
		Type:      task.Type(in.Body.TaskType),
		Prompt:    in.Body.Prompt,
		Context:   in.Body.Context,
	}
	if _, ok := task.TypeOf(t.Type); !ok {
		t.Type = task.ComplexTask
	}
	got, err := s.take(ctx, t, "")
	if err != nil {
		return nil, err
	}
	out := &assigned{}
	out.Body.Status, out.Body.Message = got.Body.Status, got.Body.Message
	return out, nil
}

type listQuery struct {
	Status task.Status `query:"status" enum:"pending,in_progress,completed,failed,canceled" doc:"Only tasks with this status. Default: all statuses."`
	Before task.ID     `query:"before" maxLength:"200" doc:"Only tasks older than this ID. Default: from the newest."`
	Limit  int         `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"Maximum number of tasks, 1 to 500. Default: 50."`
}

type listed struct {
	Body struct {
		Tasks []coordinator.Detail `json:"tasks"`
	}
}

func (s *Routes) list(ctx context.Context, in *listQuery) (*listed, error) {
	all, err := s.Coordinator.Tasks(ctx, coordinator.Query{Status: in.Status, Before: in.Before, Limit: in.Limit})
	out := &listed{}
	for i := range all {
		out.Body.Tasks = append(out.Body.Tasks, s.Coordinator.Detail(all[i]))
	}
	return out, err
}

// TaskPath names a task.
type TaskPath struct {
	TaskID task.ID `path:"taskId" maxLength:"200" doc:"ID of the task."`
}

type gotTask struct{ Body coordinator.Detail }

func (s *Routes) get(ctx context.Context, in *TaskPath) (*gotTask, error) {
	t, err := s.Coordinator.Task(ctx, in.TaskID)
	return &gotTask{s.Coordinator.Detail(t)}, err
}

type taskStatus struct {
	Body struct {
		TaskID       task.ID         `json:"taskId"`
		Status       task.Status     `json:"status" enum:"pending,in_progress,completed,failed"`
		Cancelled    bool            `json:"cancelled,omitempty" doc:"A person canceled the task. Its status is failed."`
		Progress     float64         `json:"progress" minimum:"0" maximum:"100" doc:"Progress in percent, 0 to 100. It never falls."`
		Result       json.RawMessage `json:"result,omitempty" doc:"Result. Only of a completed task."`
		ErrorMessage string          `json:"errorMessage,omitempty" doc:"Why it failed or was canceled."`
	}
}

func (s *Routes) status(ctx context.Context, in *TaskPath) (*taskStatus, error) {
	t, err := s.Coordinator.Task(ctx, in.TaskID)
	return statusOf(&t), err
}

// statusOf returns the status of a task as coordinators and agents know it.
func statusOf(t *task.Task) *taskStatus {
	out := &taskStatus{}
	b := &out.Body
	b.TaskID, b.Status, b.Cancelled = t.ID, t.Status.Seed(), t.Status == task.Canceled
	b.Progress, b.Result, b.ErrorMessage = t.Progress, t.Result, t.ErrorMessage
	return out
}

type report struct {
	TaskPath
	Attempt int `header:"Agentflow-Attempt" minimum:"1" doc:"Number of the attempt, from 1, as context.agentflow.attempt of the assignment. A report for an earlier attempt is ignored. Default: the current attempt."`
	Body    worker.Report
}

type reported struct {
	Body struct {
		Success bool `json:"success" doc:"false: the task ended another way. Stop working on it."`
	}
}

func (s *Routes) report(ctx context.Context, in *report) (*reported, error) {
	agent, ok := auth.Agent(ctx)
	if !ok {
		return nil, errcode.New(errcode.Forbidden,
			"only the agent that holds a task reports its result: send the agent's own secret")
	}
	if in.Body.Status == worker.ReportCompleted && len(in.Body.Result) == 0 {
		in.Body.Result = json.RawMessage(`{}`)
	}
	if !object(in.Body.Result) {
		return nil, errcode.New(errcode.Validation, "result must be an object").With(errcode.KeyField, "result")
	}
	in.Body.Attempt = in.Attempt
	done, err := s.Coordinator.Report(ctx, topology.AgentID(agent), in.TaskID, in.Body)
	out := &reported{}
	out.Body.Success = done
	return out, err
}

// object reports whether data is a JSON object, or nothing.
func object(data json.RawMessage) bool {
	var fields map[string]json.RawMessage
	return len(data) == 0 || json.Unmarshal(data, &fields) == nil && fields != nil
}

func (s *Routes) resume(ctx context.Context, in *TaskPath) (*gotTask, error) {
	if err := s.Coordinator.Resume(ctx, in.TaskID); err != nil {
		return nil, err
	}
	return s.get(ctx, in)
}

func (s *Routes) cancel(ctx context.Context, in *TaskPath) (*gotTask, error) {
	if err := s.Coordinator.Cancel(ctx, in.TaskID); err != nil {
		return nil, err
	}
	return s.get(ctx, in)
}

func (s *Routes) retry(ctx context.Context, in *TaskPath) (*submitted, error) {
	old, err := s.Coordinator.Task(ctx, in.TaskID)
	if err != nil {
		return nil, err
	}
	if old.Status != task.Failed && old.Status != task.Canceled {
		return nil, errcode.New(errcode.Conflict,
			"the task %s is %s. You can retry only failed and canceled tasks", old.ID, old.Status).
			With(errcode.KeyReason, "not_failed")
	}
	return s.take(ctx, task.Task{SessionID: old.SessionID, Type: old.Type, Prompt: old.Prompt, Context: old.Context,
		RetryOf: old.ID}, "")
}

type agentStatus struct {
	Body struct {
		AgentName      string   `json:"agentName" doc:"Name of the hub as an agent."`
		Role           string   `json:"role"`
		Status         string   `json:"status" enum:"idle,busy,error" doc:"idle: no task runs. busy: a task runs. error: the hub can't run tasks."`
		CurrentTask    task.ID  `json:"currentTask,omitempty" doc:"ID of the task that runs now."`
		AvailableTools []string `json:"availableTools" doc:"Kinds of work that the team can do."`
	}
}

func (s *Routes) agentStatus(context.Context, *struct{}) (*agentStatus, error) {
	out := &agentStatus{}
	b := &out.Body
	b.AgentName, b.Role, b.Status, b.AvailableTools = "agentflow", "Coordinator", "idle", []string{}
	if busy := s.Coordinator.Busy(); len(busy) > 0 {
		b.Status, b.CurrentTask = "busy", slices.Min(busy)
	}
	return out, nil
}

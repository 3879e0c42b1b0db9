package tasksapi

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/mcpserver"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// Offered is the hub's team for its MCP server.
type Offered struct {
	Coordinator *coordinator.Machine
	Pace        *auth.Pace // how fast callers submit tasks; nil: as they like
}

var _ mcpserver.Team = Offered{}

// Submit implements mcpserver.Team.
func (o Offered) Submit(ctx context.Context, w mcpserver.Work) (mcpserver.Status, error) {
	extra, err := w.Context()
	if err != nil {
		return mcpserver.Status{}, errcode.Wrap(errcode.Validation, err, "the task cannot be written")
	}
	routes := Routes{Coordinator: o.Coordinator, Pace: o.Pace}
	t := task.Task{
		SessionID: cmp.Or(w.Session, "mcp"),
		Type:      task.Type(cmp.Or(w.Type, string(task.Chat))),
		Prompt:    w.Text,
		Context:   extra,
	}
	got, err := routes.take(ctx, t, w.Key)
	if err != nil {
		return mcpserver.Status{}, err
	}
	return mcpserver.Status{TaskID: string(got.Body.TaskID), Status: got.Body.Status, Message: got.Body.Message}, nil
}

// Status implements mcpserver.Team.
func (o Offered) Status(ctx context.Context, id string, wait time.Duration) (mcpserver.Status, error) {
	t, err := o.Coordinator.Await(ctx, task.ID(id), wait)
	return offered(&t), err
}

func offered(t *task.Task) mcpserver.Status {
	s := mcpserver.Status{
		TaskID:       string(t.ID),
		Status:       string(t.Status),
		Progress:     t.Progress,
		ErrorMessage: t.ErrorMessage,
	}
	_ = json.Unmarshal(t.Result, &s.Result) // it is an object, or not there yet
	return s
}

// Cancel implements mcpserver.Team.
func (o Offered) Cancel(ctx context.Context, id string) (mcpserver.Status, error) {
	if err := o.Coordinator.Cancel(ctx, task.ID(id)); err != nil {
		return mcpserver.Status{}, err
	}
	return o.Status(ctx, id, 0)
}

// Agents implements mcpserver.Team.
func (o Offered) Agents(ctx context.Context) ([]mcpserver.Agent, error) {
	out := []mcpserver.Agent{}
	for _, c := range o.Coordinator.Candidates(ctx) {
		if c.Gateway != "" {
			continue // tokens can't give tasks to agents of other gateways
		}
		a := mcpserver.Agent{
			ID:   string(c.ID),
			Name: c.Name,
			Role: c.Role,
			May:  c.May,
			Can:  []string{},
			Task: string(c.Task),
		}
		for _, typ := range c.Can {
			a.Can = append(a.Can, string(typ))
		}
		out = append(out, a)
	}
	return out, nil
}

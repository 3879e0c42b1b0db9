package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"agentflow/backend/coordinator"
	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/task"
	"agentflow/backend/tool/mcp/offer"
)

// Offered is the hub's team for its MCP server.
type Offered struct {
	Coordinator *coordinator.Machine
	Pace        *access.Pace // how fast callers submit tasks; nil: as they like
}

var _ offer.Team = Offered{}

// Submit implements offer.Team.
func (o Offered) Submit(ctx context.Context, w offer.Work) (offer.Status, error) {
	extra, err := w.Context()
	if err != nil {
		return offer.Status{}, errcode.Wrap(errcode.Validation, err, "the task cannot be written")
	}
	routes := Routes{Coordinator: o.Coordinator, Pace: o.Pace}
	t := task.Task{SessionID: cmp.Or(w.Session, "mcp"), Type: task.Type(cmp.Or(w.Type, string(task.Chat))), Prompt: w.Text, Context: extra}
	got, err := routes.take(ctx, t, w.Key)
	if err != nil {
		return offer.Status{}, err
	}
	return offer.Status{TaskID: string(got.Body.TaskID), Status: got.Body.Status, Message: got.Body.Message}, nil
}

// Status implements offer.Team.
func (o Offered) Status(ctx context.Context, id string, wait time.Duration) (offer.Status, error) {
	t, err := o.Coordinator.Await(ctx, task.ID(id), wait)
	return offered(&t), err
}

func offered(t *task.Task) offer.Status {
	s := offer.Status{TaskID: string(t.ID), Status: string(t.Status), Progress: t.Progress, ErrorMessage: t.ErrorMessage}
	_ = json.Unmarshal(t.Result, &s.Result) // it is an object, or not there yet
	return s
}

// Cancel implements offer.Team.
func (o Offered) Cancel(ctx context.Context, id string) (offer.Status, error) {
	if err := o.Coordinator.Cancel(ctx, task.ID(id)); err != nil {
		return offer.Status{}, err
	}
	return o.Status(ctx, id, 0)
}

// Agents implements offer.Team.
func (o Offered) Agents(ctx context.Context) ([]offer.Agent, error) {
	out := []offer.Agent{}
	for _, c := range o.Coordinator.Candidates(ctx) {
		a := offer.Agent{ID: string(c.ID), Name: c.Name, Role: c.Role, May: c.May, Can: []string{}, Task: string(c.Task)}
		for _, typ := range c.Can {
			a.Can = append(a.Can, string(typ))
		}
		out = append(out, a)
	}
	return out, nil
}

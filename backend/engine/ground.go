package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan/planner"
	"agentflow/backend/store"
	"agentflow/backend/team/library"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// openRollout makes the machine of applies and rollbacks, with those that the last hub didn't end.
func (e *Engine) openRollout() error {
	e.rollout = rollout.New(e.library, store.Alarms{Store: e.store}, e.fleet)
	rollout.KeepFiles(e.rollout, library.NewFileHistory(e.library, store.Files{Store: e.store}))
	e.fleet.guardBy(e.rollout)
	return errors.Join(rollout.Remember(e.rollout, filepath.Join(e.opts.DataDir, "applies.json")),
		rollout.RememberDeleted(e.rollout, filepath.Join(e.opts.DataDir, "deleted-agents.json")))
}

// openInbox loads the questions to a person, of agents and of gateways.
func (e *Engine) openInbox(ctx context.Context, team *roster.Roster) (err error) {
	e.inbox, err = inbox.New(ctx, inbox.Options{
		Store: store.Inbox(e.store), Ground: e.ground(team), Over: e.taskOver, Logger: e.opts.Logger,
	})
	e.fleet.inbox = e.inbox
	return err
}

// ground returns what a question of an agent of the applied team stands on: the agent as its team
// sets it up, and whose task it works on. Without either nothing is known.
func (e *Engine) ground(team *roster.Roster) func(context.Context, inbox.Question) inbox.Ground {
	return func(ctx context.Context, q inbox.Question) inbox.Ground {
		a, is := team.Applied().Agent(topology.AgentID(q.Agent))
		t, err := e.tasks.Task(ctx, task.ID(q.Task))
		works := func(at task.Attempt) bool { return at.Agent == q.Agent }
		if !is || err != nil || !slices.ContainsFunc(t.Attempts, works) {
			return inbox.Ground{}
		}
		setup := a.Clone()
		setup.Connections, setup.AllowAny = nil, false
		return inbox.Ground{
			Team: "gateway:" + config.LocalGateway, Workspace: a.Workspace, Fingerprint: inbox.FingerprintOf(setup),
			Caller: t.Caller.ID, CallerName: t.Caller.Name,
		}
	}
}

// taskOver reports whether a task has ended, or is gone.
func (e *Engine) taskOver(ctx context.Context, id string) bool {
	t, err := e.tasks.Task(ctx, task.ID(id))
	return err == nil && t.Status.Ended() || errcode.Is(err, errcode.NotFound)
}

// planAsker asks a person for a plan, on the ground of the order to work on it.
func (e *Engine) planAsker(plan string, id planner.ID, o planner.Order) tool.Asker {
	on := &inbox.Ground{Team: "plan:" + string(id), Workspace: o.Folder, Fingerprint: inbox.FingerprintOf(o)}
	return inbox.Asker{Inbox: e.inbox, Agent: plan, On: on}
}

package openclaw

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// reopener is a gateway that still treats a deleted agent as deleted after a config brought it back. It refuses the
// agent's sessions and jobs then.
type reopener interface {
	// CreateAgent has the gateway itself create an agent again that it deleted, with the settings that it gives to new
	// ones. The workspace may be "".
	CreateAgent(ctx context.Context, id topology.AgentID, name, workspace string) error
	// ReopenAgent has the gateway use an agent of its config again. It may be called for one that it uses already.
	ReopenAgent(ctx context.Context, id topology.AgentID) error
}

// Missing returns the agents of a that b doesn't have.
func Missing(a, b *topology.Topology) (ids []topology.AgentID) {
	for i := range a.Agents {
		if _, there := b.Agent(a.Agents[i].ID); !there {
			ids = append(ids, a.Agents[i].ID)
		}
	}
	return ids
}

func (p *pusher) reopener() (gw reopener, needed bool) {
	gw, needed = p.gw.(reopener)
	return gw, needed && p.gw.Capabilities().RosterGuard
}

// create has the gateway create those agents of the plan again that it may have deleted: OpenClaw 2026.9.6 takes a
// config with them, but doesn't use them, and can end. It returns what the gateway holds then. Any other change in the
// meantime came from somebody else and stops the push.
func (p *pusher) create(ctx context.Context, before state, todo plan) (state, error) {
	gw, needed := p.reopener()
	if !needed || len(p.recreated) == 0 {
		return before, nil
	}
	want, err := Read(todo.target)
	if err != nil {
		return state{}, err
	}
	there := gatewayconfig.ByID(before.reading.Topology.Agents)
	for _, id := range p.recreated {
		a, wanted := want.Topology.Agent(id)
		if !wanted || there[id] != nil {
			continue
		}
		p.begin(StepApply)
		p.created = append(p.created, id)
		err := p.createOne(ctx, gw, a)
		rescue := p.team != nil && errcode.HasReason(err, errcode.ReasonRejected) && !isPending(err)
		if err != nil && !rescue { // a rollback does without an agent that was never deleted and can't be created
			return state{}, err
		}
	}
	if len(p.created) == 0 {
		return before, nil
	}
	if err := p.gw.WaitReady(ctx); err != nil {
		return state{}, err
	}
	now, err := p.readBack(ctx)
	if err != nil {
		return state{}, err
	}
	p.created = slices.DeleteFunc(p.created, func(id topology.AgentID) bool {
		_, is := now.reading.Topology.Agent(id)
		return !is
	})
	if !onlyCreated(before, now, p.created) {
		return state{}, stale(now.snap, "somebody else changed the gateway's config while agents were being created; "+
			"nothing more was written. Merge the two and apply again")
	}
	return now, nil
}

// isPending reports whether a gateway still cleans up after the deletion of an agent that it is to create.
func isPending(err error) bool { return err != nil && strings.Contains(err.Error(), "still pending") }

// createOne creates one agent. A gateway that still cleans up after the deletion is asked again, a while later.
func (p *pusher) createOne(ctx context.Context, gw reopener, a *topology.Agent) error {
	for try := 1; ; try++ {
		err := p.once(ctx, func() error { return gw.CreateAgent(ctx, a.ID, a.Name, a.Workspace) }, func() bool {
			now, err := p.read(ctx)
			return err == nil && gatewayconfig.ByID(now.reading.Topology.Agents)[a.ID] != nil
		})
		if !isPending(err) || try == newAgentTries || !pause(ctx, time.Duration(try)*readPause) {
			return err
		}
	}
}

// onlyCreated reports whether nothing but the created agents was added to the config.
func onlyCreated(before, now state, created []topology.AgentID) bool {
	there := now.reading.Topology.Clone()
	isCreated := func(a topology.Agent) bool { return slices.Contains(created, a.ID) }
	there.Agents = slices.DeleteFunc(there.Agents, isCreated)
	left := moved(&before.reading.Topology, now).Clone()
	withoutDropped(left, there)
	diffs, _ := compare(left, there)
	return len(diffs) == 0
}

// discard deletes the agents again that were created, because the rest of the push failed. It returns err with what
// became of them.
func (p *pusher) discard(ctx context.Context, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackWithin)
	defer cancel()
	var left []string
	ready := p.gw.WaitReady(ctx)
	now, unread := p.readBack(ctx)
	for _, id := range p.created {
		if _, there := now.reading.Topology.Agent(id); unread == nil && !there {
			continue
		}
		if ready != nil || p.deleteOne(ctx, id) != nil {
			left = append(left, string(id))
		}
	}
	p.created = nil
	if len(left) == 0 {
		return err
	}
	return say(errcode.From(err), "The gateway already has these agents, with its own settings for new ones: "+
		strings.Join(left, ", ")+". Delete them there, or apply again").With("agents", left)
}

// reopen has the gateway use the agents again that came back. One that it doesn't take holds up no other.
func (p *pusher) reopen(ctx context.Context, agents []topology.AgentID) error {
	gw, needed := p.reopener()
	if !needed {
		return nil
	}
	var left []string
	var why error
	for _, id := range agents {
		try := func() error { return gw.ReopenAgent(ctx, id) }
		if slices.Contains(p.created, id) {
			continue
		}
		if err := p.once(ctx, try, func() bool { return try() == nil }); err != nil {
			left, why = append(left, string(id)), err
		}
	}
	if why == nil {
		return nil
	}
	e := say(errcode.From(why), "The gateway has the config, but still treats these agents as deleted: "+
		strings.Join(left, ", ")+". Restart the gateway, or roll back").With("agents", left)
	e.Code = errcode.Gateway
	return e.With(errcode.KeyReason, ReasonNotActive)
}

package openclaw

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// Job is a scheduled job that a gateway deletes with its agent.
type Job struct {
	Agent topology.AgentID `json:"agent"`
	Name  string           `json:"name"`
	Entry json.RawMessage  `json:"entry"` // what adds it again, as the gateway reads it
}

// scheduler is a gateway that deletes the scheduled jobs of an agent with it.
type scheduler interface {
	// Jobs lists them, without those that the gateway adds itself.
	Jobs(ctx context.Context) ([]Job, error)
	// AddJob adds a job once. After an error with reason outcome_unknown, Jobs tells what became of it.
	AddJob(ctx context.Context, j Job) error
}

// NameJobs names in a preview the scheduled jobs that the gateway deletes with the agents. Nothing is sent.
func NameJobs(ctx context.Context, gw Gateway, p *Preview) {
	var ids []topology.AgentID
	for _, d := range p.Deletions {
		if d.ByGateway {
			ids = append(ids, d.Agent)
		}
	}
	jobs, err := jobsOf(ctx, gw, ids)
	for i := range p.Deletions {
		d := &p.Deletions[i]
		d.JobsUnread = err != nil && d.ByGateway
		for _, j := range jobs {
			if j.Agent == d.Agent {
				d.Jobs = append(d.Jobs, j.Name)
			}
		}
	}
}

// jobsOf lists the jobs that the gateway deletes with the agents.
func jobsOf(ctx context.Context, gw Gateway, agents []topology.AgentID) ([]Job, error) {
	s, has := gw.(scheduler)
	if !has || len(agents) == 0 {
		return nil, nil
	}
	jobs, err := s.Jobs(ctx)
	return slices.DeleteFunc(jobs, func(j Job) bool { return !slices.Contains(agents, j.Agent) }), err
}

// UnreadJobs reports whether the gateway deletes scheduled jobs that it didn't list.
func (p Preview) UnreadJobs() bool {
	return slices.ContainsFunc(p.Deletions, func(d Deletion) bool { return d.JobsUnread })
}

// deletedJobs lists the jobs that go with the agents, for the snapshot. Nothing is sent if the preview could list them,
// and now they can't be listed.
func (p *pusher) deletedJobs(ctx context.Context, agents []topology.AgentID) ([]Job, error) {
	jobs, err := jobsOf(ctx, p.gw, agents)
	if err == nil || p.unreadJobs {
		return jobs, nil
	}
	return nil, say(errcode.From(err), "Nothing was sent: the scheduled jobs that the gateway deletes with agents "+
		"couldn't be kept. Review again, then apply")
}

// comeBack are those of the kept jobs whose agents come back: now they aren't there.
func comeBack(now, next *topology.Topology, kept []Job) (back []Job) {
	for _, j := range kept {
		_, there := now.Agent(j.Agent)
		if _, comes := next.Agent(j.Agent); comes && !there {
			back = append(back, j)
		}
	}
	return back
}

func jobNames(jobs []Job) (names []string) {
	for _, j := range jobs {
		names = append(names, j.Name)
	}
	return names
}

// addJobs adds the jobs of agents that came back. One that the gateway doesn't take holds up no other.
func (p *pusher) addJobs(ctx context.Context, jobs []Job) error {
	s, has := p.gw.(scheduler)
	if !has || len(jobs) == 0 {
		return nil
	}
	p.begin(StepJobs)
	var left []string
	var why error
	for _, j := range jobs {
		if err := p.addJob(ctx, s, j); err != nil {
			left, why = append(left, j.Name), err
			continue
		}
		p.res.Jobs = append(p.res.Jobs, j.Name)
	}
	if why == nil {
		p.done()
		return nil
	}
	e := say(errcode.From(why), "The config is back, but these scheduled jobs weren't added again: "+
		strings.Join(left, ", ")).With("jobs", left)
	e.Code = errcode.Gateway
	return e.With(errcode.KeyReason, ReasonJobsLeft)
}

func (p *pusher) addJob(ctx context.Context, s scheduler, j Job) error {
	return p.once(ctx, func() error { return s.AddJob(ctx, j) }, func() bool {
		is := func(t Job) bool { return t.Agent == j.Agent && t.Name == j.Name }
		there, err := s.Jobs(ctx)
		return err == nil && slices.ContainsFunc(there, is)
	})
}

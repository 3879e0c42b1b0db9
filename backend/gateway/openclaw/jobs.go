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
	for {
		err := s.AddJob(ctx, j)
		again, err := p.waitIfLimited(ctx, err)
		if again {
			continue
		}
		if !errcode.HasReason(err, errcode.ReasonUnknown) {
			return err
		}
		if werr := p.gw.WaitReady(ctx); werr != nil {
			return err
		}
		is := func(t Job) bool { return t.Agent == j.Agent && t.Name == j.Name }
		if there, rerr := s.Jobs(ctx); rerr == nil && slices.ContainsFunc(there, is) {
			return nil
		}
		return err
	}
}

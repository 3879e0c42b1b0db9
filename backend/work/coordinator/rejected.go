package coordinator

import (
	"time"

	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// Bounds of the growing pause before a remote agent is asked again to take a task that it rejected.
const (
	firstRejected = 2 * time.Second
	lastRejected  = time.Minute
)

// rejection is a temporary rejection of a task by a remote agent.
type rejection struct {
	agent  topology.AgentID
	why    error
	pauses *backoff.ExponentialBackOff
}

// rejections are the rejections of waiting tasks, by task.
type rejections map[task.ID]*rejection

// note records that an agent rejected the task. It returns the pause before the next attempt, and whether the same
// agent gave the same reason the last time.
func (r rejections) note(id task.ID, agent topology.AgentID, why error) (pause time.Duration, told bool) {
	was := r[id]
	if was == nil {
		was = &rejection{
			pauses: &backoff.ExponentialBackOff{
				InitialInterval:     firstRejected,
				RandomizationFactor: 0.3,
				Multiplier:          2,
				MaxInterval:         lastRejected,
			},
		}
		was.pauses.Reset()
		r[id] = was
	}
	told = was.why != nil && was.agent == agent && was.why.Error() == why.Error()
	was.agent, was.why = agent, why
	return was.pauses.NextBackOff(), told
}

// of returns which agent rejected the task and why, or nil.
func (r rejections) of(id task.ID) []WaitsFor {
	was := r[id]
	if was == nil {
		return nil
	}
	return []WaitsFor{{Agent: was.agent, Why: errcode.From(was.why).Message, Cause: errcode.CauseOf(was.why)}}
}

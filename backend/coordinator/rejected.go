package coordinator

import (
	"time"

	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/errcode"
	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// How long an agent elsewhere that rejected a task is left alone with it: longer each time.
const (
	firstRejected = 2 * time.Second
	lastRejected  = time.Minute
)

// rejection is what an agent elsewhere said when it didn't take a task, for now.
type rejection struct {
	agent  topology.AgentID
	why    error
	pauses *backoff.ExponentialBackOff
}

// rejections are those of tasks that wait, by task.
type rejections map[task.ID]*rejection

// note keeps that an agent rejected the task, and returns the pause before it is given again, and
// whether the same agent gave the same reason the last time.
func (r rejections) note(id task.ID, agent topology.AgentID, why error) (pause time.Duration, told bool) {
	was := r[id]
	if was == nil {
		was = &rejection{pauses: &backoff.ExponentialBackOff{InitialInterval: firstRejected, RandomizationFactor: 0.3, Multiplier: 2, MaxInterval: lastRejected}}
		was.pauses.Reset()
		r[id] = was
	}
	told = was.why != nil && was.agent == agent && was.why.Error() == why.Error()
	was.agent, was.why = agent, why
	return was.pauses.NextBackOff(), told
}

// of returns who rejected the task, and why; nobody where none did.
func (r rejections) of(id task.ID) []WaitsFor {
	was := r[id]
	if was == nil {
		return nil
	}
	return []WaitsFor{{Agent: was.agent, Why: errcode.From(was.why).Message, Cause: errcode.CauseOf(was.why)}}
}

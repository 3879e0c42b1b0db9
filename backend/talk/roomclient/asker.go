package roomclient

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/inbox"
)

// Asker brings the questions of an agent with a seat in a room to the inbox of the hub.
func (r *Rooms) Asker(room, agent string) inbox.Remote {
	return inbox.Remote{Room: room, Agent: agent, Insist: r.insist}
}

// Insist calls the hub until it has answered, over its restarts and lost connections, and says
// nothing of them. Its error is the hub's refusal, or ctx's cause.
func (r *Rooms) Insist(ctx context.Context, method, path string, body, into any) error {
	quiet := *r
	quiet.Retry = nil
	return quiet.insist(ctx, method, path, body, into)
}

const askWithin = 40 * time.Second // the hub answers within 25 s, if only that nobody has answered yet

// insist calls until the hub has answered, or ctx ends. After a restart of the hub the
// agent has to take its seat again before it may ask.
func (r *Rooms) insist(ctx context.Context, method, path string, body, into any) error {
	wait := retry()
	for {
		bound, cancel := context.WithTimeout(ctx, askWithin)
		err := r.Hub.Call(bound, method, path, body, into)
		late := bound.Err() != nil
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil || !late && !passes(err) && !errcode.Is(err, errcode.Conflict) {
			return err
		}
		if err := r.pause(ctx, err, wait.NextBackOff()); err != nil {
			return err
		}
	}
}

package remote

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/inbox"
	"agentflow/backend/tool"
)

// Asker brings an agent's questions to the inbox of the hub and waits there for the answer,
// over restarts of the hub and lost connections.
type Asker struct {
	Rooms       *Rooms
	Room, Agent string
}

var _ tool.Asker = Asker{}

const (
	waitSeconds = 25 // of one request for an answer
	waitWithin  = 40 * time.Second
)

// Ask implements tool.Asker.
func (a Asker) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	for {
		e, err := a.ended(ctx, q)
		if err != nil {
			return tool.Verdict{}, err
		}
		if e.State == inbox.Expired && e.Reason == inbox.ReasonGone {
			continue // the hub could not be reached for a while, and took this agent for gone
		}
		return e.Verdict()
	}
}

// ended asks once and returns how the question ended.
func (a Asker) ended(ctx context.Context, q tool.Question) (inbox.Entry, error) {
	question := struct {
		Key   string `json:"key"`
		Room  string `json:"room"`
		Agent string `json:"agent"`
		tool.Question
	}{rand.Text(), a.Room, a.Agent, q}
	var e inbox.Entry
	err := a.insist(ctx, func(ctx context.Context) error {
		return a.Rooms.Hub.Call(ctx, http.MethodPost, "/api/inbox/questions", question, &e)
	})
	where := url.Values{"room": {a.Room}, "agent": {a.Agent}, "wait": {fmt.Sprint(waitSeconds)}}
	path := fmt.Sprintf("/api/inbox/questions/%s?%s", url.PathEscape(string(e.ID)), where.Encode())
	for err == nil && e.State == inbox.Waiting {
		err = a.insist(ctx, func(ctx context.Context) error { return a.Rooms.Hub.Call(ctx, http.MethodGet, path, nil, &e) })
	}
	return e, err
}

// insist tries until the hub has answered, or ctx ends. After a restart of the hub the
// agent has to take its seat again before it may ask.
func (a Asker) insist(ctx context.Context, try func(context.Context) error) error {
	wait := retry()
	for {
		bound, cancel := context.WithTimeout(ctx, waitWithin)
		err := try(bound)
		late := bound.Err() != nil
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil || !late && !passes(err) && !errcode.Is(err, errcode.Conflict) {
			return err
		}
		if err := a.Rooms.pause(ctx, err, wait.NextBackOff()); err != nil {
			return err
		}
	}
}

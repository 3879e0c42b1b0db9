package inbox

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"

	"agentflow/backend/model/tool"
)

// Remote sends the questions of an agent in another program, possibly on another computer, to the hub's inbox, and
// waits for the answers. The asker is the agent of a task, or an agent in a room.
type Remote struct {
	Task        string
	Room, Agent string
	Folder      string // where its commands run, and where its files are; "" where it has none
	// Insist calls the hub until it has answered, across restarts and lost connections, and accepts an answer that
	// takes 30 s. Its error is the hub's rejection, or ctx's cause.
	Insist func(ctx context.Context, method, path string, body, into any) error
}

var _ tool.Asker = Remote{}

const waitSeconds = 25 // long poll of one request for an answer

// Ask implements tool.Asker.
func (a Remote) Ask(ctx context.Context, q tool.Question) (tool.Verdict, error) {
	for {
		e, err := a.ended(ctx, q)
		if err != nil {
			return tool.Verdict{}, err
		}
		if e.State == Expired && e.Reason == ReasonGone {
			continue // the hub couldn't be reached for a while, and considered this agent gone
		}
		return e.Verdict()
	}
}

// ended asks once and returns the entry when it has ended.
func (a Remote) ended(ctx context.Context, q tool.Question) (Entry, error) {
	question := struct {
		Key    string `json:"key"`
		Task   string `json:"task,omitempty"`
		Room   string `json:"room,omitempty"`
		Agent  string `json:"agent,omitempty"`
		Folder string `json:"folder,omitempty"`
		tool.Question
	}{rand.Text(), a.Task, a.Room, a.Agent, a.Folder, q}
	var e Entry
	err := a.Insist(ctx, http.MethodPost, "/api/inbox/questions", question, &e)
	query := url.Values{"wait": {strconv.Itoa(waitSeconds)}}
	if a.Room != "" {
		query.Set("room", a.Room)
		query.Set("agent", a.Agent)
	}
	path := "/api/inbox/questions/" + url.PathEscape(string(e.ID)) + "?" + query.Encode()
	for err == nil && e.State == Waiting {
		err = a.Insist(ctx, http.MethodGet, path, nil, &e)
	}
	return e, err
}

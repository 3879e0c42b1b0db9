// Package inbox serves the inbox: to the person who answers, and to agents elsewhere who ask.
package inbox

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/inbox"
)

// Routes are the routes about the inbox.
type Routes struct {
	Inbox  *inbox.Machine
	Seated func(room, agent string) bool // whether an agent elsewhere is in the room
	Logger *slog.Logger
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag = "inbox"
	route := func(method, path, id, summary string) huma.Operation {
		return answer.Route(method, path, id, summary, tag)
	}
	huma.Register(api, route(http.MethodGet, "/api/inbox", "listInbox", "What waits for a person, or has ended"), answer.Handler(s.Logger, s.list))
	huma.Register(api, route(http.MethodPost, "/api/inbox/{id}/answer", "answerInbox", "Answer a question, once"), answer.Handler(s.Logger, s.reply))
	huma.Register(api, route(http.MethodGet, "/api/inbox/rules", "listToolRules", "List standing permissions"), answer.Handler(s.Logger, s.rules))
	huma.Register(api, answer.Status(http.StatusNoContent, route(http.MethodDelete, "/api/inbox/rules/{id}", "dropToolRule", "Revoke a standing permission")), answer.Handler(s.Logger, s.drop))
	huma.Register(api, route(http.MethodPost, "/api/inbox/questions", "askInbox", "Ask a person, as an agent elsewhere does with its own secret"), answer.Handler(s.Logger, s.ask))
	huma.Register(api, route(http.MethodGet, "/api/inbox/questions/{id}", "awaitInbox", "Wait for the answer to an own question"), answer.Handler(s.Logger, s.await))
}

type inboxQuery struct {
	State  string   `query:"state" enum:"waiting,ended" default:"waiting"`
	Before inbox.ID `query:"before" maxLength:"200" doc:"ended ones older than this"`
	Limit  int      `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"of ended ones"`
}

type questions struct {
	Body struct {
		Entries []inbox.Entry `json:"entries"`
	}
}

func (s *Routes) list(ctx context.Context, in *inboxQuery) (*questions, error) {
	out := &questions{}
	var err error
	if in.State == "waiting" {
		out.Body.Entries = s.Inbox.Waiting()
	} else {
		out.Body.Entries, err = s.Inbox.Ended(ctx, inbox.Query{Before: in.Before, Limit: in.Limit})
	}
	return out, err
}

type asked struct{ Body inbox.Entry }

type verdict struct {
	ID   inbox.ID `path:"id" maxLength:"200"`
	Body struct {
		Choice inbox.Choice `json:"choice" enum:"once,always,deny"`
		Word   string       `json:"word,omitempty" maxLength:"4096" doc:"what the agent is told"`
		// Standing is read where the choice is always.
		Standing *inbox.Standing `json:"standing,omitempty" doc:"what is allowed from now on, with always; default: the narrowest permission, for this task or else for today"`
	}
}

func (s *Routes) reply(ctx context.Context, in *verdict) (*asked, error) {
	e, err := s.Inbox.Decide(ctx, in.ID, in.Body.Choice, in.Body.Word, in.Body.Standing)
	if err != nil {
		return nil, err
	}
	s.Logger.InfoContext(ctx, "a question was answered", slog.String("agent", e.Agent), slog.String("tool", e.Tool), slog.String("choice", string(e.Choice)))
	return &asked{e}, nil
}

type toolRules struct {
	Body struct {
		Rules []inbox.Rule `json:"rules"`
	}
}

func (s *Routes) rules(context.Context, *struct{}) (*toolRules, error) {
	out := &toolRules{}
	out.Body.Rules = s.Inbox.Rules()
	return out, nil
}

type toolRule struct {
	ID string `path:"id" maxLength:"200"`
}

func (s *Routes) drop(ctx context.Context, in *toolRule) (*struct{}, error) {
	return nil, s.Inbox.DropRule(ctx, in.ID)
}

type question struct {
	Body struct {
		Key       string          `json:"key" minLength:"1" maxLength:"200" doc:"the same key again is the same question"`
		Room      string          `json:"room,omitempty" maxLength:"200" doc:"where the agent talks, which another program runs; the owner's token asks for it"`
		Agent     string          `json:"agent,omitempty" maxLength:"200" doc:"its name there"`
		Task      string          `json:"task,omitempty" maxLength:"200" doc:"what the agent works on"`
		Tool      string          `json:"tool,omitempty" maxLength:"200" doc:"what it wants to use"`
		From      string          `json:"from,omitempty" maxLength:"200" doc:"who offers the tool"`
		Arguments json.RawMessage `json:"arguments,omitempty" doc:"an object, as the tool will get it"`
		Said      string          `json:"said,omitempty" maxLength:"8192" doc:"by the agent, just before"`
		Text      string          `json:"text,omitempty" maxLength:"8192" doc:"a question in words, where it is not about a tool"`
	}
}

// who returns the agent that asks: the one that the secret is of, or, for the owner, whose
// programs have agents in rooms, the one that has its seat there.
func (s *Routes) who(ctx context.Context, room, name string) (string, error) {
	agent, ok := access.Agent(ctx)
	switch {
	case ok && room == "" && name == "":
		return agent, nil
	case ok:
		return "", errcode.New(errcode.Forbidden, "%s asks for itself only", agent)
	case room == "" || name == "":
		return "", errcode.New(errcode.Forbidden, "only an agent asks here: one of the applied team with its own secret, or one that talks in a room, with room and agent")
	case access.CheckSeat(ctx, room, name) != nil:
		return "", access.CheckSeat(ctx, room, name)
	case !s.Seated(room, name):
		return "", errcode.New(errcode.Conflict, "%s has no seat in the room %s", name, room)
	}
	return name, nil
}

func (s *Routes) ask(ctx context.Context, in *question) (*asked, error) {
	b := &in.Body
	agent, err := s.who(ctx, b.Room, b.Agent)
	if err != nil {
		return nil, err
	}
	e, err := s.Inbox.Put(ctx, inbox.Question{Agent: agent, Room: b.Room, Task: b.Task, Tool: b.Tool, From: b.From, Arguments: b.Arguments, Said: b.Said, Text: b.Text}, b.Key)
	return &asked{e}, err
}

type awaiting struct {
	ID    inbox.ID `path:"id" maxLength:"200"`
	Wait  int      `query:"wait" minimum:"0" maximum:"50" default:"25" doc:"seconds"`
	Room  string   `query:"room" maxLength:"200" doc:"as it was asked with"`
	Agent string   `query:"agent" maxLength:"200"`
}

func (s *Routes) await(ctx context.Context, in *awaiting) (*asked, error) {
	agent, err := s.who(ctx, in.Room, in.Agent)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(in.Wait)*time.Second)
	defer cancel()
	e, err := s.Inbox.Wait(ctx, agent, in.ID)
	return &asked{e}, err
}

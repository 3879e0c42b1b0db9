// Package inboxapi serves the inbox: to the person who answers, and to agents elsewhere who ask.
package inboxapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/work/inbox"
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
		return httperr.Route(method, path, id, summary, tag)
	}
	huma.Register(api, route(http.MethodGet, "/api/inbox", "listInbox", "List inbox entries\n"+
		"Lists approvals and questions that wait for a person, or those that ended."), httperr.Handler(s.Logger, s.list))
	huma.Register(api, route(http.MethodPost, "/api/inbox/{id}/answer", "answerInbox", "Answer an inbox entry\n"+
		"Approves or denies a tool, or answers a question. Each entry can be answered once; after that the "+
		"answer is CONFLICT, and its details say who answered. The answer to an entry of a gateway is sent to "+
		"the gateway, which keeps what it allows from now on."), httperr.Handler(s.Logger, s.reply))
	huma.Register(api, route(http.MethodGet, "/api/inbox/rules", "listToolRules", "List standing permissions"), httperr.Handler(s.Logger, s.rules))
	huma.Register(api, httperr.Status(http.StatusNoContent, route(http.MethodDelete, "/api/inbox/rules/{id}", "dropToolRule", "Revoke a standing permission\n"+
		"The agent asks again the next time.")), httperr.Handler(s.Logger, s.drop))
	huma.Register(api, route(http.MethodPost, "/api/inbox/questions", "askInbox", "Create an inbox question\n"+
		"For agents in another process, with the agent's own secret. A repeated request with the same key "+
		"returns the first question."), httperr.Handler(s.Logger, s.ask))
	huma.Register(api, route(http.MethodGet, "/api/inbox/questions/{id}", "awaitInbox", "Wait for an answer\n"+
		"Answers when a person answered the question, or after `wait` seconds with the state `waiting`."), httperr.Handler(s.Logger, s.await))
}

type inboxQuery struct {
	State  string   `query:"state" enum:"waiting,ended" default:"waiting" doc:"Which entries: waiting or ended. Default: waiting."`
	Before inbox.ID `query:"before" maxLength:"200" doc:"Only ended entries older than this ID. Default: from the newest."`
	Limit  int      `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of ended entries, 1 to 200. Default: 50."`
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
	ID   inbox.ID `path:"id" maxLength:"200" doc:"ID of the inbox entry."`
	Body struct {
		Choice inbox.Choice `json:"choice" enum:"once,always,deny" doc:"Decision: once, always (a standing permission) or deny."`
		Word   string       `json:"word,omitempty" maxLength:"4096" doc:"Note or answer to the agent, at most 4096 characters. Default: none."`
		// Answers are read where a gateway asks questions.
		Answers map[string][]string `json:"answers,omitempty" doc:"Answers to the questions of a gateway, by the ID of the field. Default: none."`
		// Standing is read where the choice is always.
		Standing *inbox.Standing `json:"standing,omitempty" doc:"Standing permission, with the choice always. Default: the narrowest one, for this task or for today."`
	}
}

func (s *Routes) reply(ctx context.Context, in *verdict) (*asked, error) {
	e, err := s.Inbox.Reply(ctx, in.ID, inbox.Reply{
		Choice: in.Body.Choice, Word: in.Body.Word, Standing: in.Body.Standing, Answers: in.Body.Answers,
		By: auth.Who(ctx),
	})
	if err != nil {
		return nil, err
	}
	s.Logger.InfoContext(ctx, "a question was answered", slog.String("agent", e.Agent), slog.String("tool", e.Tool),
		slog.String("choice", string(e.Choice)))
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
	ID string `path:"id" maxLength:"200" doc:"ID of the standing permission."`
}

func (s *Routes) drop(ctx context.Context, in *toolRule) (*struct{}, error) {
	return nil, s.Inbox.DropRule(ctx, in.ID)
}

type question struct {
	Body struct {
		Key       string          `json:"key" minLength:"1" maxLength:"200" doc:"Idempotency key, at most 200 characters. A repeated key returns the first question."`
		Room      string          `json:"room,omitempty" maxLength:"200" doc:"Room that the agent takes part in. Needs the owner's token. Default: none."`
		Agent     string          `json:"agent,omitempty" maxLength:"200" doc:"Name of the agent in the room. Default: none."`
		Task      string          `json:"task,omitempty" maxLength:"200" doc:"ID of the task that the agent runs. Default: none."`
		Folder    string          `json:"folder,omitempty" maxLength:"4096" doc:"Folder that the agent's files and commands are in, at most 4,096 characters. Default: the workspace of the agent in the applied team."`
		Tool      string          `json:"tool,omitempty" maxLength:"200" doc:"Tool that the agent wants to use. Default: none."`
		From      string          `json:"from,omitempty" maxLength:"200" doc:"Server that offers the tool. Default: none."`
		Arguments json.RawMessage `json:"arguments,omitempty" doc:"Arguments that the tool will get, as an object. Default: none."`
		Said      string          `json:"said,omitempty" maxLength:"8192" doc:"What the agent said just before, at most 8 KiB. Default: none."`
		Text      string          `json:"text,omitempty" maxLength:"8192" doc:"Question in words, at most 8 KiB, if it isn't about a tool. Default: none."`

		Effect *tool.FileEffect `json:"effect,omitempty" doc:"What the tool would do to a file. Default: unknown."`
	}
}

// who returns the agent that asks: the one that the secret is of, or, for the owner, whose
// programs have agents in rooms, the one that has its seat there.
func (s *Routes) who(ctx context.Context, room, name string) (string, error) {
	agent, ok := auth.Agent(ctx)
	switch {
	case ok && room == "" && name == "":
		return agent, nil
	case ok:
		return "", errcode.New(errcode.Forbidden, "%s asks for itself only", agent)
	case room == "" || name == "":
		return "", errcode.New(
			errcode.Forbidden,
			"only an agent asks here: one of the applied team with its own secret, or one that talks in a room, with room and agent",
		)
	case auth.CheckSeat(ctx, room, name) != nil:
		return "", auth.CheckSeat(ctx, room, name)
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
	e, err := s.Inbox.Put(
		ctx,
		inbox.Question{
			Agent:     agent,
			Room:      b.Room,
			Task:      b.Task,
			Tool:      b.Tool,
			From:      b.From,
			Arguments: b.Arguments,
			Said:      b.Said,
			Text:      b.Text,
			Folder:    b.Folder,
			Effect:    b.Effect,
		},
		b.Key,
	)
	return &asked{e}, err
}

type awaiting struct {
	ID    inbox.ID `path:"id" maxLength:"200" doc:"ID of the question."`
	Wait  int      `query:"wait" minimum:"0" maximum:"50" default:"25" doc:"Seconds to wait for the answer, 0 to 50. Default: 25."`
	Room  string   `query:"room" maxLength:"200" doc:"Room that the question was asked with. Default: none."`
	Agent string   `query:"agent" maxLength:"200" doc:"Agent name that the question was asked with. Default: none."`
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

package roomsapi

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gobwas/ws"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// RoomAgents runs in the hub the agents of teams that take part in rooms.
type RoomAgents interface {
	// Check returns the cast as it can be in the room, with the seats that it will take, or says
	// what is wrong with it.
	Check(ctx context.Context, room string, c turns.Cast) (turns.Cast, []turns.Seat, error)
	// Look tells that casts have changed.
	Look()
}

type putCast struct {
	Name string `path:"name" doc:"Name of the room."`
	Body turns.Cast
}

type statusBody struct{ Body turns.Status }

type putPolicy struct {
	Name string `path:"name" doc:"Name of the room."`
	Body turns.Policy
}

// LastWord is the body of a wrap-up; it may be left out.
type LastWord struct {
	Agent string `json:"agent,omitempty" doc:"Name of the agent that writes the last message. Default: the agent that spoke last."`
	By    string `json:"by,omitempty" maxLength:"128" doc:"Name of the person who asks for it, at most 128 characters. The room shows it if it ends turns. Default: none."`
}

// Stopped says who stopped a room.
type Stopped struct {
	By string `json:"by,omitempty" maxLength:"128" doc:"Name of the person who stops the room, at most 128 characters. The room shows it. Default: none."`
}

type stopRoom struct {
	Name string `path:"name" doc:"Name of the room."`
	Body *Stopped
}

type wrapUp struct {
	Name string `path:"name" doc:"Name of the room."`
	Body *LastWord
}

// registerTurns adds the routes of a room's conversation.
func (d *Handler) registerTurns(api huma.API, log *slog.Logger) {
	const tag = "rooms"
	act := func(path, id, summary string, do func(ctx context.Context, name string) (turns.Status, error)) {
		method := http.MethodPost
		if path == "state" {
			method = http.MethodGet
		}
		huma.Register(
			api,
			httperr.Route(method, "/api/rooms/{name}/"+path, id, summary, tag),
			httperr.Handler(log, func(ctx context.Context, in *roomPath) (*statusBody, error) {
				return named(in.Name, func(name string) (turns.Status, error) { return do(ctx, name) })
			}),
		)
	}
	act("state", "getRoomState", "Get a room's state\n"+
		"Returns the room's policy, and what each agent does and has used.", func(_ context.Context, name string) (turns.Status, error) {
		return d.turns.Status(name)
	})
	huma.Register(api, httperr.Route(http.MethodPost, "/api/rooms/{name}/stop", "stopRoom", "Stop all turns in a room\n"+
		"Messages that agents haven't answered yet are skipped.", tag), httperr.Handler(log, func(ctx context.Context, in *stopRoom) (*statusBody, error) {
		who := auth.By(ctx).Name // of a caller; the owner's page says who sits there
		if who == "" && in.Body != nil {
			who = in.Body.By
		}
		return named(in.Name, func(name string) (turns.Status, error) { return d.turns.Stop(name, who) })
	}))
	act("pause", "pauseRoom", "Pause a room\nEnds all turns. Agents don't reply until the room is resumed.", d.turns.Pause)
	act("resume", "resumeRoom", "Resume a room\nContinues a room that is paused or halted.", d.turns.Resume)
	huma.Register(api, httperr.Route(http.MethodPost, "/api/rooms/{name}/wrap-up", "wrapUpRoom", "Wrap up a room\n"+
		"Ends all turns and lets one agent write the last message.", tag), httperr.Handler(log, func(ctx context.Context, in *wrapUp) (*statusBody, error) {
		agent, who := "", auth.By(ctx).Name
		if in.Body != nil {
			agent, who = in.Body.Agent, cmp.Or(who, in.Body.By)
		}
		return named(in.Name, func(name string) (turns.Status, error) { return d.turns.WrapUp(name, agent, who) })
	}))
	huma.Register(api, httperr.Route(http.MethodPut, "/api/rooms/{name}/policy", "setRoomPolicy", "Update a room's policy\n"+
		"Sets who replies to whom, and how many turns and tokens agents can use.", tag), httperr.Handler(log, func(ctx context.Context, in *putPolicy) (*statusBody, error) {
		return named(in.Name, func(name string) (turns.Status, error) { return d.turns.SetPolicy(ctx, name, in.Body) })
	}))
	huma.Register(api, httperr.Route(http.MethodPut, "/api/rooms/{name}/cast", "setRoomCast", "Set a room's agents\n"+
		"Chooses which agents of a team take part. An empty list removes all of them.", tag), httperr.Handler(log, func(ctx context.Context, in *putCast) (*statusBody, error) {
		return named(in.Name, func(name string) (turns.Status, error) { return d.cast(ctx, name, in.Body) })
	}))
	_ = api.OpenAPI().Components.Schemas.Schema(typeOf[turns.Live](), true, "Live") // travels on /ws only
	_ = api.OpenAPI().Components.Schemas.Schema(typeOf[turns.Update](), true, "News")
}

// create makes a room, and has agents of a team take part in it.
func (d *Handler) create(ctx context.Context, in *createRoom) (*roomBody, error) {
	c := turns.Cast{Team: in.Body.Team, Agents: in.Body.Agents}
	if c.Team != "" || len(c.Agents) > 0 {
		var err error
		if c, _, err = d.stage.Check(ctx, "", c); err != nil {
			return nil, err
		}
	}
	made, err := d.hub.Create(ctx, in.Body.Name)
	if err == nil && c.Team != "" {
		_, err = d.cast(ctx, made.Name, c)
	}
	return &roomBody{Body: made}, err
}

// cast has agents of a team take part in a room.
func (d *Handler) cast(ctx context.Context, name string, c turns.Cast) (turns.Status, error) {
	if c.Team == "" && len(c.Agents) == 0 {
		defer d.stage.Look()
		return d.turns.SetCast(ctx, name, nil, nil)
	}
	c, seats, err := d.stage.Check(ctx, name, c)
	if err != nil {
		return turns.Status{}, err
	}
	defer d.stage.Look()
	return d.turns.SetCast(ctx, name, &c, seats)
}

// named does something with the room of that name.
func named(given string, do func(name string) (turns.Status, error)) (*statusBody, error) {
	name, err := room.Name("name", given)
	if err != nil {
		return nil, err
	}
	s, err := do(name)
	return &statusBody{Body: s}, err
}

// attend begins what a socket wants besides messages: to see the room live, or to take
// turns in it.
func (s *socket) attend(ctx context.Context) (err error) {
	if s.instance != "" {
		seat := turns.Seat{Room: s.room, Name: s.sender, Instance: s.instance, Model: s.model, Elsewhere: true}
		if s.session, err = s.door.turns.TakeSeat(ctx, seat, s.live, s.replaced); err != nil {
			return err
		}
		s.leave = s.session.Leave
	}
	if s.watches {
		s.unwatch = s.door.turns.Watch(s.room, s.live)
	}
	return nil
}

// live sends what goes on.
func (s *socket) live(l turns.Live) bool { return s.send(appendFrame(nil, ws.OpText, l.Frame())) }

// replaced ends a socket whose agent sits at another one now.
func (s *socket) replaced() {
	s.close(ws.StatusGoingAway, "the agent has come back by another connection")
}

// news takes what an agent tells of its turn; false: the payload is something else.
func (s *socket) news(ctx context.Context, payload []byte) bool {
	var frame struct {
		News *turns.Update `json:"news"`
	}
	if s.session == nil || json.Unmarshal(payload, &frame) != nil || frame.News == nil {
		return false
	}
	if err := s.session.Report(ctx, *frame.News); err != nil {
		s.send(failure(errcode.From(err).With("turnId", frame.News.TurnID), ""))
	}
	return true
}

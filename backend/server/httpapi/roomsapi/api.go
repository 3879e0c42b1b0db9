package roomsapi

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/systemmsg"
	"agentflow/backend/talk/turns"
)

type listMessages struct {
	Room   string `query:"room" required:"true" doc:"Name of the room."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"Maximum number of messages, 1 to 500. Default: 50."`
	Before int64  `query:"before" minimum:"0" doc:"Only messages before this ID. Default: from the newest."`
	After  int64  `query:"after" minimum:"-1" default:"-1" doc:"Only messages after this ID, the oldest of them first. Default: -1, the newest of all."`
}

type messagesBody struct {
	Body struct {
		Messages []room.Message `json:"messages"`
	}
}

func messagesOut(list []room.Message, err error) (*messagesBody, error) {
	out := new(messagesBody)
	if out.Body.Messages = list; list == nil {
		out.Body.Messages = []room.Message{}
	}
	return out, err
}

// PostBody is the body of POST /api/message as the description shows it; room.Decode
// reads the bytes, more strictly.
type PostBody struct {
	Room      string         `json:"room" doc:"Name of the room. A room that does not exist is created."`
	Sender    string         `json:"sender,omitempty" doc:"Name of the sender. Default: the name of an API token with the role rooms; others give one."`
	Text      string         `json:"message" doc:"Text of the message, 1 to 65,536 characters."`
	Timestamp string         `json:"timestamp,omitempty" doc:"Time in ISO 8601. Default: the hub's clock."`
	Type      room.Type      `json:"type,omitempty" doc:"Type of the message: chat, command or system. Default: chat."`
	ClientID  string         `json:"clientMessageId,omitempty" doc:"ID that you choose. A repeated ID of the same sender is stored once. Default: none."`
	Cause     *errcode.Cause `json:"cause,omitempty" doc:"What a system message says, for other languages. Default: none."`
}

type postMessage struct {
	RawBody []byte `contentType:"application/json"`
}

type messageBody struct{ Body room.Message }

type searchMessages struct {
	Text   string `query:"q" required:"true" maxLength:"500" doc:"Words to find, at most 500 characters. A message must contain all of them."`
	Room   string `query:"room" doc:"Only this room. Default: all rooms."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"Maximum number of messages, 1 to 500. Default: 50."`
	Before int64  `query:"before" minimum:"0" doc:"Only messages before this ID. Default: from the newest."`
	// Language is the reader's.
	Language string `query:"language" enum:"en,ja" doc:"Also search the translation of system messages into this language. Default: only the stored text."`
}

type listAgents struct {
	Room string `query:"room" required:"true" doc:"Name of the room."`
}

type agentsBody struct {
	Body struct {
		Agents []room.Agent `json:"agents"`
	}
}

type roomsBody struct {
	Body struct {
		Rooms []room.Summary `json:"rooms"`
	}
}

type roomPath struct {
	Name string `path:"name" doc:"Name of the room."`
}

type createRoom struct {
	Body struct {
		Name   string   `json:"name" doc:"Name of the room."`
		Team   string   `json:"team,omitempty" doc:"ID of the team whose agents take part. The hub runs them. Default: none."`
		Agents []string `json:"agents,omitempty" doc:"IDs of the agents that take part. Default: none."`
	}
}

type roomBody struct{ Body room.Summary }

type pruneMessages struct {
	Body struct {
		Room      string `json:"room,omitempty" doc:"Name of the room. Default: all rooms."`
		OlderThan string `json:"olderThan,omitempty" doc:"Delete messages older than this age, such as 720h. Default: any age."`
		Keep      int    `json:"keep,omitempty" minimum:"1" doc:"Keep this many newest messages of each room, at least 1. Default: no limit."`
		MaxBytes  int64  `json:"maxBytes,omitempty" minimum:"1" doc:"Keep at most this many bytes of text, at least 1. Default: no limit."`
	}
}

type prunedBody struct {
	Body struct {
		Deleted int `json:"deleted"`
	}
}

// SchemaNamer names the types of the description: those of rooms begin with Room, for
// other parts have messages and agents, too.
func SchemaNamer(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if p := t.PkgPath(); p == typeOf[room.Message]().PkgPath() || p == typeOf[turns.Status]().PkgPath() {
		return "Room" + name
	}
	return name
}

// Register adds the routes to the API; /ws is the Handler's own handler.
func (d *Handler) Register(api huma.API, log *slog.Logger) {
	const tag = "rooms"
	huma.Register(api, httperr.Route(http.MethodGet, "/api/messages", "listMessages", "List messages of a room\n"+
		"The oldest message of the page comes first. Page with `before` or `after`.", tag), httperr.Handler(log, d.list))
	post := httperr.Status(http.StatusCreated, httperr.Route(http.MethodPost, "/api/message", "postMessage", "Post a message\n"+
		"Answers when the message is on disk. A message with the same `clientMessageId` from the same sender is "+
		"stored once.", tag))
	post = httperr.Also(post, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage)
	post.SkipValidateBody = true // Decode does
	huma.Register(api, post, httperr.Handler(log, d.post))
	// A body that is read raw is described as bytes; this one is a PostBody.
	api.OpenAPI().Paths[post.Path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json": {
			Schema: huma.SchemaFromType(api.OpenAPI().Components.Schemas, typeOf[PostBody]()),
			Example: map[string]any{
				"room": "dark-mode", "sender": "Mia", "message": "Add dark mode to the shop.", "clientMessageId": "mia-42",
			},
		},
	}}
	huma.Register(api, httperr.Route(http.MethodGet, "/api/messages/search", "searchMessages", "Search messages\n"+
		"Finds messages that contain every word. The newest message comes first.", tag), httperr.Handler(log, d.search))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/messages/prune", "pruneMessages", "Delete old messages\n"+
		"Deletes the oldest messages by age, number or size. This can't be undone.", tag), httperr.Handler(log, d.prune))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/agents", "listAgents", "List room participants\n"+
		"Includes participants who left: their status is `offline`.", tag), httperr.Handler(log, d.agents))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/rooms", "listRooms", "List rooms\n"+
		"An API token with the role rooms gets its own rooms.", tag), httperr.Handler(log, func(ctx context.Context, _ *struct{}) (*roomsBody, error) {
		out := new(roomsBody)
		out.Body.Rooms = slices.DeleteFunc(d.hub.Rooms(),
			func(r room.Summary) bool { return auth.CheckSeat(ctx, r.Name, "") != nil })
		return out, nil
	}))
	create := httperr.Status(http.StatusCreated, httperr.Route(http.MethodPost, "/api/rooms", "createRoom", "Create a room\n"+
		"Creates an empty room, or one with agents of a team that the hub runs.", tag))
	huma.Register(api, create, httperr.Handler(log, d.create))
	remove := httperr.Status(http.StatusNoContent, httperr.Route(http.MethodDelete, "/api/rooms/{name}", "deleteRoom", "Delete a room\n"+
		"Deletes the room with its messages. This can't be undone.", tag))
	huma.Register(api, remove, httperr.Handler(log, func(ctx context.Context, in *roomPath) (*struct{}, error) {
		name, err := room.Name("name", in.Name)
		if err != nil {
			return nil, err
		}
		return nil, d.hub.Delete(ctx, name)
	}))
	d.registerExport(api, log)
	d.registerTurns(api, log)
}

func (d *Handler) list(ctx context.Context, in *listMessages) (*messagesBody, error) {
	name, err := seen(ctx, in.Room)
	if err != nil {
		return nil, err
	}
	return messagesOut(d.hub.List(ctx, room.Range{Room: name, Before: in.Before, After: max(in.After, 0), Oldest: in.After >= 0, Limit: in.Limit}))
}

func (d *Handler) post(ctx context.Context, in *postMessage) (*messageBody, error) {
	draft, err := room.Decode(in.RawBody, "")
	if err == nil {
		draft.Sender = auth.SeatName(ctx, draft.Sender)
		err = auth.CheckSeat(ctx, draft.Room, draft.Sender)
	}
	if err != nil {
		return nil, err
	}
	auth.Say(ctx, draft.Text)
	m, err := d.hub.Post(ctx, draft)
	return &messageBody{Body: m}, err
}

func (d *Handler) search(ctx context.Context, in *searchMessages) (*messagesBody, error) {
	name := ""
	if in.Room != "" {
		var err error
		if name, err = room.Name("room", in.Room); err != nil {
			return nil, err
		}
	}
	q := room.Query{Text: in.Text, Room: name, Before: in.Before, Limit: in.Limit}
	if tongue := systemmsg.For(in.Language); tongue != nil {
		return messagesOut(d.hub.Search(ctx, q, tongue))
	}
	return messagesOut(d.hub.Search(ctx, q, nil))
}

// seen is the name of a room that who asks may look into.
func seen(ctx context.Context, name string) (string, error) {
	name, err := room.Name("room", name)
	if err == nil {
		err = auth.CheckSeat(ctx, name, "")
	}
	return name, err
}

func (d *Handler) agents(ctx context.Context, in *listAgents) (*agentsBody, error) {
	name, err := seen(ctx, in.Room)
	if err != nil {
		return nil, err
	}
	out := new(agentsBody)
	out.Body.Agents = d.hub.Agents(name)
	return out, nil
}

func (d *Handler) prune(ctx context.Context, in *pruneMessages) (*prunedBody, error) {
	p := room.Pruning{Room: in.Body.Room, Keep: in.Body.Keep, MaxBytes: in.Body.MaxBytes}
	if in.Body.OlderThan != "" {
		age, err := time.ParseDuration(in.Body.OlderThan)
		if err != nil || age <= 0 {
			return nil, errcode.New(errcode.Validation,
				"olderThan is an age like 720h").With(errcode.KeyField, "olderThan")
		}
		p.Before = time.Now().Add(-age)
	}
	out := new(prunedBody)
	var err error
	out.Body.Deleted, err = d.hub.Prune(ctx, p)
	return out, err
}

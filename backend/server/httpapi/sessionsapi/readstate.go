// Package sessionsapi serves gateways' sessions with what happens in them, and where the person
// is in each conversation.
package sessionsapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/readstate"
)

// Routes serve sessions, read positions and drafts. ServeHTTP is the stream of chat events.
type Routes struct {
	Sessions  func(gateway string) (Sessions, error) // "" is the default one
	ReadState *readstate.Store
	Person    string // what the owner of this computer's account is called
	Logger    *slog.Logger
}

type deskBody struct {
	Body struct {
		Person string            `json:"person" doc:"Suggested name for a person who hasn't chosen one."`
		Places []readstate.Place `json:"places"`
	}
}

type putPlace struct {
	Body struct {
		Conversation string  `json:"conversation" doc:"Room or session: room:NAME or session:GATEWAY:KEY."`
		Read         *string `json:"read,omitempty" doc:"ID of the newest message that was read. Default: unchanged."`
		Draft        *string `json:"draft,omitempty" doc:"Text that was typed but not sent. Empty deletes it. Default: unchanged."`
	}
}

// Register adds the routes to the API.
func (r *Routes) Register(api huma.API) {
	r.registerSessions(api)
	const tag = "conversations"
	huma.Register(api, httperr.Route(http.MethodGet, "/api/desk", "getDesk", "Get read positions and drafts\n"+
		"Lists for each room and session what was read last, and text that was typed but not sent.", tag), httperr.Handler(r.Logger, func(context.Context, *struct{}) (*deskBody, error) {
		out := new(deskBody)
		out.Body.Person, out.Body.Places = r.Person, r.ReadState.Places()
		return out, nil
	}))
	put := httperr.Status(
		http.StatusNoContent,
		httperr.Route(http.MethodPut, "/api/desk", "putPlace", "Save a read position or draft\n"+
			"Fields that are absent don't change.", tag),
	)
	huma.Register(api, put, httperr.Handler(r.Logger, func(_ context.Context, in *putPlace) (*struct{}, error) {
		return nil, r.ReadState.Put(
			readstate.Change{Conversation: in.Body.Conversation, Read: in.Body.Read, Draft: in.Body.Draft},
		)
	}))
}

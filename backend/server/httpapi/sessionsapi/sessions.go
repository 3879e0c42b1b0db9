package sessionsapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

// Sessions are a gateway's sessions, the same for every gateway (GW-4, GW-5).
// client.Client fulfils it.
type Sessions interface {
	SessionsList(ctx context.Context, q client.SessionsQuery) ([]client.Session, error)
	ChatSend(ctx context.Context, m client.ChatMessage) (client.ChatSent, error)
	History(ctx context.Context, q client.HistoryQuery) (client.History, error)
	ChatAbort(ctx context.Context, sessionKey, runID string) (bool, error)
	SessionReset(ctx context.Context, sessionKey string) error
	SessionCompact(ctx context.Context, sessionKey string) (client.Compacted, error)
	SessionFork(ctx context.Context, sessionKey string) (string, error)
	Chats() client.ChatReader
}

// GatewayName chooses the gateway of a method.
type GatewayName struct {
	Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"Name of the gateway. Default: the default gateway."`
}

type sessionsList struct {
	Body struct {
		GatewayName
		Kinds              []string `json:"kinds,omitempty" maxItems:"20" doc:"Only sessions of these kinds, at most 20. Default: all kinds."`
		IncludeLastMessage bool     `json:"includeLastMessage,omitempty" doc:"Include the last messages. Default: false."`
		MessageLimit       int      `json:"messageLimit,omitempty" minimum:"0" maximum:"1000" doc:"Number of last messages per session, 0 to 1000. Default: the gateway's."`
	} `required:"false"`
}

type sessionsListed struct {
	Body struct {
		Sessions []client.Session `json:"sessions"`
	}
}

type chatSend struct {
	Body struct {
		GatewayName
		SessionKey     string `json:"sessionKey" minLength:"1" maxLength:"1000" doc:"Session to write to, at most 1000 characters."`
		Message        string `json:"message" minLength:"1" maxLength:"1048576" doc:"Text of the message, at most 1 MiB."`
		IdempotencyKey string `json:"idempotencyKey,omitempty" maxLength:"200" doc:"Idempotency key, at most 200 characters. A repeated message with the same key is sent once."`
	}
}

type chatSent struct{ Body client.ChatSent }

type chatHistory struct {
	Body struct {
		GatewayName
		SessionKey string `json:"sessionKey" minLength:"1" maxLength:"1000" doc:"Session to read, at most 1000 characters."`
		Limit      int    `json:"limit,omitempty" minimum:"0" maximum:"1000" doc:"Maximum number of messages, 0 to 1000. Default: 0, the gateway's limit."`
		Offset     int    `json:"offset,omitempty" minimum:"0" doc:"Number of newest messages to skip, as next of the previous answer. Default: 0."`
	}
}

type chatHistoryBody struct{ Body client.History }

type chatAbort struct {
	Body struct {
		GatewayName
		SessionKey string `json:"sessionKey" minLength:"1" maxLength:"1000" doc:"Session to abort, at most 1000 characters."`
		RunID      string `json:"runId,omitempty" maxLength:"200" doc:"Abort only this run. Default: all runs of the session."`
	}
}

type chatAborted struct {
	Body struct {
		Aborted bool `json:"aborted" doc:"A run was aborted."`
	}
}

func (r *Routes) registerSessions(api huma.API) {
	const tag = "gateway methods"
	api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[ChatFrame](), true, "ChatFrame") // no route answers with one
	huma.Register(api, httperr.Route(http.MethodPost, "/api/gateway/sessions/list", "sessionsList", "List sessions\n"+
		"Calls the gateway's `sessions.list`.", tag), httperr.Handler(r.Logger, r.list))
	send := httperr.Route(http.MethodPost, "/api/gateway/chat/send", "chatSend", "Send a chat message\n"+
		"Calls the gateway's `chat.send`. The reply arrives on `GET /api/gateway/stream`. A repeated request "+
		"with the same idempotency key is sent once.", tag)
	send.MaxBodyBytes = 2 * httperr.SmallBody
	huma.Register(api, send, httperr.Handler(r.Logger, r.send))
	huma.Register(
		api,
		httperr.Route(http.MethodPost, "/api/gateway/chat/history", "chatHistory", "Get a session's history\n"+
			"Calls the gateway's `chat.history`. GATEWAY_ERROR: the gateway rejected it or can't be reached.", tag),
		httperr.Handler(r.Logger, r.history),
	)
	huma.Register(api, httperr.Route(http.MethodPost, "/api/gateway/chat/abort", "chatAbort", "Abort a chat run\n"+
		"Calls the gateway's `chat.abort`. GATEWAY_ERROR: the gateway rejected it or can't be reached.", tag), httperr.Handler(r.Logger, r.abort))
	r.registerActs(api, tag)
}

func (r *Routes) list(ctx context.Context, in *sessionsList) (*sessionsListed, error) {
	s, err := r.Sessions(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	found, err := s.SessionsList(
		ctx,
		client.SessionsQuery{
			Kinds:              in.Body.Kinds,
			IncludeLastMessage: in.Body.IncludeLastMessage,
			MessageLimit:       in.Body.MessageLimit,
		},
	)
	out := new(sessionsListed)
	if out.Body.Sessions = found; found == nil {
		out.Body.Sessions = []client.Session{}
	}
	return out, httperr.Gateway(err)
}

func (r *Routes) send(ctx context.Context, in *chatSend) (*chatSent, error) {
	s, err := r.Sessions(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	auth.Say(ctx, in.Body.Message)
	sent, err := s.ChatSend(
		ctx,
		client.ChatMessage{
			SessionKey:     in.Body.SessionKey,
			Message:        in.Body.Message,
			IdempotencyKey: in.Body.IdempotencyKey,
		},
	)
	return &chatSent{Body: sent}, httperr.Gateway(err)
}

func (r *Routes) history(ctx context.Context, in *chatHistory) (*chatHistoryBody, error) {
	s, err := r.Sessions(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	h, err := s.History(ctx,
		client.HistoryQuery{SessionKey: in.Body.SessionKey, Limit: in.Body.Limit, Offset: in.Body.Offset})
	if h.Messages == nil {
		h.Messages = []client.Message{}
	}
	if err != nil && errcode.From(err).Code == errcode.NotFound {
		err = nil // the built-in gateway refuses what others answer with nothing: nobody has spoken there
	}
	return &chatHistoryBody{h}, httperr.Gateway(err)
}

func (r *Routes) abort(ctx context.Context, in *chatAbort) (*chatAborted, error) {
	s, err := r.Sessions(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	out := new(chatAborted)
	out.Body.Aborted, err = s.ChatAbort(ctx, in.Body.SessionKey, in.Body.RunID)
	return out, httperr.Gateway(err)
}

package sessionsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/gateway/client"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

// sessionAct chooses the session that something is done with.
type sessionAct struct {
	Body struct {
		GatewayName
		SessionKey string `json:"sessionKey" minLength:"1" maxLength:"1000" doc:"Key, at most 1000 characters."`
	}
}

type compacted struct{ Body client.Compacted }

type forked struct {
	Body struct {
		SessionKey string `json:"sessionKey" doc:"Key of the new session."`
	}
}

// registerActs adds what is done with a whole session. A gateway's sessionActs tell which of it is offered.
func (r *Routes) registerActs(api huma.API, tag string) {
	reset := httperr.Route(http.MethodPost, "/api/gateway/sessions/reset", "sessionReset", "Reset a session\n"+
		"Calls the gateway's `sessions.reset`: the session begins again without its messages. This can't be undone. "+
		"GATEWAY_ERROR: the gateway doesn't offer it, rejected it or can't be reached.", tag)
	huma.Register(api, httperr.Status(http.StatusNoContent, reset), httperr.Handler(r.Logger, r.reset))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/gateway/sessions/compact", "sessionCompact",
		"Compact a session\n"+
			"Calls the gateway's `sessions.compact`: a summary replaces older messages in what the agent reads. It "+
			"can take minutes. GATEWAY_ERROR: the gateway doesn't offer it, rejected it or can't be reached.", tag),
		httperr.Handler(r.Logger, r.compact))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/gateway/sessions/fork", "sessionFork", "Fork a session\n"+
		"Copies the session with its messages into a new one, by the gateway's `sessions.create`. "+
		"GATEWAY_ERROR: the gateway doesn't offer it, rejected it or can't be reached.", tag),
		httperr.Handler(r.Logger, r.fork))
}

// acted returns the gateway's sessions, and tells the audit log which of them it is about.
func (r *Routes) acted(ctx context.Context, in *sessionAct) (Sessions, error) {
	auth.Say(ctx, in.Body.SessionKey)
	return r.Sessions(in.Body.Gateway)
}

func (r *Routes) reset(ctx context.Context, in *sessionAct) (*struct{}, error) {
	s, err := r.acted(ctx, in)
	if err != nil {
		return nil, err
	}
	return nil, httperr.Gateway(s.SessionReset(ctx, in.Body.SessionKey))
}

func (r *Routes) compact(ctx context.Context, in *sessionAct) (*compacted, error) {
	s, err := r.acted(ctx, in)
	if err != nil {
		return nil, err
	}
	done, err := s.SessionCompact(ctx, in.Body.SessionKey)
	return &compacted{done}, httperr.Gateway(err)
}

func (r *Routes) fork(ctx context.Context, in *sessionAct) (*forked, error) {
	s, err := r.acted(ctx, in)
	if err != nil {
		return nil, err
	}
	out := new(forked)
	out.Body.SessionKey, err = s.SessionFork(ctx, in.Body.SessionKey)
	return out, httperr.Gateway(err)
}

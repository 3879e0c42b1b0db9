package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/errcode"
	"agentflow/backend/gateway"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/yamldoc"
)

// The routes of the seed, each mapped to its gateway method (GW-8). A stale base is 409
// CONFLICT; everything else a gateway refuses or fails is 502 GATEWAY_ERROR.

// GatewayName chooses the gateway of a method.
type GatewayName struct {
	Gateway string `json:"gateway,omitempty" maxLength:"100" doc:"name of the gateway; the default one if absent"`
}

type configGet struct {
	Body GatewayName `required:"false"`
}

type configGot struct {
	Body struct {
		Config   json.RawMessage `json:"config"`
		BaseHash string          `json:"baseHash"`
		Raw      string          `json:"raw,omitempty" doc:"the config's text, where the gateway gives it"`
	}
}

type configApply struct {
	Body struct {
		GatewayName
		Raw      string `json:"raw" minLength:"1" doc:"the whole config, YAML or JSON"`
		BaseHash string `json:"baseHash" minLength:"1" maxLength:"400"`
		Reason   string `json:"reason,omitempty" maxLength:"1000"`
	}
}

type configApplied struct {
	Body struct {
		Success bool   `json:"success"`
		NewHash string `json:"newHash"`
	}
}

type sessionsList struct {
	Body struct {
		GatewayName
		Kinds              []string `json:"kinds,omitempty" maxItems:"20"`
		IncludeLastMessage bool     `json:"includeLastMessage,omitempty"`
		MessageLimit       int      `json:"messageLimit,omitempty" minimum:"0" maximum:"1000"`
	} `required:"false"`
}

type sessionsListed struct {
	Body struct {
		Sessions []gateway.Session `json:"sessions"`
	}
}

type chatSend struct {
	Body struct {
		GatewayName
		SessionKey     string `json:"sessionKey" minLength:"1" maxLength:"1000"`
		Message        string `json:"message" minLength:"1" maxLength:"1048576"`
		IdempotencyKey string `json:"idempotencyKey,omitempty" maxLength:"200"`
	}
}

type chatSent struct{ Body gateway.ChatSent }

type chatHistory struct {
	Body struct {
		GatewayName
		SessionKey string `json:"sessionKey" minLength:"1" maxLength:"1000"`
		Limit      int    `json:"limit,omitempty" minimum:"0" maximum:"1000"`
	}
}

type chatHistoryBody struct {
	Body struct {
		Messages []gateway.Message `json:"messages"`
	}
}

func (s *Server) rpcRoutes() {
	const tag = "gateway methods"
	huma.Register(s.api, op(http.MethodPost, "/api/gateway/config/get", "configGet", "config.get", tag), handler(s, s.configGet))
	apply := op(http.MethodPost, "/api/gateway/config/apply", "configApply", "config.apply; answers once the gateway is back, if it restarts", tag)
	apply.MaxBodyBytes = largeBody
	huma.Register(s.api, apply, handler(s, s.configApply))
	huma.Register(s.api, op(http.MethodPost, "/api/gateway/sessions/list", "sessionsList", "sessions.list", tag), handler(s, s.sessionsList))
	send := op(http.MethodPost, "/api/gateway/chat/send", "chatSend", "chat.send", tag)
	send.MaxBodyBytes = 2 * answer.SmallBody
	huma.Register(s.api, send, handler(s, s.chatSend))
	huma.Register(s.api, op(http.MethodPost, "/api/gateway/chat/history", "chatHistory", "chat.history", tag), handler(s, s.chatHistory))
}

func (s *Server) rpc(name string) (RPC, error) {
	if name == "" {
		name = s.Fleet.Default()
	}
	return s.Fleet.RPC(name)
}

// gatewayFailed gives a gateway's failure the seed's form.
func gatewayFailed(err error) error {
	if err == nil || errcode.HasReason(err, errcode.ReasonStaleBase) {
		return err
	}
	e := errcode.From(err)
	if e.Code == errcode.Gateway {
		return e
	}
	out := errcode.Wrap(errcode.Gateway, err, "%s", e.Message)
	for key, value := range e.Details {
		out = out.With(key, value)
	}
	return out.With("code", string(e.Code))
}

func (s *Server) configGet(ctx context.Context, in *configGet) (*configGot, error) {
	rpc, err := s.rpc(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	cfg, err := rpc.ConfigGet(ctx)
	if err != nil {
		return nil, gatewayFailed(err)
	}
	out := new(configGot)
	out.Body.Config, out.Body.BaseHash, out.Body.Raw = cfg.Parsed, cfg.Hash, cfg.Raw
	return out, nil
}

func (s *Server) configApply(ctx context.Context, in *configApply) (*configApplied, error) {
	name := in.Body.Gateway
	if name == "" {
		name = s.Fleet.Default()
	}
	target, err := s.Fleet.Target(name)
	if err != nil {
		return nil, err
	}
	rpc, err := s.rpc(name)
	if err != nil {
		return nil, err
	}
	doc, err := yamldoc.Parse([]byte(in.Body.Raw), "raw")
	if err != nil {
		return nil, err
	}
	raw := in.Body.Raw
	if target.Gateway.Capabilities().ApplyFormat != "yaml" {
		raw = string(doc.JSON())
	}
	res, err := target.Gateway.Apply(ctx, raw, in.Body.BaseHash, in.Body.Reason)
	if err != nil {
		return nil, s.applyFailed(ctx, rpc, in.Body.BaseHash, err)
	}
	out := new(configApplied)
	out.Body.Success, out.Body.NewHash = true, res.Hash
	if res.Restarts {
		if err := target.Gateway.WaitReady(ctx); err != nil {
			return nil, gatewayFailed(err)
		}
	}
	if res.Hash == "" || res.Restarts {
		cfg, err := rpc.ConfigGet(ctx)
		if err != nil {
			return nil, gatewayFailed(err)
		}
		out.Body.NewHash = cfg.Hash
	}
	return out, nil
}

// applyFailed tells a stale base from everything else: gateways say it in many ways, so
// the hash is read again; if it has moved, the base was stale.
func (s *Server) applyFailed(ctx context.Context, rpc RPC, base string, err error) error {
	if errcode.HasReason(err, errcode.ReasonUnknown) {
		return gatewayFailed(err)
	}
	now, readErr := rpc.ConfigGet(ctx)
	if readErr != nil || now.Hash == base && !errcode.HasReason(err, errcode.ReasonStaleBase) {
		return gatewayFailed(err)
	}
	return errcode.Wrap(errcode.Conflict, err, "the gateway's config has changed since it was read: read it again and merge").
		With(errcode.KeyReason, errcode.ReasonStaleBase).
		With(errcode.KeySnapshot, map[string]any{"config": now.Parsed, "baseHash": now.Hash})
}

func (s *Server) sessionsList(ctx context.Context, in *sessionsList) (*sessionsListed, error) {
	rpc, err := s.rpc(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	found, err := rpc.SessionsList(ctx, gateway.SessionsQuery{Kinds: in.Body.Kinds, IncludeLastMessage: in.Body.IncludeLastMessage, MessageLimit: in.Body.MessageLimit})
	out := new(sessionsListed)
	if out.Body.Sessions = found; found == nil {
		out.Body.Sessions = []gateway.Session{}
	}
	return out, gatewayFailed(err)
}

func (s *Server) chatSend(ctx context.Context, in *chatSend) (*chatSent, error) {
	rpc, err := s.rpc(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	sent, err := rpc.ChatSend(ctx, gateway.ChatMessage{SessionKey: in.Body.SessionKey, Message: in.Body.Message, IdempotencyKey: in.Body.IdempotencyKey})
	return &chatSent{Body: sent}, gatewayFailed(err)
}

func (s *Server) chatHistory(ctx context.Context, in *chatHistory) (*chatHistoryBody, error) {
	rpc, err := s.rpc(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	messages, err := rpc.ChatHistory(ctx, in.Body.SessionKey, in.Body.Limit)
	out := new(chatHistoryBody)
	if out.Body.Messages = messages; messages == nil {
		out.Body.Messages = []gateway.Message{}
	}
	return out, gatewayFailed(err)
}

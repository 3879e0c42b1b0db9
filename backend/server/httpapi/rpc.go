package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi/cronapi"
	"agentflow/backend/server/httpapi/sessionsapi"
	"agentflow/backend/server/httperr"
)

// The routes of the seed, each mapped to its gateway method (GW-8). A stale base is 409
// CONFLICT; everything else a gateway refuses or fails is 502 GATEWAY_ERROR.

type configGet struct {
	Body sessionsapi.GatewayName `required:"false"`
}

type configGot struct {
	Body struct {
		Config   json.RawMessage `json:"config" doc:"Config as an object."`
		BaseHash string          `json:"baseHash" doc:"Hash of the config."`
		Raw      string          `json:"raw,omitempty" doc:"Text of the config, if the gateway returns it."`
	}
}

type configApply struct {
	Body struct {
		sessionsapi.GatewayName
		Raw      string `json:"raw" minLength:"1" doc:"Whole config as YAML or JSON."`
		BaseHash string `json:"baseHash" minLength:"1" maxLength:"400" doc:"baseHash of the config that you read, at most 400 characters."`
		Reason   string `json:"reason,omitempty" maxLength:"1000" doc:"Note for the gateway's log, at most 1000 characters. Default: none."`
	}
}

type configApplied struct {
	Body struct {
		Success bool   `json:"success" doc:"Always true. Failures have an error code."`
		NewHash string `json:"newHash" doc:"Hash of the new config. Send it as baseHash of the next apply."`
	}
}

func (s *Server) rpcRoutes() {
	const tag = "gateway methods"
	huma.Register(s.api, op(http.MethodPost, "/api/gateway/config/get", "configGet", "Get a gateway's config\n"+
		"Calls the gateway's `config.get`. Send the `baseHash` back when you apply.", tag), handler(s, s.configGet))
	apply := op(http.MethodPost, "/api/gateway/config/apply", "configApply", "Apply a gateway config\n"+
		"Calls the gateway's `config.apply` with a whole config. Answers when the gateway is back, if it "+
		"restarts. CONFLICT with the reason `stale_base`: the config changed since it was read; "+
		"`details.snapshot` holds the current one.", tag)
	apply.MaxBodyBytes = largeBody
	huma.Register(s.api, apply, handler(s, s.configApply))
}

func (s *Server) rpc(name string) (RPC, error) {
	if name == "" {
		name = s.Fleet.Default()
	}
	return s.Fleet.RPC(name)
}

// price returns what a model costs, if that is known.
func (s *Server) price(m llm.Model) (llm.Price, bool) { return s.Providers.Providers.Price(m) }

// cronJobs returns the cron jobs of a gateway.
func (s *Server) cronJobs(gateway string) (cronapi.Jobs, error) {
	rpc, err := s.rpc(gateway)
	if err != nil {
		return nil, err
	}
	return rpc.Cron()
}

func (s *Server) configGet(ctx context.Context, in *configGet) (*configGot, error) {
	rpc, err := s.rpc(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	cfg, err := rpc.ConfigGet(ctx)
	if err != nil {
		return nil, httperr.Gateway(err)
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
	doc, err := docedit.Parse([]byte(in.Body.Raw), "raw")
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
			return nil, httperr.Gateway(err)
		}
	}
	if res.Hash == "" || res.Restarts {
		cfg, err := rpc.ConfigGet(ctx)
		if err != nil {
			return nil, httperr.Gateway(err)
		}
		out.Body.NewHash = cfg.Hash
	}
	return out, nil
}

// applyFailed tells a stale base from everything else: gateways say it in many ways, so
// the hash is read again; if it has moved, the base was stale.
func (s *Server) applyFailed(ctx context.Context, rpc RPC, base string, err error) error {
	if errcode.HasReason(err, errcode.ReasonUnknown) {
		return httperr.Gateway(err)
	}
	now, readErr := rpc.ConfigGet(ctx)
	if readErr != nil || now.Hash == base && !errcode.HasReason(err, errcode.ReasonStaleBase) {
		return httperr.Gateway(err)
	}
	return errcode.Wrap(errcode.Conflict, err,
		"the gateway's config has changed since it was read: read it again and merge").
		With(errcode.KeyReason, errcode.ReasonStaleBase).
		With(errcode.KeySnapshot, map[string]any{"config": now.Parsed, "baseHash": now.Hash})
}

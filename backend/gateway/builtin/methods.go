package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
)

// described is what config.get answers: the config, and what a client cannot see from
// the protocol alone. Other clients ignore it.
type described struct {
	openclaw.Snapshot
	Home     string   `json:"home,omitempty"` // the folder that the default workspaces of new agents are in
	Features features `json:"features"`
}

type features struct {
	FullAgents bool `json:"fullAgents"` // role, persona and every kind of connection have a place
	HotApply   bool `json:"hotApply"`
	AgentFiles bool `json:"agentFiles"` // agents.files.list, get and set
	ModelsList bool `json:"modelsList"`
	ChatAbort  bool `json:"chatAbort"`
	Events     bool `json:"events"`
}

var own = features{FullAgents: true, AgentFiles: true, HotApply: true, ModelsList: true, ChatAbort: true, Events: true}

// methods is what the gateway serves.
var methods = map[string]func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error){
	"config.get": func(ctx context.Context, g *Gateway, _ json.RawMessage) (any, error) {
		snap, err := g.ConfigGet(ctx)
		return described{Snapshot: snap, Home: g.capabilities.Home, Features: own}, err
	},
	"config.apply": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p struct {
			Raw      *string `json:"raw"`
			BaseHash string  `json:"baseHash"`
			Reason   string  `json:"reason"`
		}
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		if p.Raw == nil {
			return nil, errcode.New(errcode.Validation, "raw is missing: send the whole config as YAML text").
				With(errcode.KeyField, "raw")
		}
		hash, err := g.ConfigApply(ctx, *p.Raw, p.BaseHash, p.Reason)
		if err != nil {
			return nil, err
		}
		return map[string]any{"success": true, "newHash": hash}, nil
	},
	"agents.files.list": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p filesParams
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		workspace, files, err := g.Files(ctx, p.AgentID)
		return map[string]any{"agentId": p.AgentID, "workspace": workspace, "files": files}, err
	},
	"agents.files.get": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p filesParams
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		workspace, f, err := g.File(ctx, p.AgentID, p.Name)
		return filesAnswer{AgentID: p.AgentID, Workspace: workspace, File: f}, err
	},
	"agents.files.set": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p filesParams
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		if p.Content == nil {
			return nil, errcode.New(errcode.Validation, "content is missing: send the whole file as text").
				With(errcode.KeyField, "content")
		}
		workspace, f, err := g.SetFile(ctx, p.AgentID, p.Name, *p.Content, p.ExpectedHash)
		return filesAnswer{OK: true, AgentID: p.AgentID, Workspace: workspace, File: f}, err
	},
	"sessions.list": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var q SessionsQuery
		if err := decode(params, &q); err != nil {
			return nil, err
		}
		list, err := g.Sessions(ctx, q)
		return map[string]any{"sessions": list}, err
	},
	"chat.send": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var m ChatMessage
		if err := decode(params, &m); err != nil {
			return nil, err
		}
		return g.ChatSend(ctx, m)
	},
	"chat.history": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p struct {
			SessionKey string `json:"sessionKey"`
			Limit      int    `json:"limit"`
			Offset     int    `json:"offset"`
		}
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		part, err := g.History(ctx, p.SessionKey, p.Limit, p.Offset)
		return struct {
			SessionKey string `json:"sessionKey"`
			History
		}{p.SessionKey, part}, err
	},
	"chat.abort": func(ctx context.Context, g *Gateway, params json.RawMessage) (any, error) {
		var p struct {
			SessionKey string `json:"sessionKey"`
			RunID      string `json:"runId"`
		}
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		ids, err := g.ChatAbort(ctx, p.SessionKey, p.RunID)
		return map[string]any{"aborted": len(ids) > 0, "runIds": ids}, err
	},
	"models.list": func(ctx context.Context, g *Gateway, _ json.RawMessage) (any, error) {
		return map[string]any{"models": g.Models(ctx)}, nil
	},
}

func methodNames() string { return strings.Join(slices.Sorted(maps.Keys(methods)), ", ") }

func (g *Gateway) call(ctx context.Context, name string, params json.RawMessage) (any, error) {
	method, ok := methods[name]
	if !ok {
		return nil, errcode.New(errcode.NotFound, "there is no method %.100q; there are %s", name, methodNames()).
			With(errcode.KeyField, "method")
	}
	if params == nil || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if !isObject(params) {
		return nil, errcode.New(errcode.Validation, "params must be an object").With(errcode.KeyField, "params")
	}
	return method(ctx, g, params)
}

func decode(params json.RawMessage, v any) error {
	err := json.Unmarshal(params, v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errcode.New(errcode.Validation, "%s must not be a %s", wrong.Field, wrong.Value).
			With(errcode.KeyField, wrong.Field)
	}
	if err != nil {
		return errcode.New(errcode.Validation, "params cannot be read: %s", err.Error()).
			With(errcode.KeyField, "params")
	}
	return nil
}

func isObject(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

package client

import (
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayschema"
)

// hintRoots lead to the hints of one agent, in the spelling of each generation of gateways.
var hintRoots = []string{entriesPath + ".*.", "agents.list.*.", "agents.list[]."}

// AgentSettings returns what the gateway says about the settings of one agent: its schema with labels, help and what a
// change does. The source has no schema where the gateway offers none. The answer of a real gateway has 2 MB and takes
// it seconds, so ask only when a person wants to see it.
func (c *Client) AgentSettings(ctx context.Context) (gatewayschema.Source, error) {
	features := c.Features()
	if !features.Has(methodSchema) {
		return gatewayschema.Source{}, nil
	}
	raw, err := c.Call(ctx, methodSchema, struct{}{})
	if err != nil {
		return gatewayschema.Source{}, err
	}
	if len(raw) > gatewayschema.MaxSource {
		return gatewayschema.Source{}, errcode.New(errcode.Gateway,
			"the gateway's schema has %d MB; at most %d are read. Edit the settings as JSON",
			len(raw)>>20, gatewayschema.MaxSource>>20)
	}
	var answer struct {
		Schema json.RawMessage `json:"schema"`
		Hints  json.RawMessage `json:"uiHints"`
	}
	if err := decodeResult(methodSchema, raw, &answer); err != nil {
		return gatewayschema.Source{}, err
	}
	var config jsonSchema
	_ = json.Unmarshal(answer.Schema, &config) // what is no schema says nothing
	src := gatewayschema.Source{Schema: config.agent(), Hints: agentHints(answer.Hints)}
	if src.Schema != nil {
		src.Reload = c.reloads(ctx, features, entriesPath+".main")
	}
	if defaults := config.at("agents").Properties["defaults"]; isObject(defaults) {
		src.Everyone = &gatewayschema.Source{
			Schema: defaults, Hints: defaultHints(answer.Hints), Reload: c.reloads(ctx, features, defaultsPath),
		}
	}
	return src, nil
}

// agent returns the schema of one agent within the schema of a config; nil where it says nothing of agents.
func (s jsonSchema) agent() json.RawMessage {
	agents := s.at("agents")
	if entries := agents.at("entries"); isObject(entries.Additional) {
		return entries.Additional
	}
	if list := agents.at("list"); isObject(list.Items) {
		return list.Items
	}
	return nil
}

// agentHints returns the hints of an agent by the path within it. What an agent inherits often has its words only where
// the default stands: in agents.defaults, or at the same path of the config.
func agentHints(raw json.RawMessage) map[string]gatewayschema.Hint {
	own, defaults, top := hintsOf(raw)
	own.fill(defaults)
	return own.below(top)
}

// defaultHints returns the hints of what every agent inherits by the path within it. Words that only an agent's own
// setting has are the same setting's.
func defaultHints(raw json.RawMessage) map[string]gatewayschema.Hint {
	own, defaults, top := hintsOf(raw)
	defaults.fill(own)
	return defaults.below(top)
}

type hints map[string]gatewayschema.Hint

// hintsOf parts the hints of a config into those of an agent, of the defaults and all others.
func hintsOf(raw json.RawMessage) (own, defaults, top hints) {
	own, defaults, top = hints{}, hints{}, hints{}
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return own, defaults, top
	}
	for path, v := range all {
		var h gatewayschema.Hint
		if json.Unmarshal(v, &h) != nil {
			continue // a hint of another shape says nothing
		}
		path = strings.ReplaceAll(path, "[]", ".*")
		if within, ok := strings.CutPrefix(path, defaultsPath+"."); ok {
			defaults[within] = h
		} else if within, ok := withinAgent(path); ok {
			own[within] = h
		} else {
			top[path] = h
		}
	}
	return own, defaults, top
}

// fill adds labels and help of others where h has none.
func (h hints) fill(others hints) {
	for path, o := range others {
		h[path] = h[path].Or(o)
	}
}

// below adds labels and help of the config's own keys that h has as well.
func (h hints) below(top hints) hints {
	for path, o := range top {
		first, _, _ := strings.Cut(path, ".")
		if _, of := h[first]; of {
			h[path] = h[path].Or(o)
		}
	}
	return h
}

func withinAgent(path string) (string, bool) {
	for _, root := range hintRoots {
		if within, ok := strings.CutPrefix(path, strings.ReplaceAll(root, "[]", ".*")); ok {
			return within, true
		}
	}
	return "", false
}

// reloads returns what a change of the keys at a path does at the gateway.
func (c *Client) reloads(ctx context.Context, features Features, path string) map[string]string {
	if !features.HotApply {
		return map[string]string{"": "restart"}
	}
	if !features.Has(methodSchemaLookup) {
		return nil
	}
	raw, err := c.Call(ctx, methodSchemaLookup, map[string]any{"path": path})
	var answer struct {
		Reload   string `json:"reloadKind"`
		Children []struct {
			Key    string `json:"key"`
			Reload string `json:"reloadKind"`
		} `json:"children"`
	}
	if err != nil || json.Unmarshal(raw, &answer) != nil {
		return nil // it isn't known, and nothing is said of it
	}
	out := map[string]string{"": answer.Reload}
	for _, child := range answer.Children {
		out[child.Key] = child.Reload
	}
	return out
}

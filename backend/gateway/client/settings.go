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
		src.Reload = c.reloads(ctx, features)
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
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	type hints = map[string]gatewayschema.Hint
	own, defaults, top := hints{}, hints{}, hints{}
	for path, v := range all {
		var h gatewayschema.Hint
		if json.Unmarshal(v, &h) != nil {
			continue // a hint of another shape says nothing
		}
		path = strings.ReplaceAll(path, "[]", ".*")
		if within, ok := strings.CutPrefix(path, "agents.defaults."); ok {
			defaults[within] = h
		} else if within, ok := withinAgent(path); ok {
			own[within] = h
		} else {
			top[path] = h
		}
	}
	for path, h := range defaults {
		own[path] = own[path].Or(h)
	}
	for path, h := range top {
		first, _, _ := strings.Cut(path, ".")
		if _, of := own[first]; of {
			own[path] = own[path].Or(h)
		}
	}
	return own
}

func withinAgent(path string) (string, bool) {
	for _, root := range hintRoots {
		if within, ok := strings.CutPrefix(path, strings.ReplaceAll(root, "[]", ".*")); ok {
			return within, true
		}
	}
	return "", false
}

// reloads returns what a change of an agent's keys does at the gateway.
func (c *Client) reloads(ctx context.Context, features Features) map[string]string {
	if !features.HotApply {
		return map[string]string{"": "restart"}
	}
	if !features.Has(methodSchemaLookup) {
		return nil
	}
	raw, err := c.Call(ctx, methodSchemaLookup, map[string]any{"path": entriesPath + ".main"})
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

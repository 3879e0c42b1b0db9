package gatewaytest

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// RecordedSchema is the answer of a real gateway 2026.9.6 to config.schema, without what doesn't concern agents.
//
//go:embed recorded/config.schema-2026.9.6.json
var RecordedSchema []byte

// AgentSchema is the part of RecordedSchema about one agent. It is read when a test asks for it: test programs start
// themselves many times, and reading takes longer than the rest of a start.
var AgentSchema = sync.OnceValue(func() json.RawMessage {
	return recorded("schema", "properties", "agents", "properties", "entries", "additionalProperties")
})

// DefaultsSchema is the part of RecordedSchema about what every agent inherits.
var DefaultsSchema = sync.OnceValue(func() json.RawMessage {
	return recorded("schema", "properties", "agents", "properties", "defaults")
})

var (
	recordedHints = sync.OnceValue(func() json.RawMessage { return recorded("uiHints") })
	recordedKeys  = sync.OnceValue(func() map[string]json.RawMessage {
		return fields(fields(AgentSchema())["properties"])
	})
)

func recorded(path ...string) json.RawMessage {
	found := json.RawMessage(RecordedSchema)
	for _, key := range path {
		found = fields(found)[key]
	}
	return found
}

func fields(raw json.RawMessage) (out map[string]json.RawMessage) {
	if err := json.Unmarshal(raw, &out); err != nil {
		panic("gatewaytest: the recorded schema can't be read: " + err.Error())
	}
	return out
}

// schema answers config.schema and config.schema.lookup. The newest generation says what was recorded, and February's
// what checkAgent checks with some of the values that a real gateway names.
func (s *Server) schema(method, path string) (any, *refusal) {
	agent := s.agentSchema()
	if method == "config.schema.lookup" {
		return s.lookup(path, agent)
	}
	roster := map[string]any{"entries": map[string]any{"type": "object", "additionalProperties": agent}}
	if s.opts.Generation != February {
		roster["defaults"] = DefaultsSchema()
	} else {
		roster = map[string]any{"list": map[string]any{"type": "array", "items": agent}}
	}
	out := map[string]any{"version": "fake", "schema": map[string]any{"type": "object", "properties": map[string]any{
		"agents": map[string]any{"type": "object", "additionalProperties": false, "properties": roster},
	}}}
	if s.opts.Generation != February {
		out["uiHints"] = recordedHints()
	}
	return out, nil
}

func (s *Server) lookup(path string, agent any) (any, *refusal) {
	if s.opts.Generation == February {
		return nil, invalid("config schema path not found")
	}
	switch path {
	case "agents.entries":
		return map[string]any{
			"path": path, "reloadKind": "hot",
			"schema":   map[string]any{"type": "object", "additionalProperties": agent},
			"children": []any{},
		}, nil
	case "agents.defaults":
		return map[string]any{"path": path, "reloadKind": "hot", "schema": DefaultsSchema(), "children": []any{}}, nil
	case "agents.entries.main":
		var children []any
		for _, key := range slices.Sorted(maps.Keys(recordedKeys())) {
			children = append(children, map[string]any{"key": key, "path": path + "." + key, "reloadKind": "hot"})
		}
		return map[string]any{"path": path, "reloadKind": "hot", "children": children}, nil
	}
	return nil, invalid("config schema path not found")
}

func (s *Server) agentSchema() any {
	if s.opts.Generation != February {
		return AgentSchema()
	}
	properties := map[string]any{}
	for _, key := range agentKeys {
		properties[key] = map[string]any{}
	}
	maps.Copy(properties, map[string]any{
		"name": map[string]any{"type": "string"},
		"sandbox": map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
			"mode":  map[string]any{"anyOf": []any{constant("off"), constant("non-main"), constant("all")}},
			"scope": map[string]any{"type": "string", "enum": []any{"session", "agent", "shared"}},
		}},
	})
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

func constant(s string) map[string]any { return map[string]any{"type": "string", "const": s} }

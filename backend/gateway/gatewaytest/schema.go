package gatewaytest

import "maps"

// schema answers config.schema and config.schema.lookup, with what checkAgent checks and
// some of the values that a real gateway names.
func (s *Server) schema(method, path string) (any, *refusal) {
	agent := map[string]any{"type": "object", "additionalProperties": false, "properties": s.agentSchema()}
	if method == "config.schema.lookup" {
		if path != "agents.entries" || s.opts.Generation == February {
			return nil, invalid("config schema path not found")
		}
		return map[string]any{
			"path":     path,
			"schema":   map[string]any{"type": "object", "additionalProperties": agent},
			"children": []any{},
		}, nil
	}
	roster := map[string]any{"entries": map[string]any{"type": "object", "additionalProperties": agent}}
	if s.opts.Generation == February {
		roster = map[string]any{"list": map[string]any{"type": "array", "items": agent}}
	}
	return map[string]any{"version": "fake", "schema": map[string]any{"type": "object", "properties": map[string]any{
		"agents": map[string]any{"type": "object", "additionalProperties": false, "properties": roster},
	}}}, nil
}

func (s *Server) agentSchema() map[string]any {
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
	return properties
}

func constant(s string) map[string]any { return map[string]any{"type": "string", "const": s} }

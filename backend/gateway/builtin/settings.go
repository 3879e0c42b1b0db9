package builtin

import (
	"encoding/json"

	"agentflow/backend/team/gatewayschema"
)

// agentSchema is what the built-in gateway, and the local processes of its agents, read of one agent. What it ignores
// isn't in it.
const agentSchema = `{"type": "object", "properties": {
	"name": {"type": "string"},
	"role": {"type": "string"},
	"description": {"type": "string"},
	"model": {"type": "string"},
	"fallbacks": {"type": "array", "items": {"type": "string"}},
	"persona": {"type": "string"},
	"workspace": {"type": "string"},
	"tools": {"type": "object", "properties": {
		"profile": {"type": "string"},
		"allow": {"type": "array", "items": {"type": "string"}},
		"deny": {"type": "array", "items": {"type": "string"}}}},
	"temperature": {"type": "number"},
	"maxTokens": {"type": "integer"},
	"subagents": {"type": "object", "properties": {"allowAgents": {"type": "array", "items": {"type": "string"}}}},
	"url": {"type": "string"},
	"secretEnv": {"type": "string"},
	"fingerprint": {"type": "string"},
	"mcpServers": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {
		"name": {"type": "string"},
		"command": {"type": "array", "items": {"type": "string"}},
		"env": {"type": "array", "items": {"type": "string"}},
		"url": {"type": "string"},
		"tokenEnv": {"type": "string"}}}},
	"mcpPolicy": {"type": "object", "properties": {
		"default": {"enum": ["auto", "ask", "deny"]},
		"tools": {"type": "object", "additionalProperties": {"enum": ["auto", "ask", "deny"]}}}},
	"security": {"type": "object", "properties": {
		"allowedPaths": {"type": "array", "items": {"type": "string"}},
		"blockedCommands": {"type": "array", "items": {"type": "string"}},
		"askConfirmationCommands": {"type": "array", "items": {"type": "string"}},
		"allowedAddresses": {"type": "array", "items": {"type": "string"}}}},
	"options": {"type": "object"}}}`

// AgentSettings returns the settings of an agent of the built-in gateway. A change needs no restart.
func AgentSettings() gatewayschema.Source {
	return gatewayschema.Source{Schema: json.RawMessage(agentSchema), Reload: map[string]string{"": "hot"}}
}

package client

import (
	"context"
	"encoding/json"
)

const (
	methodSchema       = "config.schema"
	methodSchemaLookup = "config.schema.lookup"
	entriesPath        = "agents.entries"
	defaultsPath       = "agents.defaults"
)

// jsonSchema is what leads to the schema of an agent.
type jsonSchema struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Additional json.RawMessage            `json:"additionalProperties"`
	Items      json.RawMessage            `json:"items"`
}

// AgentSchema returns the JSON schema that the gateway checks one agent of its config
// against, or nil where it offers none. It asks for no more than it has to: the schema of
// a whole config has megabytes.
func (c *Client) AgentSchema(ctx context.Context) (json.RawMessage, error) {
	features := c.Features()
	var entries jsonSchema
	var err error
	if features.Has(methodSchemaLookup) {
		entries, err = c.schemaOf(ctx, methodSchemaLookup, map[string]any{"path": entriesPath})
	}
	if isObject(entries.Additional) || !features.Has(methodSchema) {
		return entries.Additional, err
	}
	config, err := c.schemaOf(ctx, methodSchema, struct{}{})
	if err != nil {
		return nil, err
	}
	return config.agent(), nil
}

func (c *Client) schemaOf(ctx context.Context, method string, params any) (jsonSchema, error) {
	raw, err := c.Call(ctx, method, params)
	if err != nil {
		return jsonSchema{}, err
	}
	var answer struct {
		Schema jsonSchema `json:"schema"`
	}
	err = decodeResult(method, raw, &answer)
	return answer.Schema, err
}

// at returns what the schema says of a key; nothing where it does not name it.
func (s jsonSchema) at(key string) (found jsonSchema) {
	_ = json.Unmarshal(s.Properties[key], &found) // what is no schema says nothing
	return found
}

package client_test

import (
	"encoding/json"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/gatewayschema"
)

// GW-7: a gateway that says what its config may hold is asked; one that does not is not.
func TestGW7_AgentSchema(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		raw, err := c.AgentSchema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if o.Dialect == client.DialectJSONRPC {
			if raw != nil || s.Count("config.schema")+s.Count("config.schema.lookup") > 0 {
				t.Errorf("a gateway that does not offer it was asked: %s", raw)
			}
			return
		}
		knowsAgents(t, raw)
		if asked := s.Count("config.schema"); (asked == 1) != (o.Generation == gatewaytest.February) {
			t.Errorf("the schema of the whole config was asked for %d times", asked)
		}
	})
}

// knowsAgents checks that a schema tells an agent's settings from others.
func knowsAgents(t *testing.T, raw json.RawMessage) {
	t.Helper()
	known := gatewayschema.Read(raw)
	if known == nil {
		t.Fatalf("no schema of an agent: %.300s", raw)
	}
	for key, value := range map[string]string{"sandbox": `{"mode":"non-main","scope":"agent"}`, "identity": `{"emoji":"x"}`, "subagents": `{"allowAgents":["*"]}`} {
		known.Check(key, json.RawMessage(value),
			func(r gatewayschema.Refusal) { t.Errorf("%s: %s is refused: %+v", key, value, r) })
	}
	for key, value := range map[string]string{"sandbx": `{}`, "sandbox": `{"moed":"all"}`} {
		refused := false
		known.Check(key, json.RawMessage(value), func(gatewayschema.Refusal) { refused = true })
		if !refused {
			t.Errorf("%s: %s is not refused", key, value)
		}
	}
}

// A gateway that offers its schema and then does not give it, or gives something else.
func TestFaultAgentSchema(t *testing.T) {
	t.Parallel()
	const lookup, whole = "config.schema.lookup", "config.schema"
	for name, c := range map[string]struct {
		answers map[string]string
		known   bool
	}{
		"the lookup is no schema":       {map[string]string{lookup: `{"schema":7}`}, true},
		"the lookup is empty":           {map[string]string{lookup: `{}`}, true},
		"neither is a schema":           {map[string]string{lookup: `[]`, whole: `"x"`}, false},
		"the agents are no object":      {map[string]string{lookup: `{}`, whole: `{"schema":{"properties":{"agents":[]}}}`}, false},
		"the schema permits everything": {map[string]string{lookup: `{"schema":{"additionalProperties":true}}`, whole: `{"schema":{}}`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{})
			client := dial(t, s)
			frames := map[string]string{}
			for method, payload := range c.answers {
				frames[method] = `{"type":"res","id":$ID,"ok":true,"payload":` + payload + `}`
			}
			s.SetFaults(gatewaytest.Faults{RawAnswer: frames})
			raw, err := client.AgentSchema(t.Context())
			if got := gatewayschema.Read(raw) != nil; got != c.known {
				t.Errorf("%s, %v", raw, err)
			}
		})
	}
	s := gatewaytest.Start(t, gatewaytest.Options{})
	client := dial(t, s)
	s.SetFaults(gatewaytest.Faults{Cut: map[string]bool{lookup: true, whole: true}})
	if raw, err := client.AgentSchema(t.Context()); raw != nil || !errcode.HasReason(err, errcode.ReasonLinkDown) {
		t.Errorf("a link that was cut: %s, %v", raw, err)
	}
}

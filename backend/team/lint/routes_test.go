package lint

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// OC-3: a binding that doesn't do what it says is a warning; of the channels something is said only if they are known.
func TestOC3_BindingsThatDoNothingAreWarnings(t *testing.T) {
	of := &topology.Topology{Agents: []topology.Agent{{ID: "a", Name: "A", Model: "m"}}}
	for _, raw := range []string{
		`{"agentId":"a","match":{"channel":"telegram"}}`,
		`{"agentId":"ghost","match":{"channel":"telegram","accountId":"x"}}`,
		`{"agentId":"a","match":{"channel":"telegram"},"comment":"again"}`,
		`{"agentId":"a","match":{"channel":"irc"}}`, `"odd"`,
	} {
		of.Bindings = append(of.Bindings, json.RawMessage(raw))
	}
	codes := func(rules Rules) []string {
		var out []string
		for _, p := range Check(of, rules) {
			if p.Subject == topology.SubjectBinding {
				out = append(out, p.Item+" "+p.Code)
			}
		}
		slices.Sort(out)
		return out
	}
	if got := codes(Rules{}); !slices.Equal(got, []string{"1 bound_to_nobody", "2 shadowed_binding"}) {
		t.Errorf("%q", got)
	}
	known := Rules{Config: json.RawMessage(`{"channels":{"telegram":{}}}`)}
	if got := codes(known); !slices.Equal(got, []string{
		"1 bound_to_nobody", "1 unknown_account", "2 shadowed_binding", "3 unknown_channel",
	}) {
		t.Errorf("%q", got)
	}
}

// OC-3: a secret in a binding that AgentFlow doesn't understand is found and taken out.
func TestOC3_SecretsInBindings(t *testing.T) {
	of := &topology.Topology{Bindings: topology.Bindings{
		json.RawMessage(`{"type":"new","apiKey":"sk-0123456789abcdef0123","match":{"channel":"x"}}`),
		json.RawMessage(`{"agentId":"a","match":{"channel":"x","peer":{"kind":"direct","id":12345678901234567890}}}`),
	}}
	clean, found := WithoutSecrets(of)
	if len(found) != 1 || found[0].Field != "bindings.0.apiKey" ||
		string(clean.Bindings[1]) != string(of.Bindings[1]) ||
		string(clean.Bindings[0]) != `{"match":{"channel":"x"},"type":"new"}` {
		t.Errorf("%+v %s", found, clean.Bindings)
	}
}

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

// OC-3: OpenClaw takes no config with a group of an unknown agent. A group that no message reaches is a warning.
func TestOC3_BroadcastGroupsThatDoNothing(t *testing.T) {
	of := &topology.Topology{Agents: []topology.Agent{{ID: "a", Name: "A", Model: "m"}}}
	raw := `{"strategy":"parallel","telegram:7":["a","ghost","old"],"irc:1":["a"],"1@g.us":["a"]}`
	if err := json.Unmarshal([]byte(raw), &of.Broadcast); err != nil {
		t.Fatal(err)
	}
	found := func(rules Rules) []string {
		var out []string
		for _, p := range Check(of, rules) {
			if p.Subject == topology.SubjectBroadcast {
				out = append(out, string(p.Severity)+" "+p.Field+" "+p.Code+" "+string(p.Target))
			}
		}
		slices.Sort(out)
		return out
	}
	known := json.RawMessage(`{"channels":{"telegram":{},"whatsapp":{}}}`)
	for _, c := range []struct {
		rules Rules
		want  []string
	}{
		{Rules{}, []string{
			"warning telegram:7 broadcast_to_nobody ghost", "warning telegram:7 broadcast_to_nobody old"}},
		{Rules{Config: known, OpenClaw: true, BaseAgents: []topology.AgentID{"old"}}, []string{
			"error telegram:7 broadcast_to_nobody ghost", "warning irc:1 unreached_broadcast ",
			"warning telegram:7 broadcast_to_nobody old"}},
		{Rules{Config: json.RawMessage(`{"agents":{"list":[{"id":"a"}]},"channels":{"whatsapp":{}}}`)}, []string{
			"warning irc:1 old_broadcast ", "warning telegram:7 broadcast_to_nobody ghost",
			"warning telegram:7 broadcast_to_nobody old", "warning telegram:7 old_broadcast "}},
	} {
		if got := found(c.rules); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// OC-3: a secret in a broadcast group is found and taken out.
func TestOC3_SecretsInBroadcastGroups(t *testing.T) {
	of := &topology.Topology{Broadcast: topology.Extra{{Key: "x:1",
		Value: json.RawMessage(`{"agents":["a"],"apiKey":"sk-0123456789abcdef0123"}`)}}}
	clean, found := WithoutSecrets(of)
	if len(found) != 1 || found[0].Field != "broadcast.x:1.apiKey" ||
		string(clean.Broadcast.Value("x:1")) != `{"agents":["a"]}` {
		t.Errorf("%+v %s", found, clean.Broadcast)
	}
	secrets := 0
	for _, p := range Check(of, Rules{}) {
		if p.Code == SecretInClear {
			secrets++
		}
	}
	if secrets != 1 {
		t.Errorf("%d secrets are reported", secrets)
	}
}

func broadcastProblems() (out []topology.Problem) {
	of := &topology.Topology{Broadcast: topology.Extra{{Key: "telegram:7", Value: json.RawMessage(`["ghost"]`)}}}
	for _, p := range append(Check(of, Rules{Config: json.RawMessage(`{"agents":{"list":[{"id":"a"}]}}`)}),
		Check(of, Rules{Config: json.RawMessage(`{"channels":{}}`)})...) {
		if p.Code == BroadcastToNobody && len(out) > 0 || p.Subject != topology.SubjectBroadcast {
			continue
		}
		out = append(out, p)
	}
	return out
}

package teamfile

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// samples has a value for each field of an agent.
var samples = map[string]string{
	"name": `"Ann"`, "role": `"Developer"`, "model": `"demo/echo"`, "fallbacks": `["demo/b"]`, "persona": `"Be kind."`,
	"workspace": `"/srv/w"`, "description": `"Writes."`, "tools": `{"allow":["files"]}`, "temperature": `0.5`,
	"maxTokens": `100`, "url": `"https://far.example:1"`, "secretEnv": `"AGENTFLOW_AGENT_X"`,
	"fingerprint": `"sha256:00"`, "allowAny": `true`,
}

// TestGW7_EveryFieldIsKeptOrNamed: every format gives a field of an agent back as it was, or names it as lost. A new
// field needs a sample here, and a place in each format.
func TestGW7_EveryFieldIsKeptOrNamed(t *testing.T) {
	for _, field := range topology.FieldNames() {
		sample, ok := samples[field]
		if !ok {
			t.Errorf("the field %s has no sample", field)
			continue
		}
		var a topology.Agent
		if err := json.Unmarshal([]byte(`{"id":"ann","`+field+`":`+sample+`}`), &a); err != nil {
			t.Fatal(err)
		}
		if a.Name == "" {
			a.Name = "Ann"
		}
		for _, to := range Formats() {
			agents := []topology.Agent{a, {ID: "bob", Name: "Bob"}}
			back, losses := there(t, &topology.Topology{Name: "T", Agents: agents}, to)
			got, found := back.Agent("ann")
			kept := found && slices.Contains(fieldsOf(got), field+"="+sample)
			named := slices.ContainsFunc(losses, func(l gatewayconfig.Loss) bool {
				return l.Agent == "ann" && l.Field == field
			})
			if !kept && !named {
				t.Errorf("%s: the field %s is neither kept nor named as lost: %+v, %+v", to, field, back.Agents, losses)
			}
		}
	}
}

// TestGW7_EveryKindIsKeptOrNamed says the same of the kinds of connections.
func TestGW7_EveryKindIsKeptOrNamed(t *testing.T) {
	for _, kind := range topology.Kinds() {
		link := topology.Connection{TargetID: "bob", Type: kind.Kind}
		for _, to := range Formats() {
			back, losses := there(t, &topology.Topology{Name: "T", Agents: []topology.Agent{
				{ID: "ann", Name: "Ann", Connections: []topology.Connection{link}}, {ID: "bob", Name: "Bob"},
			}}, to)
			kept := slices.ContainsFunc(back.Agents, func(a topology.Agent) bool {
				return a.ID == "ann" && slices.ContainsFunc(a.Connections, link.Equal)
			})
			named := slices.ContainsFunc(losses, func(l gatewayconfig.Loss) bool {
				return l.Agent == "ann" && (l.Kind == kind.Kind && l.Target == "bob" || l.Field == "connections")
			})
			if !kept && !named {
				t.Errorf("%s: %s is neither kept nor named as lost: %+v, %+v", to, kind.Kind, back.Agents, losses)
			}
		}
	}
}

// there writes a team in a format and reads it again.
func there(t *testing.T, team *topology.Topology, to Format) (topology.Topology, []gatewayconfig.Loss) {
	t.Helper()
	from, _, err := Write(nil, team, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, losses, err := Convert(from, to, Options{Agent: "ann"})
	if err != nil {
		t.Fatalf("%s: %v\n%s", to, err, from)
	}
	f, err := Read(out, to.FileName("team"))
	if err != nil {
		t.Fatalf("%s: %v\n%s", to, err, out)
	}
	return f.Team, losses
}

// fieldsOf lists the fields of an agent as name=JSON.
func fieldsOf(a *topology.Agent) []string {
	raw, _ := json.Marshal(a)
	var m map[string]json.RawMessage
	_ = json.Unmarshal(raw, &m)
	out := make([]string, 0, len(m))
	for k, v := range m {
		out = append(out, k+"="+string(v))
	}
	return out
}

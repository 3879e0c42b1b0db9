package teamfile

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// sample returns a value of a field, as JSON.
func sample(t *testing.T, f topology.AgentField) string {
	t.Helper()
	switch f.At(&topology.Agent{}).(type) {
	case *string:
		return `"Ann"`
	case *[]string:
		return `["one","two"]`
	case *bool:
		return `true`
	case **float64:
		return `0.5`
	case **int:
		return `100`
	case **topology.Tools:
		return `{"allow":["files"]}`
	case *topology.Files:
		return `{"SOUL.md":{"content":"Be kind.\n"}}`
	}
	t.Fatalf("the field %s has a type without a sample", f.Name)
	return ""
}

// TestGW7_EveryFieldIsKeptOrNamed: every format gives a field of an agent back as it was, or names it as lost.
func TestGW7_EveryFieldIsKeptOrNamed(t *testing.T) {
	for _, f := range topology.Fields() {
		field, sample := f.Name, sample(t, f)
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
			if to == AgentFlow && !kept {
				t.Errorf("a team file does not keep the field %s: %+v", field, back.Agents)
			}
			if !kept && !named {
				t.Errorf("%s: the field %s is neither kept nor named as lost: %+v, %+v", to, field, back.Agents, losses)
			}
		}
	}
}

// TestFieldsAreAddedInTheOrderOfTheFile sets the fields of a written agent one by one, the last first.
func TestFieldsAreAddedInTheOrderOfTheFile(t *testing.T) {
	team := &topology.Topology{Agents: []topology.Agent{{ID: "ann"}}}
	text, _, err := Write(nil, team, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range slices.Backward(topology.FileFields()) {
		next := team.Clone()
		if err := json.Unmarshal([]byte(`{"`+f.Name+`":`+sample(t, f)+`}`), &next.Agents[0]); err != nil {
			t.Fatal(err)
		}
		if text, _, err = Write(text, next, nil); err != nil {
			t.Fatal(err)
		}
		want, team = append([]string{f.Name + ":"}, want...), next
	}
	at := 0
	for _, key := range want {
		i := strings.Index(string(text[at:]), "\n    "+key)
		if i < 0 {
			t.Fatalf("%s is not in its place:\n%s", key, text)
		}
		at += i + 1
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

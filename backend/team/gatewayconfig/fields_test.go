package gatewayconfig

import (
	"reflect"
	"testing"

	"agentflow/backend/team/topology"
)

// TestGW7_TheBuiltinGatewayKeepsEveryField writes each field of an agent into a config of the built-in gateway, as a
// new agent and as an edit, and reads it again.
func TestGW7_TheBuiltinGatewayKeepsEveryField(t *testing.T) {
	for _, f := range topology.Fields() {
		for _, base := range []topology.Topology{{}, {Agents: []topology.Agent{{ID: "ann"}}}} {
			want := topology.Agent{ID: "ann"}
			sample(f.At(&want))
			doc := parseAs(t, "yaml", "agents: {}\n")
			if len(base.Agents) > 0 {
				doc = parseAs(t, "yaml", "agents:\n  ann: {}\n")
			}
			limits := Limits{Roster: Map, FullAgents: true}
			out, losses, err := Write(doc, &base, &topology.Topology{Agents: []topology.Agent{want}}, limits)
			if err != nil || len(losses) > 0 {
				t.Fatalf("%s: %v, lost %+v", f.Name, err, losses)
			}
			back, err := Read(parseAs(t, "yaml", string(out.Bytes())))
			if err != nil || len(back.Topology.Agents) != 1 || !back.Topology.Agents[0].Equal(want) {
				t.Errorf("%s is not kept: %v\n%s", f.Name, err, out.Bytes())
			}
		}
	}
}

// sample gives a field a value.
func sample(at any) {
	v := reflect.ValueOf(at).Elem()
	switch x := at.(type) {
	case *string:
		*x = "one"
	case *[]string:
		*x = []string{"one", "two"}
	case *bool:
		*x = true
	case **topology.Tools:
		*x = &topology.Tools{Allow: []string{"files"}}
	default:
		v.Set(reflect.New(v.Type().Elem()))
		v.Elem().Set(reflect.ValueOf(1).Convert(v.Type().Elem()))
	}
}

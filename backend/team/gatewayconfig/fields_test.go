package gatewayconfig

import (
	"reflect"
	"slices"
	"strings"
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
			limits := Limits{Roster: Map, FullAgents: true, Files: true}
			if f.Name == topology.FieldFiles {
				want = topology.Agent{ID: "ann"} // TestOC2_FilesAreNeverInTheConfig
			}
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

// TestOC2_FilesAreNeverInTheConfig: a gateway that serves workspace files keeps them beside its config. From one that
// doesn't, they are named as lost.
func TestOC2_FilesAreNeverInTheConfig(t *testing.T) {
	want := topology.Agent{ID: "ann", Files: topology.Files{"SOUL.md": {Content: "Be kind."}}}
	for _, text := range []string{"agents: {}\n", "agents:\n  ann: {}\n", "agents:\n  ann: {name: A}\n"} {
		for _, serves := range []bool{true, false} {
			limits := Limits{Roster: Map, FullAgents: true, Files: serves}
			base := topology.Topology{}
			out, losses, err := Write(parseAs(t, "yaml", text), &base,
				&topology.Topology{Agents: []topology.Agent{want}}, limits)
			if err != nil || strings.Contains(string(out.Bytes()), "kind") {
				t.Fatalf("%v\n%s", err, out.Bytes())
			}
			lost := len(losses) == 1 && losses[0].Field == topology.FieldFiles && losses[0].Reason == LossNoPlace
			if serves && len(losses) > 0 || !serves && !lost {
				t.Errorf("serves files: %v, lost %+v", serves, losses)
			}
			sends := limits.Sends(topology.Change{Subject: topology.SubjectAgent, Op: topology.Changed, Agent: "ann",
				Field: "files.SOUL.md"})
			if sends != serves {
				t.Errorf("serves files: %v, but sends them: %v", serves, sends)
			}
		}
	}
	if slices.Contains((Limits{FullAgents: true, Files: true}).Held(Map).Fields, topology.FieldFiles) {
		t.Error("an import would take the config's word for the files")
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
	case *topology.Files:
		*x = topology.Files{"SOUL.md": {Content: "one"}}
	case **topology.Tools:
		*x = &topology.Tools{Allow: []string{"files"}}
	default:
		v.Set(reflect.New(v.Type().Elem()))
		v.Elem().Set(reflect.ValueOf(1).Convert(v.Type().Elem()))
	}
}

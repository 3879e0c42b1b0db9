package gatewayconfig

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// TestGW2_ShapesAreFoundByLooking: every shape a config was seen in.
func TestGW2_ShapesAreFoundByLooking(t *testing.T) {
	for name, tc := range map[string]struct {
		text  string
		shape Shape
		ids   string
	}{
		"seed map":              {`{"agents":{"pm-1":{"name":"PM"},"dev-1":null}}`, Map, "pm-1 dev-1"},
		"map, defaults beside":  {`{"agents":{"defaults":{"model":{}},"pm":{}}}`, Map, "pm"},
		"an agent named list":   {`{"agents":{"list":{"name":"L"}}}`, Map, "list"},
		"an agent named entry":  {`{"agents":{"entries":{"name":"E","model":"m"}}}`, Map, "entries"},
		"an agent named defaul": {`{"agents":{"defaults":{"name":"D"}}}`, Map, "defaults"},
		"list":                  {`{"agents":{"defaults":{},"list":[{"id":"main"},{"id":"x"},{"id":"x"},{}]}}`, List, "main x"},
		"entries":               {`{"agents":{"ownership":"explicit","entries":{"main":{},"x":{}}}}`, Entries, "main x"},
		"entries beat list":     {`{"agents":{"list":[{"id":"a"}],"entries":{"b":{}}}}`, Entries, "b"},
		"fresh":                 {`{"agents":{"defaults":{}}}`, None, ""},
		"no agents":             {`{"gateway":{}}`, None, ""},
		"empty":                 {`{}`, None, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Read(parseAs(t, "json", tc.text))
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, a := range r.Topology.Agents {
				ids = append(ids, string(a.ID))
			}
			if got := strings.Join(ids, " "); r.Shape != tc.shape || got != tc.ids {
				t.Errorf("%s %q", r.Shape, got)
			}
		})
	}
	for name, text := range map[string]string{"a list of agents": "agents:\n- {name: a}\n", "text": "hello", "an agent that is text": "agents:\n  a: x\n  b: {}\n"} {
		doc, err := docedit.Parse([]byte(text), "f.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(doc); !errcode.Is(err, errcode.Validation) || !strings.HasPrefix(err.Error(), "f.yaml:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGW7_EverythingIsReadOrKept: known fields are read, all else is in Extra in order.
func TestGW7_EverythingIsReadOrKept(t *testing.T) {
	r, err := Read(parseAs(t, "yaml", `
agents:
  a:
    z: 1
    name: 7
    model: {primary: p/q, fallbacks: [r], temperature: 1}
    subagents: {allowAgents: ["*", ghost, b, b], thinking: high}
    tools: {profile: coding, allow: [read], byProvider: {x: 1}}
    workspace: [wrong]
    y: {k: [1, {deep: true}], j: null}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"a","name":"7","model":"p/q","fallbacks":["r"],"tools":{"profile":"coding","allow":["read"]},"allowAny":true,` +
		`"connections":[{"targetId":"ghost","type":"command"},{"targetId":"b","type":"command"}],` +
		`"extra":{"z":1,"model":{"temperature":1},"subagents":{"thinking":"high"},"tools":{"byProvider":{"x":1}},"workspace":["wrong"],"y":{"k":[1,{"deep":true}],"j":null}}}`
	got, err := json.Marshal(r.Topology.Agents[0])
	if err != nil || string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var warned []string
	for _, w := range r.Warnings {
		warned = append(warned, w.Path)
		if w.Line == 0 || w.Message == "" {
			t.Errorf("%+v", w)
		}
	}
	if got := strings.Join(warned, " "); got != "agents.a.subagents.allowAgents agents.a.workspace" {
		t.Error(got)
	}
	if len(r.Unknown) != 6 || r.Unknown[0].Path != "agents.a.z" || r.Unknown[0].Line != 4 {
		t.Errorf("%+v", r.Unknown)
	}
}

// TestGW7_CopyOfAnAgentKeepsItsUnknownKeys but not what stands for its secrets.
func TestGW7_CopyOfAnAgentKeepsItsUnknownKeys(t *testing.T) {
	doc := parseAs(
		t,
		"json",
		`{"agents":{"entries":{"a":{"memory":{"key":"__OPENCLAW_REDACTED__","dir":"/m"},"subagents":{"allowAgents":["a"],"thinking":"high"},"model":{"primary":"p","x":1}}}}}`,
	)
	r, err := Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	draft := r.Topology.Clone()
	b := draft.Agents[0].Clone()
	b.ID = "b"
	draft.Agents = append(draft.Agents, b)
	out, losses, err := Write(doc, &r.Topology, draft, testLimits("newest"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out.Bytes()), `"b":{"model":{"primary":"p","x":1},"subagents":{"allowAgents":["a"],"thinking":"high"},"memory":{"dir":"/m"}}`) ||
		strings.Count(string(out.Bytes()), Redacted) != 1 {
		t.Errorf("%s", out.Bytes())
	}
	if got := lossLines(losses); got != "b memory.key secret\n" {
		t.Error(got)
	}
}

// TestGW7_WhatNobodyDrewIsLeftAlone: a config that is newer than the base keeps what
// came since, though the draft does not say it.
func TestGW7_WhatNobodyDrewIsLeftAlone(t *testing.T) {
	base := &topology.Topology{
		Agents: []topology.Agent{
			{ID: "a", Connections: []topology.Connection{{TargetID: "b", Type: topology.Command}}},
			{ID: "b"},
		},
	}
	draft := base.Clone()
	draft.Agents[0].Name = "A"
	draft.Agents[0].Connections = nil
	doc := parseAs(
		t,
		"json",
		`{"agents":{"a":{"workspace":"/ws","subagents":{"allowAgents":["b","new"]},"model":{"primary":"p"}},"b":{},"new":{}}}`,
	)
	out, _, err := Write(doc, base, draft, testLimits("seed"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out.Bytes()); got != `{"agents":{"a":{"workspace":"/ws","subagents":{"allowAgents":["new"]},"model":{"primary":"p"},"name":"A"},"b":{},"new":{}}}` {
		t.Error(got)
	}
}

func TestIDsAreChecked(t *testing.T) {
	doc := parseAs(t, "json", `{"agents":{"entries":{"Old Id":{}}}}`)
	for name, id := range map[string]topology.AgentID{"bad": "Bad Id!", "empty": "", "double": "Old Id"} {
		draft := &topology.Topology{Agents: []topology.Agent{{ID: "Old Id"}, {ID: id}}}
		if _, _, err := Write(doc, nil, draft, testLimits("newest")); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	draft := &topology.Topology{Agents: []topology.Agent{{ID: "Old Id"}, {ID: "x/../../b"}}}
	builtIn := Limits{FullAgents: true, Home: "/home/user"}
	if _, _, err := Write(doc, nil, draft, builtIn); !errcode.Is(err, errcode.Validation) {
		t.Errorf("an id that leads to another folder: %v", err)
	}
}

// FuzzRead: no config makes Read panic; writing back what was read changes no byte;
// a changed team reads back as what was drawn.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i, s := range sections(string(raw)) {
			if i%2 == 0 {
				f.Add([]byte(s.text), i%3 == 0)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, full bool) {
		if len(text) > 4096 {
			return
		}
		doc, err := docedit.FromJSON(text, "")
		if err != nil {
			if doc, err = docedit.Parse(text, ""); err != nil {
				return
			}
		}
		r, err := Read(doc)
		if err != nil {
			return
		}
		limits := Limits{FullAgents: full, Home: "/home/user"}
		same, _, err := Write(doc, &r.Topology, &r.Topology, limits)
		if err != nil && !errcode.Is(err, errcode.Validation) {
			t.Fatal(err)
		}
		if err == nil && !bytes.Equal(same.Bytes(), text) {
			t.Fatalf("%q became %q", text, same.Bytes())
		}
		writeChanged(t, doc, r, limits)
	})
}

func writeChanged(t *testing.T, doc *docedit.Document, r Reading, limits Limits) {
	draft := r.Topology.Clone()
	fresh := topology.UniqueID(draft, "fresh")
	draft.Agents = append(draft.Agents, topology.Agent{ID: fresh, Name: "F", Workspace: "/w", AllowAny: true})
	draft.Agents[0].Model, draft.Agents[0].Fallbacks = "m/n", nil
	draft.Agents[0].Connections = append(draft.Agents[0].Connections,
		topology.Connection{TargetID: fresh, Type: topology.Command})
	out, _, err := Write(doc, &r.Topology, draft, limits)
	if err != nil {
		if errcode.Is(err, errcode.Validation) {
			return
		}
		t.Fatalf("%v\n%s", err, doc.Bytes())
	}
	got, err := Read(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	a, ok := got.Topology.Agent(fresh)
	if !ok || a.Name != "F" || !a.AllowAny {
		t.Fatalf("the new agent is not there: %q became %q", doc.Bytes(), out.Bytes())
	}
	first, ok := got.Topology.Agent(draft.Agents[0].ID)
	if !ok || first.Model != "m/n" {
		t.Fatalf("the model is not there: %q became %q", doc.Bytes(), out.Bytes())
	}
}

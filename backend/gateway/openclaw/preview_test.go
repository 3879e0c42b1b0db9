package openclaw

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/team/topology"
)

func previewOf(t *testing.T, g *fakeGateway, change func(*topology.Topology)) Preview {
	t.Helper()
	s := g.snapshot()
	r := mustReading(t, s)
	draft := r.Topology.Clone()
	change(draft)
	p, err := MakePreview(
		PreviewInput{Snapshot: s, BaseHash: s.Hash, Base: &r.Topology, Draft: draft, Capabilities: g.caps},
	)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func impactsOf(p Preview) string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, fmt.Sprintf("%s=%s", c.ID, c.Impact))
	}
	return strings.Join(out, " ")
}

func everyKind(d *topology.Topology) {
	remove("qa")(d)
	dev, _ := d.Agent("dev")
	dev.Model, dev.Role = "c/d", "Developer"
	dev.Connections = append(dev.Connections, topology.Connection{TargetID: "main", Type: topology.Review},
		topology.Connection{TargetID: "main", Type: topology.Command})
	d.Agents = append(d.Agents, topology.Agent{ID: "new"})
	d.Layout = map[topology.AgentID]topology.Point{"dev": {X: 1}}
}

func TestAPP3_PreviewSaysWhatBecomesOfEachChange(t *testing.T) {
	p := previewOf(t, newFake(t, newest, entriesConfig), everyKind)
	want := "connection:main:command:qa=delete agent:dev:role=local agent:dev:model=hot connection:dev:review:main=local connection:dev:command:main=hot agent:new=hot agent:qa=delete layout:dev=local"
	if got := impactsOf(p); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !p.Sends || p.Restart.Needed || p.Language != "json" || p.CommentsLost || p.BaseHash != "h1" {
		t.Errorf("%+v", p)
	}
	if len(p.Deletions) != 1 || !p.Deletions[0].Possible || len(p.Deletions[0].Connections) != 1 || p.Deletions[0].Connections[0].From != "main" {
		t.Errorf("%+v", p.Deletions)
	}
	var lost []string
	for _, l := range p.Losses {
		lost = append(lost, string(l.Agent)+"."+l.Field)
	}
	if got := strings.Join(lost, " "); got != "dev.role dev.connections .layout" {
		t.Error(got)
	}
	raw, err := json.Marshal(p)
	if err != nil || !strings.Contains(string(raw), `"impact":"hot"`) || !strings.Contains(string(raw), `"id":"agent:dev:model"`) {
		t.Errorf("%s %v", raw, err)
	}

	p = previewOf(t, newFake(t, february, listConfig), rename("dev", "x"))
	if !p.Restart.Needed || p.Restart.Seconds != 8 || p.Restart.Reason == "" || impactsOf(p) != "agent:dev:name=restart" {
		t.Errorf("%+v", p)
	}
	p = previewOf(t, newFake(t, february, listConfig),
		func(d *topology.Topology) { d.Notes = []topology.Note{{ID: "n"}} })
	if p.Sends || p.Restart.Needed || impactsOf(p) != "note:n=local" {
		t.Errorf("%+v", p)
	}
	p = previewOf(t, newFake(t, Features{Local: true}, "agents: {dev: {name: D}}\n"), func(d *topology.Topology) {
		d.Agents[0].Persona = "You."
		d.Agents[0].Connections = []topology.Connection{{TargetID: "dev", Type: topology.Review}}
	})
	if impactsOf(p) != "agent:dev:persona=hot connection:dev:review:dev=hot" || len(p.Losses) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestAPP3_PreviewRefusesAStaleBase(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	s := g.snapshot()
	_, err := MakePreview(
		PreviewInput{Snapshot: s, BaseHash: "older", Draft: &topology.Topology{}, Capabilities: g.caps},
	)
	isStale(t, g, err)
}

// TestAPP3_PreviewWithoutABase: a team that was never read there is compared with
// what the gateway holds; what only a team can hold is no change.
func TestAPP3_PreviewWithoutABase(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	r := mustReading(t, g.snapshot())
	draft := r.Topology.Clone()
	draft.Agents[1].Persona, draft.Agents[1].Name = "You.", "x"
	draft.Layout = map[topology.AgentID]topology.Point{"dev": {X: 1}}
	p, err := MakePreview(PreviewInput{Snapshot: g.snapshot(), Draft: draft, Capabilities: g.caps})
	if err != nil || impactsOf(p) != "agent:dev:name=hot" {
		t.Error(impactsOf(p), err)
	}
}

func TestAPP3_PreviewShowsNoSecretAndSaysWhatCommentsGo(t *testing.T) {
	g := newFake(t, simple,
		"# team\nmodels: {p: {apiKey: very-secret, keyEnv: OK}}\nagents: {a: {token: abc, maxTokens: 5}}\n")
	p := previewOf(t, g, rename("a", "A"))
	if strings.Contains(p.Before+p.After, "very-secret") || strings.Contains(p.Before+p.After, "abc") || !strings.Contains(p.Before, "# team\n") || !strings.Contains(p.After, "name: A") || p.CommentsLost {
		t.Errorf("%s%s", p.Before, p.After)
	}
	f := newFake(t, february, listConfig)
	s := f.snapshot()
	s.Raw, s.RawFormat = "// mine\n"+string(s.Config), "json5"
	r := mustReading(t, s)
	draft := r.Topology.Clone()
	rename("dev", "x")(draft)
	p, err := MakePreview(
		PreviewInput{Snapshot: s, BaseHash: s.Hash, Base: &r.Topology, Draft: draft, Capabilities: f.caps},
	)
	if err != nil || !p.CommentsLost {
		t.Error(p.CommentsLost, err)
	}
}

func TestAPP3_DeletionsSayWhatGoes(t *testing.T) {
	g := newFake(t, newest, entriesConfig+"bindings: [{agentId: dev, match: {channel: x}}, {agentId: qa}]\n")
	p := previewOf(t, g, func(d *topology.Topology) { remove("dev")(d); remove("main")(d) })
	if len(p.Deletions) != 2 || p.Deletions[0].Possible || p.Deletions[0].Reason == "" || p.Deletions[1].Bindings != 1 {
		t.Errorf("%+v", p.Deletions)
	}
	// A stored secret behind a removed entry of a list would move to another place.
	list := newFake(t, february,
		"agents: {list: [{id: main, default: true}, {id: a}, {id: b, key: __OPENCLAW_REDACTED__}]}\n")
	p = previewOf(t, list, remove("a"))
	if len(p.Deletions) != 1 || !p.Deletions[0].ByGateway {
		t.Errorf("%+v", p.Deletions)
	}
	p = previewOf(t, list, remove("b"))
	if len(p.Deletions) != 1 || p.Deletions[0].ByGateway {
		t.Errorf("%+v", p.Deletions)
	}
}

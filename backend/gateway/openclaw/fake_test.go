package openclaw

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// fakeGateway is a gateway in memory that checks what the real ones check: the hash,
// the roster guard, secrets. Faults are set per test.
type fakeGateway struct {
	t    *testing.T
	caps Capabilities
	doc  *docedit.Document
	gen  int

	files map[topology.AgentID]map[string]string

	log []string // calls, in order

	onWrite  func(agent topology.AgentID, name string) error // before a file is written; an error refuses it
	lostFile func(name string) bool                          // the file is written, but the answer is lost

	onRead   func(n int)               // before the n-th reading
	onApply  func(n int) error         // before the n-th apply; an error refuses it
	lost     func(n int) bool          // the n-th apply is taken, but its answer is lost
	onDelete func(id topology.AgentID) // before a deletion
	fill     func(doc *docedit.Document) *docedit.Document
	waitErr  error
	reads    int
	applies  int
}

func newFake(t *testing.T, f Features, config string) *fakeGateway {
	g := &fakeGateway{t: t, caps: CapabilitiesFor(f)}
	g.set(config)
	return g
}

func (g *fakeGateway) set(config string) {
	g.t.Helper()
	doc, err := docedit.Parse([]byte(config), "")
	if err != nil {
		g.t.Fatal(err)
	}
	g.doc, g.gen = doc, g.gen+1
}

func (g *fakeGateway) snapshot() Snapshot {
	s := Snapshot{Hash: fmt.Sprintf("h%d", g.gen), Config: g.doc.JSON()}
	if g.caps.ApplyFormat == "yaml" {
		s.Raw, s.RawFormat = string(g.doc.Bytes()), "yaml"
	}
	if r, err := Read(g.doc); err == nil && len(r.Topology.Agents) == 0 && g.caps.DefaultAgent != "" {
		s.Effective = json.RawMessage(`{"agents":{"entries":{"main":{}}}}`)
	}
	return s
}

func (g *fakeGateway) Read(context.Context) (Snapshot, error) {
	g.reads++
	g.log = append(g.log, "read")
	if g.onRead != nil {
		g.onRead(g.reads)
	}
	return g.snapshot(), nil
}

func (g *fakeGateway) Capabilities() Capabilities { return g.caps }

func (g *fakeGateway) WaitReady(context.Context) error {
	g.log = append(g.log, "wait")
	return g.waitErr
}

func (g *fakeGateway) Apply(_ context.Context, raw, baseHash, _ string) (ApplyOutcome, error) {
	g.applies++
	g.log = append(g.log, "apply")
	if g.onApply != nil {
		if err := g.onApply(g.applies); err != nil {
			return ApplyOutcome{}, err
		}
	}
	rejected := func(format string, args ...any) (ApplyOutcome, error) {
		return ApplyOutcome{}, errcode.New(errcode.Gateway, format, args...).
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	if baseHash != fmt.Sprintf("h%d", g.gen) { // worded differently, as gateways do
		return rejected("config changed since last load; re-run config.get and retry")
	}
	doc, err := docedit.Parse([]byte(raw), "")
	if err != nil {
		return rejected("%v", err)
	}
	if gone := g.dropped(doc); g.caps.RosterGuard && len(gone) > 0 {
		return rejected("Config write would drop agent roster entries without an explicit deletion: %v.", gone)
	}
	if n := strings.Count(raw, Redacted); n > strings.Count(string(g.doc.Bytes()), Redacted) {
		return rejected("Sentinel value is not valid as real data")
	}
	if g.fill != nil {
		doc = g.fill(doc)
	}
	g.doc, g.gen = doc, g.gen+1
	if g.lost != nil && g.lost(g.applies) {
		return ApplyOutcome{}, unknown()
	}
	return ApplyOutcome{Restarts: !g.caps.HotApply}, nil
}

func unknown() error {
	return errcode.New(errcode.Gateway, "the link was lost").With(errcode.KeyReason, errcode.ReasonUnknown)
}

func (g *fakeGateway) setFile(agent topology.AgentID, name, content string) {
	if g.files == nil {
		g.files = map[topology.AgentID]map[string]string{}
	}
	if g.files[agent] == nil {
		g.files[agent] = map[string]string{}
	}
	g.files[agent][name] = content
}

func (g *fakeGateway) ReadFile(_ context.Context, agent topology.AgentID, name string) (File, error) {
	g.log = append(g.log, "readFile "+string(agent)+"/"+name)
	r, err := Read(g.doc)
	if err != nil {
		return File{}, err
	}
	if _, ok := r.Topology.Agent(agent); !ok {
		return File{}, errcode.New(errcode.Gateway, "agent %q not found", agent).With(errcode.KeyReason,
			errcode.ReasonRejected)
	}
	content, ok := g.files[agent][name]
	if !ok {
		return File{Missing: true, Unsupported: name == "TOOLS.md"}, nil
	}
	return File{Content: content, Hash: topology.HashFile(content), Guarded: true,
		Binary: strings.ContainsRune(content, 0)}, nil
}

func (g *fakeGateway) WriteFile(ctx context.Context, agent topology.AgentID, name, content, expectedHash string) error {
	if g.onWrite != nil {
		if err := g.onWrite(agent, name); err != nil {
			return err
		}
	}
	now, err := g.ReadFile(ctx, agent, name)
	if err != nil {
		return err
	}
	if now.Hash != expectedHash {
		return errcode.New(errcode.Conflict, "changed").With(errcode.KeyReason, errcode.ReasonFileChanged)
	}
	g.log = append(g.log, "writeFile "+string(agent)+"/"+name)
	g.setFile(agent, name, content)
	if g.lostFile != nil && g.lostFile(name) {
		return unknown()
	}
	return nil
}

func (g *fakeGateway) dropped(doc *docedit.Document) (gone []topology.AgentID) {
	next := map[topology.AgentID]bool{}
	for _, p := range gatewayconfig.Places(doc) {
		next[p.ID] = true
	}
	for _, p := range gatewayconfig.Places(g.doc) {
		if !next[p.ID] {
			gone = append(gone, p.ID)
		}
	}
	return gone
}

func (g *fakeGateway) DeleteAgent(_ context.Context, id topology.AgentID) error {
	g.log = append(g.log, "delete "+string(id))
	if g.onDelete != nil {
		g.onDelete(id)
	}
	r, err := Read(g.doc)
	if err != nil {
		return err
	}
	draft := r.Topology.Clone()
	draft.Agents = slices.DeleteFunc(draft.Agents, func(a topology.Agent) bool { return a.ID == id })
	for i := range draft.Agents {
		draft.Agents[i].Connections = slices.DeleteFunc(draft.Agents[i].Connections,
			func(c topology.Connection) bool { return c.TargetID == id })
	}
	doc, _, err := Write(g.doc, &r.Topology, draft, g.caps.Limits)
	if err != nil {
		return err
	}
	g.doc, g.gen = doc, g.gen+1
	return nil
}

var (
	newest = Features{
		Framed:       true,
		Protocol:     4,
		RosterGuard:  true,
		AgentsDelete: true,
		AgentFiles:   true,
		HotApply:     true,
		ApplyFormat:  "json5",
	}
	february = Features{Framed: true, Protocol: 3, AgentsDelete: true, AgentFiles: true, ApplyFormat: "json5"}
	simple   = Features{ApplyFormat: "yaml", Home: "/home/user"}
)

const entriesConfig = `gateway: {auth: {token: __OPENCLAW_REDACTED__}}
agents:
  ownership: explicit
  entries:
    main: {name: Main, subagents: {allowAgents: [dev, qa]}}
    dev: {name: Dev, model: a/b, memory: {key: __OPENCLAW_REDACTED__}}
    qa: {name: QA}
`

const listConfig = `agents:
  list:
    - {id: main, default: true, subagents: {allowAgents: [dev]}}
    - {id: dev, model: a/b}
`

// pushed is one push with all it told.
type pushed struct {
	res   Result
	err   error
	facts []Progress
	kept  []Snapshot

	preview Preview
}

func (p pushed) steps() string {
	var out []string
	for _, f := range p.facts {
		s := string(f.Step) + "." + string(f.State)
		if f.Agent != "" {
			s += "." + string(f.Agent)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// push previews on the gateway as it is, changes the team, and applies.
func (g *fakeGateway) push(change func(*topology.Topology), set func(*PushInput)) (p pushed) {
	g.t.Helper()
	s := g.snapshot()
	r, err := s.Reading()
	if err != nil {
		g.t.Fatal(err)
	}
	draft := r.Topology.Clone()
	change(draft)
	files, err := ReadFiles(g.t.Context(), g, &r.Topology, draft)
	if err != nil {
		g.t.Fatal(err)
	}
	base := files.Into(&r.Topology)
	pre, err := MakePreview(
		PreviewInput{Snapshot: s, BaseHash: s.Hash, Base: base, Draft: draft, Capabilities: g.caps, Files: files},
	)
	if err != nil {
		g.t.Fatal(err)
	}
	p.preview = pre
	writes := FileWrites(files, &r.Topology, draft, g.caps)
	in := PushInput{BaseHash: pre.BaseHash, Base: base, Draft: draft, Files: writes, Note: "test",
		Progress:     func(f Progress) { p.facts = append(p.facts, f) },
		KeepSnapshot: func(_ context.Context, s Snapshot) error { p.kept = append(p.kept, s); return nil }}
	if set != nil {
		set(&in)
	}
	p.res, p.err = Push(context.Background(), g, in)
	return p
}

func (g *fakeGateway) count(call string) (n int) {
	for _, l := range g.log {
		if l == call {
			n++
		}
	}
	return n
}

func rename(id topology.AgentID, name string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		if a, ok := t.Agent(id); ok {
			a.Name = name
		}
	}
}

func remove(id topology.AgentID) func(*topology.Topology) {
	return func(t *topology.Topology) {
		t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID == id })
		for i := range t.Agents {
			t.Agents[i].Connections = slices.DeleteFunc(t.Agents[i].Connections,
				func(c topology.Connection) bool { return c.TargetID == id })
		}
	}
}

package rollout_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
)

const office = "office"

const config = `agents:
  ownership: explicit
  entries:
    main: {name: Main, subagents: {allowAgents: [dev]}}
    dev: {name: Dev, model: a/b}
`

// fakeGateway is a gateway in memory. A hook runs before its call, unlocked.
type fakeGateway struct {
	onRead  func(ctx context.Context, n int) error // before the n-th read
	onApply func() error                           // an error rejects the config
	after   func() error                           // an error replaces the answer to an accepted config
	fill    func(*topology.Topology)               // what the gateway stores instead
	waitErr error
	onWrite func(agent topology.AgentID, name string) error // an error refuses the file

	mu      sync.Mutex
	files   map[string]string // by agent/name
	doc     *docedit.Document
	gen     int
	reads   int
	applies int
}

func (g *fakeGateway) Capabilities() openclaw.Capabilities {
	return openclaw.CapabilitiesFor(openclaw.Features{
		Framed: true, Protocol: 4, RosterGuard: true, AgentsDelete: true, AgentFiles: true, HotApply: true,
		ApplyFormat: "json5",
	})
}

func (g *fakeGateway) ReadFile(_ context.Context, agent topology.AgentID, name string) (openclaw.File, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	content, ok := g.files[string(agent)+"/"+name]
	if !ok {
		return openclaw.File{Missing: true}, nil
	}
	return openclaw.File{Content: content, Hash: topology.HashFile(content), Guarded: true,
		Binary: strings.ContainsRune(content, 0)}, nil
}

func (g *fakeGateway) WriteFile(ctx context.Context, agent topology.AgentID, name, content, expectedHash string) error {
	if g.onWrite != nil {
		if err := g.onWrite(agent, name); err != nil {
			return err
		}
	}
	if now, _ := g.ReadFile(ctx, agent, name); now.Hash != expectedHash {
		return errcode.New(errcode.Conflict, "changed").With(errcode.KeyReason, errcode.ReasonFileChanged)
	}
	g.setFile(string(agent)+"/"+name, content)
	return nil
}

// setFile writes a workspace file outside AgentFlow.
func (g *fakeGateway) setFile(at, content string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.files == nil {
		g.files = map[string]string{}
	}
	g.files[at] = content
}

func (g *fakeGateway) removeFile(at string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.files, at)
}

func (g *fakeGateway) file(at string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	content, ok := g.files[at]
	if !ok {
		return "(missing)"
	}
	return content
}

func (g *fakeGateway) WaitReady(context.Context) error { return g.waitErr }

func (g *fakeGateway) Read(ctx context.Context) (openclaw.Snapshot, error) {
	g.mu.Lock()
	g.reads++
	n := g.reads
	g.mu.Unlock()
	if g.onRead != nil {
		if err := g.onRead(ctx, n); err != nil {
			return openclaw.Snapshot{}, err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return openclaw.Snapshot{Hash: g.hash(), Config: g.doc.JSON()}, nil
}

func (g *fakeGateway) hash() string { return fmt.Sprintf("h%d", g.gen) }

func (g *fakeGateway) Apply(_ context.Context, raw, baseHash, _ string) (openclaw.ApplyOutcome, error) {
	g.mu.Lock()
	g.applies++
	g.mu.Unlock()
	if g.onApply != nil {
		if err := g.onApply(); err != nil {
			return openclaw.ApplyOutcome{}, err
		}
	}
	doc, err := docedit.Parse([]byte(raw), "")
	if err != nil {
		return openclaw.ApplyOutcome{}, err
	}
	g.mu.Lock()
	if baseHash != g.hash() {
		g.mu.Unlock()
		return openclaw.ApplyOutcome{}, reason(errcode.ReasonRejected)
	}
	g.doc, g.gen = doc, g.gen+1
	g.mu.Unlock()
	if g.fill != nil {
		g.change(g.fill)
	}
	if g.after != nil {
		return openclaw.ApplyOutcome{}, g.after()
	}
	return openclaw.ApplyOutcome{}, nil
}

func (g *fakeGateway) DeleteAgent(_ context.Context, id topology.AgentID) error {
	g.change(func(t *topology.Topology) { remove(t, id) })
	return nil
}

// change edits the config outside AgentFlow.
func (g *fakeGateway) change(edit func(*topology.Topology)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := openclaw.Read(g.doc)
	if err != nil {
		panic(err)
	}
	next := r.Topology.Clone()
	edit(next)
	doc, _, err := openclaw.Write(g.doc, &r.Topology, next, g.Capabilities().Limits)
	if err != nil {
		panic(err)
	}
	g.doc, g.gen = doc, g.gen+1
}

// names lists the agents of the config as id=name.
func (g *fakeGateway) names() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := openclaw.Read(g.doc)
	if err != nil {
		return err.Error()
	}
	return names(&r.Topology)
}

func (g *fakeGateway) sent() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.applies
}

func names(t *topology.Topology) string {
	var out []string
	for _, a := range t.Agents {
		out = append(out, string(a.ID)+"="+a.Name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func reason(is string) *errcode.Error {
	return errcode.New(errcode.Gateway, "the gateway failed").With(errcode.KeyReason, is)
}

func rename(id topology.AgentID, name string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		if a, ok := t.Agent(id); ok {
			a.Name = name
		}
	}
}

func remove(t *topology.Topology, id topology.AgentID) {
	t.Agents = slices.DeleteFunc(t.Agents, func(a topology.Agent) bool { return a.ID == id })
	delete(t.Layout, id)
	for i := range t.Agents {
		a := &t.Agents[i]
		a.Connections = slices.DeleteFunc(a.Connections, func(c topology.Connection) bool { return c.TargetID == id })
	}
}

type gateways map[string]*fakeGateway

func (all gateways) Target(name string) (rollout.Target, error) {
	g, ok := all[name]
	if !ok {
		return rollout.Target{}, errcode.New(errcode.NotFound, "there is no gateway %s", name)
	}
	return rollout.Target{Name: name, Gateway: g}, nil
}

// desk is a running machine with two gateways and a team that was imported from the first.
type desk struct {
	*testing.T
	*rollout.Machine
	gateway  *fakeGateway
	gateways gateways
	library  *library.Library
	store    *librarytest.Store
	team     library.ID
	stop     context.CancelFunc
}

func start(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t, gateways: gateways{}, store: librarytest.NewStore()}
	for _, name := range []string{office, "lab"} {
		doc, err := docedit.Parse([]byte(config), "")
		if err != nil {
			t.Fatal(err)
		}
		d.gateways[name] = &fakeGateway{doc: doc}
	}
	d.gateway = d.gateways[office]
	d.library = library.New(d.store, "Mika")
	d.Machine = rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)
	team, _, err := d.Draw(t.Context(), office, &topology.Topology{Name: "Team"})
	if err != nil {
		t.Fatal(err)
	}
	d.team = team.ID
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	ended, machine := make(chan error, 1), d.Machine // a test can put another one in its place
	go func() { ended <- machine.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return d
}

// edit changes the draft.
func (d *desk) edit(change func(*topology.Topology)) {
	d.Helper()
	next := d.draft().Clone()
	change(next)
	if _, _, _, err := d.library.Save(d.Context(), d.team, "",
		library.Step{Topology: next, Cause: library.Edited, Label: "edit"}); err != nil {
		d.Error(err)
	}
}

func (d *desk) draft() *topology.Topology {
	d.Helper()
	_, head, err := d.library.Get(d.Context(), d.team)
	if err != nil {
		d.Fatal(err)
	}
	return head.Topology
}

func (d *desk) preview(w rollout.Decisions) rollout.Preview {
	d.Helper()
	p, err := d.Preview(d.Context(), d.team, w)
	if err != nil {
		d.Fatal(err)
	}
	return p
}

// request asks for exactly what the preview of the decisions shows.
func (d *desk) request(w rollout.Decisions) rollout.Request {
	d.Helper()
	p := d.preview(w)
	return rollout.Request{Decisions: w, Hash: p.BaseHash, Seen: p.Seen}
}

// apply starts an apply and waits for its end.
func (d *desk) apply(req rollout.Request) rollout.Apply {
	d.Helper()
	return d.finish(func() (rollout.Apply, error) { return d.Start(d.Context(), d.team, req) })
}

func (d *desk) finish(begin func() (rollout.Apply, error)) rollout.Apply {
	d.Helper()
	sub := d.Subscribe(256)
	defer sub.Close()
	a, err := begin()
	if err != nil {
		d.Fatal(err)
	}
	return d.end(a.ID, sub.C())
}

func (d *desk) end(id rollout.ID, told <-chan rollout.Apply) rollout.Apply {
	d.Helper()
	for a := range told {
		if a.ID == id && a.State != rollout.Running {
			return a
		}
	}
	d.Fatal("the subscription ended before the apply")
	return rollout.Apply{}
}

func steps(a rollout.Apply) string {
	var out []string
	for _, s := range a.Steps {
		out = append(out, string(s.Name)+"="+s.State)
	}
	return strings.Join(out, " ")
}

func reasonOf(err *errcode.Error) string {
	if err == nil {
		return ""
	}
	return err.Reason()
}

var errGone = errors.New("the gateway is gone")

package builtin_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/builtintest"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
)

// remote is a gateway client as openclaw.Push sees it.
type remote struct {
	*client.Client
	capabilities openclaw.Capabilities
}

func (r remote) Read(ctx context.Context) (openclaw.Snapshot, error) {
	c, err := r.ConfigGet(ctx)
	return openclaw.Snapshot{
		Hash:      c.Hash,
		Config:    c.Parsed,
		Effective: c.Effective,
		Raw:       c.Raw,
		RawFormat: c.RawFormat,
	}, err
}

func (r remote) Apply(ctx context.Context, raw, baseHash, note string) (openclaw.ApplyOutcome, error) {
	res, err := r.ConfigApply(ctx, client.ApplyRequest{Raw: raw, BaseHash: baseHash, Note: note})
	return openclaw.ApplyOutcome{Hash: res.Hash, Restarts: res.Restart}, err
}

func (r remote) ReadFile(ctx context.Context, agent topology.AgentID, name string) (openclaw.File, error) {
	f, err := client.FilesOf(r.Client).Read(ctx, string(agent), name)
	return openclaw.File{Content: f.Content, Hash: f.Hash, Missing: f.Missing, Guarded: f.Guarded, Binary: f.Binary},
		err
}

func (r remote) WriteFile(ctx context.Context, agent topology.AgentID, name, content, expectedHash string) error {
	_, err := client.FilesOf(r.Client).Write(ctx, string(agent), name, content, expectedHash)
	return err
}

func (r remote) DeleteAgent(context.Context, topology.AgentID) error { return errors.New("not here") }
func (r remote) WaitReady(ctx context.Context) error                 { return r.WaitConnected(ctx) }
func (r remote) Capabilities() openclaw.Capabilities                 { return r.capabilities }

// imported reads the team with its base hash.
func imported(t *testing.T, gw openclaw.Gateway) (string, *topology.Topology) {
	t.Helper()
	s, err := gw.Read(ctx(t))
	if err != nil {
		t.Fatal(err)
	}
	reading, err := s.Reading()
	if err != nil {
		t.Fatal(err)
	}
	return s.Hash, &reading.Topology
}

func pushInput(hash string, base, draft *topology.Topology) openclaw.PushInput {
	return openclaw.PushInput{
		BaseHash: hash, Base: base, Draft: draft, AllowDelete: true, Note: "a note",
		KeepSnapshot: func(context.Context, openclaw.Snapshot) error { return nil },
	}
}

// grown is the team with a reviewer more, a changed model, and without dev-1.
func grown(base *topology.Topology) *topology.Topology {
	draft := base.Clone()
	draft.Agents[0].Model = "talk/two"
	draft.Agents[0].Connections = []topology.Connection{{TargetID: "qa-1", Type: topology.Command},
		{TargetID: "qa-1", Type: topology.Communication}}
	draft.Agents = append(draft.Agents[:1], topology.Agent{
		ID: "qa-1", Name: "品質", Role: "Reviewer", Model: "talk/one", Persona: "You review.\nKindly.",
		Connections: []topology.Connection{{TargetID: "pm-1", Type: topology.Review, Label: "weekly"}},
	})
	return draft
}

// GW-1, GW-2, GW-3: import, change, push and read back, in process and over a socket. All
// of an agent is held, comments stay, and the team is at work at once.
func TestGW3_ImportPushReadBack(t *testing.T) {
	targets := map[string]func(t *testing.T, h *hub) openclaw.Gateway{
		"in process":  func(_ *testing.T, h *hub) openclaw.Gateway { return h.Target() },
		"over socket": func(t *testing.T, h *hub) openclaw.Gateway { return remote{h.client(t), h.Target().Capabilities()} },
	}
	for name, target := range targets {
		t.Run(name, func(t *testing.T) {
			h := start(t, hubOptions{})
			gw := target(t, h)
			facts := h.Events(8)
			defer facts.Close()
			hash, base := imported(t, gw)
			res, err := openclaw.Push(ctx(t), gw, pushInput(hash, base, grown(base)))
			if err != nil {
				t.Fatalf("%v, differences %+v", err, res.Differences)
			}
			if !res.Verified || res.Restarted || len(res.Losses) != 0 || res.Hash == hash {
				t.Fatalf("result %+v", res)
			}
			after, team := imported(t, gw)
			qa, ok := team.Agent("qa-1")
			if !ok || qa.Role != "Reviewer" || qa.Persona != "You review.\nKindly." || len(qa.Connections) != 1 || qa.Connections[0].Label != "weekly" {
				t.Fatalf("read back %+v", qa)
			}
			text, _, _ := h.store.LoadConfig(ctx(t))
			if after != res.Hash || after != builtin.HashText(text) {
				t.Fatal("the hash is not that of the stored text")
			}
			if !strings.HasPrefix(text, "# who does what\n") || !strings.Contains(text, "# plans") || strings.Contains(text, "dev-1") {
				t.Fatalf("stored\n%s", text)
			}
			if !h.roster.MayCommand("pm-1", "qa-1") || h.roster.MayCommand("pm-1", "dev-1") || h.roster.Team().Hash != after {
				t.Fatal("the roster has another team")
			}
			if e := <-facts.C(); e.Name != builtin.EventConfigChanged || string(e.Payload) != fmt.Sprintf(`{"hash":%q}`, after) {
				t.Fatalf("event %s %s", e.Name, e.Payload)
			}
		})
	}
}

// GW-7: a config that was posted as JSON stays JSON when the team is applied to it, and
// what the team does not change stays byte for byte.
func TestGW7_JSONStaysJSON(t *testing.T) {
	h := start(t, hubOptions{})
	gw := remote{h.client(t), h.Target().Capabilities()}
	const before = `{ "note": [1,  2.50, "\u00e9"],
  "agents": {
    "pm-1": {"name": "PM", "model": "talk/one",  "later": {"x":1}}
  }
}
`
	hash, _ := imported(t, gw)
	if _, err := gw.Apply(ctx(t), before, hash, ""); err != nil {
		t.Fatal(err)
	}
	hash, base := imported(t, gw)
	draft := base.Clone()
	draft.Agents[0].Model = "talk/two"
	draft.Agents = append(draft.Agents, topology.Agent{ID: "qa-1", Name: "品質", Model: "talk/one"})
	if _, err := openclaw.Push(ctx(t), gw, pushInput(hash, base, draft)); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("talk/one", "talk/two", "}}\n  }", `}},
    "qa-1": {
      "name": "品質",
      "model": "talk/one"
    }
  }`).Replace(before)
	if text, _, _ := h.store.LoadConfig(ctx(t)); text != want {
		t.Errorf("stored\n%s\nwant\n%s", text, want)
	}
}

// GW-3: of two clients that read the same config, the second to apply gets a conflict, and
// nothing of the first is lost.
func TestGW3_TwoClientsStaleBase(t *testing.T) {
	h := start(t, hubOptions{})
	capabilities := h.Target().Capabilities()
	first, second := remote{h.client(t), capabilities}, remote{h.client(t), capabilities}
	hash, base := imported(t, first)
	if _, err := openclaw.Push(ctx(t), first, pushInput(hash, base, grown(base))); err != nil {
		t.Fatal(err)
	}
	late := base.Clone()
	late.Agents[1].Name = "Late"
	text := strings.Replace(startConfig, "Dev", "Late", 1)
	for what, err := range map[string]error{
		"apply": func() error { _, err := second.Apply(ctx(t), text, hash, ""); return err }(),
		"push":  func() error { _, err := openclaw.Push(ctx(t), second, pushInput(hash, base, late)); return err }(),
	} {
		if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonStaleBase) {
			t.Errorf("%s upon a stale base gave %v", what, err)
		}
	}
	if stored, _, _ := h.store.LoadConfig(ctx(t)); strings.Contains(stored, "Late") || !strings.Contains(stored, "qa-1") {
		t.Fatalf("stored\n%s", stored)
	}
}

// GW-3: of many applies at once upon one base, one goes through.
func TestGW3_ApplyRace(t *testing.T) {
	h := start(t, hubOptions{})
	hash := builtin.HashText(startConfig)
	var wg sync.WaitGroup
	won := make(chan string, 8)
	for i := range cap(won) {
		wg.Go(func() {
			text := startConfig + fmt.Sprintf("# %d\n", i)
			_, err := h.ConfigApply(ctx(t), text, hash, "")
			switch {
			case err == nil:
				won <- text
			case !errcode.HasReason(err, errcode.ReasonStaleBase):
				t.Errorf("apply %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	close(won)
	if len(won) != 1 {
		t.Fatalf("%d applies went through", len(won))
	}
	if text, _, _ := h.store.LoadConfig(ctx(t)); text != <-won {
		t.Fatal("the stored text is not the winner's")
	}
}

// GW-6: errors in a config are reported with their line, and nothing is changed.
func TestGW6_FaultBadConfigs(t *testing.T) {
	h := start(t, hubOptions{})
	c := h.client(t)
	hash := builtin.HashText(startConfig)
	cases := map[string]struct {
		raw  string
		line int
		says string
	}{
		"no YAML":        {"agents:\n  a: {name: x\n", 0, "line"},
		"agents is list": {"# c\nagents: [1]\n", 2, "list"},
		"agent is text":  {"agents:\n  a: hello\n", 2, `"a"`},
		"model is list":  {"agents:\n  a:\n    name: A\n    model: [1]\n", 4, "agents.a.model"},
		"two documents":  {"agents: {}\n---\nagents: {}\n", 0, ""},
		"key twice":      {"agents:\n  a: {}\n  a: {}\n", 3, "a"},
		"not a map":      {"- 1\n", 1, "map"},
		"too deep":       {"x: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), 0, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := h.ConfigApply(ctx(t), tc.raw, hash, "")
			e := errcode.From(err)
			if err == nil || e.Code != errcode.Validation || !strings.Contains(e.Message, tc.says) {
				t.Fatalf("got %v", err)
			}
			if line, _ := e.Details[errcode.KeyLine].(int); tc.line > 0 && line != tc.line {
				t.Fatalf("line %v, want %d: %v", e.Details[errcode.KeyLine], tc.line, err)
			}
			_, err = c.ConfigApply(ctx(t), client.ApplyRequest{Raw: tc.raw, BaseHash: hash})
			if !errcode.Is(err, errcode.Validation) {
				t.Fatalf("over the socket: %v", err)
			}
		})
	}
	if _, err := h.ConfigApply(ctx(t), startConfig+"# x\n", "", ""); !errcode.Is(err, errcode.Validation) {
		t.Fatalf("no baseHash gave %v", err)
	}
	if now, _ := h.ConfigGet(ctx(t)); now.Hash != hash || now.Raw != startConfig {
		t.Fatal("a refused config changed something")
	}
	if got, err := h.ConfigApply(ctx(t), startConfig, hash, ""); err != nil || got != hash {
		t.Fatalf("the same text again gave %s, %v", got, err)
	}
}

// The first start writes the example; no later one does.
func TestGW2_Seed(t *testing.T) {
	h := start(t, hubOptions{config: "-"})
	snapshot, err := h.ConfigGet(ctx(t))
	if err != nil || string(snapshot.Config) != "{}" || snapshot.Hash == "" {
		t.Fatalf("before the first config: %+v, %v", snapshot, err)
	}
	example := &topology.Topology{Agents: []topology.Agent{
		{ID: "pm", Name: "PM", Role: "Coordinator", Model: "demo/echo", Persona: "計画する", Connections: []topology.Connection{
			{TargetID: "dev", Type: topology.Command}, {TargetID: "dev", Type: topology.Review}}},
		{ID: "dev", Name: "Dev", Model: "demo/echo"},
	}}
	if done, err := h.Seed(ctx(t), example); err != nil || !done {
		t.Fatalf("seed: %v, %v", done, err)
	}
	_, team := imported(t, h.Target())
	if len(topology.Diff(example, team)) != 0 {
		t.Fatalf("seeded %+v", topology.Diff(example, team))
	}
	text, _, _ := h.store.LoadConfig(ctx(t))
	if !strings.HasPrefix(text, "# ") || !strings.Contains(text, "allowAgents") {
		t.Fatalf("text\n%s", text)
	}
	if done, err := h.Seed(ctx(t), &topology.Topology{}); err != nil || done {
		t.Fatalf("seeded again: %v, %v", done, err)
	}
	h.stop()
	again := start(t, hubOptions{store: h.store})
	if !again.roster.MayCommand("pm", "dev") {
		t.Fatal("the team did not come back after a restart")
	}
}

// An empty gateway takes its first config from a client.
func TestGW3_FirstApply(t *testing.T) {
	h := start(t, hubOptions{config: "-"})
	snapshot, _ := h.ConfigGet(ctx(t))
	if _, err := h.ConfigApply(ctx(t), startConfig, snapshot.Hash, ""); err != nil {
		t.Fatal(err)
	}
	if !h.roster.MayCommand("pm-1", "dev-1") {
		t.Fatal("the team is not at work")
	}
}

// faultyStore fails as told.
type faultyStore struct {
	builtintest.MemoryStore
	save func(inner func() error) error
}

func (s *faultyStore) SaveConfig(ctx context.Context, text, hash, base string, at time.Time) error {
	inner := func() error { return s.MemoryStore.SaveConfig(ctx, text, hash, base, at) }
	if s.save == nil {
		return inner()
	}
	return s.save(inner)
}

func TestFaultStore(t *testing.T) {
	s := &faultyStore{}
	h := start(t, hubOptions{store: s})
	hash, next := builtin.HashText(startConfig), startConfig+"# next\n"
	s.save = func(func() error) error { return errors.New("disk full") }
	if _, err := h.ConfigApply(ctx(t), next, hash, ""); !errcode.Is(err, errcode.Internal) || strings.Contains(errcode.From(err).Message, "disk") {
		t.Fatalf("a failing store gave %v", err)
	}
	if h.roster.Team().Hash != hash {
		t.Fatal("an apply that was not stored is at work")
	}
	s.save = func(inner func() error) error { _ = inner(); return errors.New("the answer was lost") }
	if got, err := h.ConfigApply(ctx(t), next, hash, ""); err != nil || got != builtin.HashText(next) {
		t.Fatalf("stored, but without an answer: %v", err)
	}
	// Somebody else wrote to the same store.
	s.save = nil
	other := "agents: {solo: {name: Solo}}\n"
	if err := s.SaveConfig(ctx(t), other, builtin.HashText(other), builtin.HashText(next), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ConfigApply(ctx(t), startConfig, builtin.HashText(next), ""); !errcode.HasReason(err, errcode.ReasonStaleBase) {
		t.Fatalf("got %v", err)
	}
	if now, _ := h.ConfigGet(ctx(t)); now.Raw != other {
		t.Fatal("the gateway does not show what is stored")
	}
}

// What another version of the program took keeps nobody from starting.
func TestFaultStoredConfigWithDoubts(t *testing.T) {
	h := start(t, hubOptions{config: "agents:\n  a: {model: [1]}\n  b: {name: B}\n"})
	if _, ok := h.roster.Agent("b"); !ok {
		t.Fatal("the team is not at work")
	}
}

func TestFaultStoredConfigThatCannotBeRead(t *testing.T) {
	s := &builtintest.MemoryStore{}
	if err := s.SaveConfig(ctx(t), "a: [\n", "h", "", time.Now()); err != nil {
		t.Fatal(err)
	}
	_, err := builtin.New(ctx(t), builtin.Options{Store: s, Models: newTalker(), Roster: &roster.Roster{}})
	if err == nil || !strings.Contains(err.Error(), "stored config cannot be read") {
		t.Fatalf("got %v", err)
	}
}

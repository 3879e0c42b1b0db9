package openclaw

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// TestAPP5_RollbackNamesTheDefaultAgent: a kept config that marks its default agent comes
// back in the form that the gateway gave it since, with the folder and the channels that it
// gave the agent; in either shape of a roster.
func TestAPP5_RollbackNamesTheDefaultAgent(t *testing.T) {
	held := `{"agents": {"ownership": "explicit", "defaults": {"heartbeat": {"agentId": "a"}, "systemAgent": {"agentId": "a"}, "authInheritance": {"agentId": "a"}},
		"entries": {"a": {"name": "New", "workspace": "/home/user/.openclaw/workspace"}, "b": {"token": "__OPENCLAW_REDACTED__"}}}, "talk": {"agentId": "a"},
		"bindings": [{"agentId": "a", "match": {"channel": "slack", "accountId": "*"}}, {"agentId": "b", "match": {"channel": "irc", "accountId": "x"}}]}`
	want := strings.Replace(strings.Replace(held, "New", "Old", 1), `, {"agentId": "b", "match": {"channel": "irc", "accountId": "x"}}`, "", 1)
	for shape, kept := range map[string]string{
		"entries": `{"agents": {"entries": {"a": {"default": true, "name": "Old"}, "b": {"default": false, "token": "__OPENCLAW_REDACTED__"}}}}`,
		"list":    `{"agents": {"list": [{"id": "a", "default": true, "name": "Old"}, {"id": "b", "token": "__OPENCLAW_REDACTED__"}]}}`,
	} {
		t.Run(shape, func(t *testing.T) {
			p, err := PreviewRollback(
				Snapshot{Hash: "h2", Config: []byte(held)},
				Snapshot{Hash: "h1", Config: []byte(kept)},
				CapabilitiesFor(newest), nil,
			)
			if err != nil {
				t.Fatal(err)
			}
			wanted, err := docedit.FromJSON([]byte(want), "")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := docedit.FromJSON5([]byte(p.After), ""); err != nil || !same(got, wanted) {
				t.Errorf("%v: %s", err, p.After)
			}
			for _, c := range p.Changes {
				gone := c.Subject == topology.SubjectBinding && topology.BoundTo(c.Before) == "b" && c.After == nil
				if c.Field != "name" && c.Field != "workspace" && !gone {
					t.Errorf("the review shows %+v", c.Change)
				}
			}
		})
	}
}

// TestAPP5_RollbackLeavesTheMarkToItsGateway: where the gateway has the mark itself still, or
// is older than the new form, the kept config goes back as it was.
func TestAPP5_RollbackLeavesTheMarkToItsGateway(t *testing.T) {
	kept := `{"agents": {"entries": {"a": {"default": true, "name": "Old"}, "b": {}}}}`
	held := strings.Replace(kept, "Old", "New", 1)
	for name, f := range map[string]Features{"newest": newest, "february": february} {
		p, err := PreviewRollback(
			Snapshot{Hash: "h2", Config: []byte(held)},
			Snapshot{Hash: "h1", Config: []byte(kept)},
			CapabilitiesFor(f), nil,
		)
		if err != nil || strings.Contains(p.After, "ownership") || !strings.Contains(p.After, `"default": true`) {
			t.Errorf("%s: %v %s", name, err, p.After)
		}
	}
}

// TestOC4_RollbackAfterTheRosterWasLost: the gateway then runs its default agent, which it doesn't let go. The kept
// config comes back beside it.
func TestOC4_RollbackAfterTheRosterWasLost(t *testing.T) {
	for name, c := range map[string]struct{ kept, has string }{
		"several": {
			`{"agents": {"ownership": "explicit", "entries": {"a": {"name": "A"}, "b": {}}}}`,
			`"ownership": "explicit"`,
		},
		"one": {`{"agents": {"entries": {"a": {"name": "A"}}}}`, `"systemAgent": {`},
		"a list": {
			`{"agents": {"list": [{"id": "a", "default": true, "name": "A"}, {"id": "b"}]}}`, `"ownership": "explicit"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newFake(t, newest, `{gateway: {port: 1}}`)
			old := Snapshot{Hash: "h0", Config: []byte(c.kept)}
			p, err := PreviewRollback(g.snapshot(), old, g.caps, nil)
			if err != nil || len(p.Deletions) > 0 || len(p.Losses) != 1 || p.Losses[0].Reason != LossDefault ||
				p.Losses[0].Agent != "main" || !strings.Contains(p.After, `"main": {}`) ||
				!strings.Contains(p.After, c.has) {
				t.Fatalf("%+v %v", p, err)
			}
			for _, ch := range p.Changes {
				if ch.Agent == "main" {
					t.Errorf("the review shows %+v", ch.Change)
				}
			}
			res, err := Rollback(t.Context(), g, RollbackInput{BaseHash: g.snapshot().Hash, To: old,
				KeepSnapshot: func(context.Context, Snapshot) error { return nil }})
			if err != nil || !res.Verified || len(res.Deleted) > 0 {
				t.Errorf("%+v %v", res, err)
			}
			if r := mustReading(t, g.snapshot()); len(r.Topology.Agents) < 2 {
				t.Errorf("it has %+v", r.Topology.Agents)
			}
		})
	}
}

// TestOC4_RollbackKeepsTheDefaultAgentAsItIs, where the gateway's config names it and the kept one doesn't.
func TestOC4_RollbackKeepsTheDefaultAgentAsItIs(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	old := Snapshot{Hash: "h0", Config: []byte(
		`{"agents": {"ownership": "explicit", "entries": {"dev": {"name": "Dev"}, "qa": {"name": "Old"}}}}`)}
	res, err := Rollback(t.Context(), g, RollbackInput{BaseHash: g.snapshot().Hash, To: old,
		KeepSnapshot: func(context.Context, Snapshot) error { return nil }})
	if err != nil || !res.Verified {
		t.Fatalf("%+v %v", res, err)
	}
	got := string(g.doc.JSON())
	if !strings.Contains(got, `"name": "Main"`) || !strings.Contains(got, `"name": "Old"`) {
		t.Error(got)
	}
}

// A gateway notes each write in its config. Going back to a config that differs in nothing else writes no config: the
// newest gateway doesn't answer such a write.
func TestOC4_RollbackSendsNoConfigThatOnlyNotesAnotherWrite(t *testing.T) {
	const noted = `{"meta": {"lastTouchedAt": "%s"}, "agents": {"entries": {"main": {}}}}`
	for name, held := range map[string]string{
		"another": fmt.Sprintf(noted, "2026-11-29"), "none": `{"agents": {"entries": {"main": {}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			g := newFake(t, newest, held)
			old := Snapshot{Hash: "h0", Config: fmt.Appendf(nil, noted, "2026-11-01")}
			if p, err := PreviewRollback(g.snapshot(), old, g.caps, nil); err != nil || p.Sends {
				t.Errorf("%+v %v", p, err)
			}
			in := RollbackInput{BaseHash: g.snapshot().Hash, To: old,
				KeepSnapshot: func(context.Context, Snapshot) error { return nil }}
			if res, err := Rollback(t.Context(), g, in); err != nil || g.applies > 0 {
				t.Errorf("%d applies, %+v %v", g.applies, res, err)
			}
		})
	}
}

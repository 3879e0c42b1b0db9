package openclaw

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

func TestAPP3_PushAppliesOnceAndVerifies(t *testing.T) {
	for name, tc := range map[string]struct {
		f      Features
		config string
	}{"newest": {newest, entriesConfig}, "february": {february, listConfig}, "simple": {simple, "# team\nagents:\n  dev: {name: D} # x\n"}} {
		t.Run(name, func(t *testing.T) {
			g := newFake(t, tc.f, tc.config)
			before := g.snapshot()
			p := g.push(rename("dev", "Developer"), nil)
			if p.err != nil {
				t.Fatal(p.err)
			}
			if p.res.Outcome != OutcomeApplied || !p.res.Verified || p.res.Hash != "h2" || p.res.Restarted == g.caps.HotApply {
				t.Errorf("result %+v", p.res)
			}
			if g.count("apply") != 1 || len(p.kept) != 1 || p.kept[0].Hash != before.Hash || string(p.kept[0].Config) != string(before.Config) {
				t.Errorf("calls %v, kept %v", g.log, p.kept)
			}
			if a, _ := p.res.Topology.Agent("dev"); a.Name != "Developer" {
				t.Errorf("read back %+v", a)
			}
			if want := "check.started check.done snapshot.started snapshot.done apply.started apply.done wait.started wait.done verify.started verify.done"; p.steps() != want {
				t.Errorf("steps %s", p.steps())
			}
			if name == "simple" && string(g.doc.Bytes()) != "# team\nagents:\n  dev: {name: Developer} # x\n" {
				t.Errorf("the text was not kept: %s", g.doc.Bytes())
			}
		})
	}
}

func TestAPP3_PushSendsNothingWhenNothingChanges(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	p := g.push(func(d *topology.Topology) { d.Layout = map[topology.AgentID]topology.Point{"dev": {X: 5}} }, nil)
	if p.err != nil || p.res.Outcome != OutcomeUnchanged || g.count("apply") != 0 || len(p.kept) != 0 {
		t.Errorf("%+v %v %v", p.res, p.err, g.log)
	}
}

func isStale(t *testing.T, g *fakeGateway, err error) {
	t.Helper()
	if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonStaleBase) {
		t.Fatalf("not stale: %v", err)
	}
	theirs, ok := errcode.From(err).Details[errcode.KeySnapshot].(Theirs)
	if !ok || theirs.BaseHash != g.snapshot().Hash || len(theirs.Topology.Agents) == 0 {
		t.Errorf("snapshot %+v", theirs)
	}
}

// TestAPP3_StaleBaseNeverOverwrites changes the config by another hand at three moments.
func TestAPP3_StaleBaseNeverOverwrites(t *testing.T) {
	other := strings.Replace(entriesConfig, "QA}", "Theirs}", 1)
	unhurt := func(t *testing.T, g *fakeGateway) {
		t.Helper()
		if string(g.doc.Bytes()) != other {
			t.Errorf("overwritten: %s", g.doc.Bytes())
		}
	}
	t.Run("before the check", func(t *testing.T) {
		g := newFake(t, newest, entriesConfig)
		g.onRead = func(n int) {
			if n == 1 {
				g.set(other)
			}
		}
		isStale(t, g, g.push(rename("dev", "x"), nil).err)
		unhurt(t, g)
		if g.count("apply") != 0 {
			t.Error("sent all the same")
		}
	})
	t.Run("between check and apply", func(t *testing.T) {
		g := newFake(t, newest, entriesConfig)
		g.onApply = func(int) error { g.set(other); return nil }
		p := g.push(rename("dev", "x"), nil)
		isStale(t, g, p.err)
		unhurt(t, g)
		if g.count("apply") != 1 || p.facts[len(p.facts)-1].State != ProgressFailed {
			t.Error(g.log, p.steps())
		}
	})
	t.Run("between deletion and apply", func(t *testing.T) {
		g := newFake(t, newest, entriesConfig)
		g.onRead = func(n int) {
			if n == 2 {
				g.set(strings.Replace(string(g.doc.Bytes()), "Dev,", "Theirs,", 1))
			}
		}
		p := g.push(remove("qa"), func(in *PushInput) { in.AllowDelete = true })
		isStale(t, g, p.err)
		if g.count("apply") != 0 || !slices.Equal(errcode.From(p.err).Details["deleted"].([]topology.AgentID), []topology.AgentID{"qa"}) {
			t.Error(g.log, p.err)
		}
	})
}

func TestAPP3_RefusedForAnotherReasonIsNotStale(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	g.onApply = func(int) error {
		return errcode.New(errcode.Gateway, "invalid config").
			With(errcode.KeyReason, errcode.ReasonRejected).
			With("issues", "x")
	}
	p := g.push(rename("dev", "x"), nil)
	if !errcode.HasReason(p.err, errcode.ReasonRejected) || errcode.From(p.err).Details["issues"] != "x" || g.count("apply") != 1 {
		t.Error(p.err, g.log)
	}
}

func TestAPP3_FaultLostAnswerIsReadNotResent(t *testing.T) {
	t.Run("it was applied", func(t *testing.T) {
		g := newFake(t, february, listConfig)
		g.lost = func(int) bool { return true }
		p := g.push(rename("dev", "x"), nil)
		if p.err != nil || !p.res.Verified || p.res.Outcome != OutcomeApplied || g.count("apply") != 1 {
			t.Error(p.res, p.err, g.log)
		}
	})
	t.Run("it was not", func(t *testing.T) {
		g := newFake(t, february, listConfig)
		g.onApply = func(int) error { return unknown() }
		p := g.push(rename("dev", "x"), nil)
		if !errcode.HasReason(p.err, errcode.ReasonLinkDown) || g.count("apply") != 1 {
			t.Error(p.err, g.log)
		}
	})
	t.Run("something else is there", func(t *testing.T) {
		g := newFake(t, february, listConfig)
		g.onApply = func(int) error { g.set(strings.Replace(listConfig, "a/b", "c/d", 1)); return unknown() }
		p := g.push(rename("dev", "x"), nil)
		isStale(t, g, p.err)
	})
	t.Run("it never comes back", func(t *testing.T) {
		g := newFake(t, february, listConfig)
		g.lost, g.waitErr = func(int) bool { return true }, errors.New("down")
		p := g.push(rename("dev", "x"), nil)
		if !errcode.HasReason(p.err, errcode.ReasonUnknown) || g.count("apply") != 1 {
			t.Error(p.err, g.log)
		}
	})
}

func limited(ms int64) error {
	return errcode.New(errcode.Gateway, "rate limit exceeded").
		With(errcode.KeyReason, errcode.ReasonRateLimited).
		With(errcode.KeyRetryAfterMs, ms)
}

func TestAPP3_FaultRateLimitIsWaitedForAsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newFake(t, newest, entriesConfig)
		start := time.Now()
		g.onApply = func(n int) error {
			if n <= 2 {
				return limited(58_105)
			}
			return nil
		}
		p := g.push(rename("dev", "x"), nil)
		if p.err != nil || g.count("apply") != 3 || time.Since(start) != 2*58_105*time.Millisecond {
			t.Error(p.err, g.log, time.Since(start))
		}
		if !strings.Contains(p.steps(), "apply.waiting apply.waiting apply.done") || p.facts[5].RetryAfterMs != 58_105 {
			t.Error(p.steps(), p.facts)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		g := newFake(t, newest, entriesConfig)
		g.onApply = func(int) error { return limited(1000) }
		p := g.push(rename("dev", "x"), nil)
		if !errcode.HasReason(p.err, errcode.ReasonRateLimited) || g.count("apply") != maxWaits+1 {
			t.Error(p.err, g.log)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the person gives up while it waits
		g := newFake(t, newest, entriesConfig)
		g.onApply = func(int) error { return limited(60_000) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := g.snapshot()
		r, _ := s.Reading()
		draft := r.Topology.Clone()
		rename("dev", "x")(draft)
		_, err := Push(
			ctx,
			g,
			PushInput{
				BaseHash:     s.Hash,
				Base:         &r.Topology,
				Draft:        draft,
				KeepSnapshot: func(context.Context, Snapshot) error { return nil },
			},
		)
		if !errors.Is(err, context.DeadlineExceeded) || g.count("apply") != 1 {
			t.Error(err, g.log)
		}
	})
}

func TestAPP3_DeletionsNeedConsentAndGoFirst(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	p := g.push(remove("qa"), nil)
	if !errcode.HasReason(p.err, ReasonDeletesNotAllowed) || !strings.Contains(p.err.Error(), "qa") || len(g.log) != 1 {
		t.Fatal(p.err, g.log)
	}
	change := func(d *topology.Topology) { remove("qa")(d); rename("dev", "x")(d) }
	g.log = nil
	p = g.push(change, func(in *PushInput) { in.AllowDelete = true })
	if p.err != nil || !p.res.Verified || !slices.Equal(p.res.Deleted, []topology.AgentID{"qa"}) {
		t.Fatal(p.res, p.err)
	}
	if got := strings.Join(g.log, " "); got != "read delete qa wait read apply wait read" {
		t.Error(got)
	}
	if strings.Count(string(g.doc.Bytes()), Redacted) != 2 {
		t.Error("a stored secret was lost")
	}

	g = newFake(t, newest, entriesConfig) // a deletion and nothing else: no apply
	p = g.push(remove("qa"), func(in *PushInput) { in.AllowDelete = true })
	if p.err != nil || !p.res.Verified || g.count("apply") != 0 {
		t.Error(p.res, p.err, g.log)
	}
	g = newFake(t, newest, entriesConfig)
	p = g.push(remove("main"), func(in *PushInput) { in.AllowDelete = true })
	if !errcode.Is(p.err, errcode.Validation) || g.count("delete main") != 0 {
		t.Error("the default agent must stay", p.err)
	}
	g = newFake(t, february, listConfig) // no guard: it goes with the apply
	p = g.push(remove("dev"), func(in *PushInput) { in.AllowDelete = true })
	if p.err != nil || g.count("delete dev") != 0 || !p.res.Verified {
		t.Error(p.err, g.log)
	}
}

func TestAPP3_SnapshotFirst(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	p := g.push(rename("dev", "x"), func(in *PushInput) {
		in.KeepSnapshot = func(context.Context, Snapshot) error { return errors.New("disk full") }
	})
	if p.err == nil || g.count("apply") != 0 {
		t.Error(p.err, g.log)
	}
	p = g.push(rename("dev", "x"), func(in *PushInput) { in.KeepSnapshot = nil })
	if p.err == nil || g.count("apply") != 0 {
		t.Error(p.err, g.log)
	}
}

func TestAPP3_ReadBackIsCompared(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	g.fill = func(doc *docedit.Document) *docedit.Document {
		out, err := docedit.Parse(
			[]byte(strings.ReplaceAll(string(doc.JSON()), `"name": "x"`, `"name": "x", "workspace": "/ws"`)),
			"",
		)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	p := g.push(rename("dev", "x"), nil)
	if p.err != nil || !p.res.Verified || len(p.res.Added) != 1 || p.res.Added[0].Field != "workspace" {
		t.Errorf("%+v %v", p.res, p.err)
	}
	g.fill = func(doc *docedit.Document) *docedit.Document {
		out, err := docedit.Parse([]byte(strings.ReplaceAll(string(doc.JSON()), `"y"`, `"z"`)), "")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	p = g.push(rename("dev", "y"), nil)
	if !errcode.HasReason(p.err, ReasonVerifyMismatch) || p.res.Verified || len(p.res.Differences) != 1 || p.res.Differences[0] != (Difference{"dev", "name", "y", "z"}) {
		t.Errorf("%+v %v", p.res, p.err)
	}
}

func TestAPP3_RollbackBringsBackAgentsAndTakesNewOnes(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	before := g.snapshot()
	p := g.push(func(d *topology.Topology) {
		remove("qa")(d)
		rename("dev", "x")(d)
		d.Agents = append(d.Agents, topology.Agent{ID: "new"})
	}, func(in *PushInput) { in.AllowDelete = true })
	if p.err != nil {
		t.Fatal(p.err)
	}
	pre, err := PreviewRollback(g.snapshot(), before, g.caps, nil)
	if err != nil || len(pre.Deletions) != 1 || !pre.Deletions[0].ByGateway {
		t.Fatalf("%+v %v", pre, err)
	}
	in := RollbackInput{
		BaseHash:     pre.BaseHash,
		To:           before,
		AllowDelete:  true,
		KeepSnapshot: func(context.Context, Snapshot) error { return nil },
	}
	res, err := Rollback(t.Context(), g, in)
	if err != nil || !res.Verified || !slices.Equal(res.Deleted, []topology.AgentID{"new"}) {
		t.Fatalf("%+v %v", res, err)
	}
	if was, now := mustReading(t, before), mustReading(t, g.snapshot()); !was.Topology.Equal(&now.Topology) {
		t.Errorf("%+v\n%+v", was.Topology, now.Topology)
	}
	if _, err := Rollback(t.Context(), g, in); !errcode.HasReason(err, errcode.ReasonStaleBase) {
		t.Error("an old preview must not overwrite", err)
	}
}

// TestAPP3_RollbackLeavesLostSecretsOut: an agent that was deleted comes back without
// the secret that went with it.
func TestAPP3_RollbackLeavesLostSecretsOut(t *testing.T) {
	g := newFake(t, newest, entriesConfig)
	before := g.snapshot()
	if p := g.push(remove("dev"), func(in *PushInput) { in.AllowDelete = true }); p.err != nil {
		t.Fatal(p.err)
	}
	res, err := Rollback(t.Context(), g, RollbackInput{BaseHash: g.snapshot().Hash, To: before, KeepSnapshot: func(context.Context, Snapshot) error { return nil }})
	if err != nil || !res.Verified || len(res.Losses) != 1 || res.Losses[0].Reason != LossSecret || res.Losses[0].Agent != "dev" {
		t.Fatalf("%+v %v", res, err)
	}
	if strings.Count(string(g.doc.Bytes()), Redacted) != 1 {
		t.Error("the gateway's own token must stay")
	}
}

func TestAPP3_RollbackToAnImplicitRoster(t *testing.T) {
	g := newFake(t, newest, "agents: {defaults: {}}\n")
	before := g.snapshot()
	p := g.push(func(d *topology.Topology) { d.Agents = append(d.Agents, topology.Agent{ID: "dev"}) }, nil)
	if p.err != nil {
		t.Fatal(p.err)
	}
	if got := string(g.doc.JSON()); !strings.Contains(got, `"main": {}`) || !strings.Contains(got, `"ownership": "explicit"`) {
		t.Error(got)
	}
	res, err := Rollback(
		t.Context(),
		g,
		RollbackInput{
			BaseHash:     g.snapshot().Hash,
			To:           before,
			AllowDelete:  true,
			KeepSnapshot: func(context.Context, Snapshot) error { return nil },
		},
	)
	if err != nil || !res.Verified {
		t.Errorf("%+v %v", res, err)
	}
}

func mustReading(t *testing.T, s Snapshot) Reading {
	t.Helper()
	r, err := s.Reading()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAPP3_ALostAnswerIsNotShownAsApplied: until the config is read back, nobody knows
// whether it arrived.
func TestAPP3_ALostAnswerIsNotShownAsApplied(t *testing.T) {
	for name, arrived := range map[string]bool{"arrived": true, "did not arrive": false} {
		t.Run(name, func(t *testing.T) {
			g := newFake(t, newest, entriesConfig)
			if arrived {
				g.lost = func(int) bool { return true }
			} else {
				g.onApply = func(int) error { return unknown() }
			}
			steps := g.push(rename("dev", "x"), nil).steps()
			end := map[bool]string{true: "apply.done verify.done", false: "apply.failed verify.failed"}[arrived]
			if want := "apply.started apply.unknown wait.started wait.done verify.started " + end; !strings.HasSuffix(steps, want) {
				t.Errorf("the steps were %s", steps)
			}
		})
	}
}

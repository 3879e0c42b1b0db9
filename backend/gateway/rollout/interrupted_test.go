package rollout_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
)

// cutDesk is a desk whose apply renamed an agent and wrote a file, and whose machine remembers its rollbacks.
func cutDesk(t *testing.T) (d *desk, path string, to library.SnapshotID) {
	t.Helper()
	d = start(t)
	path = filepath.Join(t.TempDir(), "applies.json")
	if err := rollout.Remember(d.Machine, path); err != nil {
		t.Fatal(err)
	}
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "new\n")
	d.edit(rename("dev", "Dana"))
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Done {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
	return d, path, a.Snapshot
}

// killed runs a rollback whose machine never gets further than a call to the gateway, then starts another machine on
// the same data, as a hub does after kill -9.
func killed(t *testing.T, d *desk, path string, to library.SnapshotID, at func(stop func() error)) *desk {
	t.Helper()
	return killedIn(t, d, path, at, func() error {
		_, err := d.Rollback(t.Context(), rollout.RollbackRequest{Gateway: office, To: to, Team: d.team, Keep: true,
			DeleteAgents: true})
		return err
	})
}

// killedIn is killed with something else to begin.
func killedIn(t *testing.T, d *desk, path string, at func(stop func() error), begin func() error) *desk {
	t.Helper()
	reached, over := make(chan struct{}), make(chan struct{})
	var once bool
	at(func() error {
		if !once {
			once = true
			close(reached)
			<-over
		}
		return errors.New("killed")
	})
	if err := begin(); err != nil {
		t.Fatal(err)
	}
	<-reached
	next := &desk{T: t, gateways: d.gateways, gateway: d.gateway, library: d.library, store: d.store, team: d.team}
	next.Machine = rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)
	if err := rollout.Remember(next.Machine, path); err != nil {
		t.Fatal(err)
	}
	if err := rollout.Remember(d.Machine, ""); err != nil { // a dead hub writes nothing
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- next.Machine.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { close(over) })
	return next
}

func (d *desk) last() rollout.Apply {
	d.Helper()
	all := d.Applies()
	if len(all) == 0 {
		d.Fatal("the rollback isn't known")
	}
	return all[len(all)-1]
}

func (d *desk) free() { d.gateway.onWrite, d.gateway.onApply, d.gateway.onRead = nil, nil, nil }

// APP-3: a rollback that the end of the hub cut off is known to the next hub as interrupted, with what it had done.
func TestAPP3_ARollbackThatTheEndOfTheHubCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		at    func(*desk) func(stop func() error)
		steps string
		sent  bool
		left  int
		file  string
	}{
		"before anything was sent": {
			func(d *desk) func(func() error) {
				return func(stop func() error) {
					first := d.gateway.reads + 1
					d.gateway.onRead = func(_ context.Context, n int) error {
						if n <= first {
							return nil
						}
						return stop()
					}
				}
			},
			"check=failed snapshot=waiting files=waiting delete=waiting apply=waiting wait=waiting verify=waiting",
			false, 2, "new\n",
		},
		"between the files and the config": {
			func(d *desk) func(func() error) {
				return func(stop func() error) { d.gateway.onApply = stop }
			},
			"check=done snapshot=done files=done delete=waiting apply=unknown wait=waiting verify=waiting",
			true, 1, "old\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, path, to := cutDesk(t)
			next := killed(t, d, path, to, c.at(d))
			next.free()
			a := next.last()
			if a.State != rollout.Failed || a.Kind != rollout.KindRollback || a.Team != d.team || a.Cancellable ||
				reasonOf(a.Error) != rollout.ReasonInterrupted || a.Error.Details["sent"] != c.sent ||
				steps(a) != c.steps {
				t.Fatalf("%s %+v, %s", a.State, a.Error, steps(a))
			}
			if got := d.gateway.file("dev/SOUL.md"); got != c.file {
				t.Fatalf("the gateway has %q", got)
			}
			next.saw()
			if a = next.last(); a.Error == nil || a.Error.Details["left"] != c.left {
				t.Errorf("after the gateway was read: %+v", a.Error)
			}
			// A second start still knows, until it was rolled back again.
			again := &desk{T: t, Machine: rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)}
			err := rollout.Remember(again.Machine, path)
			if err != nil || reasonOf(again.last().Error) != rollout.ReasonInterrupted || !again.last().Keep {
				t.Errorf("the second start: %v %+v", err, again.last())
			}
			done := next.rollback(rollout.RollbackRequest{Gateway: office, To: to, Team: d.team, Keep: true})
			if done.State != rollout.Done || d.gateway.file("dev/SOUL.md") != "old\n" || d.gateway.names() != before {
				t.Fatalf("%s %+v", done.State, done.Error)
			}
			third := &desk{T: t, Machine: rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)}
			if err := rollout.Remember(third.Machine, path); err != nil || len(third.Applies()) > 0 {
				t.Errorf("the third start: %v %+v", err, third.Applies())
			}
		})
	}
}

// APP-3: a rollback that was cut off after the gateway had everything is recorded as done.
func TestAPP3_ARollbackThatWasCutOffAfterItArrived(t *testing.T) {
	d, path, to := cutDesk(t)
	next := killed(t, d, path, to, func(stop func() error) { d.gateway.after = stop })
	next.gateway.after = nil
	next.saw()
	if a := next.last(); a.State != rollout.Done || a.Error != nil || d.gateway.names() != before {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
	p := next.preview(rollout.Decisions{})
	if p.Stale || len(p.Changes) != 2 {
		t.Errorf("what was undone doesn't wait to be applied: %+v", p)
	}
	third := &desk{T: t, Machine: rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)}
	if err := rollout.Remember(third.Machine, path); err != nil || len(third.Applies()) > 0 {
		t.Errorf("the next start: %v %+v", err, third.Applies())
	}
}

// What a rollback left half way is kept as that, not as a change by somebody else.
func TestAPP3_WhatAnInterruptedRollbackLeft(t *testing.T) {
	d, path, to := cutDesk(t)
	d.edit(func(n *topology.Topology) { n.Agents = append(n.Agents, topology.Agent{ID: "eve", Name: "Eve"}) })
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
	next := killed(t, d, path, to, func(stop func() error) { d.gateway.onApply = stop })
	next.free()
	if cause := next.saw(); cause != "rollback_interrupted" {
		t.Errorf("kept as %s", cause)
	}
	if a := next.last(); len(a.Deleted) != 1 || a.Deleted[0] != "eve" || a.Error.Code != errcode.Unavailable {
		t.Errorf("%+v", a)
	}
}

// killedApply kills a hub in the middle of an apply that renames an agent and writes a file.
func killedApply(t *testing.T, at func(d *desk, stop func() error)) (next *desk, path string) {
	t.Helper()
	d := start(t)
	path = filepath.Join(t.TempDir(), "applies.json")
	if err := rollout.Remember(d.Machine, path); err != nil {
		t.Fatal(err)
	}
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "new\n")
	d.edit(rename("dev", "Dana"))
	next = killedIn(t, d, path, func(stop func() error) { at(d, stop) }, func() error {
		_, err := d.Start(t.Context(), d.team, d.request(rollout.Decisions{}))
		return err
	})
	return next, path
}

// APP-3: an apply that the end of the hub cut off between the files and the config is known to the next hub, and what
// it wrote can be put back.
func TestAPP3_AnApplyThatTheEndOfTheHubCutOff(t *testing.T) {
	next, path := killedApply(t, func(d *desk, stop func() error) { d.gateway.onApply = stop })
	next.free()
	a := next.last()
	if a.State != rollout.Failed || a.Kind != rollout.KindApply || reasonOf(a.Error) != rollout.ReasonInterrupted ||
		a.Error.Details["sent"] != true || a.Snapshot == "" {
		t.Fatalf("%s %+v %+v", a.State, a.Error, a)
	}
	next.saw()
	if got := next.gateway.file("dev/SOUL.md"); got != "new\n" || next.last().State != rollout.Failed {
		t.Fatalf("the gateway has %q, the apply is %s", got, next.last().State)
	}
	done := next.rollback(rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: next.team, Keep: true})
	if done.State != rollout.Done || next.gateway.file("dev/SOUL.md") != "old\n" || next.gateway.names() != before {
		t.Fatalf("put back: %s %+v, %q", done.State, done.Error, next.gateway.file("dev/SOUL.md"))
	}
	third := &desk{T: t, Machine: rollout.New(next.library, librarytest.Alarms{Store: next.store}, next.gateways)}
	if err := rollout.Remember(third.Machine, path); err != nil || len(third.Applies()) > 0 {
		t.Errorf("the next start: %v %+v", err, third.Applies())
	}
}

// APP-3: an apply that was cut off after the gateway had everything is recorded as done.
func TestAPP3_AnApplyThatWasCutOffAfterItArrived(t *testing.T) {
	next, _ := killedApply(t, func(d *desk, stop func() error) { d.gateway.after = stop })
	next.gateway.after = nil
	next.saw()
	if a := next.last(); a.State != rollout.Done || a.Error != nil {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
}

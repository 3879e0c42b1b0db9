package rollout_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// held starts an apply whose gateway waits: before the first read of the apply, until the apply
// is stopped, or when the config arrives, until it is released.
func (d *desk) held(sending bool) (a rollout.Apply, finish func() rollout.Apply) {
	d.Helper()
	d.edit(rename("dev", "Dana"))
	req := d.request(rollout.Decisions{})
	reached, free := make(chan struct{}, 1), make(chan struct{})
	ended := d.Context() // ends a test that failed
	if sending {
		d.gateway.onApply = func() error {
			reached <- struct{}{}
			select {
			case <-free:
			case <-ended.Done():
			}
			return nil
		}
	} else {
		from := d.gateway.reads
		d.gateway.onRead = func(ctx context.Context, n int) error {
			if n == from+2 { // the first read is that of Start
				reached <- struct{}{}
				select {
				case <-ctx.Done():
				case <-time.After(10 * time.Second):
					d.Error("the apply wasn't stopped")
				}
			}
			return nil
		}
	}
	sub := d.Subscribe(256)
	d.Cleanup(sub.Close)
	a, err := d.Start(d.Context(), d.team, req)
	if err != nil {
		d.Fatal(err)
	}
	<-reached
	return a, func() rollout.Apply {
		d.Helper()
		close(free)
		return d.end(a.ID, sub.C())
	}
}

// An apply can be canceled until its config is sent. Then the answer says that it is too late.
func TestAPP3_AnApplyIsCanceledOnlyBeforeItIsSent(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		d := start(t)
		a, finish := d.held(false)
		if _, err := d.Cancel(a.ID); err != nil {
			t.Error(err)
		}
		a = finish()
		if a.State != rollout.Canceled || a.Error != nil || d.gateway.sent() != 0 || d.gateway.names() != before {
			t.Errorf("%s %+v, %d configs were sent", a.State, a.Error, d.gateway.sent())
		}
		d.checkSettled(false)
	})
	t.Run("after", func(t *testing.T) {
		d := start(t)
		a, finish := d.held(true)
		_, err := d.Cancel(a.ID)
		if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, rollout.ReasonTooLate) {
			t.Errorf("canceled after it was sent: %v", err)
		}
		a = finish()
		if a.State != rollout.Done || d.gateway.names() != renamed {
			t.Errorf("%s %+v", a.State, a.Error)
		}
		if ended, err := d.Cancel(a.ID); err != nil || ended.State != rollout.Done {
			t.Errorf("canceled after its end: %+v %v", ended, err)
		}
	})
	t.Run("unknown", func(t *testing.T) {
		d := start(t)
		if _, err := d.Cancel("none"); !errcode.Is(err, errcode.NotFound) {
			t.Error(err)
		}
		if _, err := d.Apply("none"); !errcode.Is(err, errcode.NotFound) {
			t.Error(err)
		}
	})
}

// While the gateway takes no more changes, an apply tells until when, and can be canceled unless
// agents were deleted.
func TestAPP3_WaitingForTheGatewayCanBeCanceled(t *testing.T) {
	for name, deletes := range map[string]bool{"nothing was sent": false, "an agent was deleted": true} {
		t.Run(name, func(t *testing.T) {
			d := start(t)
			d.edit(rename("main", "Chief"))
			if deletes {
				d.edit(func(team *topology.Topology) { remove(team, "dev") })
			}
			d.gateway.onApply = func() error {
				if d.gateway.sent() > 1 {
					return nil
				}
				return reason(errcode.ReasonRateLimited).With(errcode.KeyRetryAfterMs, 1)
			}
			req := d.request(rollout.Decisions{})
			req.DeleteAgents = true
			sub := d.Subscribe(256)
			defer sub.Close()
			if _, err := d.Start(t.Context(), d.team, req); err != nil {
				t.Fatal(err)
			}
			waits := 0
			for a := range sub.C() {
				if !a.WaitUntil.IsZero() {
					waits++
					if a.Cancellable == deletes {
						t.Errorf("it can be canceled: %v", a.Cancellable)
					}
				}
				if a.State != rollout.Running {
					break
				}
			}
			if waits != 1 {
				t.Errorf("%d waits were told", waits)
			}
		})
	}
}

// A gateway has one apply at a time. Another gateway doesn't wait for it.
func TestAPP3_OneApplyAtATimeForEachGateway(t *testing.T) {
	d := start(t)
	_, finish := d.held(true)
	req := d.request(rollout.Decisions{})
	if _, err := d.Start(t.Context(), d.team, req); !errcode.HasReason(err, rollout.ReasonRunning) {
		t.Errorf("a second apply: %v", err)
	}
	other, _, err := d.Draw(t.Context(), "lab", &topology.Topology{Name: "Lab"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Preview(t.Context(), other.ID, rollout.Decisions{})
	if err != nil {
		t.Fatal(err)
	}
	a := d.finish(func() (rollout.Apply, error) {
		return d.Start(t.Context(), other.ID, rollout.Request{Hash: p.BaseHash})
	})
	if a.State != rollout.Done || a.Gateway != "lab" {
		t.Errorf("on another gateway: %s %+v", a.State, a.Error)
	}
	if a = finish(); a.State != rollout.Done {
		t.Errorf("the first: %s %+v", a.State, a.Error)
	}
	if all := d.Applies(); len(all) != 2 || all[0].Gateway != office || all[1].Gateway != "lab" {
		t.Errorf("the applies, oldest first: %+v", all)
	}
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Errorf("after the first ended: %s %+v", a.State, a.Error)
	}
}

// An apply that has not sent its config ends with the machine, and sends nothing.
func TestAPP3_AnApplyEndsWithTheMachine(t *testing.T) {
	d := start(t)
	_, finish := d.held(false)
	d.stop()
	if a := finish(); a.State != rollout.Failed || d.gateway.sent() != 0 {
		t.Errorf("%s %+v, %d configs were sent", a.State, a.Error, d.gateway.sent())
	}
}

// A request that doesn't match what was reviewed starts nothing.
func TestAPP3_OnlyWhatWasReviewedIsApplied(t *testing.T) {
	dana := rename("dev", "Dana")
	for name, tc := range map[string]struct {
		between func(*desk) // after the review
		reason  string
		code    errcode.Code
	}{
		"the gateway changed": {
			func(d *desk) { d.gateway.change(rename("main", "Chief")) },
			errcode.ReasonStaleBase, errcode.Conflict,
		},
		"the draft changed": {
			func(d *desk) { d.edit(rename("main", "Chief")) },
			rollout.ReasonNotSeen, errcode.Conflict,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := start(t)
			d.edit(dana)
			req := d.request(rollout.Decisions{})
			tc.between(d)
			d.refuses(req, tc.code, tc.reason)
		})
	}
	t.Run("conflicts are undecided", func(t *testing.T) {
		d := start(t)
		d.edit(dana)
		d.gateway.change(rename("dev", "Devon"))
		d.refuses(d.request(rollout.Decisions{}), errcode.Conflict, rollout.ReasonUndecided)
	})
	t.Run("the team has errors", func(t *testing.T) {
		d := start(t)
		d.edit(func(team *topology.Topology) {
			dev, _ := team.Agent("dev")
			dev.SecretEnv = "PATH" // no team can name it
		})
		d.refuses(d.request(rollout.Decisions{}), errcode.Validation, rollout.ReasonProblems)
	})
}

func (d *desk) refuses(req rollout.Request, code errcode.Code, why string) {
	d.Helper()
	_, err := d.Start(d.Context(), d.team, req)
	if !errcode.Is(err, code) || !errcode.HasReason(err, why) {
		d.Errorf("%v, want %s %s", err, code, why)
	}
	if len(d.Applies()) != 0 || d.gateway.sent() != 0 {
		d.Errorf("applies %v, %d configs were sent", d.Applies(), d.gateway.sent())
	}
}

// A conflict is decided by the person, and both sides then have the chosen value.
func TestAPP3_AConflictIsDecided(t *testing.T) {
	for choice, want := range map[topology.Choice]string{
		topology.ChooseMine:   renamed,
		topology.ChooseTheirs: "dev=Devon main=Main",
	} {
		t.Run(string(choice), func(t *testing.T) {
			d := start(t)
			d.edit(rename("dev", "Dana"))
			d.gateway.change(rename("dev", "Devon"))
			p := d.preview(rollout.Decisions{})
			if !p.Stale || p.Merge.Undecided() != 1 || p.Merge.First {
				t.Fatalf("stale: %v, merge %+v", p.Stale, p.Merge)
			}
			a := d.apply(d.request(rollout.Decisions{
				Choices: map[string]topology.Choice{p.Merge.Conflicts[0].ID: choice},
			}))
			if a.State != rollout.Done || d.gateway.names() != want || names(d.draft()) != want {
				t.Errorf("%s %+v: the gateway has %s", a.State, a.Error, d.gateway.names())
				t.Errorf("the team is %s", names(d.draft()))
			}
		})
	}
}

// Changes of both sides that don't conflict are both in the result.
func TestAPP3_BothSidesAreMerged(t *testing.T) {
	const want = "dev=Dana main=Chief"
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.change(rename("main", "Chief"))
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Done || d.gateway.names() != want || names(d.draft()) != want {
		t.Errorf("%s %+v: the gateway has %s, the team %s", a.State, a.Error, d.gateway.names(), names(d.draft()))
	}
}

// The first apply to a gateway adds the agents that are there. It deletes none.
func TestAPP3_TheFirstApplyKeepsTheGatewaysAgents(t *testing.T) {
	const want = "dev=Dev main=Main new=New"
	d := start(t)
	team, _, err := d.library.Create(t.Context(), library.Step{
		Topology: &topology.Topology{Name: "Fresh", Agents: []topology.Agent{{ID: "new", Name: "New"}}},
		Gateway:  office,
	})
	if err != nil {
		t.Fatal(err)
	}
	d.team = team.ID
	p := d.preview(rollout.Decisions{})
	if p.Merge == nil || !p.Merge.First || len(p.Deletions) != 0 {
		t.Errorf("merge %+v, deletions %v", p.Merge, p.Deletions)
	}
	req := d.request(rollout.Decisions{})
	req.DeleteAgents = true
	a := d.apply(req)
	if a.State != rollout.Done || d.gateway.names() != want || names(d.draft()) != want {
		t.Errorf("%s %+v: the gateway has %s, the team %s", a.State, a.Error, d.gateway.names(), names(d.draft()))
	}
	_, head, err := d.library.Get(t.Context(), d.team)
	if err != nil || a.Sent != 1 || head.Cause != library.Applied ||
		head.Counts.Added != 1 || head.Counts.Changed != 0 {
		t.Errorf("the history counts %+v where %d was sent: %v", head.Counts, a.Sent, err)
	}
}

// What is left out isn't sent, and stays in the draft as a change.
func TestAPP3_WhatIsLeftOutStaysInTheDraft(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.edit(rename("main", "Chief"))
	var leave []string
	for _, c := range d.preview(rollout.Decisions{}).Changes {
		if c.Agent == "main" {
			leave = append(leave, c.ID)
		}
	}
	a := d.apply(d.request(rollout.Decisions{LeaveOut: leave}))
	if a.State != rollout.Done || a.Sent != 1 || a.Left != 1 || d.gateway.names() != renamed {
		t.Errorf("%s %+v, %d sent, %d left, the gateway has %s", a.State, a.Error, a.Sent, a.Left, d.gateway.names())
	}
	if got := names(d.draft()); got != "dev=Dana main=Chief" {
		t.Errorf("the draft is %s", got)
	}
	if p := d.preview(rollout.Decisions{}); p.Sent != 1 || p.Stale {
		t.Errorf("%d changes wait, stale: %v", p.Sent, p.Stale)
	}
	if _, head, err := d.library.Get(t.Context(), d.team); err != nil || head.Snapshot != a.Snapshot {
		t.Errorf("the draft's version is not the apply's, so that it can't be undone: %+v %v", head, err)
	}
}

// What is drawn while an apply runs isn't sent with it, and isn't lost.
func TestAPP3_EditsDuringAnApplyStay(t *testing.T) {
	d := start(t)
	_, finish := d.held(true)
	d.edit(rename("main", "Chief"))
	if a := finish(); a.State != rollout.Done || d.gateway.names() != renamed {
		t.Errorf("%s %+v, the gateway has %s", a.State, a.Error, d.gateway.names())
	}
	if got := names(d.draft()); got != "dev=Dana main=Chief" {
		t.Errorf("the draft is %s", got)
	}
	if p := d.preview(rollout.Decisions{}); p.Sent != 1 || p.Stale {
		t.Errorf("%d changes wait, stale: %v", p.Sent, p.Stale)
	}
}

// A gateway that can't be read can't be previewed, and the error is its own.
func TestAPP3_AnUnreadableGatewayIsTold(t *testing.T) {
	d := start(t)
	d.gateway.onRead = func(context.Context, int) error { return errGone }
	if _, err := d.Preview(t.Context(), d.team, rollout.Decisions{}); !errors.Is(err, errGone) {
		t.Error(err)
	}
	if _, err := d.Start(t.Context(), d.team, rollout.Request{}); !errors.Is(err, errGone) {
		t.Error(err)
	}
	if _, err := d.Held(t.Context(), office); !errors.Is(err, errGone) {
		t.Error(err)
	}
	if _, err := d.Held(t.Context(), "nowhere"); !errcode.Is(err, errcode.NotFound) {
		t.Error(err)
	}
}

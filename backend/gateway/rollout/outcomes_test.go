package rollout_test

import (
	"context"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

const (
	before  = "dev=Dev main=Main"
	renamed = "dev=Dana main=Main"
)

type outcome struct {
	fault   func(*desk)
	state   rollout.State
	reason  string
	sent    int    // configs that the gateway received
	held    string // by the gateway afterwards
	settled bool   // nothing waits to be applied afterwards
	steps   string
}

const (
	stepsDone     = "check=done snapshot=done delete=skipped apply=done wait=done verify=done"
	stepsUnsent   = "check=done snapshot=done delete=waiting apply=failed wait=waiting verify=waiting"
	stepsResolved = "check=done snapshot=done delete=waiting apply=failed wait=done verify=failed"
)

// lost is an answer that doesn't say whether the config was accepted.
func lost() error { return reason(errcode.ReasonUnknown) }

var outcomes = map[string]outcome{
	"accepted": {state: rollout.Done, sent: 1, held: renamed, settled: true, steps: stepsDone},
	"rejected": {
		fault:  func(d *desk) { d.gateway.onApply = func() error { return reason(errcode.ReasonRejected) } },
		state:  rollout.Failed,
		reason: errcode.ReasonRejected,
		sent:   1, held: before, steps: stepsUnsent,
	},
	"rate limited once": {
		fault: func(d *desk) {
			d.gateway.onApply = func() error {
				if d.gateway.sent() > 1 {
					return nil
				}
				return reason(errcode.ReasonRateLimited).With(errcode.KeyRetryAfterMs, 1)
			}
		},
		state: rollout.Done, sent: 2, held: renamed, settled: true, steps: stepsDone,
	},
	"answer lost, config accepted": {
		fault: func(d *desk) { d.gateway.after = lost },
		state: rollout.Done, sent: 1, held: renamed, settled: true, steps: stepsDone,
	},
	"answer lost, config not accepted": {
		fault:  func(d *desk) { d.gateway.onApply = lost },
		state:  rollout.Failed,
		reason: errcode.ReasonLinkDown,
		sent:   1, held: before, steps: stepsResolved,
	},
	"answer lost, gateway stays away": {
		fault:  func(d *desk) { d.gateway.after, d.gateway.waitErr = lost, errGone },
		state:  rollout.Unknown,
		reason: errcode.ReasonUnknown,
		sent:   1, held: renamed,
		steps: "check=done snapshot=done delete=waiting apply=unknown wait=failed verify=waiting",
	},
	"answer lost, another config is there": {
		fault: func(d *desk) {
			d.gateway.onApply = func() error {
				d.gateway.change(rename("dev", "Devon"))
				return lost()
			}
		},
		state:  rollout.Failed,
		reason: errcode.ReasonStaleBase,
		sent:   1, held: "dev=Devon main=Main", steps: stepsResolved,
	},
	"written, not in use": {
		fault: func(d *desk) {
			d.gateway.after = func() error {
				return errcode.New(errcode.Gateway, "config.apply persisted but was not applied").
					With(errcode.KeyReason, errcode.ReasonUnknown)
			}
		},
		state:  rollout.Failed,
		reason: openclaw.ReasonNotActive,
		sent:   1, held: renamed, settled: true,
		steps: "check=done snapshot=done delete=waiting apply=done wait=done verify=failed",
	},
	"stored differently": {
		fault:  func(d *desk) { d.gateway.fill = rename("dev", "dana") },
		state:  rollout.Failed,
		reason: openclaw.ReasonVerifyMismatch,
		sent:   1, held: "dev=dana main=Main",
		steps: "check=done snapshot=done delete=waiting apply=done wait=done verify=failed",
	},
	"changed after the review": {
		fault: func(d *desk) {
			from := d.gateway.reads
			d.gateway.onRead = func(_ context.Context, n int) error {
				if n == from+2 { // the first read is that of Start
					d.gateway.change(rename("main", "Chief"))
				}
				return nil
			}
		},
		state:  rollout.Failed,
		reason: errcode.ReasonStaleBase,
		sent:   0, held: "dev=Dev main=Chief",
		steps: "check=failed snapshot=waiting delete=waiting apply=waiting wait=waiting verify=waiting",
	},
	"no place for the snapshot": {
		fault: func(d *desk) { d.store.Fail = errcode.New(errcode.Unavailable, "the disk is full") },
		state: rollout.Failed, sent: 0, held: before,
		steps: "check=done snapshot=failed delete=waiting apply=waiting wait=waiting verify=waiting",
	},
	"the gateway's client panics": {
		fault: func(d *desk) { d.gateway.onApply = func() error { panic("a bug") } },
		state: rollout.Failed, sent: 1, held: before, steps: stepsUnsent,
	},
}

// APP-3: an apply is a snapshot, one config, a wait and a comparison. Whatever the gateway
// answers, the apply says what became of the config, and the config is never sent twice unless
// the gateway didn't look at it. The base moves only if the gateway has the team.
func TestAPP3_EveryOutcomeOfAnApplyIsTold(t *testing.T) {
	t.Parallel()
	for name, want := range outcomes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := start(t)
			d.edit(rename("dev", "Dana"))
			req := d.request(rollout.Decisions{})
			if want.fault != nil {
				want.fault(d)
			}
			a := d.apply(req)
			told := (a.Error == nil) == (a.State == rollout.Done)
			if a.State != want.state || reasonOf(a.Error) != want.reason || !told {
				t.Errorf("the apply is %s, %+v", a.State, a.Error)
			}
			if got := steps(a); got != want.steps {
				t.Errorf("steps %s\nwant  %s", got, want.steps)
			}
			if a.Cancellable || a.EndedAt.IsZero() || !a.WaitUntil.IsZero() || a.Sent != 1 {
				t.Errorf("an apply that ended: %+v", a)
			}
			if d.gateway.sent() != want.sent || d.gateway.names() != want.held {
				t.Errorf("%d configs were sent, the gateway has %s", d.gateway.sent(), d.gateway.names())
			}
			if (a.Snapshot != "") != (want.sent > 0) {
				t.Errorf("snapshot %q", a.Snapshot)
			}
			d.checkSettled(want.settled)
			if known, err := d.Apply(a.ID); err != nil || known.State != a.State {
				t.Errorf("asked later: %+v %v", known, err)
			}
		})
	}
}

// checkSettled checks whether team and gateway count as the same. The draft stays in any case.
func (d *desk) checkSettled(want bool) {
	d.Helper()
	d.gateway.onRead = nil
	if got := names(d.draft()); got != renamed {
		d.Errorf("the draft is %s", got)
	}
	p := d.preview(rollout.Decisions{})
	if (p.Sent == 0 && !p.Stale) != want {
		d.Errorf("%d changes wait to be applied, stale: %v", p.Sent, p.Stale)
	}
}

// The snapshot of an apply is the config before it, whole, so that a rollback can restore it.
func TestAPP3_TheSnapshotIsTheConfigBefore(t *testing.T) {
	d := start(t)
	hash := d.gateway.hash()
	d.edit(rename("dev", "Dana"))
	a := d.apply(d.request(rollout.Decisions{}))
	kept, err := d.library.Snapshot(t.Context(), a.Snapshot)
	if err != nil || kept.Hash != hash || kept.Gateway != office || kept.Cause != "before_apply" ||
		kept.Team != d.team || kept.Agents != 2 {
		t.Errorf("%+v %v", kept, err)
	}
	team, _, err := d.library.Get(t.Context(), d.team)
	if base, ok := team.Base(office); err != nil || !ok || base.Hash != d.gateway.hash() {
		t.Errorf("the base is %+v %v", base, err)
	}
}

// Agents are deleted from a gateway only if the person agreed to it.
func TestAPP3_ADeletionNeedsConsent(t *testing.T) {
	d := start(t)
	d.edit(func(team *topology.Topology) { remove(team, "dev") })
	req := d.request(rollout.Decisions{})
	a := d.apply(req)
	refused := a.State == rollout.Failed && reasonOf(a.Error) == openclaw.ReasonDeletesNotAllowed
	if !refused || d.gateway.names() != before {
		t.Errorf("without consent: %s %+v, the gateway has %s", a.State, a.Error, d.gateway.names())
	}
	req.DeleteAgents = true
	a = d.apply(req)
	if a.State != rollout.Done || len(a.Deleted) != 1 || a.Deleted[0] != "dev" || d.gateway.names() != "main=Main" {
		t.Errorf("with consent: %s %+v, deleted %v, the gateway has %s", a.State, a.Error, a.Deleted, d.gateway.names())
	}
}

// What a gateway stores differently is named, value by value.
func TestAPP3_ADifferenceIsNamed(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.fill = rename("dev", "dana")
	a := d.apply(d.request(rollout.Decisions{}))
	want := openclaw.Difference{Agent: "dev", Field: "name", Want: "Dana", Got: "dana"}
	if len(a.Differences) != 1 || a.Differences[0] != want {
		t.Errorf("%+v", a.Differences)
	}
}

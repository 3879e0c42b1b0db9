package rollout_test

import (
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

// saw has the machine look at the gateway, as it does once there is a link again, and returns the cause for which the
// config was kept.
func (d *desk) saw() string {
	d.Helper()
	s, err := d.gateway.Read(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	if err := d.Saw(d.Context(), office, s, false); err != nil {
		d.Fatal(err)
	}
	kept, err := d.library.Snapshots(d.Context(), office, 1)
	if err != nil || len(kept) == 0 || kept[0].Hash != s.Hash {
		d.Fatalf("kept: %+v %v", kept, err)
	}
	return kept[0].Cause
}

// unseen makes an apply that arrives, and whose end the machine doesn't see.
func unseen(t *testing.T, change func(*topology.Topology)) *desk {
	t.Helper()
	d := start(t)
	d.edit(change)
	d.gateway.after, d.gateway.waitErr = lost, errGone
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Unknown {
		t.Fatalf("the apply is %s", a.State)
	}
	d.gateway.after, d.gateway.waitErr = nil, nil
	return d
}

// APP-3: an apply that arrived although nobody saw its end is recorded as that once the gateway is seen again.
func TestAPP3_AnApplyWhoseEndNobodySawIsOurs(t *testing.T) {
	t.Parallel()
	d := unseen(t, rename("dev", "Dana"))
	if cause := d.saw(); cause != "after_apply" {
		t.Errorf("kept as %s", cause)
	}
	d.checkSettled(true)
	team, head, err := d.library.Get(t.Context(), d.team)
	if base, ok := team.Base(office); err != nil || !ok || base.Hash != d.gateway.hash() || base.Version != head.ID {
		t.Errorf("the base is %+v %v, the head %s", base, err, head.ID)
	}
	if head.Cause != "apply" {
		t.Errorf("the version is %+v", head)
	}
}

// What somebody else did to the config meanwhile is theirs: the person reviews it.
func TestAPP3_AChangeBesideAnUnseenApplyIsReviewed(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d *desk){
		"another agent, too":      func(d *desk) { d.gateway.change(rename("main", "Maria")) },
		"another name":            func(d *desk) { d.gateway.change(rename("dev", "Devon")) },
		"drawn on after the loss": func(d *desk) { d.edit(rename("main", "Maria")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := unseen(t, rename("dev", "Dana"))
			change(d)
			if cause := d.saw(); cause != "elsewhere" {
				t.Errorf("kept as %s", cause)
			}
			if p := d.preview(rollout.Decisions{}); !p.Stale {
				t.Errorf("nothing is to be reviewed: %+v", p)
			}
		})
	}
}

// An apply that never arrived leaves the gateway as it was: no other config is kept.
func TestAPP3_AnApplyThatNeverArrivedIsNoChange(t *testing.T) {
	t.Parallel()
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.onApply, d.gateway.waitErr = lost, errGone
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Unknown {
		t.Fatalf("the apply is %s", a.State)
	}
	if cause := d.saw(); cause != "before_apply" {
		t.Errorf("kept as %s", cause)
	}
	d.checkSettled(false)
}

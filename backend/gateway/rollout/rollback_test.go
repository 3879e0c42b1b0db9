package rollout_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// applied is a desk on which one apply renamed an agent.
func applied(t *testing.T) (*desk, rollout.Apply) {
	t.Helper()
	d := start(t)
	d.edit(rename("dev", "Dana"))
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Done {
		t.Fatalf("%s %+v", a.State, a.Error)
	}
	return d, a
}

func (d *desk) rollback(req rollout.RollbackRequest) rollout.Apply {
	d.Helper()
	return d.finish(func() (rollout.Apply, error) { return d.Rollback(d.Context(), req) })
}

// A rollback restores the config. The team follows it, or keeps the changes for the next apply.
func TestAPP3_ARollbackRestoresTheConfig(t *testing.T) {
	for name, tc := range map[string]struct {
		keep, named bool
		draft       string
		waits       int
	}{
		"the team follows":     {false, true, before, 0},
		"the draft is kept":    {true, true, renamed, 1},
		"no team is concerned": {false, false, renamed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, a := applied(t)
			req := rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Keep: tc.keep}
			if tc.named {
				req.Team = d.team
			}
			p, err := d.PreviewRollback(t.Context(), office, a.Snapshot)
			if err != nil || p.Sent != 1 || names(p.Draft) != before || d.gateway.sent() != 1 {
				t.Errorf("preview %+v %v", p, err)
			}
			req.Hash = p.BaseHash
			back := d.rollback(req)
			if back.State != rollout.Done || back.Kind != rollout.KindRollback || d.gateway.names() != before {
				t.Errorf("%s %+v, the gateway has %s", back.State, back.Error, d.gateway.names())
			}
			kept, err := d.library.Snapshot(t.Context(), back.Snapshot)
			if err != nil || kept.Cause != "before_rollback" || kept.Agents != 2 {
				t.Errorf("snapshot %+v %v", kept, err)
			}
			if got := names(d.draft()); got != tc.draft {
				t.Errorf("the draft is %s", got)
			}
			if next := d.preview(rollout.Decisions{}); tc.named && (next.Sent != tc.waits || next.Stale) {
				t.Errorf("%d changes wait, stale: %v", next.Sent, next.Stale)
			}
			// The rollback has a snapshot as well, so it can be undone.
			again := d.rollback(rollout.RollbackRequest{Gateway: office, To: back.Snapshot})
			if again.State != rollout.Done || d.gateway.names() != renamed {
				t.Errorf("rolled back: %s %+v, the gateway has %s", again.State, again.Error, d.gateway.names())
			}
		})
	}
}

// A rollback that isn't the one that was reviewed sends nothing.
// Undoing an apply leaves what it imported from the gateway in the draft: only the team's own changes wait again.
func TestAPP3_UndoingAnApplyKeepsWhatItImported(t *testing.T) {
	for _, choice := range []topology.Choice{"", topology.ChooseMine} {
		t.Run("a conflict: "+string(choice), func(t *testing.T) {
			d := start(t)
			d.edit(rename("dev", "Dana"))
			d.gateway.change(rename("main", "Chief"))
			var decided rollout.Decisions
			if choice != "" {
				d.gateway.change(rename("dev", "Devon"))
				p := d.preview(rollout.Decisions{})
				decided.Choices = map[string]topology.Choice{p.Merge.Conflicts[0].ID: choice}
			}
			theirs := d.gateway.names()
			a := d.apply(d.request(decided))
			back := d.rollback(rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team, Keep: true})
			if back.State != rollout.Done || d.gateway.names() != theirs || names(d.draft()) != "dev=Dana main=Chief" {
				t.Errorf("%s: the gateway has %s, the draft %s", back.State, d.gateway.names(), names(d.draft()))
			}
			if next := d.preview(rollout.Decisions{}); next.Sent != 1 || next.Stale {
				t.Errorf("%d changes wait, stale: %v", next.Sent, next.Stale)
			}
		})
	}
}

// A gateway can add a binding whenever it writes a config. After an apply is undone, the draft has it, too: only the
// team's changes wait.
func TestAPP3_OC3_UndoingAnApplyKeepsTheGatewaysOwnBinding(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.fill = func(t *topology.Topology) {
		if len(t.Bindings) == 0 {
			t.Bindings = topology.Bindings{json.RawMessage(`{"agentId":"dev","match":{"channel":"telegram"}}`)}
		}
	}
	a := d.apply(d.request(rollout.Decisions{}))
	back := d.rollback(rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team, Keep: true})
	if back.State != rollout.Done || names(d.draft()) != "dev=Dana main=Main" || len(d.draft().Bindings) != 1 {
		t.Errorf("%s: the draft has %s and %d bindings", back.State, names(d.draft()), len(d.draft().Bindings))
	}
	next := d.preview(rollout.Decisions{})
	if next.Sent != 1 || next.Stale {
		t.Errorf("%d changes wait, stale: %v: %+v", next.Sent, next.Stale, next.Changes)
	}
}

func TestAPP3_ARollbackIsRefused(t *testing.T) {
	d, a := applied(t)
	for name, tc := range map[string]struct {
		req    rollout.RollbackRequest
		code   errcode.Code
		reason string
	}{
		"another gateway's snapshot": {
			rollout.RollbackRequest{Gateway: "lab", To: a.Snapshot}, errcode.Validation, "",
		},
		"no such snapshot": {
			rollout.RollbackRequest{Gateway: office, To: "none"}, errcode.NotFound, "",
		},
		"the gateway changed since the review": {
			rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Hash: "h0"},
			errcode.Conflict, errcode.ReasonStaleBase,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Rollback(t.Context(), tc.req)
			if !errcode.Is(err, tc.code) || tc.reason != "" && !errcode.HasReason(err, tc.reason) {
				t.Error(err)
			}
			if d.gateway.sent() != 1 || d.gateway.names() != renamed {
				t.Errorf("the gateway has %s", d.gateway.names())
			}
		})
	}
}

// An import takes over what the gateway has, and keeps what was drawn and not applied.
func TestGW3_AnImportKeepsTheDraftsChanges(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.change(rename("main", "Chief"))
	got, err := d.Import(t.Context(), d.team, "")
	if err != nil || names(got.Version.Topology) != "dev=Dana main=Chief" || len(got.Changes) != 1 {
		t.Errorf("%+v %v", got, err)
	}
	if p := d.preview(rollout.Decisions{}); p.Sent != 1 || p.Stale {
		t.Errorf("%d changes wait, stale: %v", p.Sent, p.Stale)
	}
	if d.gateway.sent() != 0 {
		t.Error("an import changed the gateway")
	}
	if _, _, err := d.Discard(t.Context(), d.team); err != nil || names(d.draft()) != "dev=Dev main=Chief" {
		t.Errorf("discarded: %s %v", names(d.draft()), err)
	}
	if _, _, err := d.library.Undo(t.Context(), d.team); err != nil || names(d.draft()) != "dev=Dana main=Chief" {
		t.Errorf("discarded and undone: %s %v", names(d.draft()), err)
	}
}

// A team that its gateway never had has nothing to go back to, and that is said.
func TestDiscard_OfATeamThatWasNeverAppliedIsRefused(t *testing.T) {
	d := start(t)
	drawn := &topology.Topology{Name: "New", Agents: []topology.Agent{{ID: "solo"}}}
	team, _, err := d.library.Create(t.Context(),
		library.Step{Topology: drawn, Cause: library.Created, Gateway: office})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Discard(t.Context(), team.ID); !errcode.Is(err, errcode.Conflict) ||
		!strings.Contains(err.Error(), "nothing to go back to") {
		t.Errorf("discarded: %v", err)
	}
	if _, v, err := d.library.Get(t.Context(), team.ID); err != nil || len(v.Topology.Agents) != 1 {
		t.Errorf("the team has %v, %v", v.Topology, err)
	}
}

// An import from another gateway makes it the team's target.
func TestGW3_AnImportFromAnotherGatewayChoosesIt(t *testing.T) {
	d := start(t)
	d.gateways["lab"].change(rename("dev", "Lab"))
	if _, err := d.Import(t.Context(), d.team, "lab"); err != nil {
		t.Fatal(err)
	}
	team, head, err := d.library.Get(t.Context(), d.team)
	if err != nil || team.Gateway != "lab" || names(head.Topology) != "dev=Lab main=Main" {
		t.Errorf("%s: %s %v", team.Gateway, names(head.Topology), err)
	}
	if _, err := d.Import(t.Context(), d.team, "nowhere"); !errcode.Is(err, errcode.NotFound) {
		t.Error(err)
	}
}

// Drift tells the gateway's changes from the draft's, and changes nothing.
func TestAPP3_DriftSaysWhoseAChangeIs(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.change(rename("main", "Chief"))
	drift, err := d.Drift(t.Context(), d.team, "")
	if err != nil || !drift.Known || drift.Drifted != 1 || drift.Conflicts != 0 || len(drift.Changes) != 2 {
		t.Fatalf("%+v %v", drift, err)
	}
	for _, c := range drift.Changes {
		if c.Theirs != (c.Agent == topology.AgentID("main")) {
			t.Errorf("%s counts as the gateway's: %v", c.Agent, c.Theirs)
		}
	}
	if names(d.draft()) != renamed || d.gateway.sent() != 0 {
		t.Error("drift changed something")
	}
	d.gateway.change(rename("dev", "Devon"))
	if drift, err = d.Drift(t.Context(), d.team, office); err != nil || drift.Conflicts != 1 || drift.Drifted != 2 {
		t.Errorf("both changed dev: %+v %v", drift, err)
	}
}

// KeepMine leaves the draft as it is. The gateway's changes then are changes to review.
func TestAPP3_KeepMineLeavesTheDraft(t *testing.T) {
	d := start(t)
	d.edit(rename("dev", "Dana"))
	d.gateway.change(rename("main", "Chief"))
	if err := d.KeepMine(t.Context(), d.team); err != nil {
		t.Fatal(err)
	}
	if got := names(d.draft()); got != renamed {
		t.Errorf("the draft is %s", got)
	}
	if p := d.preview(rollout.Decisions{}); p.Sent != 2 || p.Stale {
		t.Errorf("%d changes wait, stale: %v", p.Sent, p.Stale)
	}
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done || d.gateway.names() != renamed {
		t.Errorf("%s %+v, the gateway has %s", a.State, a.Error, d.gateway.names())
	}
}

// After the rollback of its first apply a team has no base, as before. The next apply is a
// first one again, and deletes none of the gateway's agents.
func TestAPP5_ARollbackOfTheFirstApplyLeavesNoBase(t *testing.T) {
	d := start(t)
	team, _, err := d.library.Create(t.Context(), library.Step{
		Topology: &topology.Topology{Name: "Fresh", Agents: []topology.Agent{{ID: "new", Name: "New"}}},
		Gateway:  office,
	})
	if err != nil {
		t.Fatal(err)
	}
	d.team = team.ID
	a := d.apply(d.request(rollout.Decisions{}))
	req := rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team, Keep: true}
	if back := d.rollback(req); reasonOf(back.Error) != openclaw.ReasonDeletesNotAllowed {
		t.Errorf("it deletes an agent without consent: %s %+v", back.State, back.Error)
	}
	req.DeleteAgents = true
	back := d.rollback(req)
	if back.State != rollout.Done || d.gateway.names() != before || names(d.draft()) != "new=New" {
		t.Errorf("%s %+v: the gateway has %s, the team %s", back.State, back.Error, d.gateway.names(), names(d.draft()))
	}
	if p := d.preview(rollout.Decisions{}); p.Merge == nil || !p.Merge.First || len(p.Deletions) != 0 {
		t.Errorf("the next apply is no first one: merge %+v, deletions %v", p.Merge, p.Deletions)
	}
}

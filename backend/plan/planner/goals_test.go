package planner_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/httpapi"
)

// ME-8: a goal leads to a proposal and, once accepted, to a plan; all of it, with every call, survives a restart.
func TestME8_AGoalBecomesAProposalAndThenAPlan(t *testing.T) {
	srv := startModel(t)
	dir := srv.home(t)
	d := sit(t, dir)
	stream := d.events()
	if first := until(t, stream, func(n httpapi.Notify) bool { return n.Reset }); len(first.Plans) != 0 {
		t.Errorf("a new hub has the plans %+v", first.Plans)
	}
	srv.says("Sure! Here is the plan.", decomposed) // the first isn't a valid answer
	var made planner.Summary
	d.must(http.MethodPost, "/api/plans", m{"goal": "A login page\nwith a form"}, &made)
	if made.Name != "A login page" || made.Goal != "A login page\nwith a form" || made.Asking == nil || made.Asking.Model != "srv/thinker" {
		t.Errorf("made: %+v", made)
	}
	until(t, stream, settled(made.ID))
	w := d.plan(made.ID)
	if len(w.Plan.Tasks) != 0 || w.Waiting != 1 || len(w.Proposals) != 1 {
		t.Fatalf("before it is accepted: %+v", w)
	}
	p := w.Proposals[0]
	if p.State != planner.Waiting || p.Protocol != meta.Decompose || p.Calls != 2 || p.TokensIn != 14 || len(p.Changes) != 2 || !p.Changes[0].Added || p.Patch.Payload.Understanding != "A login page." || len(p.Patch.Payload.PotentialConflicts) != 1 {
		t.Errorf("the proposal: %+v", p)
	}
	var calls struct{ Calls []meta.Call }
	d.must(http.MethodGet, path(w, "calls?proposal="+string(p.ID)), nil, &calls)
	if len(calls.Calls) != 2 || calls.Calls[0].Answer != "Sure! Here is the plan." || calls.Calls[0].Error == "" || calls.Calls[1].Answer != decomposed || calls.Calls[1].Error != "" || calls.Calls[1].TokensOut != 3 || !strings.Contains(calls.Calls[1].Prompt, "A login page") || calls.Calls[1].At.IsZero() {
		t.Errorf("the calls: %+v", calls.Calls)
	}

	var taken planner.Whole
	d.must(http.MethodPost, path(w, "proposals/"+string(p.ID)+"/accept"), m{"version": w.Head}, &taken)
	if got := titles(taken.Plan); got != "Sketch Form" {
		t.Errorf("accepted: %q", got)
	}
	form := taken.Plan.Tasks[1]
	if form.Dependencies[0] != taken.Plan.Tasks[0].ID || form.PhaseName != "Build" || form.Milestone != "M2" || p.Changes[1].ID != form.ID {
		t.Errorf("the task is not the one that was shown: %+v, %+v", form, p.Changes)
	}
	if e := d.why(errcode.Conflict, planner.ReasonEnded, path(w, "proposals/"+string(p.ID)+"/refuse"), nil); e.Details["state"] != "accepted" {
		t.Errorf("%+v", e)
	}

	d.hub.Stop()
	d = sit(t, dir)
	again := d.plan(made.ID)
	if titles(again.Plan) != "Sketch Form" || again.Proposals[0].State != planner.Accepted || !again.CanUndo || again.Tasks != 2 {
		t.Errorf("after a restart: %+v", again)
	}
	d.must(http.MethodGet, path(w, "calls"), nil, &calls)
	if len(calls.Calls) != 2 {
		t.Errorf("%d calls are left", len(calls.Calls))
	}
	var undone planner.Whole
	d.must(http.MethodPost, path(w, "undo"), m{"version": again.Head}, &undone)
	if len(undone.Plan.Tasks) != 0 || !undone.CanRedo {
		t.Errorf("one undo takes the proposal back: %+v", undone)
	}
}

// A request can be canceled, which reaches the model; a failure shows its reason. The plan doesn't change.
func TestME8_AQuestionIsCalledOffOrFails(t *testing.T) {
	srv := startModel(t)
	d := sit(t, srv.home(t))
	stream := d.events()
	cut := make(chan struct{})
	srv.does(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"type\\\"\"}}]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(cut)
	})
	var made planner.Summary
	d.must(http.MethodPost, "/api/plans", m{"goal": "A page"}, &made)
	n := until(t, stream, func(n httpapi.Notify) bool {
		return slices.ContainsFunc(n.Plans,
			func(s planner.Summary) bool { return s.Asking != nil && s.Asking.Characters == 7 })
	})
	d.refused(errcode.Conflict, planner.ReasonAsking, "/api/plans/"+string(made.ID)+"/requests", m{"request": "And more"})
	cancel := "/api/plans/" + string(made.ID) + "/proposals/" + string(n.Plans[0].Asking.Proposal) + "/cancel"
	d.must(http.MethodPost, cancel, nil, nil)
	<-cut
	until(t, stream, settled(made.ID))
	if w := d.plan(made.ID); w.Proposals[0].State != planner.Canceled || w.Proposals[0].Calls != 1 || len(w.Plan.Tasks) != 0 {
		t.Errorf("canceled: %+v", w.Proposals)
	}
	d.refused(errcode.Conflict, planner.ReasonEnded, cancel, nil)

	srv.says("no", "no", "no", "no")
	d.must(http.MethodPost, "/api/plans/"+string(made.ID)+"/requests", m{"request": "A page"}, nil)
	until(t, stream, func(n httpapi.Notify) bool {
		return slices.ContainsFunc(n.Plans, func(s planner.Summary) bool { return s.Asking == nil && s.Rev > 6 })
	})
	w := d.plan(made.ID)
	if p := w.Proposals[1]; p.State != planner.Failed || p.Failure == nil || p.Failure.Reason() != meta.ReasonUnparsable || p.Calls != 4 {
		t.Errorf("no answer: %+v", p)
	}
}

// A hub that stops during a planner request reports that at its next start.
func TestME8_AHubThatEndsLeavesNoQuestionOpen(t *testing.T) {
	srv := startModel(t)
	dir := srv.home(t)
	d := sit(t, dir)
	began := make(chan struct{})
	srv.does(func(_ http.ResponseWriter, r *http.Request) { close(began); <-r.Context().Done() })
	var made planner.Summary
	d.must(http.MethodPost, "/api/plans", m{"goal": "A page"}, &made)
	<-began
	d.hub.Stop()
	d = sit(t, dir)
	w := d.plan(made.ID)
	if p := w.Proposals[0]; p.State != planner.Failed || p.Failure.Reason() != planner.ReasonRestarted || w.Asking != nil {
		t.Errorf("%+v", p)
	}
}

// ME-8: two concurrent calls for a task's plan find the same one.
func TestME8_FaultATaskHasOnePlan(t *testing.T) {
	d := sit(t, t.TempDir())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := d.hub.Planner().CreateFor(t.Context(), "task-1", "two files"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(d.hub.Planner().Plans()); n != 1 {
		t.Errorf("the task has %d plans", n)
	}
}

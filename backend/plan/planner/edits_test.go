package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
)

// ME-9: the planner's patch is a proposal with its difference. Accepting it is one undo step, and running tasks
// aren't touched unless the person confirms it.
func TestME9_TheModelsPatchIsAProposal(t *testing.T) {
	srv := startModel(t)
	d := sit(t, srv.home(t))
	w := d.planOf("A", "B", "C", "D")
	a, b, c := task(t, w, "A"), task(t, w, "B"), task(t, w, "C")
	stream := d.events()
	patch, _ := json.Marshal(patchOf(
		m{
			"op":      "update",
			"task_id": a,
			"title":   "AA",
		},
		m{"op": "delete", "task_id": b},
		m{"op": "move", "task_id": c, "position": m{"index": 0}},
		create("E", m{"dependencies": []plan.ID{a}}),
	))
	srv.says(string(patch))
	var asked planner.Proposal
	d.must(http.MethodPost, path(w, "requests"), m{"request": "Tidy up"}, &asked)
	until(t, stream, settled(w.ID))
	if got := d.plan(w.ID); titles(got.Plan) != "A B C D" || got.Head != w.Head {
		t.Fatalf("the plan changed before the proposal was accepted: %s", titles(got.Plan))
	}
	machine := d.hub.Planner()
	for id, status := range map[plan.ID]plan.Status{a: plan.Running, b: plan.Complete} {
		if err := machine.Report(t.Context(), w.ID, id, planner.Progress{Status: status, Attempts: []planner.Attempt{{Worker: "codex-cli"}}}); err != nil {
			t.Fatal(err)
		}
	}
	w = d.plan(w.ID)
	p := w.Proposals[0]
	kinds := map[plan.ID]string{}
	for _, x := range p.Changes {
		kinds[x.ID] = fmt.Sprintf("%v %v %v %d", x.Added, x.Removed, x.Moved, len(x.Fields))
	}
	if len(kinds) != 4 || kinds[a] != "false false false 1" || kinds[b] != "false true false 0" || kinds[c] != "false false true 0" {
		t.Errorf("the difference: %+v", p.Changes)
	}
	touches := map[plan.ID]bool{}
	for _, x := range p.Touches {
		touches[x.ID] = x.Runs
	}
	if runs, ok := touches[b]; len(touches) != 2 || !touches[a] || !ok || runs {
		t.Errorf("it touches %+v", p.Touches)
	}
	accept := path(w, "proposals/"+string(p.ID)+"/accept")
	d.refused(errcode.Conflict, planner.ReasonRuns, accept, m{"version": w.Head})
	var taken planner.Whole
	d.must(http.MethodPost, accept, m{"version": w.Head, "running": true}, &taken)
	if titles(taken.Plan) != "C AA D E" || taken.Plan.Tasks[0].Status != plan.Running {
		t.Errorf("accepted: %s %+v", titles(taken.Plan), taken.Plan.Tasks)
	}
	d.must(http.MethodPost, path(w, "undo"), m{"version": taken.Head}, &w)
	if titles(w.Plan) != "A B C D" || w.Progress[a].Status != plan.Running {
		t.Errorf("undone: %s, %+v", titles(w.Plan), w.Progress)
	}
	d.must(http.MethodPost, path(w, "redo"), m{"version": w.Head}, &w)
	if titles(w.Plan) != "C AA D E" || w.CanRedo {
		t.Errorf("redone: %s", titles(w.Plan))
	}
	if prompts := srv.prompts(); len(prompts) != 1 || !strings.Contains(prompts[0], "Tidy up") || !strings.Contains(prompts[0], string(c)) {
		t.Errorf("the prompts were %q", prompts)
	}
}

// A change to an older version is rejected with details of the newer one; a proposal that no longer fits shows that.
func TestME9_TwoWindowsDoNotOverwriteEachOther(t *testing.T) {
	d := sit(t, t.TempDir())
	w := d.planOf("A", "B")
	var p planner.Shown
	d.must(http.MethodPost, path(w, "proposals"),
		m{"version": w.Head, "patch": patchOf(m{"op": "update", "task_id": task(t, w, "B"), "title": "BB"})}, &p)
	if p.State != planner.Waiting || len(p.Changes) != 1 || p.After == nil {
		t.Errorf("submitted: %+v", p)
	}
	other := d.edit(w, create("C"))
	e := d.why(errcode.Conflict, planner.ReasonStale, path(w, "edit"),
		m{"version": w.Head, "operations": []m{create("D")}})
	by, _ := e.Details["by"].(map[string]any)
	if fmt.Sprint(e.Details["head"]) != fmt.Sprint(other.Head) || by["label"] != "by hand" {
		t.Errorf("%+v", e.Details)
	}
	d.refused(errcode.Conflict, planner.ReasonStale, path(w, "proposals/"+string(p.ID)+"/accept"), m{"version": w.Head})
	if got := d.plan(w.ID); titles(got.Plan) != "A B C" || len(got.Proposals[0].Changes) != 1 {
		t.Errorf("%s %+v", titles(got.Plan), got.Proposals)
	}
	other = d.edit(other, m{"op": "delete", "task_id": task(t, w, "B")})
	other = d.plan(other.ID)
	if other.Proposals[0].Misfit == nil {
		t.Errorf("it changes a deleted task: %+v", other.Proposals[0])
	}
	d.refused(errcode.Conflict, planner.ReasonStale, path(w, "proposals/"+string(p.ID)+"/accept"),
		m{"version": other.Head})
	d.must(http.MethodPost, path(w, "proposals/"+string(p.ID)+"/refuse"), nil, &other)
	if other.Waiting != 0 || other.Proposals[0].State != planner.Refused {
		t.Errorf("refused: %+v", other.Proposals)
	}
}

// A person's changes: status, names, files, history and deletion; each can be undone or is rejected.
func TestME9_PlansByHand(t *testing.T) {
	d := sit(t, t.TempDir())
	w := d.planOf("A", "B")
	a := task(t, w, "A")
	d.must(http.MethodPost, path(w, "status"), m{"version": w.Head, "task": a, "status": "COMPLETE"}, &w)
	if w.Done != 1 || w.Plan.Tasks[0].Status != plan.Complete {
		t.Errorf("done: %+v", w.Summary)
	}
	d.refused(errcode.Validation, "", path(w, "status"), m{"version": w.Head, "task": a, "status": "RUNNING"})
	d.refused(errcode.Validation, "", path(w, "edit"),
		m{"version": w.Head, "operations": []m{{"op": "update", "task_id": "nobody", "title": "x"}}})
	d.refused(errcode.Validation, "", "/api/plans", m{"name": " "})
	d.refused(errcode.Validation, meta.ReasonNoModel, "/api/plans", m{"goal": "A page"})
	d.refused(errcode.NotFound, "", "/api/plans/none/undo", m{"version": 1})

	var file json.RawMessage
	d.must(http.MethodGet, path(w, "file"), nil, &file)
	var copied planner.Summary
	d.must(http.MethodPost, "/api/plans", m{"name": "Copy", "plan": file}, &copied)
	if got := d.plan(copied.ID); titles(got.Plan) != "A B" || got.Done != 1 {
		t.Errorf("exported and imported: %+v", got)
	}
	d.refused(errcode.Validation, "", "/api/plans",
		m{"name": "Bad", "plan": m{"version": 1, "root_node_id": "r", "node_index": []m{}, "tasks": []m{}}})

	d.must(http.MethodPost, path(w, "undo"), m{"version": w.Head}, &w)
	if w.Done != 0 {
		t.Errorf("the status is undone: %+v", w.Summary)
	}
	var kept struct{ Versions []planner.Version }
	d.must(http.MethodGet, path(w, "versions"), nil, &kept)
	if len(kept.Versions) != 3 || kept.Versions[0].Cause != planner.CauseStatus || kept.Versions[1].Added != 2 {
		t.Errorf("the history: %+v", kept.Versions)
	}
	d.must(http.MethodPost, path(w, "versions/3/restore"), m{"version": w.Head}, &w)
	if w.Done != 1 || w.Head != 4 {
		t.Errorf("restored: %+v", w.Summary)
	}
	if err := d.hub.Planner().Report(t.Context(), w.ID, a, planner.Progress{Status: plan.Running}); err != nil {
		t.Fatal(err)
	}
	d.refused(errcode.Conflict, planner.ReasonReported, path(w, "status"),
		m{"version": w.Head, "task": a, "status": "PENDING"})

	d.must(http.MethodDelete, "/api/plans/"+string(w.ID), nil, nil)
	var list struct{ Plans []planner.Summary }
	d.must(http.MethodGet, "/api/plans", nil, &list)
	if len(list.Plans) != 1 || list.Plans[0].Name != "Copy" {
		t.Errorf("after deleting: %+v", list.Plans)
	}
	d.refused(errcode.NotFound, "", path(w, "undo"), m{"version": w.Head})
	d.must(http.MethodPost, path(w, "recover"), nil, nil)
	if got := d.plan(w.ID); got.Name != "Work" || got.Plan.Tasks[0].Status != plan.Running {
		t.Errorf("recovered: %+v", got.Summary)
	}
}

// ME-9: each version is listed with its author and changes, can be compared with the current plan, and is restored in
// one undo step. Reported progress stays current.
func TestME9_AnyVersionIsComparedAndRestored(t *testing.T) {
	d := sit(t, t.TempDir())
	w := d.planOf("A", "B")
	a, b, first := task(t, w, "A"), task(t, w, "B"), w.Head
	w = d.edit(w, m{"op": "update", "task_id": a, "title": "AA"}, m{"op": "delete", "task_id": b}, create("C"))
	if err := d.hub.Planner().Report(t.Context(), w.ID, a, planner.Progress{Status: plan.Complete}); err != nil {
		t.Fatal(err)
	}
	var kept struct{ Versions []planner.Version }
	d.must(http.MethodGet, path(w, "versions"), nil, &kept)
	if v := kept.Versions[0]; v.Number != w.Head || v.Cause != planner.CauseEdit || v.Added != 1 || v.Removed != 1 || v.Changed != 1 {
		t.Errorf("the newest version: %+v", v)
	}
	var then planner.Compared
	d.must(http.MethodGet, path(w, fmt.Sprintf("versions/%d", first)), nil, &then)
	if titles(then.Plan) != "A B" || len(then.Changes) != 3 {
		t.Errorf("compared: %s %+v", titles(then.Plan), then.Changes)
	}
	if at, ok := then.Plan.Task(a); !ok || at.Status != plan.Complete {
		t.Errorf("the reported progress: %+v", at)
	}
	d.must(http.MethodPost, path(w, fmt.Sprintf("versions/%d/restore", first)), m{"version": w.Head}, &w)
	if titles(w.Plan) != "A B" {
		t.Errorf("restored: %s", titles(w.Plan))
	}
	var same planner.Compared
	d.must(http.MethodGet, path(w, fmt.Sprintf("versions/%d", first)), nil, &same)
	if same.Changes == nil || len(same.Changes) != 0 {
		t.Errorf("what is restored differs: %+v", same.Changes)
	}
	d.must(http.MethodPost, path(w, "undo"), m{"version": w.Head}, &w)
	if titles(w.Plan) != "AA C" {
		t.Errorf("undone: %s", titles(w.Plan))
	}
	if err := d.Call(t.Context(), http.MethodGet, path(w, "versions/99"), nil, nil); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown version: %v", err)
	}
}

// Of very many versions the latest are stored, and undo ends at the oldest.
func TestME9_UndoEndsAtTheOldestVersion(t *testing.T) {
	d := sit(t, t.TempDir())
	w := d.planOf("A")
	a := task(t, w, "A")
	for i := range planner.KeepVersions + 5 {
		w = d.edit(w, m{"op": "update", "task_id": a, "title": fmt.Sprint(i)})
	}
	var kept struct{ Versions []planner.Version }
	d.must(http.MethodGet, path(w, "versions"), nil, &kept)
	if len(kept.Versions) != planner.KeepVersions+1 {
		t.Errorf("%d versions are kept", len(kept.Versions))
	}
	steps := 0
	for ; w.CanUndo; steps++ {
		d.must(http.MethodPost, path(w, "undo"), m{"version": w.Head}, &w)
	}
	if steps != planner.KeepVersions {
		t.Errorf("%d undo steps", steps)
	}
	d.refused(errcode.Conflict, planner.ReasonNothing, path(w, "undo"), m{"version": w.Head})
	w = d.edit(w, m{"op": "update", "task_id": a, "title": "on"})
	if w.CanUndo {
		t.Error("a dropped version can be undone")
	}
}

// Package plansapi serves plans, the proposals for them, and the calls to the
// planner.
package plansapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/httperr"
)

// SchemaNamer names the types of the description that are the planner's and its nouns', or
// returns "": they begin with Plan, for other parts have tasks and versions, too.
func SchemaNamer(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	for _, own := range []reflect.Type{reflect.TypeFor[plan.Task](), reflect.TypeFor[planner.Record](), reflect.TypeFor[meta.Call](), reflect.TypeFor[codecli.Found]()} {
		if t.PkgPath() == own.PkgPath() && name != "Plan" {
			return "Plan" + name
		}
	}
	return ""
}

// Routes are the routes about plans.
type Routes struct {
	Planner  *planner.Machine
	Executor Executor
	Logger   *slog.Logger
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag = "plans"
	route := func(method, path, id, summary string) huma.Operation {
		return httperr.Route(method, path, id, summary, tag)
	}
	large := func(o huma.Operation) huma.Operation {
		o.MaxBodyBytes = httperr.LargeBody
		return o
	}
	huma.Register(api, route(http.MethodGet, "/api/plans", "listPlans", "List plans\n"+
		"The plan that changed last comes first."), httperr.Handler(s.Logger, s.list))
	huma.Register(api, large(route(http.MethodPost, "/api/plans", "createPlan", "Create a plan\n"+
		"Creates an empty plan, one from a plan file, or one from a goal that the planner breaks down.")), httperr.Handler(s.Logger, s.create))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}", "getPlan", "Get a plan\n"+
		"Returns the plan with its progress and proposals."), httperr.Handler(s.Logger, s.get))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/file", "getPlanFile", "Get a plan file\n"+
		"Returns the plan as a file, with the current statuses."), httperr.Handler(s.Logger, s.file))
	huma.Register(api, route(http.MethodPut, "/api/plans/{id}/name", "renamePlan", "Rename a plan"), httperr.Handler(s.Logger, s.rename))
	huma.Register(api, httperr.Status(http.StatusNoContent, route(http.MethodDelete, "/api/plans/{id}", "deletePlan", "Delete a plan\n"+
		"You can restore it with `recover`.")), httperr.Handler(s.Logger, s.remove))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/recover", "recoverPlan", "Restore a deleted plan"), httperr.Handler(s.Logger, s.recover))
	huma.Register(api, large(route(http.MethodPost, "/api/plans/{id}/edit", "editPlan", "Edit a plan\n"+
		"Applies all operations or none. CONFLICT with the reason `stale_version`: the plan changed since that "+
		"version.")), httperr.Handler(s.Logger, s.edit))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/status", "setPlanStatus", "Set the status of a plan task\n"+
		"For tasks that no worker runs."), httperr.Handler(s.Logger, s.status))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/undo", "undoPlan", "Undo a plan change"), httperr.Handler(s.Logger, s.undo))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/redo", "redoPlan", "Redo a plan change"), httperr.Handler(s.Logger, s.redo))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/versions", "listPlanVersions", "List versions of a plan\n"+
		"The newest version comes first."), httperr.Handler(s.Logger, s.versions))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/versions/{number}", "comparePlanVersion", "Compare a plan version\n"+
		"Returns the version and what restoring it would change. Nothing is changed."), httperr.Handler(s.Logger, s.compare))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/versions/{number}/restore", "restorePlanVersion", "Restore a plan version\n"+
		"Saves an earlier version as the newest one. You can undo this."), httperr.Handler(s.Logger, s.restore))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/requests", "askPlan", "Request a plan change\n"+
		"Asks the planner how to change the plan. Its answer becomes a proposal."), httperr.Handler(s.Logger, s.ask))
	huma.Register(api, large(route(http.MethodPost, "/api/plans/{id}/proposals", "proposePlan", "Create a proposal\n"+
		"Adds a `plan_patch` document as a proposal. The plan doesn't change until it is accepted.")), httperr.Handler(s.Logger, s.propose))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/accept", "acceptProposal", "Accept a proposal\n"+
		"Applies the proposal as a new version. CONFLICT with the reason `stale_version`: the plan changed since "+
		"that version."), httperr.Handler(s.Logger, s.accept))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/refuse", "refuseProposal", "Reject a proposal\n"+
		"The plan doesn't change."), httperr.Handler(s.Logger, s.refuse))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/cancel", "cancelProposal", "Cancel a proposal\n"+
		"Stops the planner call that the proposal waits for."), httperr.Handler(s.Logger, s.cancel))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/calls", "listPlanCalls", "List planner calls\n"+
		"Returns what the planner was asked and what it answered. The oldest call comes first."), httperr.Handler(s.Logger, s.calls))
	s.registerWork(api)
}

type planList struct {
	Body struct {
		Plans []planner.Summary `json:"plans"`
	}
}

func (s *Routes) list(context.Context, *struct{}) (*planList, error) {
	out := &planList{}
	out.Body.Plans = s.Planner.Plans()
	return out, nil
}

type planInShort struct{ Body planner.Summary }

type planCreation struct {
	Body struct {
		Name  string          `json:"name,omitempty" maxLength:"1000" doc:"Name of the plan, at most 1000 characters. Needed without a goal. Default: a name from the goal."`
		Goal  string          `json:"goal,omitempty" maxLength:"65536" doc:"Goal that the planner breaks down, at most 64 KiB. The plan stays empty until you accept the proposal. Default: none."`
		Model string          `json:"model,omitempty" maxLength:"500" doc:"Model of the planner. Default: AGENTFLOW_META_MODEL, or the first model of the default provider."`
		Plan  json.RawMessage `json:"plan,omitempty" doc:"Plan file, as an object. Default: none."`
		File  string          `json:"file,omitempty" maxLength:"1000" doc:"Name of the plan file, for error messages. Default: none."`
	}
}

func (s *Routes) create(ctx context.Context, in *planCreation) (*planInShort, error) {
	b := &in.Body
	if b.Goal != "" && len(b.Plan) > 0 {
		return nil, errcode.New(errcode.Validation, "a plan is created from a goal or from a file, not from both").
			With(errcode.KeyField, "goal")
	}
	if b.Goal != "" {
		sum, err := s.Planner.CreateFromGoal(ctx, b.Name, b.Goal, b.Model)
		return &planInShort{sum}, err
	}
	var from *plan.Plan
	if len(b.Plan) > 0 {
		var err error
		if from, err = plan.Read(b.Plan, b.File); err != nil {
			return nil, err
		}
	}
	sum, err := s.Planner.Create(ctx, b.Name, from)
	return &planInShort{sum}, err
}

// Path names a plan.
type Path struct {
	ID planner.ID `path:"id" maxLength:"40" doc:"ID of the plan."`
}

type wholePlan struct{ Body planner.Whole }

func (s *Routes) get(ctx context.Context, in *Path) (*wholePlan, error) {
	w, err := s.Planner.Get(ctx, in.ID)
	return &wholePlan{w}, err
}

// shown is the plan after a change to it.
func (s *Routes) shown(ctx context.Context, id planner.ID, err error) (*wholePlan, error) {
	if err != nil {
		return nil, err
	}
	return s.get(ctx, &Path{id})
}

type planFile struct {
	Disposition string `header:"Content-Disposition"`
	Body        *plan.Plan
}

func (s *Routes) file(ctx context.Context, in *Path) (*planFile, error) {
	w, err := s.Planner.Get(ctx, in.ID)
	return &planFile{Disposition: `attachment; filename="plan.json"`, Body: w.Plan}, err
}

type planNaming struct {
	Path
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"1000" doc:"New name, at most 1000 characters."`
	}
}

func (s *Routes) rename(ctx context.Context, in *planNaming) (*planInShort, error) {
	sum, err := s.Planner.Rename(ctx, in.ID, in.Body.Name)
	return &planInShort{sum}, err
}

func (s *Routes) remove(ctx context.Context, in *Path) (*struct{}, error) {
	if err := s.Executor.Cancel(ctx, in.ID); err != nil && !errcode.HasReason(err, planexec.ReasonNotWorked) {
		return nil, err
	}
	return nil, s.Planner.Delete(ctx, in.ID)
}

func (s *Routes) recover(ctx context.Context, in *Path) (*planInShort, error) {
	sum, err := s.Planner.Recover(ctx, in.ID)
	return &planInShort{sum}, err
}

// Seen is the version that a person saw when they decided.
type Seen struct {
	Version int64 `json:"version" minimum:"1" doc:"Newest version that you saw, from 1. If the plan changed since, the answer is CONFLICT with the reason stale_version."`
}

type planEditing struct {
	Path
	Body struct {
		Seen
		Operations []plan.Operation `json:"operations" minItems:"1" maxItems:"5000" doc:"Operations as in a plan_patch document, at most 5000. All are applied or none."`
		Label      string           `json:"label,omitempty" maxLength:"1000" doc:"Name of the change for the history, at most 1000 characters. Default: none."`
	}
}

type planEdited struct {
	Body struct {
		planner.Whole
		IDs map[plan.ID]plan.ID `json:"ids" doc:"IDs of new tasks, by temporary ID."`
	}
}

func (s *Routes) edit(ctx context.Context, in *planEditing) (*planEdited, error) {
	patch, err := reread(plan.Payload{Operations: in.Body.Operations})
	if err != nil {
		return nil, err
	}
	done, err := s.Planner.Edit(ctx, in.ID, in.Body.Version, patch, in.Body.Label)
	if err != nil {
		return nil, err
	}
	out := &planEdited{}
	out.Body.IDs = done.IDs
	out.Body.Whole, err = s.Planner.Get(ctx, in.ID)
	return out, err
}

// reread gives the operations of a request the checks of a patch document.
func reread(p plan.Payload) (*plan.Patch, error) {
	data, err := json.Marshal(plan.Patch{Type: plan.PatchType, Version: plan.Version, Payload: p})
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the operations cannot be read")
	}
	return plan.ReadPatch(data, "the request")
}

type planStatusChange struct {
	Path
	Body struct {
		Seen
		Task   plan.ID     `json:"task" minLength:"1" maxLength:"200" doc:"ID of the plan task, at most 200 characters."`
		Status plan.Status `json:"status" enum:"PENDING,BLOCKED,COMPLETE" doc:"New status of the task."`
		Label  string      `json:"label,omitempty" maxLength:"1000" doc:"Name of the change for the history, at most 1000 characters. Default: none."`
	}
}

func (s *Routes) status(ctx context.Context, in *planStatusChange) (*wholePlan, error) {
	return s.shown(ctx, in.ID,
		s.Planner.SetStatus(ctx, in.ID, in.Body.Version, in.Body.Task, in.Body.Status, in.Body.Label))
}

type planStep struct {
	Path
	Body Seen
}

func (s *Routes) undo(ctx context.Context, in *planStep) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.Undo(ctx, in.ID, in.Body.Version))
}

func (s *Routes) redo(ctx context.Context, in *planStep) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.Redo(ctx, in.ID, in.Body.Version))
}

type planHistory struct {
	Body struct {
		Versions []planner.Version `json:"versions"`
	}
}

func (s *Routes) versions(ctx context.Context, in *Path) (*planHistory, error) {
	all, err := s.Planner.History().List(ctx, in.ID)
	out := &planHistory{}
	out.Body.Versions = all
	return out, err
}

// VersionPath names a version of a plan.
type VersionPath struct {
	Path
	Number int64 `path:"number" minimum:"1" doc:"Number of the version, from 1."`
}

type planCompared struct{ Body planner.Compared }

func (s *Routes) compare(ctx context.Context, in *VersionPath) (*planCompared, error) {
	c, err := s.Planner.History().Compare(ctx, in.ID, in.Number)
	return &planCompared{c}, err
}

type planRestoring struct {
	VersionPath
	Body Seen
}

func (s *Routes) restore(ctx context.Context, in *planRestoring) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.History().Restore(ctx, in.ID, in.Body.Version, in.Number))
}

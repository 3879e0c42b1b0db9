// Package plans serves the planner: plans, what is proposed for them, and what the
// meta-agent was asked.
package plans

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/codecli"
	"agentflow/backend/errcode"
	"agentflow/backend/foreman"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/meta"
	"agentflow/backend/plan"
	"agentflow/backend/planner"
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
	Planner *planner.Machine
	Foreman Foreman
	Logger  *slog.Logger
}

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag = "plans"
	route := func(method, path, id, summary string) huma.Operation {
		return answer.Route(method, path, id, summary, tag)
	}
	large := func(o huma.Operation) huma.Operation {
		o.MaxBodyBytes = answer.LargeBody
		return o
	}
	huma.Register(api, route(http.MethodGet, "/api/plans", "listPlans", "Plans, the one that changed last first"), answer.Handler(s.Logger, s.list))
	huma.Register(api, large(route(http.MethodPost, "/api/plans", "createPlan", "Make a plan: empty, from a plan file, or by a wish that the meta-agent breaks down")), answer.Handler(s.Logger, s.create))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}", "getPlan", "A plan, whole"), answer.Handler(s.Logger, s.get))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/file", "getPlanFile", "The plan file, with the statuses as they are"), answer.Handler(s.Logger, s.file))
	huma.Register(api, route(http.MethodPut, "/api/plans/{id}/name", "renamePlan", "Give a plan another name"), answer.Handler(s.Logger, s.rename))
	huma.Register(api, answer.Status(http.StatusNoContent, route(http.MethodDelete, "/api/plans/{id}", "deletePlan", "Take a plan out of the list")), answer.Handler(s.Logger, s.remove))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/recover", "recoverPlan", "Bring a deleted plan back"), answer.Handler(s.Logger, s.recover))
	huma.Register(api, large(route(http.MethodPost, "/api/plans/{id}/edit", "editPlan", "Apply a person's own operations at once, all or none")), answer.Handler(s.Logger, s.edit))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/status", "setPlanStatus", "Say how a task stands that nobody has reported on"), answer.Handler(s.Logger, s.status))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/undo", "undoPlan", "Undo the last change"), answer.Handler(s.Logger, s.undo))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/redo", "redoPlan", "Redo what was undone last"), answer.Handler(s.Logger, s.redo))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/versions", "listPlanVersions", "What is kept of a plan's history, newest first"), answer.Handler(s.Logger, s.versions))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/versions/{number}", "comparePlanVersion", "A version, and what restoring it would change"), answer.Handler(s.Logger, s.compare))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/versions/{number}/restore", "restorePlanVersion", "Make an earlier version the next one"), answer.Handler(s.Logger, s.restore))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/wishes", "askPlan", "Ask the meta-agent how the plan is to change; the answer becomes a proposal"), answer.Handler(s.Logger, s.ask))
	huma.Register(api, large(route(http.MethodPost, "/api/plans/{id}/proposals", "proposePlan", "Hand in a plan_patch document as a proposal")), answer.Handler(s.Logger, s.propose))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/accept", "acceptProposal", "Apply a proposal"), answer.Handler(s.Logger, s.accept))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/refuse", "refuseProposal", "End a proposal without a change"), answer.Handler(s.Logger, s.refuse))
	huma.Register(api, route(http.MethodPost, "/api/plans/{id}/proposals/{proposal}/cancel", "cancelProposal", "Call off the question that the meta-agent is at"), answer.Handler(s.Logger, s.cancel))
	huma.Register(api, route(http.MethodGet, "/api/plans/{id}/calls", "listPlanCalls", "What the meta-agent was asked and what it answered, oldest first"), answer.Handler(s.Logger, s.calls))
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
		Name  string          `json:"name,omitempty" maxLength:"1000" doc:"needed without a wish"`
		Wish  string          `json:"wish,omitempty" maxLength:"65536" doc:"what is to be broken down; the plan stays empty until the proposal is accepted"`
		Model string          `json:"model,omitempty" maxLength:"500" doc:"the meta-agent's; default: AGENTFLOW_META_MODEL, else the first of the default provider"`
		Plan  json.RawMessage `json:"plan,omitempty" doc:"a plan file"`
		File  string          `json:"file,omitempty" maxLength:"1000" doc:"its name, for what is wrong with it"`
	}
}

func (s *Routes) create(ctx context.Context, in *planCreation) (*planInShort, error) {
	b := &in.Body
	if b.Wish != "" && len(b.Plan) > 0 {
		return nil, errcode.New(errcode.Validation, "a plan is made from a wish or from a file, not from both").With(errcode.KeyField, "wish")
	}
	if b.Wish != "" {
		sum, err := s.Planner.CreateByWish(ctx, b.Name, b.Wish, b.Model)
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
	ID planner.ID `path:"id" maxLength:"40"`
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
		Name string `json:"name" minLength:"1" maxLength:"1000"`
	}
}

func (s *Routes) rename(ctx context.Context, in *planNaming) (*planInShort, error) {
	sum, err := s.Planner.Rename(ctx, in.ID, in.Body.Name)
	return &planInShort{sum}, err
}

func (s *Routes) remove(ctx context.Context, in *Path) (*struct{}, error) {
	if err := s.Foreman.Cancel(ctx, in.ID); err != nil && !errcode.HasReason(err, foreman.ReasonNotWorked) {
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
	Version int64 `json:"version" minimum:"1" doc:"the head that the change was made on; another one is a CONFLICT with the reason stale_version"`
}

type planEditing struct {
	Path
	Body struct {
		Seen
		Operations []plan.Operation `json:"operations" minItems:"1" maxItems:"5000" doc:"as in plan_patch"`
		Label      string           `json:"label,omitempty" maxLength:"1000"`
	}
}

type planEdited struct {
	Body struct {
		planner.Whole
		IDs map[plan.ID]plan.ID `json:"ids" doc:"temp id to id"`
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
		Task   plan.ID     `json:"task" minLength:"1" maxLength:"200"`
		Status plan.Status `json:"status" enum:"PENDING,BLOCKED,COMPLETE"`
		Label  string      `json:"label,omitempty" maxLength:"1000"`
	}
}

func (s *Routes) status(ctx context.Context, in *planStatusChange) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.SetStatus(ctx, in.ID, in.Body.Version, in.Body.Task, in.Body.Status, in.Body.Label))
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
	Number int64 `path:"number" minimum:"1"`
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

package plansapi

import (
	"context"
	"encoding/json"
	"slices"

	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
)

type planRequest struct {
	Path
	Body struct {
		Request string `json:"request" minLength:"1" maxLength:"65536" doc:"How the plan should change, at most 64 KiB."`
		Model   string `json:"model,omitempty" maxLength:"500" doc:"Model of the planner, at most 500 characters. Default: AGENTFLOW_META_MODEL, or the first model of the default provider."`
	}
}

type planProposed struct{ Body planner.Proposal }

func (s *Routes) ask(ctx context.Context, in *planRequest) (*planProposed, error) {
	p, err := s.Planner.Proposals().Ask(ctx, in.ID, in.Body.Request, in.Body.Model)
	return &planProposed{p}, err
}

type planProposing struct {
	Path
	Body struct {
		Seen
		Patch json.RawMessage `json:"patch" doc:"A plan_patch document, as an object."`
	}
}

type planProposalShown struct{ Body planner.Shown }

func (s *Routes) propose(ctx context.Context, in *planProposing) (*planProposalShown, error) {
	patch, err := plan.ReadPatch(in.Body.Patch, "the patch")
	if err != nil {
		return nil, err
	}
	p, err := s.Planner.Proposals().Propose(ctx, in.ID, in.Body.Version, patch)
	return &planProposalShown{p}, err
}

// ProposalPath names a proposal.
type ProposalPath struct {
	Path
	Proposal planner.ProposalID `path:"proposal" maxLength:"40" doc:"ID of the proposal."`
}

type planAccepting struct {
	ProposalPath
	Body struct {
		Seen
		Running bool `json:"running,omitempty" doc:"Agree to changes of tasks that are running. Default: false."`
	}
}

func (s *Routes) accept(ctx context.Context, in *planAccepting) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.Proposals().Accept(ctx, in.ID, in.Proposal, in.Body.Version, in.Body.Running))
}

func (s *Routes) refuse(ctx context.Context, in *ProposalPath) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.Proposals().Refuse(ctx, in.ID, in.Proposal))
}

func (s *Routes) cancel(ctx context.Context, in *ProposalPath) (*wholePlan, error) {
	return s.shown(ctx, in.ID, s.Planner.Proposals().Cancel(ctx, in.ID, in.Proposal))
}

type planCallsQuery struct {
	Path
	Proposal planner.ProposalID `query:"proposal" maxLength:"40" doc:"Only calls for this proposal. Default: all."`
	Task     plan.ID            `query:"task" maxLength:"200" doc:"Only calls about this plan task. Default: all."`
}

type planCalls struct {
	Body struct {
		Calls []meta.Call `json:"calls"`
	}
}

func (s *Routes) calls(ctx context.Context, in *planCallsQuery) (*planCalls, error) {
	all, err := s.Planner.Proposals().Calls(ctx, in.ID, in.Proposal)
	if in.Task != "" {
		all = slices.DeleteFunc(all, func(c meta.Call) bool { return c.Task != in.Task })
	}
	out := &planCalls{}
	out.Body.Calls = all
	return out, err
}

package gatewaycmd

import (
	"context"
	"slices"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// models are the problems of the models that the team names, as far as the gateway lists
// its models. A gateway that doesn't answer this may have any.
func (q *pending) models(ctx context.Context) []topology.Problem {
	target := rollout.Target{Gateway: q.Link}
	if q.Client().Features().ModelsList {
		listed, _ := q.Client().Models(ctx)
		for _, m := range listed {
			target.Models = append(target.Models, m.Ref)
		}
	}
	return slices.DeleteFunc(lint.Check(q.draft, rollout.Rules(target, q.now)), func(found topology.Problem) bool {
		return found.Code != lint.UnknownModel
	})
}

func (p program) tellModels(problems []topology.Problem) {
	if p.Screen.JSON {
		return
	}
	for _, found := range problems {
		p.Screen.Note("warning: %s", p.Problem(found))
	}
}

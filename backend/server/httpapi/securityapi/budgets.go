package securityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/config"
	"agentflow/backend/server/httperr"
)

type budgetsBody struct{ Body config.Budgets }

func (s *Routes) registerBudgets(api huma.API) {
	huma.Register(api, route(http.MethodGet, "/api/budgets", "getBudgets", "Get default budgets\n"+
		"These budgets count for tasks that don't name one."), httperr.Handler(s.Logger, func(context.Context, *struct{}) (*budgetsBody, error) {
		return &budgetsBody{s.Settings.Budgets()}, nil
	}))
	huma.Register(api, route(http.MethodPut, "/api/budgets", "putBudgets", "Update default budgets\n"+
		"Counts for tasks that are submitted from now on. Running tasks keep their budget."), httperr.Handler(s.Logger, func(_ context.Context, in *budgetsBody) (*budgetsBody, error) {
		if err := s.Settings.SetBudgets(in.Body); err != nil {
			return nil, err
		}
		return &budgetsBody{s.Settings.Budgets()}, nil
	}))
}

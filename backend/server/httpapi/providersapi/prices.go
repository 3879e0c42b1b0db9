package providersapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/model/llm"
	"agentflow/backend/server/httperr"
)

// ModelPrice is what a model costs.
type ModelPrice struct {
	Model llm.Model `json:"model" minLength:"3" maxLength:"300" doc:"Model as provider/model, or provider/* for all other models of the provider. At most 300 characters."`
	llm.Price
}

type pricesBody struct {
	Body struct {
		Prices []ModelPrice `json:"prices" doc:"Prices in US dollars per million tokens, by model."`
	}
}

type putPrice struct{ Body ModelPrice }

type removePrice struct {
	Model llm.Model `query:"model" required:"true" maxLength:"300" doc:"Model as provider/model, or provider/* for all other models of the provider."`
}

// registerPrices adds the routes of what models cost.
func registerPrices(api huma.API, log *slog.Logger, p Providers) {
	const tag = "models"
	all := func(err error) (*pricesBody, error) {
		out := new(pricesBody)
		out.Body.Prices = p.Prices()
		return out, err
	}
	huma.Register(
		api,
		httperr.Route(http.MethodGet, "/api/prices", "listPrices", "List model prices", tag),
		httperr.Handler(log, func(context.Context, *struct{}) (*pricesBody, error) {
			return all(nil)
		}),
	)
	huma.Register(
		api,
		httperr.Route(http.MethodPut, "/api/prices", "putPrice", "Set a model's price", tag),
		httperr.Handler(log, func(ctx context.Context, in *putPrice) (*pricesBody, error) {
			return all(p.PutPrice(ctx, in.Body))
		}),
	)
	huma.Register(
		api,
		httperr.Route(http.MethodDelete, "/api/prices", "removePrice", "Delete a model's price", tag),
		httperr.Handler(log, func(ctx context.Context, in *removePrice) (*pricesBody, error) {
			return all(p.RemovePrice(ctx, in.Model))
		}),
	)
}

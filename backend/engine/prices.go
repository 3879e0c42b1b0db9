package engine

import (
	"cmp"
	"context"
	"slices"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi/providersapi"
)

// Prices implements providersapi.Providers.
func (p *Providers) Prices() []providersapi.ModelPrice {
	out := []providersapi.ModelPrice{}
	for model, price := range p.registry.Prices() {
		out = append(out, providersapi.ModelPrice{Model: model, Price: price})
	}
	slices.SortFunc(out, func(a, b providersapi.ModelPrice) int { return cmp.Compare(a.Model, b.Model) })
	return out
}

// Price implements providersapi.Providers.
func (p *Providers) Price(m llm.Model) (llm.Price, bool) { return p.registry.Price(m) }

// PutPrice implements providersapi.Providers.
func (p *Providers) PutPrice(_ context.Context, m providersapi.ModelPrice) error {
	price := config.Price(m.Price)
	return p.priced(m.Model, &price)
}

// RemovePrice implements providersapi.Providers.
func (p *Providers) RemovePrice(_ context.Context, m llm.Model) error { return p.priced(m, nil) }

func (p *Providers) priced(m llm.Model, price *config.Price) error {
	if _, known := p.settings.Prices()[string(m)]; price == nil && !known {
		return errcode.New(errcode.NotFound, "the model %s has no price", m)
	}
	if err := p.settings.SetPrice(string(m), price); err != nil {
		return err
	}
	p.configure()
	return nil
}

package llm

import "maps"

// Price is what a model costs: US dollars for a million tokens. What providers ask for
// changes, so none is built in: a model's price is what the person has written down.
type Price struct {
	Input  float64 `json:"input" minimum:"0" maximum:"1000000" doc:"US dollars per million input tokens, 0 to 1000000."`
	Output float64 `json:"output" minimum:"0" maximum:"1000000" doc:"US dollars per million output tokens, 0 to 1000000."`
}

const (
	anyModel  = "*" // as a model's own name in a price: all models of the provider that have none of their own
	perTokens = 1e6
)

// Of is what so many tokens cost, in US dollars.
func (p Price) Of(in, out int) float64 {
	return (p.Input*float64(in) + p.Output*float64(out)) / perTokens
}

// Price is what a model costs; false: nobody has said so. The demo costs nothing.
func (r *Registry) Price(m Model) (Price, bool) {
	provider, name := m.Split()
	if provider == "" {
		_, standard := r.now()
		provider = standard()
	}
	if provider == demoName {
		return Price{}, true
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, key := range []Model{Model(provider + "/" + name), Model(provider + "/" + anyModel)} {
		if p, ok := r.prices[key]; ok {
			return p, true
		}
	}
	return Price{}, false
}

// Prices are those that are known, by provider/model.
func (r *Registry) Prices() map[Model]Price {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maps.Clone(r.prices)
}

// price says what an answer has cost. Without the number of its tokens only what is free
// has a known cost.
func (r *Registry) price(a *Answer) {
	p, known := r.Price(a.Model)
	a.Priced = known && (a.TokensIn+a.TokensOut > 0 || p == Price{})
	if a.Priced {
		a.CostUSD = p.Of(a.TokensIn, a.TokensOut)
	}
}

package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
)

const maxPrice = 1_000_000

// checkPrices says what is wrong with the prices of the file.
func (f File) checkPrices(doc *docedit.Document) error {
	for _, model := range slices.Sorted(maps.Keys(f.Prices)) {
		at := place{"prices", model}
		provider, name, _ := strings.Cut(model, "/")
		if provider == "" || name == "" {
			return at.fail(doc, "prices has %q: a price is one of provider/model, "+
				"or of provider/* for all others of that provider", model).
				With(errcode.KeyField, "model")
		}
		p := f.Prices[model]
		for i, v := range []float64{p.Input, p.Output} {
			if math.IsNaN(v) || v < 0 || v > maxPrice {
				field := []string{"input", "output"}[i]
				return append(at, field).fail(doc,
					"prices: %s of %s is %s. Use 0 to %d, in US dollars per million tokens",
					field, model, fmt.Sprint(v), maxPrice).
					With(errcode.KeyField, field)
			}
		}
	}
	return nil
}

// Prices returns what models cost, by provider/model or provider/*.
func (s *Settings) Prices() map[string]Price {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.file.Prices)
}

// SetPrice stores the price of a model; nil removes it.
func (s *Settings) SetPrice(model string, p *Price) error {
	return s.edit(func(f *File) {
		f.Prices = maps.Clone(f.Prices)
		if p == nil {
			delete(f.Prices, model)
			return
		}
		if f.Prices == nil {
			f.Prices = map[string]Price{}
		}
		f.Prices[model] = *p
	}, "prices")
}

// movePrices has a provider's prices follow its name; they go where it has none any more.
func (f *File) movePrices(from, to string) {
	if from == to {
		return
	}
	moved := map[string]Price{}
	for model, p := range f.Prices {
		own, ofIt := strings.CutPrefix(model, from+"/")
		switch {
		case !ofIt:
			moved[model] = p
		case to != "":
			moved[to+"/"+own] = p
		}
	}
	f.Prices = moved
}

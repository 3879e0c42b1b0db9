package llm

import (
	"fmt"
	"net/http"
	"testing"
)

// CH-11: an answer says what it cost where the person has written down what its model
// costs, and that nobody knows where they have not.
func TestCH11_AnAnswerSaysWhatItCost(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(
			w,
			`data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`+"\n\n"+`data: {"choices":[],"usage":{"prompt_tokens":2000,"completion_tokens":500,"total_tokens":2500}}`+"\n\ndata: [DONE]\n\n",
		)
	})
	configs := []ProviderConfig{{Name: "srv", Kind: KindOpenAI, BaseURL: s.URL + "/v1"}, {Name: "other", Kind: KindOpenAI, BaseURL: s.URL + "/v1"}}
	r := NewRegistry(Options{Providers: configs, Prices: map[Model]Price{"srv/big": {Input: 1.25, Output: 10}, "srv/*": {Input: 0.5}, "srv/free": {}}})
	for model, want := range map[Model]struct {
		cost   float64
		priced bool
	}{
		"srv/big":   {0.0075, true},
		"big":       {0.0075, true}, // of the default provider
		"srv/small": {0.001, true},
		"srv/free":  {0, true},
		"other/big": {0, false},
		"demo/echo": {0, true},
	} {
		a, _, err := ask(t.Context(), r, model)
		if err != nil || a.CostUSD != want.cost || a.Priced != want.priced {
			t.Errorf("%s: %v, %v, %v", model, a.CostUSD, a.Priced, err)
		}
	}
	r.Configure(Options{Providers: configs, Prices: map[Model]Price{"other/big": {Output: 2}}})
	if a, _, err := ask(t.Context(), r, "other/big"); err != nil || a.CostUSD != 0.001 || !a.Priced {
		t.Errorf("after a change: %+v, %v", a, err)
	}
	if a, _, err := ask(t.Context(), r, "srv/big"); err != nil || a.Priced {
		t.Errorf("a price that was forgotten: %+v, %v", a, err)
	}
}

// A provider that does not count tokens has a known cost only where that is nothing.
func TestCH11_UncountedTokensHaveNoKnownCost(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w,
			`data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})
	r := NewRegistry(Options{
		Providers: []ProviderConfig{{Name: "srv", Kind: KindOpenAI, BaseURL: s.URL + "/v1"}},
		Prices:    map[Model]Price{"srv/paid": {Input: 1}, "srv/free": {}},
	})
	if a, _, err := ask(t.Context(), r, "srv/paid"); err != nil || a.Priced {
		t.Errorf("%+v, %v", a, err)
	}
	if a, _, err := ask(t.Context(), r, "srv/free"); err != nil || !a.Priced {
		t.Errorf("%+v, %v", a, err)
	}
}

package worker

import (
	"context"
	"encoding/json"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/work/task"
)

// priced answers with any model. It knows the price of the models that it holds.
type priced map[llm.Model]llm.Price

func (p priced) Price(m llm.Model) (llm.Price, bool) {
	price, known := p[m]
	return price, known
}

func (p priced) Stream(_ context.Context, r llm.Request, _ func(string) error) (llm.Answer, error) {
	_, known := p[r.Model]
	return llm.Answer{Model: r.Model, Text: "Hello", TokensIn: 1, TokensOut: 1, Priced: known}, nil
}

func TestCO3_ABudgetInDollarsNeedsAPriceBeforeTheFirstCall(t *testing.T) {
	for name, tc := range map[string]struct {
		model llm.Model
		usd   float64
		calls bool
		cause string
	}{
		"a price":                  {"a/known", 1, true, ""},
		"no price":                 {"a/unknown", 1, false, task.CauseUnpriced},
		"no budget":                {"a/unknown", 0, true, ""},
		"the provider's own model": {"a/", 1, true, task.CauseUnpriced}, // known after the call only
	} {
		m := Model{Models: priced{"a/known": {}}, Name: "Ann", Model: tc.model}
		calls := false
		job := Job{Prompt: "Hi", Envelope: JobEnvelope{Budget: task.Budget{USD: tc.usd}}}
		out, err := m.Run(t.Context(), job, func(u Update) error {
			calls = calls || u.Spent != nil
			return nil
		})
		cause := ""
		if c := errcode.CauseOf(err); c != nil {
			cause = c.Code
		}
		if calls != tc.calls || cause != tc.cause || (cause == "") != json.Valid(out) {
			t.Errorf("%s: called %t, %v", name, calls, err)
		}
	}
}

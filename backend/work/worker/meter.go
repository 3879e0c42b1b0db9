package worker

import (
	"time"

	"agentflow/backend/model/turn"
	"agentflow/backend/work/task"
)

// meter returns a function that reports the cost after each model call. It warns the model once when the soft limit
// of the budget is reached, and ends the turn when the budget is used up.
func (m *Model) meter(terms JobEnvelope, tell func(Update) error) func(turn.Answer) (string, error) {
	began, warned := time.Now(), false
	return func(a turn.Answer) (string, error) {
		spent := task.Spent{TokensIn: a.TokensIn, TokensOut: a.TokensOut, USD: a.CostUSD, Unpriced: !a.Priced}
		if err := tell(Update{Spent: &spent}); err != nil {
			return "", err
		}
		whole, took := terms.Spent.Plus(spent), time.Duration(terms.Took)*time.Second+time.Since(began)
		if err := terms.Budget.Over(whole, took); err != nil {
			return "", err
		}
		note := ""
		if !warned {
			note = terms.Budget.Warning(whole, took)
		}
		if note == "" || len(a.Calls) == 0 {
			return "", nil
		}
		warned = true
		return note, tell(Update{Log: note})
	}
}

package task

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

// Budget limits the cost of a task and its subtasks. Zero means no limit.
type Budget struct {
	Tokens  int     `json:"tokens,omitempty" yaml:"tokens" doc:"Maximum number of tokens, in and out."`
	USD     float64 `json:"usd,omitempty" yaml:"usd" doc:"Maximum cost in US dollars."`
	Seconds int     `json:"seconds,omitempty" yaml:"seconds" doc:"Maximum time in seconds since the first attempt started."`
}

// Bounds of a Budget.
const (
	maxBudgetTokens = 1_000_000_000
	maxBudgetUSD    = 1_000_000
	maxSeconds      = 7 * 24 * 3600
)

// Check rejects a budget out of range.
func (b Budget) Check() error {
	for _, limit := range []struct {
		name string
		is   float64
		most int
	}{
		{"tokens", float64(b.Tokens), maxBudgetTokens},
		{"usd", b.USD, maxBudgetUSD},
		{"seconds", float64(b.Seconds), maxSeconds},
	} {
		if limit.is < 0 || limit.is > float64(limit.most) || math.IsNaN(limit.is) {
			return errcode.New(errcode.Validation,
				"the budget's %s can't be %s. Use a number from 0 to %d, where 0 means no limit",
				limit.name, strconv.FormatFloat(limit.is, 'f', -1, 64), limit.most)
		}
	}
	return nil
}

// Or fills in missing limits from other.
func (b Budget) Or(other Budget) Budget {
	if b.Tokens == 0 {
		b.Tokens = other.Tokens
	}
	if b.USD == 0 {
		b.USD = other.USD
	}
	if b.Seconds == 0 {
		b.Seconds = other.Seconds
	}
	return b
}

// Spent is a cost.
type Spent struct {
	TokensIn  int     `json:"tokensIn,omitempty"`
	TokensOut int     `json:"tokensOut,omitempty"`
	USD       float64 `json:"usd,omitempty"`
	Unpriced  bool    `json:"unpriced,omitempty" doc:"The price of some models isn't known."`
}

// Plus returns the sum.
func (s Spent) Plus(more Spent) Spent {
	return Spent{s.TokensIn + more.TokensIn, s.TokensOut + more.TokensOut, s.USD + more.USD,
		s.Unpriced || more.Unpriced}
}

// Since returns the difference to an earlier cost; it is never negative.
func (s Spent) Since(earlier Spent) Spent {
	return Spent{max(0, s.TokensIn-earlier.TokensIn), max(0, s.TokensOut-earlier.TokensOut), max(0, s.USD-earlier.USD),
		s.Unpriced}
}

// Least returns the minimum of each value.
func (s Spent) Least(other Spent) Spent {
	return Spent{min(s.TokensIn, other.TokensIn), min(s.TokensOut, other.TokensOut), min(s.USD, other.USD),
		s.Unpriced && other.Unpriced}
}

// Tokens returns the number of input and output tokens.
func (s Spent) Tokens() int { return s.TokensIn + s.TokensOut }

// Soft is the share of a budget at which the agent is warned.
const Soft = 0.8

// ReasonBudget marks a task that ended because its budget was used up.
const ReasonBudget = "budget"

// Used returns the largest used share of any limit, 1 for all of it, with a description.
func (b Budget) Used(s Spent, took time.Duration) (part float64, what string) {
	u := b.used(s, took)
	return u.part, u.what
}

// use is how much of a limit is used.
type use struct {
	part     float64
	what     string // for a person
	unit     string
	is, most float64
}

func (b Budget) used(s Spent, took time.Duration) (largest use) {
	note := func(is, limit float64, unit, text string) {
		if limit > 0 && is/limit > largest.part {
			largest = use{is / limit, text, unit, is, limit}
		}
	}
	note(float64(s.Tokens()), float64(b.Tokens), "tokens", fmt.Sprintf("%d of %d tokens", s.Tokens(), b.Tokens))
	note(s.USD, b.USD, "usd", fmt.Sprintf("%.4f of %.4f US dollars", s.USD, b.USD))
	note(took.Seconds(), float64(b.Seconds), "seconds", fmt.Sprintf("%d of %d seconds", int(took.Seconds()), b.Seconds))
	return largest
}

// Over returns why a task must end: its budget is used up, or its cost is unknown.
func (b Budget) Over(s Spent, took time.Duration) error {
	u := b.used(s, took)
	switch {
	case b.USD > 0 && s.Unpriced:
		return errcode.New(errcode.Validation, "the task's budget is in US dollars, but the price of its model isn't known. Enter the price in the settings, or use a token budget").
			With(errcode.KeyReason, ReasonBudget).
			With(errcode.KeyCause, CauseUnpriced)
	case u.part > 1:
		return errcode.New(errcode.Validation,
			"the task's budget is used up: %s. Submit the task again with a larger budget", u.what).
			With(errcode.KeyReason, ReasonBudget).With("unit", u.unit).With("used", u.is).With("most", u.most)
	}
	return nil
}

// Warning returns the warning for the agent once the soft limit is reached, or "".
func (b Budget) Warning(s Spent, took time.Duration) string {
	part, what := b.Used(s, took)
	if part < Soft {
		return ""
	}
	return fmt.Sprintf(
		"%d %% of this task's budget is used (%s). When all of it is, the task ends without a result. Use no more tools than you must, and answer now with what you have.",
		int(part*100),
		what,
	)
}

// Left returns what remains for a subtask. A limit never drops to zero, because zero means no limit.
func (b Budget) Left(s Spent, took time.Duration) Budget {
	if b.Tokens > 0 {
		b.Tokens = max(1, b.Tokens-s.Tokens())
	}
	if b.USD > 0 {
		b.USD = max(math.SmallestNonzeroFloat64, b.USD-s.USD)
	}
	if b.Seconds > 0 {
		b.Seconds = max(1, b.Seconds-int(took.Seconds()))
	}
	return b
}

// Show formats the budget for a person.
func (b Budget) Show(s Spent) string {
	var parts []string
	if b.Tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d / %d tokens", s.Tokens(), b.Tokens))
	}
	if b.USD > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f / $%.4f", s.USD, b.USD))
	}
	if b.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%d s", b.Seconds))
	}
	return strings.Join(parts, ", ")
}

// TimeLimit returns the time limit from the start of the first attempt, or 0 for none.
func (t *Task) TimeLimit() time.Duration {
	w, _ := t.Options() // already validated
	return time.Duration(w.TimeoutSec) * time.Second
}

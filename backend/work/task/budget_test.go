package task

import (
	"math"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// Each limit of a budget warns from 80 % on, allows 100 %, and ends the task above it. Of several limits, the one
// used most counts.
func TestCO3_EveryBoundOfABudgetIsToldAndHolds(t *testing.T) {
	all := Budget{Tokens: 100, USD: 10, Seconds: 1000}
	for _, c := range []struct {
		name  string
		b     Budget
		s     Spent
		took  time.Duration
		warns string
		ends  string
	}{
		{"nothing", all, Spent{}, 0, "", ""},
		{"79 % of the tokens", Budget{Tokens: 100}, Spent{TokensIn: 40, TokensOut: 39}, 0, "", ""},
		{"80 % of the tokens", Budget{Tokens: 100}, Spent{TokensIn: 40, TokensOut: 40}, 0, "80 % ", ""},
		{"all of the tokens", Budget{Tokens: 100}, Spent{TokensIn: 60, TokensOut: 40}, 0, "100 % ", ""},
		{"one token more", Budget{Tokens: 100}, Spent{TokensIn: 60, TokensOut: 41}, 0, "101 % ", "101 of 100 tokens"},
		{"79 % of the money", Budget{USD: 10}, Spent{USD: 7.9}, 0, "", ""},
		{"80 % of the money", Budget{USD: 10}, Spent{USD: 8}, 0, "80 % ", ""},
		{"all of the money", Budget{USD: 10}, Spent{USD: 10}, 0, "100 % ", ""},
		{"a cent more", Budget{USD: 10}, Spent{USD: 10.01}, 0, "100 % ", "10.0100 of 10.0000 US dollars"},
		{"79 % of the time", Budget{Seconds: 1000}, Spent{}, 790 * time.Second, "", ""},
		{"80 % of the time", Budget{Seconds: 1000}, Spent{}, 800 * time.Second, "80 % ", ""},
		{"all of the time", Budget{Seconds: 1000}, Spent{}, 1000 * time.Second, "100 % ", ""},
		{"a second more", Budget{Seconds: 1000}, Spent{}, 1001 * time.Second, "100 % ",
			"1001 of 1000 seconds. Submit the task again with a larger budget"},
		{"most of the money, of all", all, Spent{TokensIn: 50, USD: 9}, 850 * time.Second, "90 % of this task's budget is used (9.0000 of 10.0000 US dollars)", ""},
		{"no bound", Budget{}, Spent{TokensIn: 1 << 40, USD: 1e9, Unpriced: true}, 1e6 * time.Hour, "", ""},
		{"money without a price", Budget{USD: 10}, Spent{TokensIn: 1, Unpriced: true}, 0, "", "the price of its model isn't known. Enter the price in the settings"},
	} {
		if got := c.b.Warning(c.s, c.took); (got == "") != (c.warns == "") || !strings.HasPrefix(got, c.warns) {
			t.Errorf("%s: warned %q", c.name, got)
		}
		err := c.b.Over(c.s, c.took)
		if (err == nil) != (c.ends == "") || err != nil && (!strings.Contains(err.Error(), c.ends) || !errcode.HasReason(err, ReasonBudget)) {
			t.Errorf("%s: ended by %v", c.name, err)
		}
	}
}

// A limit out of range is named, with its bounds.
func TestBudget_NamesTheLimitThatIsOutOfRange(t *testing.T) {
	for want, b := range map[string]Budget{
		"the budget's tokens can't be -1. Use a number from 0 to 1000000000, where 0 means no limit": {Tokens: -1},
		"the budget's usd can't be NaN. Use a number from 0 to 1000000, where 0 means no limit":      {USD: math.NaN()},
		"the budget's seconds can't be 604801. Use a number from 0 to 604800, where 0 means no limit": {
			Tokens: maxBudgetTokens, USD: maxBudgetUSD, Seconds: maxSeconds + 1,
		},
	} {
		err := b.Check()
		if err == nil || !strings.Contains(err.Error(), want) || !errcode.Is(err, errcode.Validation) {
			t.Errorf("%+v: %v, want %s", b, err, want)
		}
	}
	if err := (Budget{Tokens: maxBudgetTokens, USD: maxBudgetUSD, Seconds: maxSeconds}).Check(); err != nil {
		t.Error(err)
	}
}

package task

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentflow/backend/errcode"
)

// Why something failed is said in a word, with what it is about.
func TestCO4_AFailureHasAWordForItsCause(t *testing.T) {
	params := func(kv ...string) map[string]string {
		out := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			out[kv[i]] = kv[i+1]
		}
		return out
	}
	long := strings.Repeat("ん", maxParam+1)
	for _, c := range []struct {
		err  error
		want *Cause
	}{
		{nil, nil},
		{errors.New("secret"), &Cause{Code: "internal_error"}},
		{errcode.New(errcode.Timeout, "x"), &Cause{Code: "timeout"}},
		{errcode.New(errcode.Timeout, "x").With(errcode.KeyReason, "too_slow"), &Cause{Code: "too_slow"}},
		{Budget{Tokens: 10}.Over(Spent{TokensIn: 12}, 0), &Cause{ReasonBudget, params("unit", "tokens", "used", "12", "most", "10")}},
		{Budget{Seconds: 1}.Over(Spent{}, 2*time.Second), &Cause{ReasonBudget, params("unit", "seconds", "used", "2", "most", "1")}},
		{Budget{USD: 1}.Over(Spent{Unpriced: true}, 0), &Cause{Code: CauseUnpriced}},
		{Unconnected([]string{"pm", "lead"}, ""), &Cause{ReasonNoConnection, params(KeyFrom, "pm,lead")}},
		{Unconnected([]string{"pm"}, "ops"), &Cause{ReasonNoConnection, params(KeyFrom, "pm", KeyTo, "ops")}},
		{Stopped(ReasonLoop, []string{"a", "b", "a"}, "round"), &Cause{ReasonLoop, params(KeyChain, "a,b,a", KeyTo, "a")}},
		{RefusedWork(3, "qa", long), &Cause{CauseReviewed, params(KeyCount, "3", KeyAgent, "qa", KeySaid, long[:3*(maxParam-1)]+"…")}},
	} {
		if got := CauseOf(c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}

package task

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

// Each failure has a cause code with details.
func TestCO4_AFailureHasAWordForItsCause(t *testing.T) {
	params := func(kv ...string) map[string]string {
		out := map[string]string{}
		for i := 0; i < len(kv); i += 2 {
			out[kv[i]] = kv[i+1]
		}
		return out
	}
	long := strings.Repeat("ん", errcode.MaxParam+1)
	for _, c := range []struct {
		err  error
		want *errcode.Cause
	}{
		{nil, nil},
		{errors.New("secret"), &errcode.Cause{Code: "internal_error"}},
		{errcode.New(errcode.Timeout, "x"), &errcode.Cause{Code: "timeout"}},
		{errcode.New(errcode.Timeout, "x").With(errcode.KeyReason, "too_slow"), &errcode.Cause{Code: "too_slow"}},
		{Budget{Tokens: 10}.Over(Spent{TokensIn: 12}, 0), &errcode.Cause{Code: ReasonBudget, Params: params("unit", "tokens", "used", "12", "most", "10")}},
		{Budget{Seconds: 1}.Over(Spent{}, 2*time.Second), &errcode.Cause{Code: ReasonBudget, Params: params("unit", "seconds", "used", "2", "most", "1")}},
		{Budget{USD: 1}.Over(Spent{Unpriced: true}, 0), &errcode.Cause{Code: CauseUnpriced}},
		{Unconnected([]string{"pm", "lead"}, ""), &errcode.Cause{Code: ReasonNoConnection, Params: params(KeyFrom, "pm,lead")}},
		{Unconnected([]string{"pm"}, "ops"), &errcode.Cause{Code: ReasonNoConnection, Params: params(KeyFrom, "pm", KeyTo, "ops")}},
		{Stopped(ReasonLoop, []string{"a", "b", "a"}, "round"), &errcode.Cause{Code: ReasonLoop, Params: params(KeyChain, "a,b,a", KeyTo, "a")}},
		{RefusedWork(3, "qa", long), &errcode.Cause{Code: CauseReviewed, Params: params(KeyCount, "3", KeyAgent, "qa", KeySaid, long[:3*(errcode.MaxParam-1)]+"…")}},
	} {
		if got := errcode.CauseOf(c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
}

package cronapi

import (
	"errors"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
)

// OC-3: a schedule is taken with what its kind needs alone, and refused with the field that is wrong.
func TestOC3_ScheduleCheck(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		in    NewCronSchedule
		want  client.CronSchedule
		field string
	}{
		"at": {
			in:   NewCronSchedule{Kind: "at", At: now.Add(1), Expr: "x"},
			want: client.CronSchedule{Kind: "at", At: now.Add(1)},
		},
		"at now":  {in: NewCronSchedule{Kind: "at", At: now}, field: "schedule.at"},
		"no time": {in: NewCronSchedule{Kind: "at"}, field: "schedule.at"},
		"every": {
			in:   NewCronSchedule{Kind: "every", EveryMs: 1000},
			want: client.CronSchedule{Kind: "every", EveryMs: 1000},
		},
		"too often": {in: NewCronSchedule{Kind: "every", EveryMs: 999}, field: "schedule.everyMs"},
		"cron": {
			in:   NewCronSchedule{Kind: "cron", Expr: " 0 7\t* * 1 ", TimeZone: " Asia/Tokyo "},
			want: client.CronSchedule{Kind: "cron", Expr: "0 7 * * 1", TimeZone: "Asia/Tokyo"},
		},
		"four parts": {in: NewCronSchedule{Kind: "cron", Expr: "0 7 * *"}, field: "schedule.expr"},
	} {
		got, err := c.in.check(now)
		if c.field == "" && (err != nil || got != c.want) || c.field != "" &&
			(!errcode.Is(err, errcode.Validation) || errcode.From(err).Details[errcode.KeyField] != c.field) {
			t.Errorf("%s gave %+v, %v", name, got, err)
		}
	}
}

// OC-3: a run has a cost only where the gateway tells its tokens and the owner has set a price.
func TestOC3_CostOfARun(t *testing.T) {
	t.Parallel()
	r := &Routes{Price: func(m llm.Model) (llm.Price, bool) {
		return llm.Price{Input: 2, Output: 10}, m == "fake/big" || m == "big"
	}}
	for name, c := range map[string]struct {
		in     client.CronRunEntry
		usd    float64
		priced bool
	}{
		"priced":      {client.CronRunEntry{Model: "fake/big", TokensIn: 1e6, TokensOut: 1e5}, 3, true},
		"no price":    {client.CronRunEntry{Model: "fake/small", TokensIn: 1e6}, 0, false},
		"no tokens":   {client.CronRunEntry{Model: "fake/big"}, 0, false},
		"no provider": {client.CronRunEntry{Model: "big", TokensIn: 1e6}, 0, false},
		"no model":    {client.CronRunEntry{TokensIn: 1e6}, 0, false},
	} {
		if got := r.priced(c.in); got.CostUSD != c.usd || got.Priced != c.priced {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// OC-3: what a person can mend keeps its code. Everything else is the gateway's failure.
func TestOC3_FailureCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[errcode.Code]errcode.Code{
		errcode.NotFound: errcode.NotFound, errcode.Conflict: errcode.Conflict, errcode.Validation: errcode.Validation,
		errcode.Timeout: errcode.Gateway, errcode.Forbidden: errcode.Gateway, errcode.Gateway: errcode.Gateway,
	} {
		if got := errcode.From(failed(errcode.New(code, "x"))).Code; got != want {
			t.Errorf("%s became %s", code, got)
		}
	}
	if failed(nil) != nil || errcode.From(failed(errors.New("x"))).Code != errcode.Gateway {
		t.Error("no failure, or one without a code, became something else")
	}
}

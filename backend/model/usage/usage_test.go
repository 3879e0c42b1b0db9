package usage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/usage"
)

func exchange(agent, question string) llm.CallRecord {
	return llm.CallRecord{
		At: time.Unix(1, 0), Took: 20 * time.Millisecond, Tries: 1,
		Request: llm.Request{Agent: agent, For: "room:dev", Model: "srv/m", System: "You plan.", Messages: []llm.Message{{Role: llm.RoleUser, Text: question}}},
		Answer:  llm.Answer{Text: "Yes.", Finish: llm.FinishStop, TokensIn: 7, TokensOut: 3, CostUSD: 0.5, Priced: true},
	}
}

// CH-11: of each agent it is known how often and how long it asked, what that used and cost,
// and what failed.
func TestCH11_EachAgentsCallsAreSummedUp(t *testing.T) {
	var l usage.Ledger
	l.Add(exchange("Ann", "one"))
	failed := exchange("Ann", "two")
	failed.Answer, failed.Failure, failed.Tries = llm.Answer{TokensIn: 5}, errcode.New(errcode.Unavailable, "no"), 4
	l.Add(failed)
	l.Add(exchange("Ben", "three"))
	sums := l.Sums()
	if len(sums) != 2 || sums[0] != (usage.AgentUse{Agent: "Ann", Calls: 2, Failed: 1, TookMs: 40, TokensIn: 12, TokensOut: 3, CostUSD: 0.5, Priced: 1, Unpriced: 5}) || sums[1].Agent != "Ben" {
		t.Errorf("%+v", sums)
	}
	calls := l.Calls("Ann", 0, 10)
	if len(calls) != 2 || calls[0].ID != 2 || calls[0].Error == nil || calls[0].Tries != 4 || calls[1].For != "room:dev" || calls[1].Messages != 1 {
		t.Errorf("%+v", calls)
	}
	if older := l.Calls("", 3, 1); len(older) != 1 || older[0].ID != 2 {
		t.Errorf("before 3: %+v", older)
	}
}

// CH-11: what was said is kept on demand only, and forgotten with it.
func TestCH11_TextsAreKeptOnDemandOnly(t *testing.T) {
	var l usage.Ledger
	l.Add(exchange("Ann", "before"))
	if _, err := l.Text(1); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("nobody asked for it: %v", err)
	}
	l.KeepTexts(true)
	l.Add(exchange("Ann", "after"))
	text, err := l.Text(2)
	if err != nil || text.System != "You plan." || len(text.Messages) != 1 || text.Messages[0].Text != "after" || text.Answer != "Yes." || !l.Calls("", 0, 1)[0].Kept {
		t.Errorf("%+v, %v", text, err)
	}
	long := exchange("Ann", strings.Repeat("語", 1<<16))
	long.Request.Messages = append(long.Request.Messages, long.Request.Messages[0])
	l.Add(long)
	if text, err := l.Text(3); err != nil || len(text.Messages) != 1 || len(text.Messages[0].Text) > 70_000 || !strings.HasSuffix(text.Messages[0].Text, "語 …") {
		t.Errorf("a long one: %d lines, %v", len(text.Messages), err)
	}
	l.KeepTexts(false)
	if _, err := l.Text(2); !errcode.Is(err, errcode.NotFound) || l.KeepsTexts() {
		t.Errorf("forgotten: %v", err)
	}
}

func TestCH11_TheLedgerIsBounded(t *testing.T) {
	var l usage.Ledger
	l.KeepTexts(true)
	const n = 3*usage.MaxCalls + 7
	for i := range n {
		l.Add(exchange(fmt.Sprint("agent ", i), "q"))
	}
	calls := l.Calls("", 0, n)
	kept := 0
	for _, c := range calls {
		if c.Kept {
			kept++
		}
	}
	if len(calls) != usage.MaxCalls || calls[0].ID != n || kept != 100 || len(l.Sums()) != 1000 {
		t.Errorf("%d calls, %d texts, %d sums", len(calls), kept, len(l.Sums()))
	}
}

// A call that somebody stopped has not failed.
func TestAStoppedCallHasNotFailed(t *testing.T) {
	var l usage.Ledger
	stopped := exchange("Ann", "one")
	stopped.Failure = errcode.New(errcode.Unavailable, "the answer was stopped").
		With(errcode.KeyReason, llm.ReasonStopped)
	l.Add(stopped)
	if got := l.Sums()[0]; got.Calls != 1 || got.Failed != 0 {
		t.Errorf("%+v", got)
	}
}

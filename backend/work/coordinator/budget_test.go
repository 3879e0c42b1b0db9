package coordinator_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/model/llm"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// busy makes the model call tools for so many rounds; each round costs five tokens.
func (m *models) busy(rounds int) {
	m.calls = func(r llm.Request) []llm.Call {
		n := 0
		for _, said := range r.Messages {
			n += len(said.Calls)
		}
		if n == rounds {
			return nil
		}
		return []llm.Call{{ID: fmt.Sprint(n), Name: "look", Arguments: fmt.Sprintf(`{"at":%d}`, n)}}
	}
}

const warned = "of this task's budget is used"

func TestCO3_ABudgetIsToldAt80PercentAndEndsTheTask(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	b.models.busy(99)
	got := b.ended(b.submit(task.Chat, "p", `{"budget":{"tokens":22}}`).ID)
	if got.Status != task.Failed || got.ErrorMessage != usedUp("25 of 22 tokens") || got.Spent.Tokens() != 25 ||
		len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
	requests := b.models.requests()
	told := func(r llm.Request) bool {
		return slices.ContainsFunc(r.Messages,
			func(m llm.Message) bool { return m.Role == llm.RoleUser && strings.Contains(m.Text, warned) })
	}
	if len(requests) != 5 || told(requests[3]) || !told(requests[4]) { // after 20 of 22
		t.Errorf("%d requests", len(requests))
	}
	if log := fmt.Sprint(b.watch(got.ID, 0)); strings.Count(log, "90 % "+warned) != 1 {
		t.Errorf("the log: %s", log)
	}
}

// The agent is warned once, at 80 % of its tokens or money and not before. 100 % is allowed; anything above ends the
// task.
func TestCO3_TheSoftPartOfABudgetIs80Percent(t *testing.T) {
	for _, c := range []struct {
		budget  string
		rounds  int // of tool calls; each model call costs 5 tokens and a quarter of a dollar
		toldAt  int // the model call that includes the warning; 0 is none
		says    string
		endedBy string // "": the task completes
	}{
		{`{"tokens":25}`, 99, 5, "80 % ", "30 of 25 tokens"},
		{`{"tokens":26}`, 99, 6, "96 % ", "30 of 26 tokens"},
		{`{"tokens":25}`, 4, 5, "80 % ", ""},
		{`{"tokens":32}`, 4, 0, "", ""}, // 78 % at the end
		{`{"usd":1.25}`, 99, 5, "80 % ", "1.5000 of 1.2500 US dollars"},
		{`{"usd":1.3}`, 99, 6, "96 % ", "1.5000 of 1.3000 US dollars"},
		{`{"usd":1.25,"tokens":1000}`, 4, 5, "80 % ", ""},
	} {
		b := newBench(t, pm("dev-1"), dev("dev-1"))
		b.models.price = 0.25
		b.models.busy(c.rounds)
		got := b.ended(b.submit(task.Chat, "p", `{"budget":`+c.budget+`}`).ID)
		if (got.Status == task.Completed) != (c.endedBy == "") || !strings.Contains(got.ErrorMessage, c.endedBy) {
			t.Errorf("%s: %s %q", c.budget, got.Status, got.ErrorMessage)
		}
		told := 0
		for i, r := range b.models.requests() {
			said := 0
			for _, m := range r.Messages {
				if strings.Contains(m.Text, warned) {
					said++
					if !strings.HasPrefix(m.Text, c.says) || m.Role != llm.RoleUser {
						t.Errorf("%s: told %q", c.budget, m.Text)
					}
				}
			}
			if said > 1 {
				t.Errorf("%s: told %d times", c.budget, said)
			}
			if said > 0 && told == 0 {
				told = i + 1
			}
		}
		if told != c.toldAt {
			t.Errorf("%s: told with question %d, want %d", c.budget, told, c.toldAt)
		}
	}
}

func TestCO3_WhoHeedsTheWarningEndsWithinTheBudget(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	b.models.busy(5)
	got := b.ended(b.submit(task.Chat, "p", `{"budget":{"tokens":30}}`).ID)
	if got.Status != task.Completed || got.Spent.Tokens() != 30 || got.Attempts[0].Spent.TokensIn != 18 {
		t.Errorf("%+v", got)
	}
}

func TestCO3_MoneyThatNobodyCanCountIsNotSpent(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	got := b.ended(b.submit(task.Chat, "p", `{"budget":{"usd":1}}`).ID)
	const unpriced = "the price of its model isn't known. Enter the price in the settings"
	if got.Status != task.Failed || !strings.Contains(got.ErrorMessage, unpriced) {
		t.Errorf("%+v", got)
	}
	b.models.mu.Lock()
	b.models.price = 0.4
	b.models.mu.Unlock()
	b.models.busy(5)
	got = b.ended(b.submit(task.Chat, "p", `{"budget":{"usd":1}}`).ID)
	if got.Status != task.Failed ||
		got.ErrorMessage != usedUp("1.2000 of 1.0000 US dollars") {
		t.Errorf("%+v", got)
	}
}

func TestCO3_TimeIsABudgetToo(t *testing.T) {
	b := newBench(t, pm("dev-1"), dev("dev-1"))
	holding(b)
	got := b.ended(b.submit(task.Chat, "p", `{"budget":{"seconds":1}}`).ID)
	if got.Status != task.Failed || !strings.Contains(got.ErrorMessage, "of 1 seconds") {
		t.Errorf("%+v", got)
	}
}

// A team's budget is the default for tasks without one; an agent's default takes precedence.
func TestCO3_TheTeamsBudgetIsTheDefault(t *testing.T) {
	b := newBench(t, pm("dev-1", "dev-2"), dev("dev-1"), dev("dev-2"))
	b.stop()
	b.opts.Budget = func(agent topology.AgentID) task.Budget {
		if agent == "dev-2" {
			return task.Budget{Tokens: 7}
		}
		return task.Budget{Tokens: 9}
	}
	b.start()
	b.models.busy(99)
	for extra, want := range map[string]string{``: "10 of 9 tokens", `{"agent":"dev-2"}`: "10 of 7 tokens", `{"agent":"dev-2","budget":{"tokens":11}}`: "15 of 11 tokens"} {
		if got := b.ended(b.submit(task.Chat, "p", extra).ID); !strings.Contains(got.ErrorMessage, want) {
			t.Errorf("%s: %+v", extra, got)
		}
	}
}

// A subtask is charged to its parent task, and ends with it.
func TestCO3_AChainSharesOneBudget(t *testing.T) {
	b := newBench(t, pm("a"), leads("a", "b"), dev("b"))
	b.models.calls = func(r llm.Request) []llm.Call {
		if r.System == "I am a" {
			return []llm.Call{
				{
					ID:        "1",
					Name:      worker.Delegate,
					Arguments: fmt.Sprintf(`{"agent":"b","task":"part %d"}`, len(r.Messages)),
				},
			}
		}
		return nil
	}
	got := b.ended(b.submit(task.Chat, "p", `{"budget":{"tokens":17}}`).ID)
	if got.Status != task.Failed || !strings.Contains(got.ErrorMessage, "20 of 17 tokens") || len(got.Given) != 2 || got.Attempts[0].Spent.Tokens() != 10 {
		t.Errorf("%+v", got)
	}
	if last := b.ended(got.Given[1]); last.Budget.Tokens != 2 || last.Status != task.Failed || !strings.Contains(last.ErrorMessage, "5 of 2 tokens") {
		t.Errorf("%+v", last)
	}
}

func TestAG2_AnAgentElsewhereIsHeldToItsBudget(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, pm("dev-1"), elsewhere("dev-1", a.URL, "DEV_SECRET"))
	id := b.submit(task.Chat, "p", `{"budget":{"tokens":100}}`).ID
	<-a.came
	a.mu.Lock()
	said, _ := json.Marshal(a.given[0]["context"])
	a.mu.Unlock()
	if terms := worker.ReadEnvelope(said); terms.Budget.Tokens != 100 {
		t.Errorf("told %s", said)
	}
	for i, spent := range []string{`{"spent":{"tokensIn":40,"tokensOut":20}}`, `{"spent":{"tokensIn":40,"tokensOut":20}}`, `{"spent":{"tokensIn":90,"tokensOut":21}}`} {
		if ok, err := b.report("dev-1", id, worker.Report{Status: worker.ReportInProgress, Result: json.RawMessage(spent)}); err != nil || !ok {
			t.Fatal(i, ok, err)
		}
	}
	if got := b.ended(id); got.Status != task.Failed || got.ErrorMessage != usedUp("111 of 100 tokens") {
		t.Errorf("%+v", got)
	}
	if ok, err := b.report("dev-1", id, worker.Report{Status: worker.ReportInProgress}); err != nil || ok {
		t.Errorf("the agent can continue: %v %v", ok, err)
	}
	id = b.submit(task.Chat, "p", `{"budget":{"tokens":100}}`).ID
	<-a.came
	if _, err := b.report("dev-1", id, worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{"text":"x","tokensIn":100,"tokensOut":1}`)}); err != nil {
		t.Fatal(err)
	}
	if got := b.ended(id); got.Status != task.Failed {
		t.Errorf("%+v", got)
	}
}

// usedUp is the error of a task that has spent its budget.
func usedUp(what string) string {
	return "the task's budget is used up: " + what + ". Submit the task again with a larger budget"
}

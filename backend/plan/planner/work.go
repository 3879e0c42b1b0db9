package planner

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
)

// WorkState is the state of the work on a plan.
type WorkState string

// The states. Paused and Ended can change back to Working.
const (
	Working WorkState = "working"
	Paused  WorkState = "paused" // started tasks resume where they were
	Ended   WorkState = "ended"  // nothing more can start
	Stopped WorkState = "canceled"
)

// Reasons why a budget stops the work.
const (
	ReasonTokens   = "token_budget"
	ReasonUSD      = "usd_budget"
	ReasonUnpriced = "unpriced" // there is a budget in dollars, but no price
	ReasonUntold   = "untold"   // there is a budget in dollars, and a worker reported neither tokens nor a cost
)

// Order is how a plan is to be run.
type Order struct {
	Folder      string    `json:"folder" minLength:"1" maxLength:"4000" doc:"Folder on the hub's computer to work in, best a Git repository. At most 4000 characters."`
	Worker      string    `json:"worker" enum:"codex-cli,claude-code,gemini-cli,opencode" doc:"Coding CLI that runs the tasks."`
	Mode        string    `json:"mode,omitempty" enum:"exec,acp" doc:"How the CLI is called: one command per task (exec) or the Agent Client Protocol (acp). Default: exec."`
	Command     string    `json:"command,omitempty" maxLength:"4000" doc:"Path of the CLI, at most 4000 characters. Default: its usual name."`
	WorkerModel string    `json:"workerModel,omitempty" maxLength:"500" doc:"Model of the CLI, at most 500 characters. Default: the CLI's own."`
	Model       llm.Model `json:"model,omitempty" maxLength:"500" doc:"Model of the planner. Default: AGENTFLOW_META_MODEL, or the first model of the default provider."`
	Test        string    `json:"test,omitempty" maxLength:"4000" doc:"Test command whose result decides, at most 4000 characters. Default: none."`
	Parallel    int       `json:"parallel" minimum:"1" maximum:"32" doc:"Number of tasks at the same time, 1 to 32."`
	AskPhases   bool      `json:"askPhases,omitempty" doc:"Ask in the inbox before each phase. Default: false."`
	AskMerges   bool      `json:"askMerges,omitempty" doc:"Ask in the inbox before each merge. Default: false."`
	Direct      bool      `json:"direct,omitempty" doc:"Let workers change a folder without Git or without a commit. Nobody is asked before merges, and changes can't be undone. Default: false, such a folder is rejected."`
	Env         []string  `json:"env,omitempty" maxItems:"50" doc:"Names of environment variables that the CLI also gets, at most 50. Default: none."`
	AskTools    *bool     `json:"askTools,omitempty" doc:"Ask in the inbox before the CLI uses a tool. Only in the mode acp. Default: true."`
	MaxTokens   int       `json:"maxTokens,omitempty" minimum:"0" doc:"Token limit for planner and workers. The plan pauses at the limit. Default: 0, no limit."`
	MaxUSD      float64   `json:"maxUsd,omitempty" minimum:"0" maximum:"1000000" doc:"Limit in US dollars, up to 1000000. Models without a price pause the plan too. Default: 0, no limit."`
	TryUSD      float64   `json:"tryUsd,omitempty" minimum:"0" maximum:"1000000" doc:"Assumed cost of an attempt whose worker reports none, up to 1000000 US dollars. Default: 0, unknown, which pauses a plan with maxUsd."`
}

// Work is the progress of an Order.
type Work struct {
	Order
	State     WorkState      `json:"state" enum:"working,paused,ended,canceled" doc:"State of the run. ended: no more tasks can run."`
	Failure   *errcode.Error `json:"failure,omitempty" doc:"Why it paused, if no person paused it."`
	TokensIn  int            `json:"tokensIn" doc:"Tokens that planner and workers sent."`
	TokensOut int            `json:"tokensOut"`
	Tokens    int            `json:"tokens" doc:"Tokens, in and out."`
	USD       float64        `json:"usd" doc:"Cost in US dollars so far."`
	Unpriced  bool           `json:"unpriced,omitempty" doc:"The price of some models isn't known."`
	Untold    int            `json:"untold,omitempty" doc:"Attempts without a reported cost. They count as nothing in usd."`
	Held      bool           `json:"held,omitempty" doc:"From a restored backup: run the plan with a checked order."`
	Phases    []string       `json:"phases,omitempty" doc:"Phases that a person has allowed in this run."`
	BeganAt   time.Time      `json:"beganAt"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
}

// Over returns why the work must stop: a budget is used up, or the cost is unknown.
func (w *Work) Over() error {
	switch {
	case w.MaxTokens > 0 && w.Tokens >= w.MaxTokens:
		return outOfBudget(ReasonTokens, "maxTokens",
			"the plan's budget is used up: %d of %d tokens. Resume the plan with a larger budget", w.Tokens, w.MaxTokens)
	case w.MaxUSD > 0 && w.Unpriced:
		return outOfBudget(ReasonUnpriced, "maxUsd",
			"the plan's budget is in US dollars, but the price of its planner or worker isn't known. Enter the price "+
				"of the model in the settings (for the coding CLI: %s/*), or resume the plan without this budget", w.Worker)
	case w.MaxUSD > 0 && w.Untold > 0:
		return outOfBudget(ReasonUntold, "tryUsd",
			"the plan's budget is in US dollars, but %d attempts of %s reported neither tokens nor a cost. Besides "+
				"them, the plan cost %.4f US dollars. Resume it with an assumed cost per attempt, or without this budget",
			w.Untold, w.Worker, w.USD).With("tries", w.Untold)
	case w.MaxUSD > 0 && w.USD >= w.MaxUSD:
		return outOfBudget(ReasonUSD, "maxUsd",
			"the plan's budget is used up: %.4f of %.4f US dollars. Resume the plan with a larger budget", w.USD, w.MaxUSD)
	}
	return nil
}

func outOfBudget(reason, field, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Forbidden, format, args...).With(errcode.KeyReason, reason).With(errcode.KeyField, field)
}

// Budget replaces the budget of the order. 0 keeps a limit; a negative value removes it.
type Budget struct {
	Tokens int     `json:"maxTokens,omitempty" minimum:"-1" doc:"New token limit. 0: unchanged, -1: no limit."`
	USD    float64 `json:"maxUsd,omitempty" minimum:"-1" maximum:"1000000" doc:"New limit in US dollars, up to 1000000. 0: unchanged, -1: no limit."`
	TryUSD float64 `json:"tryUsd,omitempty" minimum:"-1" maximum:"1000000" doc:"New assumed cost of an attempt whose worker reports none, up to 1000000 US dollars. 0: unchanged, -1: unknown. It also counts for earlier attempts."`
}

// Asked counts a call to the planner.
func (w *Work) Asked(in, out int, usd float64, priced bool) {
	w.TokensIn += in
	w.TokensOut += out
	w.Tokens += in + out
	w.USD += usd
	w.Unpriced = w.Unpriced || !priced && in+out > 0
}

// Tried counts an attempt by the use that its worker reported. Its cost is the reported one, or else follows from the
// person's price for the CLI, if there is one. Without reported use it counts as TryUSD, or, if that is 0, as untold.
func (w *Work) Tried(in, out int, usd float64, price llm.Price, known bool) {
	switch {
	case usd > 0:
		w.Asked(in, out, usd, true)
	case in+out > 0:
		w.Asked(in, out, price.Of(in, out), known)
	case known && price == llm.Price{}: // the CLI is free
	case w.TryUSD > 0:
		w.USD += w.TryUSD
	default:
		w.Untold++
	}
}

// Rebudget changes the budget of the order. Setting one in dollars accepts that earlier use without a price isn't
// included.
func (w *Work) Rebudget(b Budget) {
	if b.Tokens != 0 {
		w.MaxTokens = max(0, b.Tokens)
	}
	if b.TryUSD != 0 {
		w.TryUSD = max(0, b.TryUSD)
	}
	if w.TryUSD > 0 {
		w.USD, w.Untold = w.USD+float64(w.Untold)*w.TryUSD, 0
	}
	if b.USD != 0 {
		w.MaxUSD, w.Unpriced, w.Untold = max(0, b.USD), false, 0
	}
}

// SetWork saves the state of the work on a plan.
func (m *Machine) SetWork(ctx context.Context, id ID, w Work) error {
	k, err := m.hold(id)
	if err != nil {
		return err
	}
	defer k.mu.Unlock()
	r := k.record
	r.Work = &w
	return m.put(ctx, k, Written{Record: r})
}

package planner

import (
	"context"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
)

// WorkState is the state of the work on a plan.
type WorkState string

// The states. Paused and Ended can change back to Working.
const (
	Working WorkState = "working"
	Paused  WorkState = "paused" // started tasks resume where they were
	Ended   WorkState = "ended"  // nothing more can start
	Stopped WorkState = "cancelled"
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
	Folder      string    `json:"folder" minLength:"1" maxLength:"4000" doc:"where the work is done: a folder on the hub's computer, best of a git repository"`
	Worker      string    `json:"worker" enum:"codex-cli,claude-code,gemini-cli,opencode" doc:"the coding CLI"`
	Mode        string    `json:"mode,omitempty" enum:"exec,acp" doc:"how the CLI is spoken with: by one command line, or by the Agent Client Protocol; default: exec"`
	Command     string    `json:"command,omitempty" maxLength:"4000" doc:"the CLI's path; default: its usual name"`
	WorkerModel string    `json:"workerModel,omitempty" maxLength:"500" doc:"default: the CLI's own"`
	Model       llm.Model `json:"model,omitempty" maxLength:"500" doc:"the meta-agent's; default: AGENTFLOW_META_MODEL, else the first of the default provider"`
	Test        string    `json:"test,omitempty" maxLength:"4000" doc:"a command whose result is the evidence"`
	Parallel    int       `json:"parallel" minimum:"1" maximum:"32" doc:"tasks at once"`
	AskPhases   bool      `json:"askPhases,omitempty" doc:"ask in the inbox before each phase"`
	AskMerges   bool      `json:"askMerges,omitempty" doc:"ask in the inbox before each merge"`
	Env         []string  `json:"env,omitempty" maxItems:"50" doc:"variables of the hub's environment that the worker gets beside those of its kind, by name"`
	AskTools    *bool     `json:"askTools,omitempty" doc:"ask in the inbox what the worker asks leave for; in the mode acp only, where the default is true and false allows all of it"`
	MaxTokens   int       `json:"maxTokens,omitempty" minimum:"0" doc:"pause when meta-agent and workers have used so many; 0: no limit"`
	MaxUSD      float64   `json:"maxUsd,omitempty" minimum:"0" maximum:"1000000" doc:"likewise in US dollars; what nobody has said the price of pauses it too"`
	TryUSD      float64   `json:"tryUsd,omitempty" minimum:"0" maximum:"1000000" doc:"what a try counts as in US dollars whose worker tells neither tokens nor a cost; 0: nobody knows, which pauses a plan with maxUsd"`
}

// Work is the progress of an Order.
type Work struct {
	Order
	State     WorkState      `json:"state" enum:"working,paused,ended,cancelled"`
	Failure   *errcode.Error `json:"failure,omitempty"` // why it paused, unless a person paused it
	TokensIn  int            `json:"tokensIn"`          // total so far, of the planner and the workers
	TokensOut int            `json:"tokensOut"`
	Tokens    int            `json:"tokens"`             // in and out
	USD       float64        `json:"usd"`                // total so far
	Unpriced  bool           `json:"unpriced,omitempty"` // includes calls without a known price
	Untold    int            `json:"untold,omitempty"`   // attempts without reported use, which count as zero in usd
	BeganAt   time.Time      `json:"beganAt"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
}

// Over returns why the work must stop: a budget is used up, or the cost is unknown.
func (w *Work) Over() error {
	switch {
	case w.MaxTokens > 0 && w.Tokens >= w.MaxTokens:
		return errcode.New(errcode.Forbidden, "the budget of %d tokens is used up (%d): resume with a larger one to go on", w.MaxTokens, w.Tokens).With(errcode.KeyReason, ReasonTokens).With(errcode.KeyField, "maxTokens")
	case w.MaxUSD > 0 && w.Unpriced:
		return errcode.New(errcode.Forbidden, "the plan has a budget in US dollars, and nobody has said what its meta-agent or its worker costs: write the price of the model down in the settings (of a coding CLI, as %s/*), or resume without that budget", w.Worker).With(errcode.KeyReason, ReasonUnpriced).With(errcode.KeyField, "maxUsd")
	case w.MaxUSD > 0 && w.Untold > 0:
		return errcode.New(errcode.Forbidden, "the plan has a budget in US dollars, and %d tries of %s told neither tokens nor a cost, so nobody knows what they cost beside the %.4f that are counted: resume with what such a try is to count as, with another budget, or without one", w.Untold, w.Worker, w.USD).With(errcode.KeyReason, ReasonUntold).With(errcode.KeyField, "tryUsd").With("tries", w.Untold)
	case w.MaxUSD > 0 && w.USD >= w.MaxUSD:
		return errcode.New(errcode.Forbidden, "the budget of %.4f US dollars is used up (%.4f): resume with a larger one to go on", w.MaxUSD, w.USD).With(errcode.KeyReason, ReasonUSD).With(errcode.KeyField, "maxUsd")
	}
	return nil
}

// Budget replaces the budget of the order. 0 keeps a limit; a negative value removes it.
type Budget struct {
	Tokens int     `json:"maxTokens,omitempty" minimum:"-1" doc:"a budget in the place of the one that was ordered; 0: as it was, -1: no limit"`
	USD    float64 `json:"maxUsd,omitempty" minimum:"-1" maximum:"1000000" doc:"likewise in US dollars"`
	TryUSD float64 `json:"tryUsd,omitempty" minimum:"-1" maximum:"1000000" doc:"likewise what a try counts as whose worker tells nothing; those that count as nothing so far are counted with it"`
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

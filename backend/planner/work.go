package planner

import (
	"context"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
)

// WorkState is where the work on a plan stands.
type WorkState string

// The states. Paused and Ended lead back to Working.
const (
	Working WorkState = "working"
	Paused  WorkState = "paused" // what was begun goes on where it was
	Ended   WorkState = "ended"  // nothing more can be begun
	Stopped WorkState = "cancelled"
)

// Reasons for which a budget stops the work.
const (
	ReasonTokens   = "token_budget"
	ReasonUSD      = "usd_budget"
	ReasonUnpriced = "unpriced" // there is a budget in dollars, and no price
)

// Order is how a plan is to be worked.
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
	AskTools    bool      `json:"askTools,omitempty" doc:"ask in the inbox what the worker asks leave for; in the mode acp only"`
	MaxTokens   int       `json:"maxTokens,omitempty" minimum:"0" doc:"pause when meta-agent and workers have used so many; 0: no limit"`
	MaxUSD      float64   `json:"maxUsd,omitempty" minimum:"0" maximum:"1000000" doc:"likewise in US dollars; what nobody has said the price of pauses it too"`
}

// Work is what has become of an Order.
type Work struct {
	Order
	State     WorkState      `json:"state" enum:"working,paused,ended,cancelled"`
	Failure   *errcode.Error `json:"failure,omitempty"` // why it paused, where no person paused it
	TokensIn  int            `json:"tokensIn"`          // used so far, by the meta-agent and the workers
	TokensOut int            `json:"tokensOut"`
	Tokens    int            `json:"tokens"`             // both
	USD       float64        `json:"usd"`                // likewise
	Unpriced  bool           `json:"unpriced,omitempty"` // some of it cost what nobody has said
	BeganAt   time.Time      `json:"beganAt"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
}

// Over says why the work must stop: a budget is used up, or what it costs cannot be known.
func (w *Work) Over() error {
	switch {
	case w.MaxTokens > 0 && w.Tokens >= w.MaxTokens:
		return errcode.New(errcode.Forbidden, "the budget of %d tokens is used up (%d): resume with a larger one to go on", w.MaxTokens, w.Tokens).With(errcode.KeyReason, ReasonTokens).With(errcode.KeyField, "maxTokens")
	case w.MaxUSD > 0 && w.Unpriced:
		return errcode.New(errcode.Forbidden, "the plan has a budget in US dollars, and nobody has said what its meta-agent or its worker costs: write the price of the model down in the settings (of a coding CLI, as %s/*), or resume without that budget", w.Worker).With(errcode.KeyReason, ReasonUnpriced).With(errcode.KeyField, "maxUsd")
	case w.MaxUSD > 0 && w.USD >= w.MaxUSD:
		return errcode.New(errcode.Forbidden, "the budget of %.4f US dollars is used up (%.4f): resume with a larger one to go on", w.MaxUSD, w.USD).With(errcode.KeyReason, ReasonUSD).With(errcode.KeyField, "maxUsd")
	}
	return nil
}

// Budget takes the place of the one that was ordered; what is 0 stays as it was, what is
// below 0 is not bounded any more.
type Budget struct {
	Tokens int     `json:"maxTokens,omitempty" minimum:"-1" doc:"a budget in the place of the one that was ordered; 0: as it was, -1: no limit"`
	USD    float64 `json:"maxUsd,omitempty" minimum:"-1" maximum:"1000000" doc:"likewise in US dollars"`
}

// Rebudget sets the budget of the order anew. Whoever sets one in dollars knows that what had
// no price before is not in it.
func (w *Work) Rebudget(b Budget) {
	if b.Tokens != 0 {
		w.MaxTokens = max(0, b.Tokens)
	}
	if b.USD != 0 {
		w.MaxUSD, w.Unpriced = max(0, b.USD), false
	}
}

// SetWork says how the work on a plan stands.
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

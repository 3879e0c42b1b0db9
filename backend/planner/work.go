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

// Order is how a plan is to be worked.
type Order struct {
	Folder      string    `json:"folder" minLength:"1" maxLength:"4000" doc:"where the work is done: a folder on the hub's computer, best of a git repository"`
	Worker      string    `json:"worker" enum:"codex-cli,claude-code,gemini-cli,opencode" doc:"the coding CLI"`
	Command     string    `json:"command,omitempty" maxLength:"4000" doc:"the CLI's path; default: its usual name"`
	WorkerModel string    `json:"workerModel,omitempty" maxLength:"500" doc:"default: the CLI's own"`
	Model       llm.Model `json:"model,omitempty" maxLength:"500" doc:"the meta-agent's; default: AGENTFLOW_META_MODEL, else the first of the default provider"`
	Test        string    `json:"test,omitempty" maxLength:"4000" doc:"a command whose result is the evidence"`
	Parallel    int       `json:"parallel" minimum:"1" maximum:"32" doc:"tasks at once"`
	AskPhases   bool      `json:"askPhases,omitempty" doc:"ask in the inbox before each phase"`
	AskMerges   bool      `json:"askMerges,omitempty" doc:"ask in the inbox before each merge"`
	MaxTokens   int       `json:"maxTokens,omitempty" minimum:"0" doc:"pause when meta-agent and workers have used so many; 0: no limit"`
}

// Work is what has become of an Order.
type Work struct {
	Order
	State   WorkState      `json:"state" enum:"working,paused,ended,cancelled"`
	Failure *errcode.Error `json:"failure,omitempty"` // why it paused, where no person paused it
	Tokens  int            `json:"tokens"`            // used so far
	BeganAt time.Time      `json:"beganAt"`
	EndedAt time.Time      `json:"endedAt,omitzero"`
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

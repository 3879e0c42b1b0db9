package task

import (
	"fmt"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
)

// Trace is the chain of delegations that created a task.
type Trace struct {
	Root   ID       `json:"root" doc:"Task that was submitted from outside the team."`
	Parent ID       `json:"parent" doc:"Task that delegated this one."`
	Chain  []string `json:"chain" doc:"Agents that delegated, the first one first."`
}

// Limits of delegation.
const (
	MaxChain = 8  // agents in one chain
	MaxGiven = 16 // subtasks of one task
	MaxTree  = 64 // descendants of one root task
	MaxAlike = 3  // identical subtasks of one task for the same agent
)

// Reasons why a delegation is rejected.
const (
	ReasonLoop       = "loop"
	ReasonDepth      = "depth"
	ReasonRepetition = "repetition"
	ReasonMany       = "many"
	ReasonDeadlock   = "deadlock"
)

// GiveOn returns the trace of a subtask that by, which runs the task, delegates to another agent. If the chain would
// return to an agent or grow too long, GiveOn returns a CONFLICT that shows the chain in its message and in
// details.chain.
func (t *Task) GiveOn(by, to string) (Trace, error) {
	next := Trace{Root: t.ID, Parent: t.ID}
	if t.Trace != nil {
		next.Root, next.Chain = t.Trace.Root, slices.Clone(t.Trace.Chain)
	}
	next.Chain = append(next.Chain, by)
	whole := append(slices.Clone(next.Chain), to)
	switch {
	case slices.Contains(next.Chain, to):
		return next, Stopped(ReasonLoop, whole, "it goes round in a circle")
	case len(whole) > MaxChain:
		return next, Stopped(ReasonDepth, whole, "it is longer than %d agents", MaxChain)
	}
	return next, nil
}

// Stopped returns the error that rejects a chain.
func Stopped(reason string, chain []string, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Conflict,
		"the chain %s was stopped: %s", ShowChain(chain), fmt.Sprintf(format, args...)).
		With(errcode.KeyReason, reason).
		With(KeyChain, chain).
		With(KeyTo, chain[len(chain)-1])
}

// KeyChain is the detail of a rejection that contains the chain.
const KeyChain = "chain"

// ShowChain formats a chain for a person.
func ShowChain(agents []string) string { return strings.Join(agents, " → ") }

// Giver returns the agent that delegated the task, or "".
func (t *Task) Giver() string {
	if t.Trace == nil {
		return ""
	}
	return t.Trace.Chain[len(t.Trace.Chain)-1]
}

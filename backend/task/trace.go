package task

import (
	"fmt"
	"slices"
	"strings"

	"agentflow/backend/errcode"
)

// Trace is how a task came out of another: agents gave it on, one to the next.
type Trace struct {
	Root   ID       `json:"root" doc:"Task that was submitted from outside the team."`
	Parent ID       `json:"parent" doc:"Task that delegated this one."`
	Chain  []string `json:"chain" doc:"Agents that delegated, the first one first."`
}

// Bounds of giving on.
const (
	MaxChain = 8  // agents of one chain
	MaxGiven = 16 // tasks given on for one task
	MaxTree  = 64 // tasks given on for one that came from outside, all together
	MaxAlike = 3  // times the same words go to the same agent for one task
)

// Reasons of a refusal to give on.
const (
	ReasonLoop       = "loop"
	ReasonDepth      = "depth"
	ReasonRepetition = "repetition"
	ReasonMany       = "many"
	ReasonDeadlock   = "deadlock"
)

// GiveOn returns the trace of what by, who works on the task, gives on to another agent. A
// chain that would come back to an agent, or grow too long, is a CONFLICT whose message and
// details.chain show it.
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

// Stopped is the refusal of a chain.
func Stopped(reason string, chain []string, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Conflict, "the chain %s was stopped: %s", ShowChain(chain), fmt.Sprintf(format, args...)).
		With(errcode.KeyReason, reason).With(KeyChain, chain).With(KeyTo, chain[len(chain)-1])
}

// KeyChain is the detail of a refusal that holds the chain.
const KeyChain = "chain"

// ShowChain writes a chain for a person.
func ShowChain(agents []string) string { return strings.Join(agents, " → ") }

// Giver is the agent that gave the task on, or "".
func (t *Task) Giver() string {
	if t.Trace == nil {
		return ""
	}
	return t.Trace.Chain[len(t.Trace.Chain)-1]
}

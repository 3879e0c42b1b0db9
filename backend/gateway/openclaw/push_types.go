package openclaw

import (
	"context"

	"agentflow/backend/team/topology"
)

// Gateway is what Push needs of a gateway.
type Gateway interface {
	// Read reads the config afresh.
	Read(ctx context.Context) (Snapshot, error)
	// Apply replaces the config, once. raw is in Capabilities().ApplyFormat. An error
	// with reason outcome_unknown means it may or may not have been taken; one with
	// reason rate_limited and details.retryAfterMs means it was not executed.
	Apply(ctx context.Context, raw, baseHash, note string) (ApplyOutcome, error)
	// DeleteAgent takes an agent out of the roster by the gateway's own means.
	DeleteAgent(ctx context.Context, id topology.AgentID) error
	// WaitReady returns once the link is up: at once, or after a restart.
	WaitReady(ctx context.Context) error
	// Capabilities says what this gateway can hold and how it behaves.
	Capabilities() Capabilities
}

// ApplyOutcome is what a gateway said about an accepted config.
type ApplyOutcome struct {
	Hash     string // "" where it does not tell
	Restarts bool   // the link will drop and come back
}

// Step is one stage of a push.
type Step string

// The steps, in order. StepDelete comes only where agents go by the gateway's delete.
const (
	StepCheck    Step = "check"
	StepSnapshot Step = "snapshot"
	StepDelete   Step = "delete"
	StepApply    Step = "apply"
	StepWait     Step = "wait"
	StepVerify   Step = "verify"
)

// ProgressState says how a step stands.
type ProgressState string

// The states of a step.
const (
	ProgressStarted ProgressState = "started"
	ProgressWaiting ProgressState = "waiting" // the gateway takes no more changes for now; RetryAfterMs says how long
	ProgressDone    ProgressState = "done"
	ProgressSkipped ProgressState = "skipped"
	ProgressFailed  ProgressState = "failed"
	ProgressUnknown ProgressState = "unknown" // of StepApply: sent, and what became of it is being checked
)

// Progress is one fact about a running push.
type Progress struct {
	Step            Step             `json:"step" enum:"check,snapshot,delete,apply,wait,verify"`
	State           ProgressState    `json:"state" enum:"started,waiting,done,skipped,failed,unknown"`
	Agent           topology.AgentID `json:"agent,omitempty"`           // being deleted
	RetryAfterMs    int64            `json:"retryAfterMs,omitempty"`    // of ProgressWaiting
	ExpectedSeconds int              `json:"expectedSeconds,omitempty"` // of StepWait
	Message         string           `json:"message,omitempty"`
}

// PushInput is what a push needs. BaseHash is the Preview's.
type PushInput struct {
	BaseHash    string
	Base        *topology.Topology // as for the preview
	Draft       *topology.Topology
	AllowDelete bool // the person agreed to the deletions that the preview named
	Note        string
	// KeepSnapshot stores the config as it is before the first change. Nothing is
	// sent unless it succeeds.
	KeepSnapshot func(ctx context.Context, s Snapshot) error
	Progress     func(Progress) // may be nil; called from Push's own goroutine
}

// RollbackInput is what a rollback needs.
type RollbackInput struct {
	BaseHash     string   // where the rollback was previewed
	To           Snapshot // kept by an earlier push
	Secrets      []Secret // that the gateway lost, entered again
	AllowDelete  bool
	Note         string
	KeepSnapshot func(ctx context.Context, s Snapshot) error
	Progress     func(Progress)
}

// Outcomes of a push.
const (
	OutcomeApplied   = "applied"
	OutcomeUnchanged = "unchanged" // there was nothing to send
)

// Result is what became of a push that got through.
type Result struct {
	Outcome     string             `json:"outcome" enum:"applied,unchanged"`
	Hash        string             `json:"hash"`     // of the config as it stands now: the new base
	Topology    topology.Topology  `json:"topology"` // as read back, without what only the team holds
	Shape       Shape              `json:"shape"`
	Deleted     []topology.AgentID `json:"deleted,omitempty"`
	Restarted   bool               `json:"restarted"`
	Verified    bool               `json:"verified"`              // what was read back is what was sent
	Differences []Difference       `json:"differences,omitempty"` // what is not
	Added       []Difference       `json:"added,omitempty"`       // what the gateway filled in by itself
	Losses      []Loss             `json:"losses,omitempty"`
}

// Difference is one place where what was read back is not what was sent.
type Difference struct {
	Agent topology.AgentID `json:"agent,omitempty"`
	Field string           `json:"field" doc:"JSON name of the field. Empty: the whole agent."`
	Want  string           `json:"want,omitempty" doc:"Value that was sent."`
	Got   string           `json:"got,omitempty" doc:"Value that the gateway stored."`
}

// ReasonVerifyMismatch is details.reason of the GATEWAY_ERROR that Push returns,
// beside its Result, when what was read back is not what was sent.
const ReasonVerifyMismatch = "verify_mismatch"

// ReasonNotActive is details.reason of the GATEWAY_ERROR that Push returns, beside its
// Result, when the gateway wrote the config but does not use it yet.
const ReasonNotActive = "not_active"

// ReasonDeletesNotAllowed is details.reason of the VALIDATION_ERROR that Push returns when
// agents must be deleted and the caller did not allow it; details.agents names them.
const ReasonDeletesNotAllowed = "deletes_not_allowed"

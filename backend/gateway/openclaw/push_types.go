package openclaw

import (
	"context"
	"slices"

	"agentflow/backend/base/errcode"
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
	// ReadFile reads a workspace file of an agent. A missing one is no error. Called only where Capabilities say Files.
	ReadFile(ctx context.Context, agent topology.AgentID, name string) (File, error)
	// WriteFile replaces a workspace file if its hash is expectedHash, "" for a missing one. Otherwise it is a CONFLICT
	// with reason file_changed. It is sent once: after an error with reason outcome_unknown the file tells what became
	// of it.
	WriteFile(ctx context.Context, agent topology.AgentID, name, content, expectedHash string) error
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

// The steps, in order. StepDelete comes only where agents go by the gateway's delete. Files come first and the config
// last, because a file can be put back and a deletion can't; so a push that fails leaves all as it was. Files of agents
// that come with the config are written after it: before that there is no workspace to write them to. StepJobs adds the
// scheduled jobs of agents that come back.
const (
	StepCheck    Step = "check"
	StepSnapshot Step = "snapshot"
	StepFiles    Step = "files"
	StepDelete   Step = "delete"
	StepApply    Step = "apply"
	StepWait     Step = "wait"
	StepVerify   Step = "verify"
	StepNewFiles Step = "new_files"
	StepJobs     Step = "jobs"
)

// Steps lists the steps of a push that writes these files and adds these jobs, in their order.
func Steps(files []FileWrite, jobs []string) []Step {
	steps := []Step{StepCheck, StepSnapshot, StepFiles, StepDelete, StepApply, StepWait, StepVerify, StepNewFiles,
		StepJobs}
	fresh := func(w FileWrite) bool { return w.New }
	return slices.DeleteFunc(steps, func(s Step) bool {
		return s == StepFiles && !slices.ContainsFunc(files, func(w FileWrite) bool { return !w.New }) ||
			s == StepNewFiles && !slices.ContainsFunc(files, fresh) || s == StepJobs && len(jobs) == 0
	})
}

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
	Step            Step             `json:"step" enum:"check,snapshot,files,delete,apply,wait,verify,new_files,jobs"`
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
	Files       []FileWrite        // of FileWrites: exactly these are written
	AllowDelete bool               // the person agreed to the deletions that the preview named
	Recreated   []topology.AgentID // agents of the draft that the gateway may have deleted: it creates them first
	UnreadJobs  bool               // as of the preview: the jobs of deleted agents can't be listed, and are lost
	Note        string
	// KeepSnapshot stores the config as it is before the first change. Nothing is
	// sent unless it succeeds.
	KeepSnapshot func(ctx context.Context, s Snapshot) error
	Progress     func(Progress) // may be nil; called from Push's own goroutine
}

// RollbackInput is what a rollback needs.
type RollbackInput struct {
	BaseHash     string      // where the rollback was previewed
	To           Snapshot    // kept by an earlier push
	Files        []FileWrite // of RollbackFiles
	Secrets      []Secret    // that the gateway lost, entered again
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
	Snapshot    Snapshot           `json:"-"`        // as read back
	Topology    topology.Topology  `json:"topology"` // of the snapshot, without what only the team holds
	Shape       Shape              `json:"shape"`
	Deleted     []topology.AgentID `json:"deleted,omitempty"`
	Files       []FileRef          `json:"files,omitempty"` // that were written
	Jobs        []string           `json:"jobs,omitempty"`  // names of scheduled jobs that were added again
	Restarted   bool               `json:"restarted"`
	Verified    bool               `json:"verified"`              // what was read back is what was sent
	Differences []Difference       `json:"differences,omitempty"` // what is not
	Added       []Difference       `json:"added,omitempty"`       // what the gateway filled in
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

// ReasonFilesLeft is details.reason of the GATEWAY_ERROR that Push returns, beside its
// Result, when the gateway has the config, but not every file of an agent that came with it.
const ReasonFilesLeft = "files_left"

// ReasonJobsLeft is details.reason of the GATEWAY_ERROR that Rollback returns, beside its Result, when the gateway has
// the config, but not every scheduled job of an agent that came back; details.jobs names those.
const ReasonJobsLeft = "jobs_left"

// Arrived reports whether the gateway has the config of a push that ended with err: team and gateway are
// the same then, but for what err tells.
func Arrived(err error) bool {
	return err == nil || errcode.HasReason(err, ReasonNotActive) || errcode.HasReason(err, ReasonFilesLeft) ||
		errcode.HasReason(err, ReasonJobsLeft)
}

// ReasonDeletesNotAllowed is details.reason of the VALIDATION_ERROR that Push returns when
// agents must be deleted and the caller did not allow it; details.agents names them.
const ReasonDeletesNotAllowed = "deletes_not_allowed"

// Package planner stores plans, their versions, and proposals to change them. A plan changes only by a patch to its
// head, which creates the next version. A person's edits are applied at once; the planner's answers wait as proposals
// until a person accepts or rejects them. Undo moves the head back.
package planner

import (
	"context"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/meta"
	"agentflow/backend/plan"
)

// ID identifies a plan. IDs sort in the order of creation.
type ID string

// ProposalID identifies a proposal. IDs sort in the order of creation.
type ProposalID string

// Record is the stored metadata of a plan, without its tasks.
type Record struct {
	ID        ID        `json:"id"`
	Name      string    `json:"name"`
	Wish      string    `json:"wish,omitempty"` // the first goal
	For       string    `json:"for,omitempty"`  // the coordinator's task that it belongs to
	Head      int64     `json:"head"`           // the current version
	Last      int64     `json:"-"`              // the highest version
	Redo      []int64   `json:"-"`              // undone versions, the next one to redo last
	Rev       int64     `json:"rev"`            // grows with each change of the plan, its proposals or its progress
	Tasks     int       `json:"tasks"`          // leaves of the tree
	Done      int       `json:"done"`           // completed leaves
	Waiting   int       `json:"waiting"`        // proposals that wait for a person
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	DeletedAt time.Time `json:"deletedAt,omitzero"`
	Work      *Work     `json:"work,omitempty"` // the latest run; nil: never run. Never changed in place
}

// Cause is why a version was created.
type Cause string

// The causes.
const (
	CauseCreate  Cause = "create"
	CauseImport  Cause = "import"
	CauseEdit    Cause = "edit"   // by a person
	CauseStatus  Cause = "status" // set by a person
	CauseAccept  Cause = "accept" // of a proposal
	CauseRestore Cause = "restore"
)

// Version is one state of a plan.
type Version struct {
	Number   int64      `json:"number"`
	Parent   int64      `json:"parent,omitempty"` // the target of undo; 0: none
	At       time.Time  `json:"at"`
	Cause    Cause      `json:"cause" enum:"create,import,edit,status,accept,restore"`
	Label    string     `json:"label,omitempty"` // description, in the words of the author
	Author   string     `json:"author,omitempty"`
	Proposal ProposalID `json:"proposal,omitempty"`
	Added    int        `json:"added"`
	Removed  int        `json:"removed"`
	Changed  int        `json:"changed"` // including moved ones
	Plan     *plan.Plan `json:"-"`
}

// State is the state of a proposal.
type State string

// The states. Asking changes to Waiting, Failed or Cancelled; Waiting to Accepted or Refused.
const (
	Asking    State = "asking" // the planner hasn't answered yet
	Waiting   State = "waiting"
	Accepted  State = "accepted"
	Refused   State = "refused"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Open reports whether the state can still change.
func (s State) Open() bool { return s == Asking || s == Waiting }

// Proposal is a proposed change to a plan.
type Proposal struct {
	ID        ProposalID     `json:"id"`
	State     State          `json:"state" enum:"asking,waiting,accepted,refused,failed,cancelled"`
	Wish      string         `json:"wish,omitempty"`  // the person's goal
	Model     llm.Model      `json:"model,omitempty"` // the planner's model; empty: the patch was submitted
	Protocol  meta.Protocol  `json:"protocol,omitempty" enum:"decompose,plan_patch"`
	Patch     *plan.Patch    `json:"patch,omitempty"`
	IDs       []plan.ID      `json:"-"` // of the created tasks, in the order of the operations
	At        time.Time      `json:"at"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
	Failure   *errcode.Error `json:"failure,omitempty"`
	Made      int64          `json:"made,omitempty"` // the version that accepting it created
	Calls     int            `json:"calls"`          // number of model calls
	TokensIn  int            `json:"tokensIn"`
	TokensOut int            `json:"tokensOut"`
	CostUSD   float64        `json:"costUsd"`
	Unpriced  bool           `json:"unpriced,omitempty"` // includes calls without a known price
}

// Progress is the reported state of a task. It belongs to the task and not to a version: undo doesn't change it.
type Progress struct {
	Status    plan.Status `json:"status" enum:"PENDING,PLANNING,RUNNING,VALIDATING,BLOCKED,COMPLETE,FAILED"`
	Attempts  []Attempt   `json:"attempts,omitempty"`
	Passed    []int       `json:"passed,omitempty"` // indexes of the met acceptance criteria
	Output    string      `json:"output,omitempty"` // the end of the worker's output
	Error     string      `json:"error,omitempty"`
	UpdatedAt time.Time   `json:"updatedAt"`
}

// Attempt is one run of a task.
type Attempt struct {
	Worker    string    `json:"worker"`
	StartedAt time.Time `json:"startedAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	Error     string    `json:"error,omitempty"`
	Base      string    `json:"base,omitempty"`   // its base commit
	Commit    string    `json:"commit,omitempty"` // its last commit
}

// Written is what one change saves, atomically. nil fields are unchanged.
type Written struct {
	Record   Record
	Version  *Version  // a new one
	Drop     int64     // delete versions below this number; 0: none
	Proposal *Proposal // new or changed
	Call     *meta.Call
	CallOf   ProposalID
	Task     plan.ID // of Progress
	Progress *Progress
}

// Store saves plans. When PutPlan returns without an error, the change is durable.
type Store interface {
	PutPlan(ctx context.Context, w Written) error
	PlanRecords(ctx context.Context) ([]Record, error)                // oldest first, deleted ones too
	PlanVersion(ctx context.Context, id ID, n int64) (Version, error) // NOT_FOUND
	PlanVersions(ctx context.Context, id ID) ([]Version, error)       // newest first, without their plans
	Proposals(ctx context.Context, id ID) ([]Proposal, error)         // oldest first
	PlanProgress(ctx context.Context, id ID) (map[plan.ID]Progress, error)
	PlanCalls(ctx context.Context, id ID, of ProposalID) ([]meta.Call, error) // oldest first; of "" all
}

// Reasons of errors.
const (
	ReasonStale     = "stale_version"   // the plan has a newer version: details.head and details.by
	ReasonAsking    = "asking"          // a request to the planner is already running
	ReasonEnded     = "proposal_ended"  // the proposal is no longer open
	ReasonRuns      = "touches_running" // the proposal changes running tasks: details.tasks
	ReasonReported  = "reported"        // the task's status is reported by its worker
	ReasonNothing   = "nothing_to_undo" // or to redo
	ReasonRestarted = "hub_restarted"   // the request ran in a hub process that has ended
)

// Limits.
const (
	KeepVersions = 200 // of one plan; undo ends at the oldest
	MaxAsks      = 8   // in parallel
	MaxWish      = 64 << 10
	MaxTasks     = 20000
)

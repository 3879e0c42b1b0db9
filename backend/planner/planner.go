// Package planner keeps plans, every version of them, and what is proposed for them. A plan
// changes in one way only: a patch is applied to its head and makes the next version. What a
// person does by hand is applied at once; what the meta-agent answers to a wish waits as a
// proposal until a person takes or refuses it. Undo moves the head back.
package planner

import (
	"context"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/meta"
	"agentflow/backend/plan"
)

// ID names a plan. IDs sort in the order in which the plans were made.
type ID string

// ProposalID names a proposal. They sort in the order in which they were made.
type ProposalID string

// Record is a plan as it is kept, without what stands in it.
type Record struct {
	ID        ID        `json:"id"`
	Name      string    `json:"name"`
	Wish      string    `json:"wish,omitempty" doc:"Goal that the plan started from."`
	For       string    `json:"for,omitempty" doc:"ID of the task that the plan belongs to."`
	Head      int64     `json:"head" doc:"Newest version."`
	Last      int64     `json:"-"` // the highest version there is
	Redo      []int64   `json:"-"` // versions that were undone, the next one last
	Rev       int64     `json:"rev" doc:"Revision. It rises with every change of the plan, its proposals and its progress."`
	Tasks     int       `json:"tasks" doc:"Number of plan tasks."`
	Done      int       `json:"done" doc:"Number of completed plan tasks."`
	Waiting   int       `json:"waiting" doc:"Number of proposals that wait for a person."`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	DeletedAt time.Time `json:"deletedAt,omitzero" doc:"Time of the deletion. Absent: not deleted."`
	Work      *Work     `json:"work,omitempty" doc:"Latest run. Absent if the plan never ran."`
}

// Cause says what made a version.
type Cause string

// The causes.
const (
	CauseCreate  Cause = "create"
	CauseImport  Cause = "import"
	CauseEdit    Cause = "edit"   // by hand
	CauseStatus  Cause = "status" // set by hand
	CauseAccept  Cause = "accept" // of a proposal
	CauseRestore Cause = "restore"
)

// Version is one state of a plan.
type Version struct {
	Number   int64      `json:"number"`
	Parent   int64      `json:"parent,omitempty" doc:"Version that undo returns to. 0: none."`
	At       time.Time  `json:"at"`
	Cause    Cause      `json:"cause" enum:"create,import,edit,status,accept,restore" doc:"What created the version."`
	Label    string     `json:"label,omitempty" doc:"Name of the change."`
	Author   string     `json:"author,omitempty"`
	Proposal ProposalID `json:"proposal,omitempty" doc:"Proposal that made the version."`
	Added    int        `json:"added"`
	Removed  int        `json:"removed"`
	Changed  int        `json:"changed" doc:"Number of changed and moved tasks."`
	Plan     *plan.Plan `json:"-"`
}

// State is where a proposal stands.
type State string

// The states. Asking leads to Waiting, Failed or Cancelled; Waiting to Accepted or Refused.
const (
	Asking    State = "asking" // the meta-agent has not answered
	Waiting   State = "waiting"
	Accepted  State = "accepted"
	Refused   State = "refused"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Open reports whether anything can still become of it.
func (s State) Open() bool { return s == Asking || s == Waiting }

// Proposal is a change to a plan that nobody has made yet.
type Proposal struct {
	ID        ProposalID     `json:"id"`
	State     State          `json:"state" enum:"asking,waiting,accepted,refused,failed,cancelled"`
	Wish      string         `json:"wish,omitempty" doc:"Request of the person."`
	Model     llm.Model      `json:"model,omitempty" doc:"Model that was asked. Empty: a person sent the patch."`
	Protocol  meta.Protocol  `json:"protocol,omitempty" enum:"decompose,plan_patch" doc:"decompose: the first plan from a goal. plan_patch: a change."`
	Patch     *plan.Patch    `json:"patch,omitempty"`
	IDs       []plan.ID      `json:"-"` // of the tasks it creates, in the order of its operations
	At        time.Time      `json:"at"`
	EndedAt   time.Time      `json:"endedAt,omitzero"`
	Failure   *errcode.Error `json:"failure,omitempty" doc:"Why the planner gave no usable answer."`
	Made      int64          `json:"made,omitempty" doc:"Version that accepting it created."`
	Calls     int            `json:"calls" doc:"Number of planner calls."`
	TokensIn  int            `json:"tokensIn"`
	TokensOut int            `json:"tokensOut"`
	CostUSD   float64        `json:"costUsd"`
	Unpriced  bool           `json:"unpriced,omitempty" doc:"The price of some models isn't known."`
}

// Progress is what became of a task so far, as who works on it reports. It belongs to the
// task and not to a version: undo leaves it as it is.
type Progress struct {
	Status    plan.Status `json:"status" enum:"PENDING,PLANNING,RUNNING,VALIDATING,BLOCKED,COMPLETE,FAILED"`
	Attempts  []Attempt   `json:"attempts,omitempty"`
	Passed    []int       `json:"passed,omitempty" doc:"Positions of the acceptance criteria that are met."`
	Output    string      `json:"output,omitempty" doc:"End of the worker's output."`
	Error     string      `json:"error,omitempty" doc:"Why the task failed."`
	UpdatedAt time.Time   `json:"updatedAt"`
}

// Attempt is one try of a task.
type Attempt struct {
	Worker    string    `json:"worker"`
	StartedAt time.Time `json:"startedAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	Error     string    `json:"error,omitempty" doc:"Why the attempt failed."`
	Base      string    `json:"base,omitempty" doc:"Commit that the attempt started from."`
	Commit    string    `json:"commit,omitempty" doc:"Commit with the result."`
}

// Written is what one change writes, wholly or not at all. What is nil stays.
type Written struct {
	Record   Record
	Version  *Version  // a new one
	Drop     int64     // versions below this number are not kept any more; 0: all are
	Proposal *Proposal // new or changed
	Call     *meta.Call
	CallOf   ProposalID
	Task     plan.ID // whose Progress it is
	Progress *Progress
}

// Store keeps plans. What Put has returned without an error is durable.
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
	ReasonAsking    = "asking"          // the meta-agent is being asked already
	ReasonEnded     = "proposal_ended"  // nothing can become of the proposal any more
	ReasonRuns      = "touches_running" // the proposal changes what runs: details.tasks
	ReasonReported  = "reported"        // who works on the task says how it stands
	ReasonNothing   = "nothing_to_undo" // or to redo
	ReasonRestarted = "hub_restarted"   // it was being asked within a hub that has ended
)

// Bounds.
const (
	KeepVersions = 200 // of one plan; undo ends at the oldest
	MaxAsks      = 8   // at once
	MaxWish      = 64 << 10
	MaxTasks     = 20000
)

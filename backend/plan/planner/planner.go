// Package planner stores plans, their versions, and proposals to change them. A plan changes only by a patch to its
// head, which creates the next version. A person's edits are applied at once; the planner's answers wait as proposals
// until a person accepts or rejects them. Undo moves the head back.
package planner

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

// ID identifies a plan. IDs sort in the order of creation.
type ID string

// ProposalID identifies a proposal. IDs sort in the order of creation.
type ProposalID string

// Record is the stored metadata of a plan, without its tasks.
type Record struct {
	ID        ID        `json:"id"`
	Name      string    `json:"name"`
	Goal      string    `json:"goal,omitempty" doc:"Goal that the plan started from."`
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

// State is the state of a proposal.
type State string

// The states. Asking changes to Waiting, Failed or Canceled; Waiting to Accepted or Refused.
const (
	Asking   State = "asking" // the planner hasn't answered yet
	Waiting  State = "waiting"
	Accepted State = "accepted"
	Refused  State = "refused"
	Failed   State = "failed"
	Canceled State = "canceled"
)

// Open reports whether the state can still change.
func (s State) Open() bool { return s == Asking || s == Waiting }

// Proposal is a proposed change to a plan.
type Proposal struct {
	ID        ProposalID     `json:"id"`
	State     State          `json:"state" enum:"asking,waiting,accepted,refused,failed,canceled"`
	Request   string         `json:"request,omitempty" doc:"Request of the person."`
	Model     llm.Model      `json:"model,omitempty" doc:"Model that was asked. Empty: a person sent the patch."`
	Protocol  meta.Protocol  `json:"protocol,omitempty" enum:"decompose,plan_patch" doc:"decompose: the first plan from a goal. plan_patch: a change."`
	Patch     *plan.Patch    `json:"patch,omitempty"`
	IDs       []plan.ID      `json:"-"` // of the created tasks, in the order of the operations
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

// Progress is the reported state of a task. It belongs to the task and not to a version: undo doesn't change it.
type Progress struct {
	Status   plan.Status `json:"status" enum:"PENDING,PLANNING,RUNNING,VALIDATING,BLOCKED,COMPLETE,FAILED"`
	Attempts []Attempt   `json:"attempts,omitempty"`
	Passed   []int       `json:"passed,omitempty" doc:"Positions of the acceptance criteria that are met."`
	Output   string      `json:"output,omitempty" doc:"End of the worker's output."`
	Own      []OwnLine   `json:"own,omitempty" doc:"Lines of output by AgentFlow, in order, with codes for any language."`
	Error    string      `json:"error,omitempty" doc:"Why the task failed, or is blocked."`
	// The error in a word, for a page in any language.
	Cause     *errcode.Cause `json:"cause,omitempty"`
	UpdatedAt time.Time      `json:"updatedAt"`
}

// OwnLine is a line of the output that begins with AgentFlow's own words.
type OwnLine struct {
	Line  int           `json:"line" doc:"Number of the line in output, from 0."`
	Chars int           `json:"chars" doc:"Number of characters at the start of the line that the cause says."`
	Cause errcode.Cause `json:"cause"`
}

// Attempt is one run of a task.
type Attempt struct {
	Worker    string    `json:"worker,omitempty" doc:"Coding CLI that ran. Missing until it has started."`
	StartedAt time.Time `json:"startedAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	Error     string    `json:"error,omitempty" doc:"Why the attempt failed."`
	Base      string    `json:"base,omitempty" doc:"Commit that the attempt started from."`
	Commit    string    `json:"commit,omitempty" doc:"Commit with the result."`
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
	ReasonTaskRuns  = "task_runs"       // the edit changes a running task: details.task
	ReasonReported  = "reported"        // the task's status is reported by its worker
	ReasonNothing   = "nothing_to_undo" // or to redo
	ReasonRestarted = "hub_restarted"   // the request ran in a hub process that has ended
)

// Limits.
const (
	KeepVersions = 200 // of one plan; undo ends at the oldest
	MaxAsks      = 8   // in parallel
	MaxGoal      = 64 << 10
	MaxTasks     = 20000
)

// Package rollout brings a drawing to a gateway and back: preview, apply, rollback,
// import (APP-3, GW-3). It owns the running applies, one at a time for each gateway.
package rollout

import (
	"time"

	"agentflow/backend/drawing"
	"agentflow/backend/errcode"
	"agentflow/backend/openclaw"
	"agentflow/backend/topology"
	"agentflow/backend/topology/schema"
	"agentflow/backend/trust"
)

// Target is one gateway as the hub knows it.
type Target struct {
	Name    string // as the person called it
	Gateway openclaw.Gateway
	Models  []string       // known models, provider/model; nil: not known
	Schema  *schema.Schema // what the gateway permits in an agent; nil: it does not say
	Trust   trust.Rules    // what this computer knows that requests of agents depend on
	// Offered are the models that the providers of the built-in gateway listed, by provider.
	Offered         map[string][]string
	DefaultProvider string // of models named without a provider; "": not known
}

// Gateways finds a gateway by the name a person gave it; NOT_FOUND if there is none.
type Gateways interface {
	Target(name string) (Target, error)
}

// Preview says what an apply would do. Nothing has been sent.
type Preview struct {
	openclaw.Preview
	Gateway  string             `json:"gateway"`
	Sent     int                `json:"sent"`     // how many of the changes go to the gateway
	Seen     string             `json:"seen"`     // names exactly what is shown; an apply that is given it does that or nothing
	Problems []topology.Problem `json:"problems"` // errors among them stop the apply
	Stale    bool               `json:"stale"`    // the gateway's config has moved since it was last read
	Merge    *Merge             `json:"merge,omitempty"`

	Draft *topology.Topology `json:"-"` // the team as it would be applied
}

// Merge is the three-way view of a gateway that has moved: base, the drawing, and theirs.
type Merge struct {
	Base       topology.Topology   `json:"base"`
	Theirs     topology.Topology   `json:"theirs"`
	Merged     topology.Topology   `json:"merged"`
	Conflicts  []topology.Conflict `json:"conflicts"`
	FromMine   topology.ChangeSet  `json:"fromMine"`
	FromTheirs topology.ChangeSet  `json:"fromTheirs"`
	Dropped    topology.ChangeSet  `json:"dropped"`
	BaseAt     time.Time           `json:"baseAt,omitzero"`
	First      bool                `json:"first" doc:"the team was never read from this gateway and never applied to it: nobody changed the gateway meanwhile, its agents are added to the team"`
}

// Undecided returns how many conflicts have no choice yet.
func (m *Merge) Undecided() int {
	n := 0
	if m != nil {
		for _, c := range m.Conflicts {
			if c.Choice == "" {
				n++
			}
		}
	}
	return n
}

// State says how an Apply stands.
type State string

// The states. Unknown means that the link was lost while the gateway was deciding and
// it could not be asked since.
const (
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	Unknown   State = "unknown"
)

// Kind says whether an Apply brings a drawing or an earlier config.
type Kind string

// The kinds.
const (
	KindApply    Kind = "apply"
	KindRollback Kind = "rollback"
)

// ID names an Apply.
type ID string

// Apply is one apply or rollback, running or ended.
type Apply struct {
	ID          ID                    `json:"id"`
	Drawing     drawing.ID            `json:"drawing,omitempty"`
	Gateway     string                `json:"gateway"`
	Kind        Kind                  `json:"kind" enum:"apply,rollback"`
	State       State                 `json:"state" enum:"running,done,failed,cancelled,unknown"`
	Steps       []Step                `json:"steps"`
	Cancellable bool                  `json:"cancellable"`
	WaitUntil   time.Time             `json:"waitUntil,omitzero"` // the gateway takes no change before
	Error       *errcode.Error        `json:"error,omitempty"`
	Snapshot    drawing.SnapshotID    `json:"snapshotId,omitempty"` // the config before: what a rollback brings back
	Sent        int                   `json:"sent"`
	Left        int                   `json:"left,omitempty"` // changes that were not chosen: still drawn, not applied
	StartedAt   time.Time             `json:"startedAt"`
	EndedAt     time.Time             `json:"endedAt,omitzero"`
	Restarted   bool                  `json:"restarted,omitempty"`
	Deleted     []topology.AgentID    `json:"deleted,omitempty"`
	Differences []openclaw.Difference `json:"differences,omitempty"` // read back, but not as sent
	Added       []openclaw.Difference `json:"added,omitempty"`       // filled in by the gateway
}

// RollbackRequest asks for a gateway's earlier config.
type RollbackRequest struct {
	Gateway      string
	To           drawing.SnapshotID
	Drawing      drawing.ID // the drawing that is concerned, if any
	DeleteAgents bool       // the person agreed to the deletions shown
	Hash         string     // BaseHash of the PreviewRollback that the person saw; if it is given, another is refused
	// Keep leaves what is drawn as it is: what the rollback takes back waits to be
	// applied again, and if the drawing stands at the apply that To was kept for, it goes
	// back to the step before, as Undo does. Otherwise the drawing follows.
	Keep bool
}

// Step is one stage of an Apply.
type Step struct {
	Name            openclaw.Step `json:"name" enum:"check,snapshot,delete,apply,wait,verify"`
	State           string        `json:"state" enum:"waiting,running,done,failed,skipped"`
	Detail          string        `json:"detail,omitempty"`
	ExpectedSeconds int           `json:"expectedSeconds,omitempty"`
}

// Wish is what a person wants of an apply.
type Wish struct {
	Choices  map[string]topology.Choice // answers to conflicts, by their ID
	LeaveOut []string                   // IDs of changes that stay drawn and are not applied, with what needs them
}

// Request asks for an apply of what a Preview showed.
type Request struct {
	Wish
	Hash         string // Preview.BaseHash
	Seen         string // Preview.Seen; if it is given, anything else is refused
	DeleteAgents bool   // the person agreed to the deletions shown
	Note         string
}

// Reasons of refused applies.
const (
	ReasonUndecided = "undecided_conflicts"
	ReasonProblems  = "problems"
	ReasonRunning   = "apply_running"
	ReasonNothing   = "nothing_to_apply"
	ReasonTooLate   = "already_sent"
	ReasonNotSeen   = "changed_since_review"
)

// Package rollout brings a team to a gateway and back: preview, apply, rollback,
// import (APP-3, GW-3). It owns the running applies, one at a time for each gateway.
package rollout

import (
	"maps"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// Target is one gateway as the hub knows it.
type Target struct {
	Name    string // as the person called it
	Gateway openclaw.Gateway
	Models  []string              // that the gateway lists, provider/model; nil: not known
	Schema  *gatewayschema.Schema // what the gateway permits in an agent; nil: it does not say
	Trust   trust.Rules           // what this computer knows that requests of agents depend on
	// Providers are those of the built-in gateway, and Offered the models that they listed.
	Providers       []string
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
	Sent     int                `json:"sent" doc:"Number of changes that an apply would send."`
	Seen     string             `json:"seen" doc:"Digest of this preview. Send it with the apply, which then does exactly this or nothing."`
	Problems []topology.Problem `json:"problems" doc:"What the linter reports. Errors stop the apply."`
	Stale    bool               `json:"stale" doc:"The gateway's config changed since it was last read."`
	Merge    *Merge             `json:"merge,omitempty" doc:"Merge of draft and gateway, if both changed."`

	Draft *topology.Topology `json:"-"` // the team as it would be applied
}

// Merge is the three-way view of a gateway that has moved: base, the team, and theirs.
type Merge struct {
	Base       topology.Topology                     `json:"base" doc:"Team when both sides were last the same."`
	Theirs     topology.Topology                     `json:"theirs" doc:"Team that the gateway runs."`
	Merged     topology.Topology                     `json:"merged" doc:"Result of the merge."`
	Conflicts  []topology.Conflict                   `json:"conflicts"`
	FromMine   topology.ChangeSet                    `json:"fromMine" doc:"Changes in the draft."`
	FromTheirs topology.ChangeSet                    `json:"fromTheirs" doc:"Changes on the gateway."`
	Dropped    topology.ChangeSet                    `json:"dropped" doc:"Changes that the decisions drop."`
	BaseAt     time.Time                             `json:"baseAt,omitzero" doc:"Time when both sides were last the same."`
	Moved      map[topology.AgentID]topology.AgentID `json:"-"` // new IDs of agents of the draft
	First      bool                                  `json:"first" doc:"The team was never imported from or applied to this gateway, or another team was applied to it since and replaced agents of this one. Its agents are added to the team, or deleted with replace."`

	Others       []topology.AgentID `json:"others,omitempty" doc:"With first: agents of the gateway that the draft doesn't have. You choose whether they stay."`
	Replace      bool               `json:"replace,omitempty" doc:"The preview replaces the gateway's team. Its other agents are in deletions."`
	Example      bool               `json:"example,omitempty" doc:"The gateway runs only the example team, unchanged since the first start."`
	Coordinators []topology.AgentID `json:"coordinators,omitempty" doc:"With others: coordinators of the merged team, where the gateway supports roles."`
	Unassigned   []topology.AgentID `json:"unassigned,omitempty" doc:"Agents that no coordinator of the merged team can delegate to, although they got tasks before."`
}

// move returns a version of the draft with the IDs that its agents have in the merged team.
func (m *Merge) move(t *topology.Topology) *topology.Topology {
	if m == nil || len(m.Moved) == 0 {
		return t
	}
	t = t.Clone()
	topology.Apart(t, slices.Collect(maps.Values(m.Moved)))
	return t.Moved(m.Moved, &m.Base)
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
	Running  State = "running"
	Done     State = "done"
	Failed   State = "failed"
	Canceled State = "canceled"
	Unknown  State = "unknown"
)

// Kind says whether an Apply brings a team or an earlier config.
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
	Team        library.ID            `json:"team,omitempty" doc:"ID of the team."`
	Gateway     string                `json:"gateway"`
	Kind        Kind                  `json:"kind" enum:"apply,rollback" doc:"An apply, or a rollback to a snapshot."`
	State       State                 `json:"state" enum:"running,done,failed,canceled,unknown" doc:"unknown: the connection was lost, so the outcome isn't known."`
	Steps       []Step                `json:"steps" doc:"Steps in order, with their states."`
	Cancellable bool                  `json:"cancellable" doc:"Nothing was sent yet, so the apply can be canceled."`
	WaitUntil   time.Time             `json:"waitUntil,omitzero" doc:"The gateway accepts no change before this time."`
	Error       *errcode.Error        `json:"error,omitempty" doc:"Why it failed."`
	Snapshot    library.SnapshotID    `json:"snapshotId,omitempty" doc:"Snapshot of the config before. A rollback can restore it."`
	To          library.SnapshotID    `json:"to,omitempty" doc:"Snapshot that a rollback restores."`
	Keep        bool                  `json:"keep,omitempty" doc:"The rollback leaves the draft as it is. Default: the team follows."`
	Sent        int                   `json:"sent" doc:"Number of changes sent."`
	Left        int                   `json:"left,omitempty" doc:"Number of changes that were left out. They stay in the draft."`
	StartedAt   time.Time             `json:"startedAt"`
	EndedAt     time.Time             `json:"endedAt,omitzero"`
	Restarted   bool                  `json:"restarted,omitempty" doc:"The gateway restarted."`
	Deleted     []topology.AgentID    `json:"deleted,omitempty" doc:"IDs of deleted agents."`
	Files       []openclaw.FileRef    `json:"files,omitempty" doc:"Workspace files that were written."`
	Jobs        []string              `json:"jobs,omitempty" doc:"Names of scheduled jobs that a rollback added again."`
	SecretsLeft []string              `json:"secretsLeft,omitempty" doc:"Paths of secrets that a rollback left out: the gateway no longer has them, and nobody entered them."`
	Differences []openclaw.Difference `json:"differences,omitempty" doc:"Values that the gateway stored differently than they were sent."`
	Added       []openclaw.Difference `json:"added,omitempty" doc:"Values that the gateway filled in."`
}

// RollbackRequest asks for a gateway's earlier config.
type RollbackRequest struct {
	Gateway      string
	To           library.SnapshotID
	Team         library.ID // the team that is concerned, if any
	DeleteAgents bool       // the person agreed to the deletions shown
	Hash         string     // BaseHash of the PreviewRollback that the person saw; if it is given, another is refused
	// Secrets are those that the preview's losses name, as the person entered them again. The others are left out.
	Secrets []openclaw.Secret
	// Keep leaves what is drawn as it is: what the rollback takes back waits to be
	// applied again, and if the team stands at the apply that To was kept for, it goes
	// back to the step before, as Undo does. Otherwise the team follows.
	Keep bool
}

// Step is one stage of an Apply.
type Step struct {
	Name            openclaw.Step `json:"name" enum:"check,snapshot,files,delete,apply,wait,verify,new_files,jobs"`
	State           string        `json:"state" enum:"waiting,running,done,failed,skipped,unknown" doc:"unknown: the changes were sent, and the outcome is being checked."`
	Detail          string        `json:"detail,omitempty"`
	ExpectedSeconds int           `json:"expectedSeconds,omitempty"`
}

// Decisions are what a person decided about an apply.
type Decisions struct {
	Choices  map[string]topology.Choice // answers to conflicts, by their ID
	LeaveOut []string                   // IDs of changes that stay drawn and are not applied, with what needs them
	Replace  bool                       // without a base: the gateway's other agents go, instead of joining the team
}

// Request asks for an apply of what a Preview showed.
type Request struct {
	Decisions
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

	ReasonInterrupted = "interrupted" // an apply or a rollback that the end of the hub cut off
)

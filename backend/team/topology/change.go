package topology

import (
	"encoding/json"

	"agentflow/backend/team/topology/internal/change"
)

// Op says what happened to the subject of a Change.
type Op = change.Op

// Subject says what kind of thing a Change or a Problem is about.
type Subject = change.Subject

// Change is one difference between two topologies.
type Change = change.Change

// ChangeSet is what differs, draft from base, in a stable order.
type ChangeSet = change.Set

// The operations of a Change.
const (
	Added   = change.Added
	Removed = change.Removed
	Changed = change.Changed
	Moved   = change.Moved
)

// The subjects of a Change or a Problem.
const (
	SubjectTeam       = change.Team
	SubjectAgent      = change.Agent
	SubjectConnection = change.Connection
	SubjectLayout     = change.Layout
	SubjectGroup      = change.Group
	SubjectNote       = change.Note
	SubjectBinding    = change.Binding
	SubjectBroadcast  = change.Broadcast
	SubjectDefaults   = change.Defaults
	SubjectMessages   = change.Messages
)

// Choice answers a Conflict.
type Choice string

// The answers. KeepBoth exists only if Conflict.KeepBoth is true.
const (
	ChooseBase   Choice = "base"
	ChooseMine   Choice = "mine"
	ChooseTheirs Choice = "theirs"
	ChooseBoth   Choice = "both"
)

// Conflict is one thing that mine and theirs changed differently since base.
type Conflict struct {
	ID       string          `json:"id"`
	Reason   string          `json:"reason" enum:"both_changed,both_added,removed_there,removed_here" doc:"What both sides did."`
	Subject  Subject         `json:"subject" enum:"team,agent,connection,layout,group,note,binding,broadcast,defaults,messages"`
	Agent    AgentID         `json:"agent,omitempty"`
	Target   AgentID         `json:"target,omitempty"`
	Kind     Kind            `json:"kind,omitempty"`
	Item     string          `json:"item,omitempty" doc:"Of a binding: what it matches."`
	Field    string          `json:"field,omitempty"`
	Base     json.RawMessage `json:"base,omitempty" doc:"Value of the base. Absent if there was none."`
	Mine     json.RawMessage `json:"mine,omitempty" doc:"Your value."`
	Theirs   json.RawMessage `json:"theirs,omitempty" doc:"Value of the gateway or of the other edit."`
	KeepBoth bool            `json:"keepBoth,omitempty" doc:"Both values can be kept."`
	Both     json.RawMessage `json:"both,omitempty" doc:"Result of keeping both."`
	Choice   Choice          `json:"choice,omitempty" doc:"Decision: mine, theirs or both. Empty: none yet."`
}

// Merged is the outcome of a three-way merge.
type Merged struct {
	Topology   Topology            `json:"topology"`   // undecided conflicts stand as mine
	FromMine   ChangeSet           `json:"fromMine"`   // taken from mine without a conflict
	FromTheirs ChangeSet           `json:"fromTheirs"` // taken from theirs without a conflict, or made by both alike
	Dropped    ChangeSet           `json:"dropped"`    // new connections that fell away because the other side removed their target
	Conflicts  []Conflict          `json:"conflicts"`
	Moved      map[AgentID]AgentID `json:"-"` // new ids of agents of mine, where both are kept
}

// Severity ranks a Problem.
type Severity string

// Errors stop an apply; warnings do not.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Problem is one finding of Lint, with its place, the reason and the remedy. The
// window translates by Code and Params; Message and Remedy are the English text.
type Problem struct {
	ID       string            `json:"id" doc:"Stable ID: code and place."`
	Severity Severity          `json:"severity" enum:"error,warning"`
	Code     string            `json:"code" doc:"Stable code of the problem."`
	Subject  Subject           `json:"subject,omitempty" enum:"team,agent,connection,layout,group,note,binding,broadcast,defaults,messages"`
	Agent    AgentID           `json:"agent,omitempty"`
	Target   AgentID           `json:"target,omitempty"`
	Kind     Kind              `json:"kind,omitempty"`
	Item     string            `json:"item,omitempty" doc:"ID of a group. Of a binding: its position in the list, from 0."`
	Field    string            `json:"field,omitempty"`
	Path     []AgentID         `json:"path,omitempty" doc:"Agents of a cycle, in order."`
	Message  string            `json:"message"`
	Remedy   string            `json:"remedy" doc:"How to fix it."`
	Params   map[string]string `json:"params,omitempty"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
}

package topology

import "encoding/json"

// Op says what happened to the subject of a Change.
type Op string

// The operations of a Change. Moved concerns places, and orders that no gateway
// holds; it is never sent to one.
const (
	Added   Op = "added"
	Removed Op = "removed"
	Changed Op = "changed"
	Moved   Op = "moved"
)

// Subject says what kind of thing a Change or a Problem is about.
type Subject string

// The subjects.
const (
	SubjectTeam       Subject = "team" // name, extra, order of agents
	SubjectAgent      Subject = "agent"
	SubjectConnection Subject = "connection"
	SubjectLayout     Subject = "layout"
	SubjectGroup      Subject = "group"
	SubjectNote       Subject = "note"
)

// Change is one difference between two topologies. Its ID is stable: the same
// difference found again has the same one.
type Change struct {
	ID      string  `json:"id"` // e.g. "agent:dev-1", "agent:dev-1:model", "connection:pm-1:command:dev-1", "layout:dev-1"
	Op      Op      `json:"op" enum:"added,removed,changed,moved"`
	Subject Subject `json:"subject" enum:"team,agent,connection,layout,group,note"`
	Agent   AgentID `json:"agent,omitempty"`  // the agent, or the source of the connection
	Target  AgentID `json:"target,omitempty"` // of a connection
	Kind    Kind    `json:"kind,omitempty"`   // of a connection
	Item    string  `json:"item,omitempty"`   // id of a group or note; of a connection that stands more than once, "2", "3", …
	Field   string  `json:"field,omitempty"`  // JSON name of the changed field, "extra.<key>", or an order (see FieldOrder); "" for the whole thing

	// Dangling marks a connection that leads to nobody in the draft, which Lint
	// reports as unknown_target: added so, or left so when its target was removed.
	Dangling bool `json:"dangling,omitempty"`

	// Before and After are the values as JSON; absent where there is none. An added
	// agent's After holds it without its connections, which are changes of their own.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// ChangeSet is what differs, draft from base, in a stable order: agents in drawing
// order, each followed by its connections, then layout, groups, notes, team.
type ChangeSet []Change

// Choice answers a Conflict.
type Choice string

// The answers. KeepBoth exists where Conflict.KeepBoth says so.
const (
	ChooseBase   Choice = "base"
	ChooseMine   Choice = "mine"
	ChooseTheirs Choice = "theirs"
	ChooseBoth   Choice = "both"
)

// Conflict is one thing that mine and theirs changed differently since base.
type Conflict struct {
	ID       string          `json:"id"`
	Reason   string          `json:"reason" enum:"both_changed,both_added,removed_there,removed_here"`
	Subject  Subject         `json:"subject" enum:"team,agent,connection,layout,group,note"`
	Agent    AgentID         `json:"agent,omitempty"`
	Target   AgentID         `json:"target,omitempty"`
	Kind     Kind            `json:"kind,omitempty"`
	Field    string          `json:"field,omitempty"`
	Base     json.RawMessage `json:"base,omitempty"` // absent: was not there
	Mine     json.RawMessage `json:"mine,omitempty"`
	Theirs   json.RawMessage `json:"theirs,omitempty"`
	KeepBoth bool            `json:"keepBoth,omitempty"`
	Both     json.RawMessage `json:"both,omitempty"`   // what keeping both gives, for a field
	Choice   Choice          `json:"choice,omitempty"` // "" while undecided
}

// Merged is the outcome of a three-way merge.
type Merged struct {
	Topology   Topology   `json:"topology"`   // undecided conflicts stand as mine
	FromMine   ChangeSet  `json:"fromMine"`   // taken from mine without a conflict
	FromTheirs ChangeSet  `json:"fromTheirs"` // taken from theirs without a conflict, or made by both alike
	Dropped    ChangeSet  `json:"dropped"`    // new connections that fell away because the other side removed their target
	Conflicts  []Conflict `json:"conflicts"`
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
	ID       string            `json:"id"` // stable: code plus place
	Severity Severity          `json:"severity" enum:"error,warning"`
	Code     string            `json:"code"`
	Subject  Subject           `json:"subject,omitempty" enum:"team,agent,connection,layout,group,note"`
	Agent    AgentID           `json:"agent,omitempty"`
	Target   AgentID           `json:"target,omitempty"`
	Kind     Kind              `json:"kind,omitempty"`
	Field    string            `json:"field,omitempty"`
	Path     []AgentID         `json:"path,omitempty"` // the agents of a cycle, in order
	Message  string            `json:"message"`
	Remedy   string            `json:"remedy"`
	Params   map[string]string `json:"params,omitempty"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
}

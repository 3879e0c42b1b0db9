// Package change is the vocabulary in which two drawings differ: what changed, where,
// from what to what. It is pure.
package change

import (
	"encoding/json"
	"fmt"

	"agentflow/backend/errcode"
)

// AgentID names an agent within one topology.
type AgentID string

// Kind says what a connection permits.
type Kind string

// Op says what happened to the subject of a Change.
type Op string

// The operations of a Change. Moved concerns what no gateway holds: places, locks,
// membership of groups, and orders. It is never sent to one.
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
	Team       Subject = "team" // name, extra, order of agents
	Agent      Subject = "agent"
	Connection Subject = "connection"
	Layout     Subject = "layout"
	Group      Subject = "group"
	Note       Subject = "note"
)

// Change is one difference between two topologies. Its ID is stable: the same
// difference found again has the same one.
type Change struct {
	ID      string  `json:"id"` // e.g. "agent:dev-1", "agent:dev-1:model", "connection:pm-1:command:dev-1", "layout:dev-1", "member:dev-1"
	Op      Op      `json:"op" enum:"added,removed,changed,moved"`
	Subject Subject `json:"subject" enum:"team,agent,connection,layout,group,note"`
	Agent   AgentID `json:"agent,omitempty"`  // the agent, or the source of the connection, or who went from group to group
	Target  AgentID `json:"target,omitempty"` // of a connection
	Kind    Kind    `json:"kind,omitempty"`   // of a connection
	Item    string  `json:"item,omitempty"`   // id of a group or note; of a connection that stands more than once, "2", "3", …
	Field   string  `json:"field,omitempty"`  // JSON name of the changed field, "extra.<key>", "group", or an order; "" for the whole thing

	// Dangling marks a connection that leads to nobody in the draft, which Lint
	// reports as unknown_target: added so, or left so when its target was removed.
	Dangling bool `json:"dangling,omitempty"`

	// Before and After are the values as JSON; absent where there is none. An added
	// agent's After holds it without its connections, which are changes of their own,
	// and an added group's without its members.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// Set is what differs, draft from base, in a stable order: agents in drawing order,
// each followed by its connections, then layout, groups, who went from group to
// group, notes, team.
type Set []Change

// Refuse is the error for a change that cannot be made; its details.field is the
// change's ID.
func (c Change) Refuse(format string, args ...any) error {
	return errcode.New(errcode.Validation, "change %q: %s", c.ID, fmt.Sprintf(format, args...)).With(errcode.KeyField, c.ID)
}

// Decode reads the value after the change.
func (c Change) Decode(v any) error {
	if err := json.Unmarshal(c.After, v); err != nil {
		return c.Refuse("its value cannot be read: %s", err.Error())
	}
	return nil
}

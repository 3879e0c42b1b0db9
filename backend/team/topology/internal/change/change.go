// Package change is the vocabulary in which two teams differ: what changed, where,
// from what to what. It is pure.
package change

import (
	"encoding/json"
	"fmt"
	"strings"

	"agentflow/backend/base/errcode"
)

// AgentID names an agent within one topology.
type AgentID string

// IsPath reports whether the ID leads to another folder where a folder is named after it, as workspaces are.
func (id AgentID) IsPath() bool {
	return id == "." || id == ".." || strings.ContainsAny(string(id), `/\`)
}

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
	Binding    Subject = "binding"   // a rule for the messages of a channel
	Broadcast  Subject = "broadcast" // a group of agents that answer one conversation
	Defaults   Subject = "defaults"  // a setting that every agent inherits
	Messages   Subject = "messages"  // a setting for messages between agents
)

// Change is one difference between two topologies. Its ID is stable: the same
// difference found again has the same one.
type Change struct {
	ID      string  `json:"id" doc:"ID of the change, such as agent:dev-1:model."`
	Op      Op      `json:"op" enum:"added,removed,changed,moved"`
	Subject Subject `json:"subject" enum:"team,agent,connection,layout,group,note,binding,broadcast,defaults,messages"`
	Agent   AgentID `json:"agent,omitempty" doc:"The agent, the source of the connection or the member of the group."`
	Target  AgentID `json:"target,omitempty" doc:"Target agent of a connection."`
	Kind    Kind    `json:"kind,omitempty"`
	Item    string  `json:"item,omitempty" doc:"ID of a group or note. For repeated connections: 2, 3 and so on. For a binding: what it matches."`
	Field   string  `json:"field,omitempty" doc:"JSON name of the changed field. For a broadcast group: its conversation. Empty: the whole object."`

	// Dangling marks a connection whose target is not in the draft, which Lint
	// reports as unknown_target: it was added so, or its target was removed.
	Dangling bool `json:"dangling,omitempty" doc:"The connection leads to an agent that doesn't exist."`

	// Before and After are the values as JSON; absent where there is none. An added
	// agent's After holds it without its connections, which are changes of their own,
	// and an added group's without its members.
	Before json.RawMessage `json:"before,omitempty" doc:"Value before the change. Absent if there was none."`
	After  json.RawMessage `json:"after,omitempty" doc:"Value after the change. Absent if there is none."`
}

// Set is what differs, draft from base, in a stable order: agents in their order,
// each followed by its connections, then layout, groups, who went from group to
// group, notes, team, bindings, broadcast groups, defaults, messages.
type Set []Change

// Refuse is the error for a change that cannot be made; its details.field is the
// change's ID.
func (c Change) Refuse(format string, args ...any) error {
	return errcode.New(errcode.Validation, "change %q: %s", c.ID, fmt.Sprintf(format, args...)).
		With(errcode.KeyField, c.ID)
}

// Decode reads the value after the change.
func (c Change) Decode(v any) error {
	if err := json.Unmarshal(c.After, v); err != nil {
		return c.Refuse("its value cannot be read: %s", err.Error())
	}
	return nil
}

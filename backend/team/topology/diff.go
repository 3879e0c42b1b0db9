package topology

import (
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology/internal/canvas"
	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// Fields of a Change that hold an order: the ids, or for connections the keys, as
// they stand in the draft. Diff reports one only if the order differs from the one
// that Apply produces: first what stays, in its old order, then what is new.
const (
	FieldOrder      = canvas.FieldOrder // of agents (subject team), of one agent's connections, or of a group's members
	FieldGroupOrder = canvas.FieldGroupOrder
	FieldNoteOrder  = canvas.FieldNoteOrder
	FieldGroup      = canvas.FieldGroup // of an agent that goes from one group to another: not an order, but who is in it
)

type differ struct {
	cs       ChangeSet
	was, now agentSet
	wentAny  bool // some agent of base is not in the draft
	left     int  // agents that are still to be compared, see add
}

// Diff returns what differs, draft from base. Apply(base, Diff(base, draft)) equals
// draft. Ids of agents, groups and notes must be unique, and an agent in one group at
// most (see Validate). Nil stands for an empty topology.
func Diff(base, draft *Topology) ChangeSet {
	base, draft = orEmpty(base), orEmpty(draft)
	d := differ{cs: ChangeSet{}, was: agentSetOf(base)}
	d.now = ordered.NewSetLike(d.was, draft.Agents, agentKey)
	d.wentAny, d.left = d.was.Missing(d.now), len(draft.Agents)
	natural := ordered.Compare(d.was, d.now, d.agent)
	canvas.Diff(base.sheet(), draft.sheet(), d.add)
	if base.Name != draft.Name {
		d.team(Changed, "name", rawjson.Of(base.Name), rawjson.Of(draft.Name))
	}
	draft.Extra.Diff(base.Extra, func(key string, before, after json.RawMessage) {
		d.team(Changed, extraField+key, before, after)
	})
	if !natural {
		d.team(Changed, FieldOrder, rawjson.Of(d.was.Keys), rawjson.Of(d.now.Keys))
	}
	d.bindings(base.Bindings, draft.Bindings)
	d.broadcast(base.Broadcast, draft.Broadcast)
	d.defaults(base.Defaults, draft.Defaults)
	d.messages(base.Messages, draft.Messages)
	return d.cs
}

func (d *differ) add(c Change) {
	if len(d.cs) == cap(d.cs) {
		// A Change is large: append alone would copy each one more often.
		d.cs = slices.Grow(d.cs, max(8, len(d.cs), min(d.left, 15*len(d.cs))))
	}
	d.cs = append(d.cs, c)
}

func (d *differ) agent(id AgentID, b, a *Agent) {
	d.left--
	switch {
	case b == nil:
		d.added(id, a)
		d.connections(id, nil, a.Connections)
		return
	case a == nil:
		d.add(Change{ID: agentPlace(id, ""), Op: Removed, Subject: SubjectAgent, Agent: id, Before: agentJSON(b)})
		d.connections(id, b.Connections, nil)
		return
	}
	d.fields(id, b, a)
	d.connections(id, b.Connections, a.Connections)
}

// added reports a new agent, and its workspace files as changes beside it: they are texts to be read.
func (d *differ) added(id AgentID, a *Agent) {
	bare := *a
	bare.Files = nil
	d.add(Change{ID: agentPlace(id, ""), Op: Added, Subject: SubjectAgent, Agent: id, After: agentJSON(&bare)})
	a.Files.diff(nil, d.changed(id))
}

// changed returns what reports one field of an agent.
func (d *differ) changed(id AgentID) func(name string, before, after json.RawMessage) {
	return func(name string, before, after json.RawMessage) {
		d.add(Change{
			ID:      changeid.ID(string(SubjectAgent), string(id), name),
			Op:      Changed,
			Subject: SubjectAgent,
			Agent:   id,
			Field:   name,
			Before:  before,
			After:   after,
		})
	}
}

func (d *differ) fields(id AgentID, b, a *Agent) {
	field := d.changed(id)
	for k := range agentFields {
		if f := &agentFields[k]; f.Name == FieldFiles {
			a.Files.diff(b.Files, field)
		} else if !f.equal(b, a) {
			field(f.Name, f.get(b), f.get(a))
		}
	}
	a.Extra.Diff(b.Extra, func(key string, before, after json.RawMessage) { field(extraField+key, before, after) })
}

// agentJSON is the agent without its connections.
func agentJSON(a *Agent) json.RawMessage {
	c := *a
	c.Connections = nil
	return rawjson.Of(c)
}

func (d *differ) connections(source AgentID, base, draft []Connection) {
	alike := 0
	for alike < min(len(base), len(draft)) && base[alike].same(&draft[alike]) {
		alike++
	}
	if alike == max(len(base), len(draft)) && !d.wentAny {
		return
	}
	was, now := connSetOf(base), connSetOf(draft)
	natural := ordered.Compare(was, now, func(k connKey, b, a *Connection) { d.connection(source, k, b, a) })
	if !natural {
		d.add(Change{ID: agentPlace(source, FieldOrder), Op: Moved, Subject: SubjectAgent, Agent: source, Field: FieldOrder,
			Before: rawjson.Of(keyStrings(was.Keys)), After: rawjson.Of(keyStrings(now.Keys))})
	}
}

func (d *differ) connection(source AgentID, k connKey, b, a *Connection) {
	add := func(op Op, field string, before, after json.RawMessage, dangling bool) {
		c := connChange(source, k, op, field)
		c.Before, c.After, c.Dangling = before, after, dangling
		d.add(c)
	}
	switch {
	case b == nil:
		add(Added, "", nil, rawjson.Of(a), !d.now.Has(k.target))
		return
	case a == nil:
		add(Removed, "", rawjson.Of(b), nil, false)
		return
	case d.wentAny && d.was.Has(k.target) && !d.now.Has(k.target):
		add(Changed, "", rawjson.Of(b), rawjson.Of(a), true)
		return
	}
	if b.Label != a.Label {
		add(Changed, "label", rawjson.Of(b.Label), rawjson.Of(a.Label), false)
	}
	a.Extra.Diff(b.Extra,
		func(key string, before, after json.RawMessage) { add(Changed, extraField+key, before, after, false) })
}

func connChange(source AgentID, k connKey, op Op, field string) Change {
	return Change{ID: connPlace(source, k, field), Op: op, Subject: SubjectConnection,
		Agent: source, Target: k.target, Kind: k.kind, Item: k.item(), Field: field}
}

func keyStrings(keys []connKey) []string {
	s := make([]string, len(keys))
	for i, k := range keys {
		s[i] = k.String()
	}
	return s
}

func (d *differ) team(op Op, field string, before, after json.RawMessage) {
	d.add(Change{
		ID:      changeid.ID(string(SubjectTeam), field, ""),
		Op:      op,
		Subject: SubjectTeam,
		Field:   field,
		Before:  before,
		After:   after,
	})
}

package topology

import (
	"slices"
	"strconv"
	"strings"

	"agentflow/backend/team/topology/internal/canvas"
	"agentflow/backend/team/topology/internal/ordered"
)

// Apply returns base with the changes made; base stays as it is. The change set may
// be a chosen part of a Diff. An agent that is removed takes the connections to it
// along, unless a change marked Dangling keeps one. A change that cannot be made is a
// VALIDATION_ERROR whose details.field is the change's ID, for example a connection
// to an agent that was not chosen. Nil stands for an empty topology.
func Apply(base *Topology, cs ChangeSet) (*Topology, error) {
	a := applier{t: orEmpty(base).Clone(), removed: map[AgentID]bool{}, conns: map[AgentID][]Change{}}
	for _, phase := range []func(ChangeSet) error{
		a.agents, a.connections, a.canvas, a.team, a.bindings, a.broadcast, a.defaults, a.messages,
	} {
		if err := phase(cs); err != nil {
			return nil, err
		}
	}
	return a.t, nil
}

type applier struct {
	t       *Topology
	idx     map[AgentID]int
	removed map[AgentID]bool
	conns   map[AgentID][]Change // by source
}

// agents removes, adds and edits agents, and sorts the changes of connections.
func (a *applier) agents(cs ChangeSet) error {
	for _, c := range cs {
		if c.Subject == SubjectAgent && c.Op == Removed && c.Field == "" {
			a.removed[c.Agent] = true
		}
	}
	if len(a.removed) > 0 {
		a.t.Agents = slices.DeleteFunc(a.t.Agents, func(x Agent) bool { return a.removed[x.ID] })
	}
	a.idx = ordered.Index(agentSetOf(a.t).Keys)
	var edits []Change
	for _, c := range cs {
		switch {
		case c.Subject == SubjectConnection, c.Subject == SubjectAgent && c.Field == FieldOrder:
			a.conns[c.Agent] = append(a.conns[c.Agent], c)
		case c.Subject == SubjectAgent && c.Field != "":
			edits = append(edits, c)
		case c.Subject == SubjectAgent && c.Op == Added:
			if err := a.addAgent(c); err != nil {
				return err
			}
		}
	}
	for _, c := range edits {
		if err := a.editAgent(c); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) addAgent(c Change) error {
	if _, ok := a.idx[c.Agent]; ok {
		return c.Refuse("there is an agent %q already", c.Agent)
	}
	var x Agent
	if err := c.Decode(&x); err != nil {
		return err
	}
	x.ID, x.Connections = c.Agent, nil
	a.idx[x.ID] = len(a.t.Agents)
	a.t.Agents = append(a.t.Agents, x)
	return nil
}

func (a *applier) editAgent(c Change) error {
	i, ok := a.idx[c.Agent]
	if !ok {
		return c.Refuse("there is no agent %q", c.Agent)
	}
	if err := setField(&a.t.Agents[i], c.Field, c.After); err != nil {
		return c.Refuse("%s", err.Error())
	}
	return nil
}

func (a *applier) connections(cs ChangeSet) error {
	for _, c := range cs {
		if _, ok := a.idx[c.Agent]; !ok && c.Subject == SubjectConnection && !a.removed[c.Agent] {
			return c.Refuse("there is no agent %q", c.Agent)
		}
	}
	for i := range a.t.Agents {
		x := &a.t.Agents[i]
		edits := a.conns[x.ID]
		if a.idx[x.ID] != i || len(edits) == 0 && len(a.removed) == 0 {
			continue
		}
		if err := a.connectionsOf(x, edits); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) connectionsOf(x *Agent, edits []Change) error {
	byKey := make(map[connKey][]Change, len(edits))
	var order *Change
	for i, c := range edits {
		if c.Subject == SubjectAgent {
			order = &edits[i]
			continue
		}
		byKey[changeKey(c)] = append(byKey[changeKey(c)], c)
	}
	var kept []Connection
	var keptKeys []connKey
	for i, k := range connSetOf(x.Connections).Keys {
		conn := x.Connections[i]
		stays, err := a.editConnection(&conn, byKey[k])
		if err != nil {
			return err
		}
		if stays {
			kept, keptKeys = append(kept, conn), append(keptKeys, k)
		}
	}
	stands := ordered.Index(keptKeys)
	for _, c := range edits {
		if _, there := stands[changeKey(c)]; there || c.Subject != SubjectConnection || c.Op != Added {
			continue
		}
		conn, err := a.newConnection(c)
		if err != nil {
			return err
		}
		kept, keptKeys = append(kept, conn), append(keptKeys, changeKey(c))
	}
	x.Connections = kept
	if order != nil {
		return sortAs(*order, x.Connections, keyStrings(keptKeys))
	}
	return nil
}

func changeKey(c Change) connKey {
	k := connKey{kind: c.Kind, target: c.Target}
	if n, err := strconv.Atoi(c.Item); err == nil {
		k.n = n - 1
	}
	return k
}

func (a *applier) editConnection(conn *Connection, edits []Change) (stays bool, err error) {
	stays = !a.removed[conn.TargetID]
	for _, c := range edits {
		switch {
		case c.Op == Removed && c.Field == "":
			return false, nil
		case c.Op == Changed && c.Field == "":
			stays, *conn = c.Dangling, Connection{}
			err = c.Decode(conn)
			conn.TargetID, conn.Type = c.Target, c.Kind
		case c.Op == Changed && c.Field == "label":
			conn.Label = ""
			err = c.Decode(&conn.Label)
		case c.Op == Changed:
			key, ok := strings.CutPrefix(c.Field, extraField)
			if !ok {
				return false, c.Refuse("a connection has no field %q", c.Field)
			}
			conn.Extra = conn.Extra.With(key, c.After)
		}
		if err != nil {
			return false, err
		}
	}
	return stays, nil
}

func (a *applier) newConnection(c Change) (Connection, error) {
	var conn Connection
	if _, ok := a.idx[c.Target]; !ok && !c.Dangling {
		return conn, c.Refuse("the connection leads from %q to %q, and there is no agent %q; choose its addition too",
			c.Agent, c.Target, c.Target)
	}
	err := c.Decode(&conn)
	conn.TargetID, conn.Type = c.Target, c.Kind
	return conn, err
}

func (a *applier) canvas(cs ChangeSet) error {
	s := a.t.sheet()
	err := canvas.Apply(&s, cs)
	a.t.Layout, a.t.Groups, a.t.Notes = s.Layout, s.Groups, s.Notes
	return err
}

func (a *applier) team(cs ChangeSet) error {
	for _, c := range cs {
		if c.Subject != SubjectTeam {
			continue
		}
		var err error
		key, isExtra := strings.CutPrefix(c.Field, extraField)
		switch {
		case isExtra:
			a.t.Extra = a.t.Extra.With(key, c.After)
		case c.Field == "name":
			a.t.Name = ""
			err = c.Decode(&a.t.Name)
		case c.Field == FieldOrder:
			err = sortAs(c, a.t.Agents, agentSetOf(a.t).Keys)
		case c.Field != FieldGroupOrder && c.Field != FieldNoteOrder:
			err = c.Refuse("a team has no field %q", c.Field)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func sortAs[T any, K comparable](c Change, items []T, keys []K) error {
	var order []K
	if err := c.Decode(&order); err != nil {
		return err
	}
	ordered.Sort(items, keys, order)
	return nil
}

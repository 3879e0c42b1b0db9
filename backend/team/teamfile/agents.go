package teamfile

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// agents edits the list of agents. Where agents changed places the list is put in
// the new order; each agent's own text comes along.
func (w *writer) agents(old, want *topology.Topology) {
	list := docedit.Get(w.doc.Root(), keyAgents)
	if !docedit.IsList(list) {
		fresh := docedit.List(false)
		for i := range want.Agents {
			fresh.Content = append(fresh.Content, w.agentNode(&want.Agents[i]))
		}
		w.whole(keyAgents, fresh, len(want.Agents) > 0)
		return
	}
	at := make(map[topology.AgentID]int, len(old.Agents))
	for i, a := range old.Agents {
		at[a.ID] = i
	}
	next := gatewayconfig.ByID(want.Agents)
	nodes := docedit.Items(list)
	for i := range old.Agents {
		if a := next[old.Agents[i].ID]; a != nil {
			w.agent(nodes[i], &old.Agents[i], a)
		} else {
			w.ed.RemoveItem(list, i)
		}
	}
	place, last := 0, -1
	for i := range want.Agents {
		a := &want.Agents[i]
		j, there := at[a.ID]
		switch {
		case !there:
			w.ed.Insert(list, place, w.agentNode(a))
		case j < last:
			w.reorder(list, at, want)
			return
		default:
			last, place = j, j+1
		}
	}
}

// reorder rewrites the list, with the edited agents in the order of the team.
func (w *writer) reorder(list *yaml.Node, at map[topology.AgentID]int, want *topology.Topology) {
	nodes := docedit.Items(list)
	fresh := docedit.List(false)
	for i := range want.Agents {
		a := &want.Agents[i]
		if j, there := at[a.ID]; there {
			fresh.Content = append(fresh.Content, w.ed.Final(nodes[j]))
		} else {
			fresh.Content = append(fresh.Content, w.agentNode(a))
		}
	}
	w.ed.Replace(list, fresh)
}

// agent edits one agent.
func (w *writer) agent(n *yaml.Node, old, want *topology.Agent) {
	for _, f := range topology.FileFields() {
		if f.Same(old, want) {
			continue
		}
		if _, ok := f.At(want).(**topology.Tools); ok {
			w.tools(n, old.Tools, want.Tools)
		} else {
			w.value(n, f.Name, fieldNode(f, want), f.IsSet(want))
		}
	}
	w.connections(n, old.Connections, want.Connections)
	w.agentExtra(n, old, want)
}

// fieldNode writes the value of a field, or returns nil for none.
func fieldNode(f topology.AgentField, a *topology.Agent) *yaml.Node {
	if !f.IsSet(a) {
		return nil
	}
	switch x := f.At(a).(type) {
	case *string:
		return textNode(f.Name, *x)
	case *[]string:
		return docedit.Strings(*x)
	case *bool:
		return docedit.Bool(*x)
	case **float64:
		return numberNode(*x)
	case **int:
		return numberNode(*x)
	case **topology.Tools:
		return toolsNode(*x)
	case *topology.Files:
		m := newMap()
		for _, name := range topology.FileNames() {
			if file, ok := (*x)[name]; ok {
				m.add(name, docedit.Block(file.Content))
			}
		}
		return m.Node
	}
	return nil
}

func numberNode[T int | float64](p *T) *yaml.Node {
	if p == nil {
		return nil
	}
	return docedit.Number(float64(*p))
}

// value sets a key of an agent, or removes it.
func (w *writer) value(n *yaml.Node, key string, v *yaml.Node, is bool) {
	if is {
		w.set(n, key, v, agentKeys)
	} else {
		w.ed.Remove(n, key)
	}
}

func (w *writer) tools(n *yaml.Node, old, want *topology.Tools) {
	at := docedit.Get(n, "tools")
	if old == nil && want == nil || old != nil && want != nil && old.Profile == want.Profile &&
		slices.Equal(old.Allow, want.Allow) && slices.Equal(old.Deny, want.Deny) {
		return
	}
	if !docedit.IsMap(at) {
		w.value(n, "tools", toolsNode(want), want != nil)
		return
	}
	if want == nil && !slices.ContainsFunc(docedit.Entries(at), func(e docedit.Entry) bool {
		return !slices.Contains([]string{"profile", "allow", "deny"}, e.Key.Value)
	}) {
		w.ed.Remove(n, "tools")
		return
	}
	fresh := toolsNode(want)
	for _, key := range []string{"profile", "allow", "deny"} {
		now, next := docedit.Get(at, key), docedit.Get(fresh, key)
		switch {
		case next == nil && now != nil:
			w.ed.Remove(at, key)
		case next != nil && (now == nil || !docedit.Equal(now, next)):
			w.ed.Set(at, key, next)
		}
	}
}

func toolsNode(t *topology.Tools) *yaml.Node {
	m := newMap()
	if t != nil {
		m.text("profile", t.Profile)
		if len(t.Allow) > 0 {
			m.add("allow", docedit.Strings(t.Allow))
		}
		if len(t.Deny) > 0 {
			m.add("deny", docedit.Strings(t.Deny))
		}
	}
	return docedit.Flow(m.Node)
}

// connections edits the list in place if connections were only added, removed or
// changed. If their order differs, it rewrites the list.
func (w *writer) connections(n *yaml.Node, old, want []topology.Connection) {
	if slices.EqualFunc(old, want, topology.Connection.Equal) {
		return
	}
	list := docedit.Get(n, "connections")
	if len(want) == 0 {
		w.ed.Remove(n, "connections")
		return
	}
	key := func(c topology.Connection) string { return string(c.Type) + "\x00" + string(c.TargetID) }
	if !docedit.IsList(list) || !sameOrder(old, want, key) || !sameOrder(want, want, key) {
		fresh := docedit.List(false)
		for _, c := range want {
			fresh.Content = append(fresh.Content, w.link(c))
		}
		w.set(n, "connections", fresh, agentKeys)
		return
	}
	next := map[string]topology.Connection{}
	for _, c := range want {
		next[key(c)] = c
	}
	for i, item := range docedit.Items(list) {
		c, stays := next[key(old[i])]
		delete(next, key(old[i]))
		if !stays {
			w.ed.RemoveItem(list, i)
		} else if !old[i].Equal(c) {
			w.ed.Replace(item, w.link(c))
		}
	}
	for _, c := range want {
		if _, fresh := next[key(c)]; fresh {
			w.ed.Append(list, w.link(c))
		}
	}
}

func (w *writer) link(c topology.Connection) *yaml.Node {
	m := newMap()
	m.text("targetId", string(c.TargetID))
	m.text("type", string(c.Type))
	m.text("label", c.Label)
	w.extras(m.Node, "", c.Extra, nil)
	return docedit.Flow(m.Node)
}

// agentNode writes a whole agent, connections last.
func (w *writer) agentNode(a *topology.Agent) *yaml.Node {
	m := newMap()
	m.add("id", docedit.String(string(a.ID)))
	for _, f := range topology.FileFields() {
		if v := fieldNode(f, a); v != nil {
			m.add(f.Name, v)
		}
	}
	w.extras(m.Node, a.ID, a.Extra, nil)
	if len(a.Connections) > 0 {
		list := docedit.List(false)
		for _, c := range a.Connections {
			list.Content = append(list.Content, w.link(c))
		}
		m.add("connections", list)
	}
	return m.Node
}

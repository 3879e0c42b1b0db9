package gatewayconfig

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// Told reports whether a connection says more than allowAgents can.
func Told(c topology.Connection) bool {
	return c.Type != topology.Command || c.Label != "" || len(c.Extra) > 0
}

// lostLinks names the connections that a target without a place for them loses.
func (w *writer) lostLinks(a *topology.Agent) {
	for _, c := range a.Connections {
		if !Told(c) {
			continue
		}
		l := Loss{Agent: a.ID, Field: keyConnections, Target: c.TargetID, Kind: c.Type, Reason: LossNoPlace,
			Message: "the gateway doesn't support the " + string(c.Type) + " connection from " + string(a.ID) + " to " + string(c.TargetID) + ". It stays in the team"}
		if c.Type == topology.Command {
			l.Field = keyLabel
			l.Message = "the gateway doesn't support the label of the connection from " + string(a.ID) + " to " + string(c.TargetID) + ". It stays in the team"
		}
		w.lose(l)
	}
}

// connections edits the list that our own local gateway keeps beside allowAgents.
func (x *agentWriter) connections() error {
	n := docedit.Get(x.node, keyConnections)
	if n == nil && !x.limits.Holds(x.shape, keyConnections) {
		x.lostLinks(x.want)
		return nil
	}
	want := slices.DeleteFunc(slices.Clone(x.want.Connections), func(c topology.Connection) bool { return !Told(c) })
	if docedit.IsList(n) {
		return x.editLinks(n, want)
	}
	if len(want) == 0 {
		return nil
	}
	list, err := linkNodes(want)
	if err == nil {
		x.ed.Set(x.node, keyConnections, list)
	}
	return err
}

// editLinks edits the list item by item.
func (x *agentWriter) editLinks(n *yaml.Node, want []topology.Connection) error {
	used := make([]bool, len(want))
	left := len(docedit.Items(n))
	for i, item := range docedit.Items(n) {
		c, ok := ReadConnection(item)
		if !ok {
			return nil // not understood as a whole, see agentReader.connections
		}
		j := slices.IndexFunc(want,
			func(o topology.Connection) bool { return o.Type == c.Type && o.TargetID == c.TargetID })
		switch {
		case j >= 0 && !used[j]:
			used[j] = true
			if err := x.link(item, c, want[j]); err != nil {
				return err
			}
		case j < 0 && x.dropped(c):
			x.ed.RemoveItem(n, i)
			left--
		}
	}
	for j, c := range want {
		if used[j] {
			continue
		}
		made, err := LinkNode(c)
		if err != nil {
			return err
		}
		x.ed.Append(n, made)
		left++
	}
	if left == 0 && len(docedit.Items(n)) > 0 {
		x.ed.Remove(x.node, keyConnections)
	}
	return nil
}

// dropped reports whether the draft took a connection away, or left a command with
// nothing that allowAgents does not say. What the team never had stays.
func (x *agentWriter) dropped(c topology.Connection) bool {
	at := func(a *topology.Agent) int {
		return slices.IndexFunc(a.Connections,
			func(o topology.Connection) bool { return o.Type == c.Type && o.TargetID == c.TargetID })
	}
	now := at(x.now)
	if now < 0 || at(x.was()) < 0 {
		return false
	}
	return at(x.want) < 0 || Told(x.now.Connections[now])
}

func (x *agentWriter) link(item *yaml.Node, now, want topology.Connection) error {
	if now.Label != want.Label && want.Label == "" {
		x.ed.Remove(item, keyLabel)
	} else if now.Label != want.Label {
		x.ed.Set(item, keyLabel, docedit.String(want.Label))
	}
	for _, f := range want.Extra {
		v, err := docedit.FromRaw(OrNull(f.Value))
		if err != nil {
			return err
		}
		if old := docedit.Get(item, f.Key); old == nil || !docedit.Same(old, v) {
			x.ed.Set(item, f.Key, v)
		}
	}
	for _, f := range now.Extra {
		if _, ok := want.Extra.Get(f.Key); !ok {
			x.ed.Remove(item, f.Key)
		}
	}
	return nil
}

// LinkNode writes a connection as {targetId, type, label} in one line.
func LinkNode(c topology.Connection) (*yaml.Node, error) {
	m := docedit.Flow(docedit.Map(
		docedit.KV(keyTargetID, docedit.String(string(c.TargetID))),
		docedit.KV(keyType, docedit.String(string(c.Type)))))
	if c.Label != "" {
		m.Content = append(m.Content, docedit.String(keyLabel), docedit.String(c.Label))
	}
	for _, f := range c.Extra {
		v, err := docedit.FromRaw(OrNull(f.Value))
		if err != nil {
			return nil, err
		}
		m.Content = append(m.Content, docedit.String(f.Key), v)
	}
	return m, nil
}

func linkNodes(cs []topology.Connection) (*yaml.Node, error) {
	list := docedit.List(false)
	for _, c := range cs {
		n, err := LinkNode(c)
		if err != nil {
			return nil, err
		}
		list.Content = append(list.Content, n)
	}
	return list, nil
}

// OrNull makes a value of a field that has none.
func OrNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}

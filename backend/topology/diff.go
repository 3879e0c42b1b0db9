package topology

import (
	"encoding/json"
	"slices"
	"strings"
)

// Fields of a Change that hold an order: the ids, or for connections the keys, as
// they stand in the draft. Diff reports one only where the order differs from what
// Apply makes by itself, which is: what stays as it stood, then what is new.
const (
	FieldOrder      = "order"      // of agents (subject team), or of one agent's connections
	FieldGroupOrder = "groupOrder" // subject team
	FieldNoteOrder  = "noteOrder"  // subject team
)

type differ struct {
	cs                 ChangeSet
	base, draft        *Topology
	baseIdx, draftIdx  map[AgentID]int
	somethingWasGone   bool
	baseKeys, nextKeys []AgentID
}

// Diff returns what differs, draft from base. Apply(base, Diff(base, draft)) equals
// draft. Ids of agents, groups and notes must be unique (see Validate); of doubles
// only the first is looked at. Nil stands for an empty topology.
func Diff(base, draft *Topology) ChangeSet {
	d := differ{base: orEmpty(base), draft: orEmpty(draft), cs: ChangeSet{}}
	d.baseKeys, d.nextKeys = agentKeys(d.base.Agents), agentKeys(d.draft.Agents)
	d.baseIdx, d.draftIdx = index(d.baseKeys), index(d.nextKeys)
	for id := range d.baseIdx {
		if _, ok := d.draftIdx[id]; !ok {
			d.somethingWasGone = true
			break
		}
	}
	for i := range d.draft.Agents {
		if d.draftIdx[d.nextKeys[i]] == i {
			d.agent(&d.draft.Agents[i])
		}
	}
	for i := range d.base.Agents {
		if _, ok := d.draftIdx[d.baseKeys[i]]; !ok && d.baseIdx[d.baseKeys[i]] == i {
			d.removedAgent(&d.base.Agents[i])
		}
	}
	d.layout()
	diffItems(&d, SubjectGroup, FieldGroupOrder, d.base.Groups, d.draft.Groups)
	diffItems(&d, SubjectNote, FieldNoteOrder, d.base.Notes, d.draft.Notes)
	d.team()
	return d.cs
}

func (d *differ) add(c Change) { d.cs = append(d.cs, c) }

func (d *differ) agent(a *Agent) {
	i, ok := d.baseIdx[a.ID]
	if !ok {
		d.add(Change{ID: agentPlace(a.ID, ""), Op: Added, Subject: SubjectAgent, Agent: a.ID, After: agentJSON(a)})
		d.connections(a.ID, nil, a.Connections)
		return
	}
	b := &d.base.Agents[i]
	for k := range agentFields {
		f := &agentFields[k]
		if !f.equal(b, a) {
			d.agentField(a.ID, f.name, f.get(b), f.get(a))
		}
	}
	diffExtra(b.Extra, a.Extra, func(key string, before, after json.RawMessage) {
		d.agentField(a.ID, extraField+key, before, after)
	})
	d.connections(a.ID, b.Connections, a.Connections)
}

func (d *differ) agentField(id AgentID, field string, before, after json.RawMessage) {
	d.add(Change{ID: agentPlace(id, field), Op: Changed, Subject: SubjectAgent, Agent: id, Field: field, Before: before, After: after})
}

func (d *differ) removedAgent(a *Agent) {
	d.add(Change{ID: agentPlace(a.ID, ""), Op: Removed, Subject: SubjectAgent, Agent: a.ID, Before: agentJSON(a)})
	d.connections(a.ID, a.Connections, nil)
}

// agentJSON is the agent without its connections.
func agentJSON(a *Agent) json.RawMessage {
	c := *a
	c.Connections = nil
	return toJSON(c)
}

func (d *differ) connections(source AgentID, base, draft []Connection) {
	if len(base) == 0 && len(draft) == 0 || !d.somethingWasGone && slices.EqualFunc(base, draft, Connection.Equal) {
		return
	}
	baseKeys, draftKeys := connKeys(base), connKeys(draft)
	baseIdx, draftIdx := index(baseKeys), index(draftKeys)
	for i, k := range draftKeys {
		if j, ok := baseIdx[k]; ok {
			d.connection(source, k, base[j], draft[i])
			continue
		}
		c := connChange(source, k, Added, "")
		c.After, c.Dangling = toJSON(draft[i]), d.dangling(k.target)
		d.add(c)
	}
	for i, k := range baseKeys {
		if _, ok := draftIdx[k]; !ok {
			c := connChange(source, k, Removed, "")
			c.Before = toJSON(base[i])
			d.add(c)
		}
	}
	if !defaultOrder(baseKeys, draftKeys, baseIdx, draftIdx) {
		d.add(Change{ID: agentPlace(source, FieldOrder), Op: Moved, Subject: SubjectAgent, Agent: source, Field: FieldOrder,
			Before: toJSON(keyStrings(baseKeys)), After: toJSON(keyStrings(draftKeys))})
	}
}

func (d *differ) connection(source AgentID, k connKey, base, draft Connection) {
	if _, was := d.baseIdx[k.target]; was && d.dangling(k.target) {
		c := connChange(source, k, Changed, "")
		c.Before, c.After, c.Dangling = toJSON(base), toJSON(draft), true
		d.add(c)
		return
	}
	if base.Label != draft.Label {
		c := connChange(source, k, Changed, "label")
		c.Before, c.After = toJSON(base.Label), toJSON(draft.Label)
		d.add(c)
	}
	diffExtra(base.Extra, draft.Extra, func(key string, before, after json.RawMessage) {
		c := connChange(source, k, Changed, extraField+key)
		c.Before, c.After = before, after
		d.add(c)
	})
}

func (d *differ) dangling(target AgentID) bool {
	_, ok := d.draftIdx[target]
	return !ok
}

func connChange(source AgentID, k connKey, op Op, field string) Change {
	return Change{ID: connPlace(source, k, field), Op: op, Subject: SubjectConnection,
		Agent: source, Target: k.target, Kind: k.kind, Item: k.item(), Field: field}
}

func (d *differ) layout() {
	var found ChangeSet
	for id, p := range d.draft.Layout {
		if b, ok := d.base.Layout[id]; !ok {
			found = append(found, layoutChange(id, Added, nil, toJSON(p)))
		} else if b != p {
			found = append(found, layoutChange(id, Moved, toJSON(b), toJSON(p)))
		}
	}
	for id, p := range d.base.Layout {
		if _, ok := d.draft.Layout[id]; !ok {
			found = append(found, layoutChange(id, Removed, toJSON(p), nil))
		}
	}
	slices.SortFunc(found, func(a, b Change) int { return strings.Compare(string(a.Agent), string(b.Agent)) })
	d.cs = append(d.cs, found...)
}

func layoutChange(id AgentID, op Op, before, after json.RawMessage) Change {
	return Change{ID: placeID(SubjectLayout, escapeID(string(id))), Op: op, Subject: SubjectLayout, Agent: id, Before: before, After: after}
}

// item is what stands on the canvas beside agents: a group or a note.
type item[T any] interface {
	key() string
	Equal(T) bool
	moved(T) bool // whether nothing but the place differs
}

func (g Group) key() string        { return g.ID }
func (n Note) key() string         { return n.ID }
func (g Group) moved(_ Group) bool { return false }
func (n Note) moved(o Note) bool {
	n.X, n.Y, n.Width, n.Height = o.X, o.Y, o.Width, o.Height
	return n.Equal(o)
}

func diffItems[T item[T]](d *differ, subject Subject, orderField string, base, draft []T) {
	if slices.EqualFunc(base, draft, T.Equal) {
		return
	}
	baseKeys, draftKeys := itemKeys(base), itemKeys(draft)
	baseIdx, draftIdx := index(baseKeys), index(draftKeys)
	for i, x := range draft {
		c := Change{ID: placeID(subject, escapeID(x.key())), Op: Added, Subject: subject, Item: x.key(), After: toJSON(x)}
		if j, ok := baseIdx[x.key()]; ok {
			if base[j].Equal(x) {
				continue
			}
			c.Op, c.Before = Changed, toJSON(base[j])
			if base[j].moved(x) {
				c.Op = Moved
			}
		}
		if draftIdx[x.key()] == i {
			d.add(c)
		}
	}
	for i, x := range base {
		if _, ok := draftIdx[x.key()]; !ok && baseIdx[x.key()] == i {
			d.add(Change{ID: placeID(subject, escapeID(x.key())), Op: Removed, Subject: subject, Item: x.key(), Before: toJSON(x)})
		}
	}
	if !defaultOrder(baseKeys, draftKeys, baseIdx, draftIdx) {
		d.teamField(Moved, orderField, toJSON(baseKeys), toJSON(draftKeys))
	}
}

func itemKeys[T item[T]](items []T) []string {
	keys := make([]string, len(items))
	for i, x := range items {
		keys[i] = x.key()
	}
	return keys
}

func keyStrings(keys []connKey) []string {
	s := make([]string, len(keys))
	for i, k := range keys {
		s[i] = k.String()
	}
	return s
}

func (d *differ) team() {
	if d.base.Name != d.draft.Name {
		d.teamField(Changed, "name", toJSON(d.base.Name), toJSON(d.draft.Name))
	}
	diffExtra(d.base.Extra, d.draft.Extra, func(key string, before, after json.RawMessage) {
		d.teamField(Changed, extraField+key, before, after)
	})
	if !defaultOrder(d.baseKeys, d.nextKeys, d.baseIdx, d.draftIdx) {
		d.teamField(Changed, FieldOrder, toJSON(d.baseKeys), toJSON(d.nextKeys))
	}
}

func (d *differ) teamField(op Op, field string, before, after json.RawMessage) {
	d.add(Change{ID: placeID(SubjectTeam, escapeID(field)), Op: op, Subject: SubjectTeam, Field: field, Before: before, After: after})
}

// diffExtra calls emit for every key that came, went or changed, draft's order first.
func diffExtra(base, draft Extra, emit func(key string, before, after json.RawMessage)) {
	for _, f := range draft {
		if before, ok := base.Get(f.Key); !ok {
			emit(f.Key, nil, orNull(f.Value))
		} else if !sameJSON(before, f.Value) {
			emit(f.Key, orNull(before), orNull(f.Value))
		}
	}
	for _, f := range base {
		if _, ok := draft.Get(f.Key); !ok {
			emit(f.Key, orNull(f.Value), nil)
		}
	}
}

// orNull keeps a key without a value apart from a key that is not there.
func orNull(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	return v
}

// defaultOrder reports whether draft stands as Apply orders it by itself.
func defaultOrder[K comparable](base, draft []K, baseIdx, draftIdx map[K]int) bool {
	i := 0
	for _, k := range base {
		if _, stays := draftIdx[k]; stays {
			if i >= len(draft) || draft[i] != k {
				return false
			}
			i++
		}
	}
	for ; i < len(draft); i++ {
		if _, was := baseIdx[draft[i]]; was {
			return false
		}
	}
	return true
}

package teamfile

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Write returns the team file that holds team and base. An existing file is edited in
// place: what says the same stays byte by byte, with its comments; nil gives a fresh
// one. Keys are written in one order, connections last. A secret in clear among the
// unknown keys is written only if the file had it; a Loss names what was left out.
func Write(existing []byte, team *topology.Topology, base *Base) ([]byte, []gatewayconfig.Loss, error) {
	w := &writer{}
	if len(bytes.TrimSpace(existing)) == 0 {
		doc, err := w.fresh(team, base)
		if err != nil {
			return nil, nil, err
		}
		return doc.Bytes(), w.losses, nil
	}
	doc, err := parse(existing, "")
	if err != nil {
		return nil, nil, err
	}
	old, err := read(doc)
	if err != nil {
		return nil, nil, err
	}
	if old.Format != AgentFlow {
		return nil, nil, errcode.New(errcode.Validation,
			"the existing file isn't a team file but %s. Write to another file, or convert it first", old.Format)
	}
	w.doc, w.ed = doc, doc.Edit()
	if err := w.edit(&old, team, base); err != nil {
		return nil, nil, err
	}
	out, err := w.ed.Apply()
	if err != nil {
		return nil, nil, err
	}
	return out.Bytes(), w.losses, nil
}

// writer makes or edits one team file.
type writer struct {
	doc    *docedit.Document
	ed     *docedit.Editor
	losses []gatewayconfig.Loss
	err    error
}

// mapping is a map that is being made.
type mapping struct{ *yaml.Node }

func newMap() mapping { return mapping{docedit.Map()} }

func (m mapping) add(key string, v *yaml.Node) {
	m.Content = append(m.Content, docedit.String(key), v)
}

func (m mapping) text(key, s string) {
	if s != "" {
		m.add(key, textNode(key, s))
	}
}

func (m mapping) flag(key string, on bool) {
	if on {
		m.add(key, docedit.Bool(true))
	}
}

func (m mapping) number(key string, f float64) {
	if f != 0 {
		m.add(key, docedit.Number(f))
	}
}

func textNode(key, s string) *yaml.Node {
	if key == "persona" {
		return docedit.Block(s)
	}
	return docedit.String(s)
}

// fresh writes a file that was not there.
func (w *writer) fresh(t *topology.Topology, base *Base) (*docedit.Document, error) {
	m := newMap()
	m.add(keyVersion, docedit.Number(version))
	m.text("name", t.Name)
	if base != nil {
		m.add(keyBase, baseNode(base))
	}
	agents := docedit.List(false)
	for i := range t.Agents {
		agents.Content = append(agents.Content, w.agentNode(&t.Agents[i]))
	}
	m.add(keyAgents, agents)
	if len(t.Layout) > 0 {
		layout := newMap()
		for _, id := range layoutOrder(t) {
			layout.add(string(id), point(t.Layout[id]))
		}
		m.add(keyLayout, layout.Node)
	}
	if len(t.Groups) > 0 {
		groups := docedit.List(false)
		for _, g := range t.Groups {
			groups.Content = append(groups.Content, w.groupNode(g))
		}
		m.add(keyGroups, groups)
	}
	if len(t.Notes) > 0 {
		notes := docedit.List(false)
		for _, n := range t.Notes {
			notes.Content = append(notes.Content, w.noteNode(n))
		}
		m.add(keyNotes, notes)
	}
	if len(t.Bindings) > 0 {
		m.add(keyBindings, w.bindings(t.Bindings, nil))
	}
	if len(t.Broadcast) > 0 {
		m.add(keyBroadcast, w.settings(t.Broadcast))
	}
	if len(t.Defaults) > 0 {
		m.add(keyDefaults, w.settings(t.Defaults))
	}
	if len(t.Messages) > 0 {
		m.add(keyMessages, w.settings(t.Messages))
	}
	w.extras(m.Node, "", t.Extra, nil)
	if w.err != nil {
		return nil, w.err
	}
	return docedit.FromValue(m.Node, docedit.YAML, "")
}

// layoutOrder lists the placed agents as they are drawn, then what is left by name.
func layoutOrder(t *topology.Topology) []topology.AgentID {
	var out, rest []topology.AgentID
	seen := map[topology.AgentID]bool{}
	for _, a := range t.Agents {
		if _, ok := t.Layout[a.ID]; ok && !seen[a.ID] {
			seen[a.ID] = true
			out = append(out, a.ID)
		}
	}
	for id := range t.Layout {
		if !seen[id] {
			rest = append(rest, id)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

func baseNode(b *Base) *yaml.Node {
	m := newMap()
	m.add("hash", docedit.String(b.Hash))
	m.text("gateway", b.Gateway)
	return docedit.Flow(m.Node)
}

// edit brings the file to what team and base say.
func (w *writer) edit(old *File, t *topology.Topology, base *Base) error {
	root := w.doc.Root()
	w.text(root, "name", old.Team.Name, t.Name, fileKeys)
	w.base(old.Base, base)
	w.agents(&old.Team, t)
	w.canvas(&old.Team, t)
	w.extras(root, "", t.Extra, old.Team.Extra)
	for _, f := range old.Team.Extra {
		if _, stays := t.Extra.Get(f.Key); !stays {
			w.ed.Remove(root, f.Key)
		}
	}
	return w.err
}

func (w *writer) base(old, want *Base) {
	root := w.doc.Root()
	at := docedit.Get(root, keyBase)
	switch {
	case want == nil && old != nil:
		w.ed.Remove(root, keyBase)
	case want == nil || old != nil && *old == *want:
	case docedit.IsMap(at):
		order := []string{"hash", "gateway"}
		w.text(at, "hash", old.Hash, want.Hash, order)
		w.text(at, "gateway", old.Gateway, want.Gateway, order)
	default:
		w.set(root, keyBase, baseNode(want), fileKeys)
	}
}

// set gives a key a value; a new key goes where the order wants it.
func (w *writer) set(m *yaml.Node, key string, v *yaml.Node, order []string) {
	before := ""
	for _, k := range order[slices.Index(order, key)+1:] {
		if docedit.Get(m, k) != nil {
			before = k
			break
		}
	}
	w.ed.SetBefore(m, key, v, before)
}

func (w *writer) text(m *yaml.Node, key, old, want string, order []string) {
	switch {
	case old == want:
	case want == "":
		w.ed.Remove(m, key)
	default:
		w.set(m, key, textNode(key, want), order)
	}
}

// whole sets a key of the file, or removes it; one that holds nothing may stay.
func (w *writer) whole(key string, v *yaml.Node, is bool) {
	root := w.doc.Root()
	if is {
		w.set(root, key, v, fileKeys)
	} else if at := docedit.Resolve(docedit.Get(root, key)); at != nil && len(at.Content) > 0 {
		w.ed.Remove(root, key)
	}
}

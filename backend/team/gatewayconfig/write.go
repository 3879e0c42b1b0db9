package gatewayconfig

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// Write edits doc so that it Holds draft, at the known places only; nothing else of
// it changes. Known fields are written where draft differs from doc, but what neither
// draft nor base say is left alone: it came to the gateway since. Agents, Targets and
// unknown keys (Extra) that are in doc and not in draft are removed only if base had
// them. Base may be nil; then what is not in draft goes, but no unknown key does.
//
// Losses name what the config can't store, and secrets that must not be written;
// both stay in the team.
func Write(doc *docedit.Document, base, draft *topology.Topology, limits Limits) (*docedit.Document, []Loss, error) {
	r, err := findRoster(doc)
	if err != nil {
		return nil, nil, err
	}
	w := newWriter(r, base, limits)
	if err := checkIDs(draft, w.known, w.limits); err != nil {
		return nil, nil, err
	}
	if err := w.team(draft); err != nil {
		return nil, nil, err
	}
	if empty := docedit.IsNull(doc.Root()); empty { // the agents make the config, into which the bindings go
		if w.doc, err = w.ed.Apply(); err != nil {
			return nil, nil, err
		}
		w.ed = w.doc.Edit()
	}
	if err := w.bindings(draft, base); err != nil {
		return nil, nil, err
	}
	out, err := w.ed.Apply()
	if err != nil {
		return nil, nil, err
	}
	if out, err = w.broadcast(out, base, draft); err != nil {
		return nil, nil, err
	}
	if out, err = w.defaults(out, base, draft); err != nil {
		return nil, nil, err
	}
	if out, err = w.messages(out, base, draft); err != nil {
		return nil, nil, err
	}
	return out, w.losses, nil
}

// writer turns the differences between a config and a draft into edits.
type writer struct {
	*roster
	limits Limits
	ed     *docedit.Editor
	now    map[topology.AgentID]*topology.Agent // as the config Holds them
	known  map[topology.AgentID]bool            // in the config, implicit ones included
	based  bool                                 // there is a base
	base   map[topology.AgentID]*topology.Agent
	losses []Loss
}

func newWriter(r *roster, base *topology.Topology, limits Limits) *writer {
	w := &writer{roster: r, ed: r.doc.Edit(), known: map[topology.AgentID]bool{}, based: base != nil}
	reading := r.read()
	w.now = ByID(reading.Topology.Agents)
	for id := range w.now {
		w.known[id] = true
	}
	if len(w.now) == 0 {
		for _, id := range limits.Implicit {
			w.known[id] = true
		}
	}
	if base != nil {
		w.base = ByID(base.Agents)
	}
	w.limits = limits.In(r.shape)
	return w
}

// ByID finds agents by their ids; of doubles the first.
func ByID(agents []topology.Agent) map[topology.AgentID]*topology.Agent {
	m := make(map[topology.AgentID]*topology.Agent, len(agents))
	for i := range agents {
		if m[agents[i].ID] == nil {
			m[agents[i].ID] = &agents[i]
		}
	}
	return m
}

func (w *writer) lose(l Loss) { w.losses = append(w.losses, l) }

func (w *writer) team(draft *topology.Topology) error {
	wanted := make(map[topology.AgentID]bool, len(draft.Agents))
	var fresh []*topology.Agent
	nodes := map[topology.AgentID]*yaml.Node{}
	for _, p := range w.places {
		if !p.again {
			nodes[p.id] = p.node
		}
	}
	for i := range draft.Agents {
		a := &draft.Agents[i]
		wanted[a.ID] = true
		if node, ok := nodes[a.ID]; ok {
			if err := w.edit(node, a); err != nil {
				return err
			}
			continue
		}
		fresh = append(fresh, a)
	}
	w.remove(wanted)
	if err := w.create(fresh, wanted); err != nil {
		return err
	}
	w.canvas(draft)
	return nil
}

// edit brings an agent that is there to what the draft says.
func (w *writer) edit(node *yaml.Node, a *topology.Agent) error {
	if docedit.IsNull(node) {
		home := w.limits.Home
		w.limits.Home = "" // the agent is not new: no workspace is made up for it
		made, err := w.agentNode(a)
		w.limits.Home = home
		if err == nil && len(made.Content) > 0 {
			w.ed.Replace(node, made)
		}
		return err
	}
	now := w.now[a.ID]
	x := agentWriter{writer: w, node: node, now: now, want: a, base: w.base[a.ID], shape: w.shape}
	return x.write()
}

// remove takes out the agents that the draft no longer has.
func (w *writer) remove(wanted map[topology.AgentID]bool) {
	for _, p := range w.places {
		if wanted[p.id] || w.based && w.base[p.id] == nil {
			continue
		}
		if w.shape == List {
			w.ed.RemoveItem(w.box, p.index)
		} else {
			w.ed.Remove(w.box, string(p.id))
		}
	}
}

// create writes the agents that are new, and the roster itself where there is none.
func (w *writer) create(fresh []*topology.Agent, wanted map[topology.AgentID]bool) error {
	shape := w.shape
	if shape == None {
		if shape = w.limits.Roster; shape == "" || shape == None {
			shape = Map
		}
		if w.onlyImplicit(fresh) {
			return nil
		}
	}
	w.shape = shape
	var entries []docedit.Entry
	for _, a := range fresh {
		made, err := w.agentNode(a)
		if err != nil {
			return err
		}
		entries = append(entries, docedit.KV(string(a.ID), made))
	}
	if len(entries) > 0 {
		w.put(shape, entries)
		w.own(shape, len(wanted), entries)
	}
	return nil
}

// onlyImplicit reports whether the draft Holds no more than the agents which the
// gateway runs anyway, with nothing said of them that a config could hold.
func (w *writer) onlyImplicit(fresh []*topology.Agent) bool {
	for _, a := range fresh {
		if !w.known[a.ID] {
			return false
		}
		made, err := (&writer{roster: w.roster, limits: w.limits, known: w.known}).agentNode(a)
		if err != nil || len(made.Content) > 1 || len(made.Content) > 0 && w.shape != List {
			return false
		}
	}
	return true
}

// put adds agents to the roster and makes the roster where there is none.
func (w *writer) put(shape Shape, entries []docedit.Entry) {
	if w.box != nil {
		for _, e := range entries {
			if shape == List {
				w.ed.Append(w.box, e.Value)
			} else {
				w.ed.Set(w.box, e.Key.Value, e.Value)
			}
		}
		return
	}
	box := docedit.Map(entries...)
	if shape == List {
		box = docedit.List(false)
		for _, e := range entries {
			box.Content = append(box.Content, e.Value)
		}
	}
	switch {
	case shape == Map && docedit.IsMap(w.agents):
		for _, e := range entries {
			w.ed.Set(w.agents, e.Key.Value, e.Value)
		}
	case shape == Map:
		w.putAgents(box)
	case docedit.IsMap(w.agents):
		w.ed.Set(w.agents, string(shape), box)
	default:
		w.putAgents(docedit.Map(docedit.KV(string(shape), box)))
	}
	w.box = box
}

func (w *writer) putAgents(v *yaml.Node) {
	root := w.doc.Root()
	if docedit.IsNull(root) {
		w.ed.SetRoot(docedit.Map(docedit.KV(keyAgents, v)))
		return
	}
	w.ed.Set(root, keyAgents, v)
	w.agents = v
}

// own says who owns the roster, which newer gateways want to know of more than one entry. They
// refuse it beside an agent that is marked as the default, and take the mark instead.
func (w *writer) own(shape Shape, count int, fresh []docedit.Entry) {
	if shape != Entries || !w.limits.Ownership || count < 2 || docedit.Get(w.agents, keyOwnership) != nil {
		return
	}
	for _, p := range w.places {
		if docedit.Get(p.node, KeyDefault) != nil {
			return
		}
	}
	for _, e := range fresh {
		if docedit.Get(e.Value, KeyDefault) != nil {
			return
		}
	}
	explicit := docedit.String("explicit")
	switch {
	case docedit.IsMap(w.agents):
		w.ed.SetBefore(w.agents, keyOwnership, explicit, keyEntries)
	case docedit.IsNull(w.doc.Root()):
		w.ed.SetRoot(docedit.Map(
			docedit.KV(keyAgents, docedit.Map(docedit.KV(keyOwnership, explicit), docedit.KV(keyEntries, w.box))),
		))
	}
}

// canvas names what no config Holds.
func (w *writer) canvas(draft *topology.Topology) {
	say := func(field, what string, is bool) {
		if is {
			w.lose(Loss{Field: field, Reason: LossNoPlace, Message: "the gateway doesn't support " + what + ". This stays in the team"})
		}
	}
	say("layout", "positions on the canvas", len(draft.Layout) > 0)
	say("groups", "groups", len(draft.Groups) > 0)
	say("notes", "notes", len(draft.Notes) > 0)
	say("name", "the team's name", draft.Name != "")
	say("extra", "the team's own unknown keys", len(draft.Extra) > 0)
}

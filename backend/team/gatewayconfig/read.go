package gatewayconfig

import (
	"strconv"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// maxFindings bounds how many unknown keys are listed one by one.
const maxFindings = 1000

const (
	keyAgents    = "agents"
	keyDefaults  = "defaults"
	keyOwnership = "ownership"
	keyEntries   = "entries"
	keyList      = "list"
	keyID        = "id"

	// KeyDefault marks the default agent. Gateways since 2026.8 read it where no ownership is
	// said, and name the agent in agents.defaults instead.
	KeyDefault = "default"
)

// Explicit reports whether agents says who owns the roster. Beside that no agent may be
// marked as the default.
func Explicit(agents *yaml.Node) bool {
	s, _ := docedit.Text(docedit.Get(agents, keyOwnership))
	return s == "explicit"
}

// Read reads the team out of a config. Nothing of the config is changed or lost:
// what is not understood stays where it is and is named in Unknown or Warnings.
// Errors are VALIDATION_ERROR with the line.
func Read(doc *docedit.Document) (Reading, error) {
	r, err := findRoster(doc)
	if err != nil {
		return Reading{}, err
	}
	return r.read(), nil
}

// roster is where a config keeps its agents.
type roster struct {
	doc    *docedit.Document
	shape  Shape
	agents *yaml.Node // the value of agents; nil without one
	box    *yaml.Node // the map or list that Holds the agents; nil for None
	places []place
	doubts []Finding
}

// place is one agent in the document.
type place struct {
	id    topology.AgentID
	node  *yaml.Node // its map as it stands in box: may be an alias, or null
	index int        // in box
	again bool       // an earlier one has the same id
}

func findRoster(doc *docedit.Document) (*roster, error) {
	r := &roster{doc: doc, shape: None}
	root := doc.Root()
	if docedit.IsNull(root) {
		return r, nil
	}
	if !docedit.IsMap(root) {
		return nil, doc.Fail(root, "a config must be a map with the key agents")
	}
	r.agents = docedit.Get(root, keyAgents)
	if docedit.IsNull(r.agents) {
		return r, nil
	}
	if docedit.IsList(r.agents) {
		return nil, doc.Fail(
			r.agents,
			"agents is a list here, so this is not an OpenClaw config. A team file or agents.yml must be converted first: agentflow topology convert",
		)
	}
	if !docedit.IsMap(r.agents) {
		return nil, doc.Fail(r.agents, "agents must be a map")
	}
	r.shape, r.box = shapeOf(r.agents)
	if err := r.find(); err != nil {
		return nil, err
	}
	return r, nil
}

// shapeOf looks for entries, then for a list, then for agents by their ids.
func shapeOf(agents *yaml.Node) (Shape, *yaml.Node) {
	if e := docedit.Get(agents, keyEntries); isRoster(e) {
		return Entries, e
	}
	if l := docedit.Get(agents, keyList); docedit.IsList(l) {
		return List, l
	}
	for k, v := range docedit.All(agents) {
		if !reserved(k.Value, v) {
			return Map, agents
		}
	}
	return None, nil
}

// isRoster tells agents by their ids from one agent that is called "entries".
func isRoster(n *yaml.Node) bool {
	if !docedit.IsMap(n) {
		return false
	}
	for k, v := range docedit.All(n) {
		if !docedit.IsMap(v) && !docedit.IsNull(v) || k.Value == keySubagents && docedit.Get(v, keyAllowAgents) != nil {
			return false
		}
	}
	return true
}

// reserved tells the settings beside a roster from an agent in the map shape.
func reserved(key string, v *yaml.Node) bool {
	switch key {
	case keyOwnership:
		return !docedit.IsMap(v)
	case keyDefaults:
		return docedit.Get(v, "name") == nil
	case keyList, keyEntries:
		return docedit.IsNull(v)
	}
	return false
}

func (r *roster) find() error {
	switch r.shape {
	case List:
		return r.findList()
	case Map, Entries:
		r.places = make([]place, 0, len(docedit.Resolve(r.box).Content)/2)
		i := 0
		for k, v := range docedit.All(r.box) {
			if r.shape != Map || !reserved(k.Value, v) {
				if err := r.agentAt(k.Value, v); err != nil {
					return err
				}
				r.places = append(r.places, place{id: topology.AgentID(k.Value), node: v, index: i})
			}
			i++
		}
	}
	return nil
}

func (r *roster) findList() error {
	items := docedit.Items(r.box)
	seen := make(map[topology.AgentID]struct{}, len(items))
	r.places = make([]place, 0, len(items))
	for i, n := range items {
		if !docedit.IsMap(n) {
			return r.doc.Fail(n, "entry %d of agents.list must be a map with an id", i+1)
		}
		id, ok := docedit.Scalar(docedit.Get(n, keyID))
		if !ok || id == "" {
			r.doubts = append(r.doubts, Finding{Path: "agents.list." + strconv.Itoa(i), Line: n.Line,
				Message: "this agent has no id; it is not drawn and stays in the config"})
			continue
		}
		p := place{id: topology.AgentID(id), node: n, index: i}
		before := len(seen)
		seen[p.id] = struct{}{}
		p.again = len(seen) == before
		if p.again {
			r.doubt(p.id, "", n, "the id is used twice; only the first agent is drawn, the other stays in the config")
		}
		r.places = append(r.places, p)
	}
	return nil
}

func (r *roster) agentAt(id string, n *yaml.Node) error {
	if !docedit.IsMap(n) && !docedit.IsNull(n) {
		return r.doc.Fail(n, "the agent %q must be a map of its settings", id)
	}
	return nil
}

func (r *roster) doubt(id topology.AgentID, field string, n *yaml.Node, message string) {
	r.doubts = append(r.doubts, Finding{Agent: id, Path: r.path(id, field), Line: line(n), Message: message})
}

func line(n *yaml.Node) int {
	if n == nil {
		return 0
	}
	return n.Line
}

// path names a place as the gateway's own messages do.
func (r *roster) path(id topology.AgentID, field string) string {
	p := keyAgents + "."
	if r.shape == List || r.shape == Entries {
		p += string(r.shape) + "."
	}
	p += string(id)
	if field != "" {
		p += "." + field
	}
	return p
}

func (r *roster) read() Reading {
	out := Reading{Shape: r.shape}
	out.Topology.Agents = make([]topology.Agent, 0, len(r.places))
	a := agentReader{roster: r, out: &out}
	for _, p := range r.places {
		if p.again {
			continue
		}
		out.Topology.Agents = append(out.Topology.Agents, topology.Agent{ID: p.id})
		a.agent = &out.Topology.Agents[len(out.Topology.Agents)-1]
		a.read(p.node)
	}
	r.readBindings(&out)
	r.readBroadcast(&out)
	r.readDefaults(&out)
	r.readMessages(&out)
	out.Warnings = append(out.Warnings, r.doubts...)
	return out
}

// Place is one agent in a document. Doubles of an id are places of their own.
type Place struct {
	ID   topology.AgentID
	Node *yaml.Node // its map; may be an alias, or null
}

// Places lists the agents of a document in their order.
func Places(doc *docedit.Document) []Place {
	r, err := findRoster(doc)
	if err != nil {
		return nil
	}
	out := make([]Place, len(r.places))
	for i, p := range r.places {
		out[i] = Place{p.id, p.node}
	}
	return out
}

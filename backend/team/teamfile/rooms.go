package teamfile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Keys of agents.yml, as its seed writes them.
const (
	keyMaxTokensRooms = "max_tokens"
	keyOptions        = "options"
	keyCommonSettings = "common_settings"
	keyMCPServers     = "mcpServers"
	keyMCPPolicy      = "mcpPolicy"
	KeyHistoryLimit   = "chat_history_limit"
	KeyResponseDelay  = "response_delay_ms"
)

// idFor makes an id of a name, one that no agent has yet.
func (r *reader) idFor(name string) topology.AgentID {
	return topology.UniqueID(&r.out.Team, string(topology.SlugID(name)))
}

// rooms reads agents.yml. An agent's id is made from its name.
func (r *reader) rooms() {
	names := map[string]int{}
	for _, e := range docedit.Entries(r.doc.Root()) {
		if e.Key.Value != keyAgents {
			r.out.Team.Extra = append(r.out.Team.Extra, extraField(e))
			if e.Key.Value == keyCommonSettings {
				r.commonSettings(e.Value)
			} else {
				r.unknown(e.Key.Value, e.Key)
			}
			continue
		}
		for _, n := range r.list(e.Value, keyAgents) {
			a := r.roomAgent(n)
			if first, ok := names[a.Name]; ok {
				r.fail(n, "the name %q is used twice: in line %d and in line %d. Give one of the agents another name",
					a.Name, first, n.Line)
			}
			if r.err != nil {
				return
			}
			names[a.Name] = n.Line
			r.add(a, n)
		}
	}
}

// ReadRooms reads agents.yml to have its agents talk: it must be one, and each agent must
// have a model.
func ReadRooms(data []byte, file string) (File, error) {
	doc, err := parse(data, file)
	if err != nil {
		return File{}, err
	}
	r := reader{doc: doc, out: File{Format: AgentsYML, Lines: map[topology.AgentID]int{}}}
	root := doc.Root()
	agents := docedit.Get(root, keyAgents)
	switch {
	case !docedit.IsMap(root):
		r.fail(root, "this isn't an agents.yml. Start it with agents: and a list, each item with name and model")
	case !docedit.IsList(agents):
		r.fail(cmp.Or(agents, root),
			"agents is missing or isn't a list. Write agents: and below it a list, each item with name and model")
	case len(docedit.Items(agents)) == 0:
		r.fail(agents, "agents is empty. Add at least one agent with name and model")
	}
	if r.err == nil {
		r.rooms()
		r.misspelt()
	}
	for i, n := range docedit.Items(agents) {
		if r.err == nil && r.out.Team.Agents[i].Model == "" {
			r.fail(n, "the agent %s has no model. Give it one such as model: ollama/qwen3", r.out.Team.Agents[i].Name)
		}
	}
	return r.out, r.err
}

// Keys that agents.yml knows, by where they are.
var (
	roomRoot   = []string{keyAgents, keyCommonSettings}
	roomCommon = []string{KeyHistoryLimit, KeyResponseDelay}
	roomKeys   = []string{"name", "model", "persona", "tools", "temperature", keyMaxTokensRooms, keyOptions, keyMCPServers, keyMCPPolicy}
)

// misspelt refuses a key that is nearly a known one, which would otherwise not count.
func (r *reader) misspelt() {
	for _, u := range r.out.Unknown {
		known, path := roomRoot, strings.Split(u.Path, ".")
		switch {
		case len(path) > 1 && path[0] == keyCommonSettings:
			known = roomCommon
		case len(path) > 1:
			known = roomKeys
		}
		key := path[len(path)-1]
		if meant := docedit.Nearest(key, known); meant != "" {
			r.fail(&yaml.Node{Line: u.Line}, "the key %s isn't known. Did you mean %s?", key, meant)
			return
		}
	}
}

// The bounds of agents.yml.
const (
	maxTemperature = 2
	maxHistory     = 500
	maxDelayMs     = 60_000
)

// commonSettings checks what all agents of the file share.
func (r *reader) commonSettings(v *yaml.Node) {
	for _, e := range r.entries(v, keyCommonSettings) {
		switch name := keyCommonSettings + "." + e.Key.Value; e.Key.Value {
		case KeyHistoryLimit:
			r.within(e.Value, name, float64(r.whole(e.Value, name)), 1, maxHistory)
		case KeyResponseDelay:
			r.within(e.Value, name, float64(r.whole(e.Value, name)), 0, maxDelayMs)
		default:
			r.unknown(name, e.Key)
		}
	}
}

// within refuses a number out of bounds.
func (r *reader) within(v *yaml.Node, what string, n, from, to float64) {
	if !docedit.IsNull(v) && (n < from || n > to) {
		r.fail(v, "%s is %s: it must be from %.0f to %.0f", what, v.Value, from, to)
	}
}

func (r *reader) roomAgent(n *yaml.Node) topology.Agent {
	var a topology.Agent
	if !docedit.IsMap(n) {
		r.fail(n, "an agent must be a map with name and model")
		return a
	}
	for _, e := range docedit.Entries(n) {
		switch v := e.Value; e.Key.Value {
		case "name":
			a.Name = r.text(v, "name")
		case "model":
			a.Model = r.text(v, "model")
		case "persona":
			a.Persona = r.text(v, "persona")
		case "tools":
			a.Tools = &topology.Tools{Allow: r.texts(v, "tools")}
		case "temperature":
			if !docedit.IsNull(v) {
				a.Temperature = new(r.number(v, "temperature"))
				r.within(v, "temperature", *a.Temperature, 0, maxTemperature)
			}
		case keyMaxTokensRooms:
			if !docedit.IsNull(v) {
				a.MaxTokens = new(r.whole(v, keyMaxTokensRooms))
				r.within(v, keyMaxTokensRooms, float64(*a.MaxTokens), 1, math.MaxInt32)
			}
		case keyOptions:
			r.entries(v, keyOptions)
			a.Extra = append(a.Extra, extraField(e))
		case keyMCPServers:
			r.list(v, keyMCPServers)
			a.Extra = append(a.Extra, extraField(e))
		case keyMCPPolicy:
			r.entries(v, keyMCPPolicy)
			a.Extra = append(a.Extra, extraField(e))
		default:
			a.Extra = append(a.Extra, extraField(e))
			r.unknown(keyAgents+"."+a.Name+"."+e.Key.Value, e.Key)
		}
	}
	if a.Name == "" {
		r.fail(n, "this agent has no name. Give it one")
	}
	a.ID = r.idFor(a.Name)
	return a
}

// loser collects what a target can't store.
type loser struct {
	target string
	losses []gatewayconfig.Loss
}

func (l *loser) lose(id topology.AgentID, field string, is bool) {
	if is {
		l.losses = append(l.losses, gatewayconfig.Loss{Agent: id, Field: field, Reason: gatewayconfig.LossNoPlace,
			Message: l.target + " has no place for " + field + " of " + string(id)})
	}
}

// loseFields names each field of the agent that has a value and isn't kept.
func (l *loser) loseFields(a *topology.Agent, kept ...string) {
	for _, f := range topology.FileFields() {
		l.lose(a.ID, f.Name, f.IsSet(a) && !slices.Contains(kept, f.Name))
	}
}

func (l *loser) loseLink(id topology.AgentID, c topology.Connection) {
	l.losses = append(l.losses, gatewayconfig.Loss{Agent: id, Field: "connections", Target: c.TargetID, Kind: c.Type, Reason: gatewayconfig.LossNoPlace,
		Message: l.target + " has no place for the " + string(c.Type) + " connection from " + string(id) + " to " + string(c.TargetID)})
}

func (l *loser) loseCanvas(t *topology.Topology) {
	for _, f := range []struct {
		field string
		is    bool
	}{{"name", t.Name != ""}, {keyLayout, len(t.Layout) > 0}, {keyGroups, len(t.Groups) > 0}, {keyNotes, len(t.Notes) > 0}} {
		if f.is {
			l.losses = append(
				l.losses,
				gatewayconfig.Loss{
					Field:   f.field,
					Reason:  gatewayconfig.LossNoPlace,
					Message: l.target + " has no place for the team's " + f.field,
				},
			)
		}
	}
}

// roomsFile writes agents.yml.
func roomsFile(t *topology.Topology) ([]byte, []gatewayconfig.Loss, error) {
	l := &loser{target: "agents.yml"}
	w := &writer{}
	agents := docedit.List(false)
	for i := range t.Agents {
		agents.Content = append(agents.Content, w.roomNode(&t.Agents[i], l))
	}
	root := newMap()
	root.add(keyAgents, agents)
	return w.finish(root, t, keyCommonSettings, l)
}

// finish adds the one unknown key of the team that a format knows, and writes the file.
func (w *writer) finish(
	root mapping,
	t *topology.Topology,
	known string,
	l *loser,
) ([]byte, []gatewayconfig.Loss, error) {
	for _, f := range t.Extra {
		if f.Key == known {
			w.extras(root.Node, "", topology.Extra{f}, nil)
		} else {
			l.lose("", f.Key, true)
		}
	}
	l.loseCanvas(t)
	if w.err != nil {
		return nil, nil, w.err
	}
	doc, err := docedit.FromValue(root.Node, docedit.YAML, "")
	if err != nil {
		return nil, nil, err
	}
	return doc.Bytes(), append(l.losses, w.losses...), nil
}

func (w *writer) roomNode(a *topology.Agent, l *loser) *yaml.Node {
	m := newMap()
	name := a.Name
	if name == "" {
		name = string(a.ID)
	}
	m.add("name", docedit.String(name))
	m.add("model", docedit.String(a.Model))
	m.add("persona", textNode("persona", a.Persona))
	if a.Tools != nil && len(a.Tools.Allow) > 0 {
		m.add("tools", docedit.Strings(a.Tools.Allow))
	}
	if a.Temperature != nil {
		m.add("temperature", numberNode(a.Temperature))
	}
	if a.MaxTokens != nil {
		m.add(keyMaxTokensRooms, numberNode(a.MaxTokens))
	}
	for _, f := range a.Extra {
		if slices.Contains([]string{keyOptions, keyMCPServers, keyMCPPolicy}, f.Key) {
			w.extras(m.Node, a.ID, topology.Extra{f}, nil)
		} else {
			l.lose(a.ID, f.Key, true)
		}
	}
	rest := *a
	if t := a.Tools; t != nil && t.Profile == "" && len(t.Deny) == 0 {
		rest.Tools = nil
	}
	l.loseFields(&rest, "name", "model", "persona", "temperature", "maxTokens")
	for _, c := range a.Connections {
		l.loseLink(a.ID, c)
	}
	return m.Node
}

func badFormat(f Format) error {
	return errcode.New(errcode.Validation, "%q is not a format; known are %v", f, Formats()).
		With(errcode.KeyField, "to")
}

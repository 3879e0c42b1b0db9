package teamfile

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Keys of agent-config.yaml.
const (
	keyAgent   = "agent"
	keyCallers = "callers"
	keyTargets = "targetAgents"
	keySecret  = "secret"
)

// processExtra are keys of the agent that a team keeps without reading them.
var processExtra = []string{keyMCPServers, keyMCPPolicy, "security"}

// process reads agent-config.yaml: one agent, and those it may command.
func (r *reader) process() {
	var targets *yaml.Node
	root := r.doc.Root()
	n := docedit.Get(root, keyAgent)
	var a topology.Agent
	for _, e := range docedit.Entries(n) {
		switch {
		case e.Key.Value == keyTargets:
			targets = e.Value
		case e.Key.Value == "tools", e.Key.Value == "connections", e.Key.Value == "id":
			a.Extra = append(a.Extra, extraField(e))
			r.unknown(keyAgent+"."+e.Key.Value, e.Key)
		case !r.agentField(&a, e):
			a.Extra = append(a.Extra, extraField(e))
			if !slices.Contains(processExtra, e.Key.Value) {
				r.unknown(keyAgent+"."+e.Key.Value, e.Key)
			}
		}
	}
	if a.Name == "" {
		r.fail(n, "this agent has no name. Give it one: agent.name")
		return
	}
	a.ID = r.idFor(a.Name)
	r.out.Team.Agents = []topology.Agent{a}
	r.out.Lines[a.ID] = n.Line
	r.targets(targets)
	r.processRest(root)
}

// processRest reads what stands beside the agent: its callers, and what is unknown.
func (r *reader) processRest(root *yaml.Node) {
	for _, e := range docedit.Entries(root) {
		if e.Key.Value == keyAgent {
			continue
		}
		if e.Key.Value == keyCallers {
			for _, c := range r.list(e.Value, keyCallers) {
				r.noSecret(c)
			}
		} else {
			r.unknown(e.Key.Value, e.Key)
		}
		r.out.Team.Extra = append(r.out.Team.Extra, extraField(e))
	}
}

func (r *reader) noSecret(n *yaml.Node) {
	if v := docedit.Get(n, keySecret); v != nil {
		r.fail(v, "a secret stands in the file. Put it into an environment variable and name that: secretEnv")
	}
}

func (r *reader) targets(v *yaml.Node) {
	for _, n := range r.list(v, keyTargets) {
		r.noSecret(n)
		var t topology.Agent
		for _, e := range r.entries(n, everyItem+keyTargets) {
			switch e.Key.Value {
			case "name":
				t.Name = r.text(e.Value, "name")
			case "url":
				t.URL = r.text(e.Value, "url")
			case "secretEnv":
				t.SecretEnv = r.text(e.Value, "secretEnv")
			case "fingerprint":
				t.Fingerprint = r.text(e.Value, "fingerprint")
			default:
				t.Extra = append(t.Extra, extraField(e))
				r.unknown(keyTargets+"."+t.Name+"."+e.Key.Value, e.Key)
			}
		}
		if t.Name == "" {
			r.fail(n, "this target agent has no name. Give it one")
			return
		}
		t.ID = r.idFor(t.Name)
		r.add(t, n)
		me := &r.out.Team.Agents[0]
		me.Connections = append(me.Connections, topology.Connection{TargetID: t.ID, Type: topology.Command})
	}
}

// processFile writes agent-config.yaml for one agent of a team.
func processFile(t *topology.Topology, want topology.AgentID) ([]byte, []gatewayconfig.Loss, error) {
	a, err := processAgent(t, want)
	if err != nil {
		return nil, nil, err
	}
	l := &loser{target: "agent-config.yaml"}
	w := &writer{}
	m := newMap()
	m.add("name", docedit.String(processName(a)))
	m.text("role", a.Role)
	m.text("description", a.Description)
	m.text("model", a.Model)
	m.text("persona", a.Persona)
	named := map[topology.AgentID]bool{a.ID: true}
	if targets := w.targetNodes(t, a, l, named); len(targets.Content) > 0 {
		m.add(keyTargets, targets)
	}
	for _, f := range a.Extra {
		if slices.Contains(processExtra, f.Key) {
			w.extras(m.Node, a.ID, topology.Extra{f}, nil)
		} else {
			l.lose(a.ID, f.Key, true)
		}
	}
	l.process(t, a, named)
	root := newMap()
	root.add(keyAgent, m.Node)
	return w.finish(root, t, keyCallers, l)
}

func (l *loser) process(t *topology.Topology, a *topology.Agent, named map[topology.AgentID]bool) {
	l.loseFields(a, "name", "role", "description", "model", "persona")
	for _, o := range t.Agents {
		if !named[o.ID] {
			l.losses = append(
				l.losses,
				gatewayconfig.Loss{
					Agent:   o.ID,
					Reason:  gatewayconfig.LossSingle,
					Message: l.target + " holds one agent; " + string(o.ID) + " is not in it",
				},
			)
		}
	}
}

func processName(a *topology.Agent) string {
	if a.Name == "" {
		return string(a.ID)
	}
	return a.Name
}

// processAgent chooses the agent: the one that was asked for, the only one, or the
// only one that runs here.
func processAgent(t *topology.Topology, want topology.AgentID) (*topology.Agent, error) {
	if want != "" {
		if a, ok := t.Agent(want); ok {
			return a, nil
		}
		return nil, errcode.New(errcode.NotFound, "the team has no agent %q", want)
	}
	var here []*topology.Agent
	for i := range t.Agents {
		if t.Agents[i].URL == "" || len(t.Agents) == 1 {
			here = append(here, &t.Agents[i])
		}
	}
	if len(here) == 1 {
		return here[0], nil
	}
	return nil, errcode.New(errcode.Validation,
		"agent-config.yaml can contain only one agent, and the team has %d. Name one of them", len(t.Agents)).
		With(errcode.KeyField, "agent")
}

func (w *writer) targetNodes(
	t *topology.Topology,
	a *topology.Agent,
	l *loser,
	named map[topology.AgentID]bool,
) *yaml.Node {
	list := docedit.List(false)
	for _, c := range a.Connections {
		o, ok := t.Agent(c.TargetID)
		if c.Type != topology.Command || !ok {
			l.loseLink(a.ID, c)
			continue
		}
		named[o.ID] = true
		m := newMap()
		m.text("name", processName(o))
		m.text("url", o.URL)
		m.text("secretEnv", o.SecretEnv)
		m.text("fingerprint", o.Fingerprint)
		list.Content = append(list.Content, docedit.Flow(m.Node))
		if o.URL == "" {
			l.losses = append(l.losses, gatewayconfig.Loss{Agent: o.ID, Field: "url", Reason: gatewayconfig.LossShape,
				Message: string(o.ID) + " has no url, so " + string(a.ID) + " cannot reach it. Say where it runs"})
		}
		l.lose(o.ID, "role", o.Role != "")
		l.lose(o.ID, "model", o.Model != "")
		l.lose(o.ID, "persona", o.Persona != "")
	}
	return list
}

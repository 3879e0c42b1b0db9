package shape

import (
	"slices"

	"agentflow/backend/topology"
)

// Adopt returns the team as a gateway Holds it, with everything that only a drawing
// can hold taken from drawing: role, persona and what else the gateway has no place
// for, the other kinds of connection, layout, groups, notes, the team's name. Agents
// keep the drawing's order; those that are new stand at the end. Neither argument is
// changed.
func Adopt(reading Reading, drawing *topology.Topology, limits Limits) *topology.Topology {
	if drawing == nil {
		return reading.Topology.Clone()
	}
	limits = limits.In(reading.Shape)
	out := drawing.Clone()
	out.Agents = nil
	there := ByID(reading.Topology.Agents)
	for _, d := range drawing.Agents {
		if a := there[d.ID]; a != nil {
			out.Agents = append(out.Agents, adoptAgent(a.Clone(), d.Clone(), reading.Shape, limits))
			delete(there, d.ID)
		}
	}
	for _, a := range reading.Topology.Agents {
		if there[a.ID] != nil {
			out.Agents = append(out.Agents, a.Clone())
			delete(there, a.ID)
		}
	}
	forget(out)
	return out
}

// adoptAgent takes from a, which is the gateway's, what a gateway can hold.
func adoptAgent(a, drawn topology.Agent, shape Shape, l Limits) topology.Agent {
	keep := func(key string, is bool) bool { return !is && !l.Holds(shape, key) }
	if keep(keyRole, a.Role != "") {
		a.Role = drawn.Role
	}
	if keep(keyPersona, a.Persona != "") {
		a.Persona = drawn.Persona
	}
	if keep(keyDescription, a.Description != "") {
		a.Description = drawn.Description
	}
	if keep(keyURL, a.URL != "") {
		a.URL = drawn.URL
	}
	if keep(keySecretEnv, a.SecretEnv != "") {
		a.SecretEnv = drawn.SecretEnv
	}
	if keep(keyTemperature, a.Temperature != nil) {
		a.Temperature = drawn.Temperature
	}
	if keep(keyMaxTokens, a.MaxTokens != nil) {
		a.MaxTokens = drawn.MaxTokens
	}
	if keep(keyTools, a.Tools != nil) {
		a.Tools = drawn.Tools
	}
	if keep(keyFallbacks, len(a.Fallbacks) > 0) {
		a.Fallbacks = drawn.Fallbacks
	}
	a.Connections = adoptLinks(a.Connections, drawn.Connections, l.Holds(shape, keyConnections))
	for _, f := range drawn.Extra {
		if _, ok := a.Extra.Get(f.Key); !ok && !l.FullAgents {
			a.Extra = append(a.Extra, f)
		}
	}
	return a
}

// adoptLinks keeps the drawing's order and labels for the connections the gateway
// has, and the drawing's own where the gateway has no place for them.
func adoptLinks(there, drawn []topology.Connection, full bool) []topology.Connection {
	var out []topology.Connection
	used := make([]bool, len(there))
	for _, d := range drawn {
		i := slices.IndexFunc(there, func(c topology.Connection) bool { return c.Type == d.Type && c.TargetID == d.TargetID })
		switch {
		case i >= 0 && used[i]:
		case i >= 0:
			used[i] = true
			if full {
				d = there[i]
			}
			out = append(out, d)
		case !full && d.Type != topology.Command:
			out = append(out, d)
		}
	}
	for i, c := range there {
		if !used[i] {
			out = append(out, c)
		}
	}
	return out
}

// forget removes what stands on the canvas for agents that are gone.
func forget(t *topology.Topology) {
	have := ByID(t.Agents)
	for id := range t.Layout {
		if have[id] == nil {
			delete(t.Layout, id)
		}
	}
	for i := range t.Groups {
		t.Groups[i].Members = slices.DeleteFunc(t.Groups[i].Members, func(id topology.AgentID) bool { return have[id] == nil })
	}
	for i := range t.Agents {
		a := &t.Agents[i]
		a.Connections = slices.DeleteFunc(a.Connections, func(c topology.Connection) bool {
			return c.Type != topology.Command && have[c.TargetID] == nil
		})
	}
}

// Package team makes the teams that are measured.
package team

import (
	"fmt"
	"strings"

	"agentflow/backend/team/topology"
)

// The shapes in which a config keeps its agents.
const (
	ShapeMap     = "map"
	ShapeList    = "list"
	ShapeEntries = "entries"
)

// Config writes a config of n agents as a person would: quotes, comments, flow lists
// and keys that the product does not know.
func Config(n int, shape string) []byte {
	var b strings.Builder
	b.WriteString("# written for the benchmark\ngateway: {port: 18789}\nagents:\n")
	indent := "    "
	switch shape {
	case ShapeMap:
		indent = "  "
	case ShapeList, ShapeEntries:
		b.WriteString("  " + shape + ":\n")
	}
	for i := range n {
		id := func(i int) string { return fmt.Sprintf("agent-%d", i%n) }
		key := func(format string, args ...any) { fmt.Fprintf(&b, indent+"  "+format+"\n", args...) }
		if shape == ShapeList {
			fmt.Fprintf(&b, "%s- id: %s\n", indent, id(i))
		} else {
			fmt.Fprintf(&b, "%s%s:\n", indent, id(i))
		}
		key("name: \"Agent %d\" # number %d", i, i)
		key("model: ollama/qwen3")
		key("workspace: /srv/openclaw/workspace-agent-%d", i)
		key("subagents:")
		key("  allowAgents: [%s, %s, %s]", id(i+1), id(i+7), id(i+31))
		key("sandbox: {mode: all, scope: session}")
	}
	return []byte(b.String())
}

// Big draws n agents with three connections each. Two of them share no memory, as a
// team and what a gateway holds do not.
func Big(n int) *topology.Topology {
	t := &topology.Topology{
		Name:   "Benchmark",
		Agents: make([]topology.Agent, n),
		Layout: make(map[topology.AgentID]topology.Point, n),
	}
	for i := range n {
		id := func(i int) topology.AgentID { return topology.AgentID(fmt.Sprintf("agent-%d", i%n)) }
		command := func(i int) topology.Connection {
			return topology.Connection{TargetID: id(i), Type: topology.Command}
		}
		t.Agents[i] = topology.Agent{
			ID: id(
				i,
			),
			Name:        fmt.Sprintf("Agent %d", i),
			Model:       "demo/echo",
			Persona:     fmt.Sprintf("You are number %d of a team.", i),
			Workspace:   fmt.Sprintf("/srv/openclaw/workspace-agent-%d", i),
			Connections: []topology.Connection{command(i + 1), command(i + 7), command(i + 31)},
			Extra:       topology.Extra{{Key: "sandbox", Value: []byte(`{"mode":"all","scope":"session"}`)}},
		}
		t.Layout[id(i)] = topology.Point{X: float64(i % 100 * 220), Y: float64(i / 100 * 120)}
	}
	return t
}

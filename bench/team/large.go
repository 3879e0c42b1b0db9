package team

import (
	"fmt"
	"math"

	"agentflow/backend/team/topology"
)

// Where the middle of a node lies, seen from its corner: near enough in both pages.
const middleX, middleY = 75, 20

// Large draws n agents in a square with two connections each: one to the next agent,
// and one to the agent below or, for every tenth, across the whole picture.
func Large(n int) *topology.Topology {
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	id := func(i int) topology.AgentID { return topology.AgentID(fmt.Sprintf("agent-%d", i%n)) }
	t := &topology.Topology{
		Name:   "Large team",
		Agents: make([]topology.Agent, n),
		Layout: make(map[topology.AgentID]topology.Point, n),
	}
	for i := range n {
		other, kind := i+columns, topology.Review
		if i%10 == 0 {
			other = i*37 + 11
		}
		if i%2 == 1 {
			kind = topology.Communication
		}
		t.Agents[i] = topology.Agent{
			ID: id(i), Name: fmt.Sprintf("Agent %d", i), Model: "demo/echo", Persona: fmt.Sprintf("You are number %d of a team.", i),
			Workspace:   fmt.Sprintf("/srv/openclaw/workspace-agent-%d", i),
			Connections: []topology.Connection{{TargetID: id(i + 1), Type: topology.Command}, {TargetID: id(other), Type: kind}},
		}
		t.Layout[id(i)] = topology.Point{X: float64(i % columns * 220), Y: float64(i / columns * 128)}
	}
	return t
}

// Nearest returns the agent that is drawn next to a point.
func Nearest(t *topology.Topology, x, y float64) topology.AgentID {
	best, least := topology.AgentID(""), math.Inf(1)
	for _, a := range t.Agents {
		p := t.Layout[a.ID]
		if d := math.Hypot(p.X+middleX-x, p.Y+middleY-y); d < least {
			best, least = a.ID, d
		}
	}
	return best
}

// Middle is the middle of an agent as the page's hands take it.
func Middle(t *topology.Topology, id topology.AgentID) string {
	p := t.Layout[id]
	return fmt.Sprintf("{x:%g,y:%g}", p.X+middleX, p.Y+middleY)
}

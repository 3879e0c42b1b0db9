package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"agentflow/backend/team/internal/digraph"
	"agentflow/backend/team/topology"
)

// reach finds out who can be called. Reviewers and participants of a conversation
// hear of work without being commanded.
func (c *checker) reach() {
	agents := c.t.Agents
	c.lead = c.findLead()
	c.called = make([]bool, len(agents))
	anybody := 0 // how many may command all others
	c.bound = make(map[topology.AgentID]bool, len(c.t.Bindings))
	for _, b := range c.t.Bindings {
		c.bound[topology.BoundTo(b)] = true
	}
	for _, f := range c.t.Broadcast {
		for _, id := range topology.BroadcastTo(f.Key, f.Value) {
			c.bound[id] = true
		}
	}
	for i := range agents {
		if agents[i].AllowAny {
			anybody++
		}
		for _, conn := range agents[i].Connections {
			j, ok := c.first[conn.TargetID]
			if !ok || j == i {
				continue
			}
			kind := topology.KindOf(conn.Type)
			c.hasChain = c.hasChain || kind.Delegates
			c.called[i] = c.called[i] || kind.Reviews || kind.Talks
			c.called[j] = c.called[j] || kind.Delegates || kind.Talks
		}
	}
	for i := range agents {
		if anybody > 1 || anybody == 1 && !agents[i].AllowAny {
			c.hasChain, c.called[i] = true, true
		}
	}
}

func (c *checker) unreachable(i int, a *topology.Agent) {
	if !c.hasChain || c.called[i] || i == 0 || i == c.lead || c.first[a.ID] != i || topology.IsCoordinator(a.Role) {
		return
	}
	if v, _ := a.Extra.Get("default"); string(v) == "true" || c.bound[a.ID] {
		return
	}
	c.at(a, topology.SeverityWarning, UnreachableAgent, "")
}

// maxNamed bounds how many agents of a circle are named.
const maxNamed = 10

// maxSearch bounds the search for the very shortest cycle of a large knot; beyond it
// the shortest through its first agent is shown.
const maxSearch = 2_000_000

// cycles reports each knot of agents that can command each other in a circle, with a
// shortest cycle. An agent that may command everybody has an edge to one more node,
// from which edges lead to all, so that the graph stays small.
func (c *checker) cycles() {
	agents := c.t.Agents
	out := make([][]int, len(agents)+1)
	star := len(agents)
	edges := 0
	for i := range agents {
		for _, conn := range agents[i].Connections {
			if j, ok := c.first[conn.TargetID]; ok && topology.KindOf(conn.Type).Delegates && j != i {
				out[i] = append(out[i], j)
			}
		}
		if agents[i].AllowAny {
			out[i] = append(out[i], star)
		}
		out[star] = append(out[star], i)
		edges += len(out[i])
	}
	if edges == 0 {
		return
	}
	for _, knot := range digraph.Components(out) {
		c.cycle(knot, out, star)
	}
}

func (c *checker) cycle(knot []int, out [][]int, star int) {
	inside, edges := map[int]bool{}, 0
	for _, v := range knot {
		inside[v] = true
		edges += len(out[v])
	}
	slices.Sort(knot)
	var best []int
	for _, start := range knot {
		if len(best) == 2 || best != nil && len(knot)*edges > maxSearch {
			break
		}
		if start == star {
			continue
		}
		closes := func(v int) bool {
			if v == star {
				return false
			}
			return c.t.Agents[v].AllowAny || slices.Contains(out[v], start)
		}
		found := digraph.CycleThrough(start, out, func(v int) bool { return inside[v] }, closes)
		found = slices.DeleteFunc(found, func(v int) bool { return v == star })
		if found != nil && (best == nil || len(found) < len(best)) {
			best = found
		}
	}
	if best == nil { // one agent that may command everybody, and nobody commands it
		return
	}
	ids, names := make([]topology.AgentID, len(best)), make([]string, len(best)+1)
	for i, v := range best {
		ids[i], names[i] = c.t.Agents[v].ID, called(&c.t.Agents[v])
	}
	names[len(best)] = names[0]
	if more := len(best) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("… (+%d) → %s", more, names[0]))
	}
	c.add(topology.SeverityWarning, DelegationCycle, string(ids[0]), topology.Problem{Subject: topology.SubjectAgent, Agent: ids[0], Path: ids},
		"agent", names[0], "cycle", strings.Join(names, " → "))
}

// workspace reports agents on one computer that work in the same folder.
func (c *checker) workspace(seen map[string]int, i int, a *topology.Agent) {
	clean := cleanPath(a.Workspace)
	if clean == "" {
		clean = "~/.openclaw/workspace-" + string(a.ID)
	}
	place := a.URL + " " + clean
	first, shared := seen[place]
	if !shared {
		seen[place] = i
		return
	}
	if c.t.Agents[first].ID != a.ID {
		c.at(a, topology.SeverityWarning, SharedWorkspace, "workspace", "workspace", clean, "other",
			called(&c.t.Agents[first]))
	}
}

func cleanPath(p string) string {
	p = strings.ReplaceAll(strings.TrimSpace(p), `\`, "/")
	if p == "" {
		return ""
	}
	for _, home := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(p, home); ok {
			p = "~" + rest
		}
	}
	return path.Clean(p)
}

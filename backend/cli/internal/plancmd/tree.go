package plancmd

import (
	"fmt"
	"strings"

	"agentflow/backend/cli/internal/term"
	"agentflow/backend/plan"
)

const titleLimit = 100

// tree writes a plan, one task a line, children below their parent.
func tree(p *plan.Plan, say func(string, ...any) string) string {
	nodes := make(map[plan.ID]plan.Node, len(p.NodeIndex))
	tasks := make(map[plan.ID]plan.Task, len(p.Tasks))
	for _, n := range p.NodeIndex {
		nodes[n.NodeID] = n
	}
	for _, t := range p.Tasks {
		tasks[t.ID] = t
	}
	var b strings.Builder
	var write func(id plan.ID, lead string)
	write = func(id plan.ID, lead string) {
		children := nodes[id].Children
		for i, c := range children {
			branch, below := "├─ ", "│  "
			if i == len(children)-1 {
				branch, below = "└─ ", "   "
			}
			b.WriteString(lead + branch + line(tasks[c], say) + "\n")
			write(c, lead+below)
		}
	}
	write(p.RootNodeID, "")
	if len(p.Tasks) == 0 {
		return say("no tasks\n")
	}
	return b.String()
}

func line(t plan.Task, say func(string, ...any) string) string {
	text := fmt.Sprintf("%s  %s  %s", t.Status, term.OneLine(string(t.ID), titleLimit),
		term.OneLine(t.Title, titleLimit))
	if len(t.Dependencies) == 0 {
		return text
	}
	after := make([]string, len(t.Dependencies))
	for i, d := range t.Dependencies {
		after[i] = term.OneLine(string(d), titleLimit)
	}
	return text + say("  after %s", strings.Join(after, ", "))
}

package plancmd

import (
	"fmt"
	"strings"

	"agentflow/backend/cli/term"
	"agentflow/backend/plan"
)

const titleLimit = 100

// tree writes a plan, one task a line, children below their parent.
func tree(p *plan.Plan) string {
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
			b.WriteString(lead + branch + line(tasks[c]) + "\n")
			write(c, lead+below)
		}
	}
	write(p.RootNodeID, "")
	if len(p.Tasks) == 0 {
		return "no tasks\n"
	}
	return b.String()
}

func line(t plan.Task) string {
	text := fmt.Sprintf("%s  %s  %s", t.Status, term.OneLine(string(t.ID), titleLimit), term.OneLine(t.Title, titleLimit))
	for i, d := range t.Dependencies {
		mark := ", "
		if i == 0 {
			mark = "  after "
		}
		text += mark + term.OneLine(string(d), titleLimit)
	}
	return text
}

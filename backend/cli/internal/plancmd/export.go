package plancmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/plan"
)

// Formats of an export.
const (
	toMarkdown = "markdown" // a checklist as the tree has it
	toMermaid  = "mermaid"  // the graph of what waits for what
)

func (p program) exportCommand() *cobra.Command {
	var to, out string
	cmd := &cobra.Command{
		Use: "export PLAN", Short: "Export a plan as Markdown or Mermaid", Args: shell.Args(cobra.ExactArgs(1)),
		Long:    "Export a plan as a Markdown checklist of its tasks, or as a Mermaid graph of their dependencies.",
		Example: "  agentflow plan export plan.json -o plan.md\n  agentflow plan export plan.json --to mermaid",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			write, known := map[string]func(*plan.Plan) string{toMarkdown: markdown, toMermaid: mermaid}[to]
			if !known {
				return shell.Usage(cmd, "--to must be %s or %s, not %q", toMarkdown, toMermaid, to)
			}
			pl, err := p.read(given[0])
			if err != nil {
				return err
			}
			if p.Screen.JSON {
				return p.exported(to, out, write(pl))
			}
			if out == "" || out == shell.Stdin {
				p.Screen.Raw([]byte(write(pl)))
				return nil
			}
			return atomicfile.Write(out, []byte(write(pl)), shell.TeamMode)
		}),
	}
	cmd.Flags().StringVar(&to, "to", toMarkdown, toMarkdown+" or "+toMermaid)
	shell.OutFlag(cmd, &out, "file to write (default: standard output)")
	return cmd
}

// exported answers with one JSON object: the document, or the file that it was written to.
func (p program) exported(format, out, document string) error {
	if out == "" || out == shell.Stdin {
		return p.Screen.Object(map[string]string{"format": format, "document": document})
	}
	if err := atomicfile.Write(out, []byte(document), shell.TeamMode); err != nil {
		return err
	}
	return p.Screen.Object(map[string]string{"format": format, "file": out})
}

// walk calls f for every task below the root, in the order of the tree.
func walk(p *plan.Plan, f func(t *plan.Task, depth int)) {
	tasks, nodes := map[plan.ID]*plan.Task{}, map[plan.ID]*plan.Node{}
	for i := range p.Tasks {
		tasks[p.Tasks[i].ID] = &p.Tasks[i]
	}
	for i := range p.NodeIndex {
		nodes[p.NodeIndex[i].NodeID] = &p.NodeIndex[i]
	}
	type place struct {
		id    plan.ID
		depth int
	}
	for stack := []place{{p.RootNodeID, -1}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t := tasks[at.id]; t != nil {
			f(t, at.depth)
		}
		for _, c := range slices.Backward(nodes[at.id].Children) {
			stack = append(stack, place{c, at.depth + 1})
		}
	}
}

var markdownSigns = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "<",
	"&lt;", "\n", " ")

func markdown(p *plan.Plan) string {
	titles := map[plan.ID]string{}
	for _, t := range p.Tasks {
		titles[t.ID] = t.Title
	}
	var b strings.Builder
	walk(p, func(t *plan.Task, depth int) {
		indent, mark := strings.Repeat("  ", depth), " "
		if t.Status == plan.Complete {
			mark = "x"
		}
		fmt.Fprintf(&b, "%s- [%s] **%s** (%s)", indent, mark, markdownSigns.Replace(t.Title), t.Status)
		for i, d := range t.Dependencies {
			fmt.Fprintf(&b, "%s%s", map[bool]string{true: " ← ", false: ", "}[i == 0], markdownSigns.Replace(titles[d]))
		}
		b.WriteString("\n")
		for _, c := range t.AcceptanceCriteria {
			fmt.Fprintf(&b, "%s  - %s\n", indent, markdownSigns.Replace(c))
		}
	})
	return b.String()
}

var mermaidSigns = strings.NewReplacer(`"`, "#quot;", "\n", " ", "<", "#lt;", ">", "#gt;")

func mermaid(p *plan.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "graph %s\n", "LR")
	names := map[plan.ID]string{}
	walk(p, func(t *plan.Task, _ int) {
		names[t.ID] = fmt.Sprintf("t%d", len(names)+1)
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", names[t.ID], mermaidSigns.Replace(t.Title))
	})
	walk(p, func(t *plan.Task, _ int) {
		for _, d := range t.Dependencies {
			fmt.Fprintf(&b, "  %s --> %s\n", names[d], names[t.ID])
		}
	})
	return b.String()
}

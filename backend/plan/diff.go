package plan

import (
	"reflect"
	"slices"
)

// Change is the difference in one task between two plans.
type Change struct {
	ID      ID      `json:"id"`
	Title   string  `json:"title" doc:"Title after the change, or before it if the task is gone."`
	Added   bool    `json:"added,omitempty"`
	Removed bool    `json:"removed,omitempty"`
	Moved   bool    `json:"moved,omitempty" doc:"The task has another parent or position."`
	Fields  []Field `json:"fields,omitempty"`
}

// Field is one field of a task, before and after. Lists and hints have their form in the file.
type Field struct {
	Name   string `json:"name" enum:"title,description,status,acceptance_criteria,dependencies,phase_name,milestone,wbs_level,estimated_effort,suggested_impl"`
	Before any    `json:"before,omitempty"`
	After  any    `json:"after,omitempty"`
}

// Diff returns the changes from p to next: first the tasks of next, in tree order, and then the removed ones, in
// their former order. Of reordered siblings, as few as possible count as moved.
func (p *Plan) Diff(next *Plan) []Change {
	was, is := p.index(), next.index()
	moved := map[ID]bool{}
	for id, n := range is.nodes {
		old := was.nodes[id]
		if old == nil {
			continue
		}
		if old.ParentID != n.ParentID {
			moved[id] = true
		}
		out := reordered(old.Children, n.Children)
		for _, c := range out {
			moved[c] = true
		}
	}
	var out []Change
	for _, id := range next.Order() {
		t := is.tasks[id]
		old := was.tasks[id]
		c := Change{ID: id, Title: t.Title, Added: old == nil, Moved: moved[id]}
		if old != nil {
			c.Fields = fieldsOf(old, t)
		}
		if c.Added || c.Moved || len(c.Fields) > 0 {
			out = append(out, c)
		}
	}
	for _, id := range p.Order() {
		if is.tasks[id] == nil {
			out = append(out, Change{ID: id, Title: was.tasks[id].Title, Removed: true})
		}
	}
	return out
}

type index struct {
	nodes map[ID]*Node
	tasks map[ID]*Task
}

func (p *Plan) index() index {
	x := index{nodes: make(map[ID]*Node, len(p.NodeIndex)), tasks: make(map[ID]*Task, len(p.Tasks))}
	for i := range p.NodeIndex {
		x.nodes[p.NodeIndex[i].NodeID] = &p.NodeIndex[i]
	}
	for i := range p.Tasks {
		x.tasks[p.Tasks[i].ID] = &p.Tasks[i]
	}
	return x
}

// Order lists the tasks in tree order: each before its children.
func (p *Plan) Order() []ID {
	nodes := p.index().nodes
	out := make([]ID, 0, len(p.Tasks))
	for open := []ID{p.RootNodeID}; len(open) > 0; {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		if id != p.RootNodeID {
			out = append(out, id)
		}
		children := nodes[id].Children
		for i := len(children) - 1; i >= 0; i-- {
			open = append(open, children[i])
		}
	}
	return out
}

// reordered returns the smallest set of common items that must move to change one order into the other. These are the
// items outside a longest increasing subsequence.
func reordered(before, after []ID) []ID {
	place := make(map[ID]int, len(before))
	for i, id := range before {
		place[id] = i
	}
	common := slices.DeleteFunc(slices.Clone(after), func(id ID) bool { _, ok := place[id]; return !ok })
	var ends []int // for each length, the index in common where the best subsequence ends
	prev := make([]int, len(common))
	for i, id := range common {
		at, _ := slices.BinarySearchFunc(ends, place[id], func(e, want int) int { return place[common[e]] - want })
		prev[i] = -1
		if at > 0 {
			prev[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	stays := make(map[ID]bool, len(ends))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = prev[i] {
			stays[common[i]] = true
		}
	}
	return slices.DeleteFunc(common, func(id ID) bool { return stays[id] })
}

func fieldsOf(a, b *Task) []Field {
	var out []Field
	for _, f := range []Field{
		{"title", a.Title, b.Title},
		{"description", a.Description, b.Description},
		{"status", a.Status, b.Status},
		{"acceptance_criteria", full(a.AcceptanceCriteria), full(b.AcceptanceCriteria)},
		{"dependencies", full(a.Dependencies), full(b.Dependencies)},
		{"phase_name", a.PhaseName, b.PhaseName},
		{"milestone", a.Milestone, b.Milestone},
		{"wbs_level", a.WBSLevel, b.WBSLevel},
		{"estimated_effort", a.EstimatedEffort, b.EstimatedEffort},
		{"suggested_impl", a.SuggestedImpl, b.SuggestedImpl},
	} {
		if !reflect.DeepEqual(f.Before, f.After) {
			out = append(out, f)
		}
	}
	return out
}

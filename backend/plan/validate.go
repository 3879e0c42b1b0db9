package plan

import (
	"fmt"
	"slices"
)

// Validate returns the first error in the plan: a wrong version, an invalid or duplicate ID, a node without a task, a
// node outside the tree or in it twice, an unknown dependency, or a cycle. The error is VALIDATION_ERROR with
// details.field.
func (p *Plan) Validate() error {
	if p.Version != Version {
		return invalid("version", "version must be %d, not %d", Version, p.Version)
	}
	tasks, err := p.checkTasks()
	if err != nil {
		return err
	}
	if err := p.checkTree(tasks); err != nil {
		return err
	}
	if cycle := dependencyCycle(tasks, p.Tasks); cycle != nil {
		return invalid("tasks", "tasks wait for one another: %s", path(cycle))
	}
	return nil
}

func (p *Plan) checkTasks() (map[ID]*Task, error) {
	tasks := make(map[ID]*Task, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		field := fmt.Sprintf("tasks[%d]", i)
		if fault := idFault(t.ID); fault != "" {
			return nil, invalid(field+".id", "the id of %s %s", field, fault)
		}
		if tasks[t.ID] != nil {
			return nil, invalid(field+".id", "the id %q stands twice in tasks", t.ID)
		}
		tasks[t.ID] = t
	}
	for i := range p.Tasks {
		for j, d := range p.Tasks[i].Dependencies {
			field := fmt.Sprintf("tasks[%d].dependencies[%d]", i, j)
			if tasks[d] == nil {
				return nil, invalid(field, "task %q depends on %q, which is not in the plan", p.Tasks[i].ID, d)
			}
			if slices.Contains(p.Tasks[i].Dependencies[:j], d) {
				return nil, invalid(field, "task %q depends on %q twice", p.Tasks[i].ID, d)
			}
		}
	}
	return tasks, nil
}

func (p *Plan) checkTree(tasks map[ID]*Task) error {
	nodes := make(map[ID]*Node, len(p.NodeIndex))
	for i := range p.NodeIndex {
		n := &p.NodeIndex[i]
		field := fmt.Sprintf("node_index[%d].node_id", i)
		if fault := idFault(n.NodeID); fault != "" {
			return invalid(field, "the node_id of node_index[%d] %s", i, fault)
		}
		if nodes[n.NodeID] != nil {
			return invalid(field, "the node %q stands twice in node_index", n.NodeID)
		}
		nodes[n.NodeID] = n
	}
	root := nodes[p.RootNodeID]
	if root == nil {
		return invalid("root_node_id", "the root %q is not in node_index", p.RootNodeID)
	}
	if root.ParentID != "" {
		return invalid("root_node_id", "the root %q has a parent, %q", p.RootNodeID, root.ParentID)
	}
	if tasks[p.RootNodeID] != nil {
		return invalid("tasks", "the root %q is a task: a task hangs below the root", p.RootNodeID)
	}
	hung := make(map[ID]bool, len(p.NodeIndex))
	hung[p.RootNodeID] = true
	for queue := []*Node{root}; len(queue) > 0; queue = queue[1:] {
		for _, c := range queue[0].Children {
			child := nodes[c]
			switch parent := queue[0].NodeID; {
			case child == nil:
				return invalid("node_index", "%q has the child %q, which is not in node_index", parent, c)
			case hung[c]:
				return invalid("node_index", "the node %q hangs in the tree twice", c)
			case child.ParentID != parent:
				return invalid("node_index", "the node %q hangs below %q, and names %q as its parent", c, parent,
					child.ParentID)
			}
			hung[c] = true
			queue = append(queue, child)
		}
	}
	for i := range p.NodeIndex {
		id := p.NodeIndex[i].NodeID
		if !hung[id] {
			return invalid("node_index", "the node %q hangs nowhere in the tree", id)
		}
		if id != p.RootNodeID && tasks[id] == nil {
			return invalid("node_index", "the node %q has no task of that id", id)
		}
	}
	for i := range p.Tasks {
		if nodes[p.Tasks[i].ID] == nil {
			return invalid(fmt.Sprintf("tasks[%d].id", i), "the task %q has no node in node_index", p.Tasks[i].ID)
		}
	}
	return nil
}

// dependencyCycle returns the IDs of one cycle, each depending on the next, or nil. It visits the tasks in the order
// of list, so the result is deterministic.
func dependencyCycle(tasks map[ID]*Task, list []Task) []ID {
	const open, closed = 1, 2
	state := make(map[ID]int, len(list))
	type step struct {
		id   ID
		next int
	}
	for i := range list {
		if state[list[i].ID] != 0 {
			continue
		}
		way := []step{{id: list[i].ID}}
		state[list[i].ID] = open
		for len(way) > 0 {
			here := &way[len(way)-1]
			deps := tasks[here.id].Dependencies
			if here.next == len(deps) {
				state[here.id] = closed
				way = way[:len(way)-1]
				continue
			}
			d := deps[here.next]
			here.next++
			switch state[d] {
			case open:
				at := slices.IndexFunc(way, func(s step) bool { return s.id == d })
				var cycle []ID
				for _, s := range way[at:] {
					cycle = append(cycle, s.id)
				}
				return cycle
			case 0:
				state[d] = open
				way = append(way, step{id: d})
			}
		}
	}
	return nil
}

// path formats a cycle as a → b → a.
func path(cycle []ID) string {
	text := ""
	for _, id := range cycle {
		text += string(id) + " → "
	}
	return text + string(cycle[0])
}

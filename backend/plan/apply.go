package plan

import (
	"errors"
	"fmt"
	"slices"
)

// Applied is the result of a patch.
type Applied struct {
	Plan    *Plan     `json:"plan"`
	IDs     map[ID]ID `json:"ids"`     // temp id → id
	Created []ID      `json:"created"` // in the order of the operations
	Changed []ID      `json:"changed"` // updated or moved
	Deleted []ID      `json:"deleted"` // including descendants
}

// Apply returns the plan with the patch applied; p itself doesn't change. All operations succeed in their order, or
// none is applied. The error is VALIDATION_ERROR with details.operation, the index of the failed operation.
//
// Dependencies can use a temp ID before its task is created, all other fields only after it. Without parent_id a
// created task is added below the root and a moved one keeps its parent. Without position it becomes the last child.
// A deleted task leaves the tree and all dependencies on it. Its children take its place, unless cascade deletes them
// too (seed §10.5). newID returns the ID of each created task.
func (p *Plan) Apply(patch *Patch, newID func() ID) (*Applied, error) {
	w, err := p.open(patch, newID)
	if err != nil {
		return nil, err
	}
	for i := range patch.Payload.Operations {
		op := &patch.Payload.Operations[i]
		if err := op.check(); err != nil {
			return nil, at(i, err)
		}
		if err := w.do(i, op); err != nil {
			return nil, at(i, err)
		}
	}
	return w.close()
}

// work is a plan during a patch. Lists of children are shared with the original plan: clone them before a change.
type work struct {
	from    *Plan
	nodes   map[ID]*Node
	tasks   map[ID]*Task
	order   []ID // of nodes and tasks as in the file, new ones last
	ids     map[ID]ID
	created map[ID]bool
	changed map[ID]bool
	deleted map[ID]bool
	waits   map[ID]int // task → the operation that set its dependencies
	out     Applied
}

func (p *Plan) open(patch *Patch, newID func() ID) (*work, error) {
	w := &work{
		from: p, nodes: make(map[ID]*Node, len(p.NodeIndex)), tasks: make(map[ID]*Task, len(p.Tasks)),
		ids: map[ID]ID{}, created: map[ID]bool{}, changed: map[ID]bool{}, deleted: map[ID]bool{}, waits: map[ID]int{},
	}
	nodes, tasks := slices.Clone(p.NodeIndex), slices.Clone(p.Tasks)
	for i := range nodes {
		w.nodes[nodes[i].NodeID] = &nodes[i]
	}
	for i := range tasks {
		w.tasks[tasks[i].ID] = &tasks[i]
		w.order = append(w.order, tasks[i].ID)
	}
	for i := range patch.Payload.Operations {
		op := &patch.Payload.Operations[i]
		if op.Op != Create {
			continue
		}
		if _, twice := w.ids[op.TempID]; twice {
			return nil, at(i, fmt.Errorf("temp_id %q stands twice in the patch", op.TempID))
		}
		if w.nodes[op.TempID] != nil {
			return nil, at(i, fmt.Errorf("temp_id %q is the id of a task in the plan", op.TempID))
		}
		id := newID()
		if w.nodes[id] != nil {
			return nil, at(i, fmt.Errorf("the new id %q is taken", id))
		}
		w.ids[op.TempID] = id
	}
	return w, nil
}

func (w *work) do(i int, op *Operation) error {
	switch op.Op {
	case Create:
		return w.create(i, op)
	case Update:
		return w.update(i, op)
	case Move:
		return w.move(op)
	default:
		return w.remove(op)
	}
}

// id resolves a temp ID; other IDs are returned unchanged.
func (w *work) id(said ID) ID {
	if id, ok := w.ids[said]; ok {
		return id
	}
	return said
}

// task returns a task that exists at this point of the patch.
func (w *work) task(said ID) (*Task, error) {
	id := w.id(said)
	if t := w.tasks[id]; t != nil {
		return t, nil
	}
	switch {
	case said == w.from.RootNodeID:
		return nil, fmt.Errorf("%q is the root, which is no task", said)
	case w.deleted[id]:
		return nil, fmt.Errorf("task %q has been deleted by an operation before", said)
	case id != said:
		return nil, fmt.Errorf("task %q is created only by an operation after this one", said)
	}
	return nil, fmt.Errorf("there is no task %q in the plan", said)
}

func (w *work) node(said ID) (*Node, error) {
	if n := w.nodes[w.id(said)]; n != nil {
		return n, nil
	}
	_, err := w.task(said)
	return nil, err
}

func (w *work) create(i int, op *Operation) error {
	id := w.ids[op.TempID]
	parent := w.nodes[w.from.RootNodeID]
	if op.namesParent() {
		var err error
		if parent, err = w.node(*op.ParentID); err != nil {
			return fmt.Errorf("parent_id: %w", err)
		}
	}
	place, err := w.place(parent, op.Position, "")
	if err != nil {
		return err
	}
	t := &Task{ID: id, Status: Pending, WBSLevel: min(3, 1+w.depth(parent))}
	if err := w.set(i, t, op); err != nil {
		return err
	}
	w.tasks[id] = t
	w.nodes[id] = &Node{NodeID: id, ParentID: parent.NodeID}
	parent.Children = slices.Insert(slices.Clone(parent.Children), place, id)
	w.order = append(w.order, id)
	w.created[id] = true
	return nil
}

// depth returns a node's distance from the root.
func (w *work) depth(n *Node) int {
	d := 0
	for n.ParentID != "" {
		n = w.nodes[n.ParentID]
		d++
	}
	return d
}

func (w *work) update(i int, op *Operation) error {
	t, err := w.task(op.TaskID)
	if err != nil {
		return err
	}
	w.change(t.ID)
	return w.set(i, t, op)
}

// set copies the given fields of an operation to a task.
func (w *work) set(i int, t *Task, op *Operation) error {
	for _, f := range []struct{ to, from *string }{
		{&t.Title, op.Title}, {&t.Description, op.Description}, {&t.PhaseName, op.PhaseName}, {&t.Milestone, op.Milestone}, {&t.EstimatedEffort, op.EstimatedEffort},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if op.WBSLevel != nil {
		t.WBSLevel = *op.WBSLevel
	}
	if op.SuggestedImpl != nil {
		hint := *op.SuggestedImpl
		t.SuggestedImpl = &hint
	}
	if op.AcceptanceCriteria != nil {
		t.AcceptanceCriteria = slices.Clone(*op.AcceptanceCriteria)
	}
	if op.Dependencies == nil {
		return nil
	}
	deps := make([]ID, 0, len(*op.Dependencies))
	for _, said := range *op.Dependencies {
		id := w.id(said)
		if _, err := w.task(said); err != nil && (id == said || w.deleted[id]) {
			return fmt.Errorf("dependencies: %w", err)
		}
		if id == t.ID {
			return fmt.Errorf("dependencies: task %q would wait for itself", said)
		}
		if slices.Contains(deps, id) {
			return fmt.Errorf("dependencies: %q stands twice", said)
		}
		deps = append(deps, id)
	}
	t.Dependencies = deps
	w.waits[t.ID] = i
	return nil
}

func (w *work) move(op *Operation) error {
	t, err := w.task(op.TaskID)
	if err != nil {
		return err
	}
	n := w.nodes[t.ID]
	old := w.nodes[n.ParentID]
	parent := old
	if op.namesParent() {
		if parent, err = w.node(*op.ParentID); err != nil {
			return fmt.Errorf("parent_id: %w", err)
		}
	}
	for up := parent; up != nil; up = w.nodes[up.ParentID] {
		if up == n {
			return fmt.Errorf("task %q cannot hang below itself: %q is in its own branch", op.TaskID, parent.NodeID)
		}
	}
	place, err := w.place(parent, op.Position, n.NodeID)
	if err != nil {
		return err
	}
	old.Children = slices.DeleteFunc(slices.Clone(old.Children), func(id ID) bool { return id == n.NodeID })
	parent.Children = slices.Insert(slices.Clone(parent.Children), place, n.NodeID)
	n.ParentID = parent.NodeID
	w.change(n.NodeID)
	return nil
}

// place returns the index among the parent's children for a position, counted without the moving node.
func (w *work) place(parent *Node, at *Position, moving ID) (int, error) {
	siblings := parent.Children
	if moving != "" {
		siblings = slices.DeleteFunc(slices.Clone(siblings), func(id ID) bool { return id == moving })
	}
	switch {
	case at == nil:
		return len(siblings), nil
	case at.Index != nil:
		if *at.Index < 0 || *at.Index > len(siblings) {
			return 0, fmt.Errorf("position.index %d is not within 0 to %d", *at.Index, len(siblings))
		}
		return *at.Index, nil
	}
	said, name, shift := at.Before, "before", 0
	if said == nil {
		said, name, shift = at.After, "after", 1
	}
	i := slices.Index(siblings, w.id(*said))
	if i < 0 {
		return 0, fmt.Errorf("position.%s: %q is not among the children of %q", name, *said, parent.NodeID)
	}
	return i + shift, nil
}

func (w *work) remove(op *Operation) error {
	t, err := w.task(op.TaskID)
	if err != nil {
		return err
	}
	n := w.nodes[t.ID]
	parent := w.nodes[n.ParentID]
	at := slices.Index(parent.Children, n.NodeID)
	if op.Cascade != nil && *op.Cascade {
		parent.Children = slices.Delete(slices.Clone(parent.Children), at, at+1)
		for branch := []ID{n.NodeID}; len(branch) > 0; branch = branch[1:] {
			branch = append(branch, w.nodes[branch[0]].Children...)
			w.forget(branch[0])
		}
		return nil
	}
	for _, c := range n.Children {
		w.nodes[c].ParentID = parent.NodeID
	}
	parent.Children = slices.Replace(slices.Clone(parent.Children), at, at+1, n.Children...)
	w.forget(n.NodeID)
	return nil
}

func (w *work) forget(id ID) {
	delete(w.nodes, id)
	delete(w.tasks, id)
	w.deleted[id] = true
	if !w.created[id] {
		w.out.Deleted = append(w.out.Deleted, id)
	}
}

func (w *work) change(id ID) {
	if !w.created[id] && !w.changed[id] {
		w.changed[id] = true
		w.out.Changed = append(w.out.Changed, id)
	}
}

// close assembles the new plan, without references to deleted tasks.
func (w *work) close() (*Applied, error) {
	next := &Plan{
		Version: Version, RootNodeID: w.from.RootNodeID, Extra: w.from.Extra,
		NodeIndex: make([]Node, 0, len(w.nodes)), Tasks: make([]Task, 0, len(w.tasks)),
	}
	for i := range w.from.NodeIndex {
		if n := w.nodes[w.from.NodeIndex[i].NodeID]; n != nil {
			next.NodeIndex = append(next.NodeIndex, *n)
		}
	}
	for _, id := range w.order {
		t := w.tasks[id]
		if t == nil {
			continue
		}
		if len(w.deleted) > 0 && slices.ContainsFunc(t.Dependencies, func(d ID) bool { return w.deleted[d] }) {
			t.Dependencies = slices.DeleteFunc(slices.Clone(t.Dependencies), func(d ID) bool { return w.deleted[d] })
		}
		next.Tasks = append(next.Tasks, *t)
		if w.created[id] {
			next.NodeIndex = append(next.NodeIndex, *w.nodes[id])
			w.out.Created = append(w.out.Created, id)
		}
	}
	if cycle := dependencyCycle(w.tasks, next.Tasks); cycle != nil {
		last := 0
		for _, id := range cycle {
			last = max(last, w.waits[id])
		}
		return nil, at(last, errors.New("tasks would wait for one another: "+path(cycle)))
	}
	if err := next.Validate(); err != nil {
		return nil, err
	}
	w.out.Changed = slices.DeleteFunc(w.out.Changed, func(id ID) bool { return w.deleted[id] })
	w.out.Plan, w.out.IDs = next, w.ids
	return &w.out, nil
}

package plan

import (
	"cmp"
	"slices"
)

// Limits of what a planner gets (ME-10).
const (
	BriefTasks    = 200
	BriefNodes    = 200
	BriefMessages = 10
	BriefText     = 300 // characters of each message
)

// Brief is a plan and its conversation, shortened for a planner. It is deterministic.
type Brief struct {
	Tasks    []BriefTask `json:"existing_tasks"`
	WBS      BriefWBS    `json:"existing_wbs"`
	Messages []Message   `json:"conversation"`
}

// BriefTask is a shortened task.
type BriefTask struct {
	ID           ID     `json:"id"`
	Title        string `json:"title"`
	Status       Status `json:"status"`
	Dependencies []ID   `json:"dependencies"`
	PhaseName    string `json:"phase_name"`
	Milestone    string `json:"milestone"`
	WBSLevel     int    `json:"wbs_level"`
	ParentID     ID     `json:"parent_id"`
}

// BriefWBS is the shortened tree.
type BriefWBS struct {
	RootNodeID ID     `json:"root_node_id"`
	NodeIndex  []Node `json:"node_index"`
}

// Message is one line of the conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ranks sorts statuses: running tasks first, ended ones last. Other statuses come after all of them.
var ranks = []Status{Running, Validating, Planning, Blocked, Pending, Failed, Complete}

func rank(s Status) int {
	if i := slices.Index(ranks, s); i >= 0 {
		return i
	}
	return len(ranks)
}

// Brief shortens the plan and the conversation: 200 tasks by status and then ID, 200 nodes breadth-first from the
// root, and the last 10 messages of 300 characters each (ME-10).
func (p *Plan) Brief(conversation []Message) Brief {
	parents := make(map[ID]ID, len(p.NodeIndex))
	nodes := make(map[ID]*Node, len(p.NodeIndex))
	for i := range p.NodeIndex {
		parents[p.NodeIndex[i].NodeID] = p.NodeIndex[i].ParentID
		nodes[p.NodeIndex[i].NodeID] = &p.NodeIndex[i]
	}
	tasks := make([]*Task, len(p.Tasks))
	for i := range p.Tasks {
		tasks[i] = &p.Tasks[i]
	}
	slices.SortFunc(tasks, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(rank(a.Status), rank(b.Status)), cmp.Compare(a.ID, b.ID))
	})
	b := Brief{
		Tasks:    []BriefTask{},
		WBS:      BriefWBS{RootNodeID: p.RootNodeID, NodeIndex: p.breadthFirst(nodes)},
		Messages: []Message{},
	}
	for _, t := range tasks[:min(len(tasks), BriefTasks)] {
		b.Tasks = append(b.Tasks, BriefTask{
			ID: t.ID, Title: t.Title, Status: t.Status, Dependencies: full(t.Dependencies),
			PhaseName: t.PhaseName, Milestone: t.Milestone, WBSLevel: t.WBSLevel, ParentID: parents[t.ID],
		})
	}
	for _, m := range conversation[max(0, len(conversation)-BriefMessages):] {
		b.Messages = append(b.Messages, Message{Role: m.Role, Content: firstRunes(m.Content, BriefText)})
	}
	return b
}

// breadthFirst returns the first nodes from the root, level by level. Omitted children are also omitted from their
// parents' lists.
func (p *Plan) breadthFirst(nodes map[ID]*Node) []Node {
	queue := []ID{p.RootNodeID}
	for i := 0; i < len(queue) && len(queue) < BriefNodes; i++ {
		queue = append(queue, nodes[queue[i]].Children...)
	}
	queue = queue[:min(len(queue), BriefNodes)]
	told := make(map[ID]bool, len(queue))
	for _, id := range queue {
		told[id] = true
	}
	out := []Node{}
	for _, id := range queue {
		n := nodes[id]
		children := slices.DeleteFunc(slices.Clone(n.Children), func(c ID) bool { return !told[c] })
		out = append(out, Node{NodeID: id, ParentID: n.ParentID, Children: full(children)})
	}
	return out
}

func firstRunes(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}

// Package plan models a plan: its tasks, their tree (the work breakdown structure, WBS), and patches that change both
// (requirements ME-8, ME-9).
// It is pure: no I/O, no goroutines, no clock.
package plan

import (
	"bytes"
	"encoding/json"
	"unicode"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
)

// ID identifies a task and its node in the tree.
type ID string

// Status is the state of a task. Unknown statuses are preserved.
type Status string

// The statuses of a task.
const (
	Pending    Status = "PENDING"
	Planning   Status = "PLANNING"
	Running    Status = "RUNNING"
	Validating Status = "VALIDATING"
	Blocked    Status = "BLOCKED"
	Complete   Status = "COMPLETE"
	Failed     Status = "FAILED"
)

// Version is the only version of the plan file and of the patch protocol.
const Version = 1

// RootID is the ID of a new plan's root.
const RootID ID = "node-root"

// Plan is the whole tree. Each node but the root has a task with the node's ID, and each task has a node.
type Plan struct {
	Version    int    `json:"version" yaml:"version"`
	RootNodeID ID     `json:"root_node_id" yaml:"root_node_id" doc:"ID of the root of the tree."`
	NodeIndex  []Node `json:"node_index" yaml:"node_index" doc:"Nodes of the tree."`
	Tasks      []Task `json:"tasks" yaml:"tasks"`
	Extra      Extra  `json:"-" yaml:"-"`
}

// Node is a place in the tree. The root's ParentID is empty.
type Node struct {
	NodeID   ID    `json:"node_id" yaml:"node_id"`
	ParentID ID    `json:"parent_id" yaml:"parent_id"`
	Children []ID  `json:"children" yaml:"children"`
	Extra    Extra `json:"-" yaml:"-"`
}

// Task is one piece of the work.
type Task struct {
	ID                 ID             `json:"id" yaml:"id"`
	Title              string         `json:"title" yaml:"title"`
	Description        string         `json:"description" yaml:"description"`
	Status             Status         `json:"status" yaml:"status"`
	AcceptanceCriteria []string       `json:"acceptance_criteria" yaml:"acceptance_criteria"`
	Dependencies       []ID           `json:"dependencies" yaml:"dependencies" doc:"IDs of tasks that must be complete first."`
	PhaseName          string         `json:"phase_name" yaml:"phase_name"`
	Milestone          string         `json:"milestone" yaml:"milestone"`
	WBSLevel           int            `json:"wbs_level" yaml:"wbs_level" doc:"Level: 1 concept, 2 design, 3 implementation."`
	EstimatedEffort    string         `json:"estimated_effort,omitempty" yaml:"estimated_effort,omitempty"`
	SuggestedImpl      *SuggestedImpl `json:"suggested_impl,omitempty" yaml:"suggested_impl,omitempty"`
	Extra              Extra          `json:"-" yaml:"-"`
}

// SuggestedImpl is a hint on how to do a task.
type SuggestedImpl struct {
	Language    string   `json:"language,omitempty" yaml:"language,omitempty" doc:"Programming language. Default: none."`
	FilePaths   []string `json:"file_paths,omitempty" yaml:"file_paths,omitempty" doc:"Files to change. Default: none."`
	Constraints []string `json:"constraints,omitempty" yaml:"constraints,omitempty" doc:"What to keep in mind. Default: none."`
}

// PotentialConflict names a file that several tasks may change.
type PotentialConflict struct {
	File    string `json:"file" yaml:"file"`
	Tasks   []ID   `json:"tasks" yaml:"tasks"`
	Warning string `json:"warning" yaml:"warning"`
}

// Runs reports whether somebody works on a task with this status.
func (s Status) Runs() bool { return s == Planning || s == Running || s == Validating }

// New returns a plan that contains only its root.
func New() *Plan {
	return &Plan{
		Version:    Version,
		RootNodeID: RootID,
		NodeIndex:  []Node{{NodeID: RootID, Children: []ID{}}},
		Tasks:      []Task{},
	}
}

// Read reads a plan file: one JSON document. Unknown keys are preserved. Errors are VALIDATION_ERROR with
// details.file and, if known, details.line or details.field.
func Read(data []byte, file string) (*Plan, error) {
	p := &Plan{}
	if err := decodeOne(data, p); err != nil {
		return nil, placed(err, data, file)
	}
	if err := p.Validate(); err != nil {
		return nil, errcode.From(err).With(errcode.KeyFile, file)
	}
	return p, nil
}

// JSON returns the plan file, indented, ending in a newline.
func (p *Plan) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(p); err != nil {
		panic(err) // only strings, numbers and preserved JSON
	}
	return b.Bytes()
}

// Task returns the task with this ID, and whether there is one.
func (p *Plan) Task(id ID) (*Task, bool) {
	for i := range p.Tasks {
		if p.Tasks[i].ID == id {
			return &p.Tasks[i], true
		}
	}
	return nil, false
}

func invalid(field, format string, a ...any) *errcode.Error {
	return errcode.New(errcode.Validation, format, a...).With(errcode.KeyField, field)
}

const maxID = 200

// idFault returns what is wrong with an ID, or "".
func idFault(id ID) string {
	switch {
	case id == "":
		return "is empty"
	case len(id) > maxID:
		return "is longer than 200 bytes"
	case !utf8.ValidString(string(id)):
		return "is not UTF-8"
	}
	for _, r := range id {
		if unicode.IsControl(r) {
			return "holds a control character"
		}
	}
	return ""
}

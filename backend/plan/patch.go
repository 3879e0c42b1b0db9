package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"agentflow/backend/base/errcode"
)

// PatchType is the type of a plan_patch document.
const PatchType = "plan_patch"

// Patch is a change to a plan, as answered by a planner (seed §10.3). It is applied completely or not at all.
type Patch struct {
	Type    string  `json:"type" yaml:"type"`
	Version int     `json:"version" yaml:"version"`
	Payload Payload `json:"payload" yaml:"payload"`
}

// Payload is the content of a patch.
type Payload struct {
	Understanding      string              `json:"understanding" yaml:"understanding"`
	Operations         []Operation         `json:"operations" yaml:"operations"`
	PotentialConflicts []PotentialConflict `json:"potential_conflicts" yaml:"potential_conflicts"`
}

// Op is the type of an operation.
type Op string

// The operations.
const (
	Create Op = "create"
	Update Op = "update"
	Delete Op = "delete"
	Move   Op = "move"
)

// Operation is one step of a patch. An update doesn't change nil fields. A given list replaces the whole list; an
// empty one clears it.
type Operation struct {
	Op                 Op             `json:"op" yaml:"op" doc:"Operation: create, update, delete or move."`
	TempID             ID             `json:"temp_id,omitempty" yaml:"temp_id,omitempty" doc:"Temporary ID of a new task, for later operations. Default: none."`
	TaskID             ID             `json:"task_id,omitempty" yaml:"task_id,omitempty" doc:"ID of the task to change. Default: none."`
	Title              *string        `json:"title,omitempty" yaml:"title,omitempty" doc:"Title of the task. Default: unchanged."`
	Description        *string        `json:"description,omitempty" yaml:"description,omitempty" doc:"Description of the task. Default: unchanged."`
	AcceptanceCriteria *[]string      `json:"acceptance_criteria,omitempty" yaml:"acceptance_criteria,omitempty" doc:"What must be true when the task is complete. Default: unchanged."`
	Dependencies       *[]ID          `json:"dependencies,omitempty" yaml:"dependencies,omitempty" doc:"IDs of tasks that must be complete first. Default: unchanged."`
	PhaseName          *string        `json:"phase_name,omitempty" yaml:"phase_name,omitempty" doc:"Phase of the task. Default: unchanged."`
	Milestone          *string        `json:"milestone,omitempty" yaml:"milestone,omitempty" doc:"Milestone of the task. Default: unchanged."`
	WBSLevel           *int           `json:"wbs_level,omitempty" yaml:"wbs_level,omitempty" doc:"Level: 1 concept, 2 design, 3 implementation. Default: unchanged."`
	EstimatedEffort    *string        `json:"estimated_effort,omitempty" yaml:"estimated_effort,omitempty" doc:"Estimated effort, in words. Default: unchanged."`
	SuggestedImpl      *SuggestedImpl `json:"suggested_impl,omitempty" yaml:"suggested_impl,omitempty" doc:"Suggested implementation. Default: unchanged."`
	ParentID           *ID            `json:"parent_id,omitempty" yaml:"parent_id,omitempty" doc:"ID of the parent node. Default: the root."`
	Position           *Position      `json:"position,omitempty" yaml:"position,omitempty" doc:"Position among the parent's children. Default: the end."`
	Cascade            *bool          `json:"cascade,omitempty" yaml:"cascade,omitempty" doc:"Also delete the tasks below it. Default: false."`
}

// Position is a place among siblings; exactly one field is set. Index counts from 0, without the node itself if it
// moves within its parent.
type Position struct {
	Index  *int `json:"index,omitempty" yaml:"index,omitempty" doc:"Position from 0. Default: the end."`
	Before *ID  `json:"before,omitempty" yaml:"before,omitempty" doc:"ID of the task that follows. Default: none."`
	After  *ID  `json:"after,omitempty" yaml:"after,omitempty" doc:"ID of the task before it. Default: none."`
}

// ReadPatch reads a plan_patch document: a single JSON document without unknown keys. Invalid operations are rejected
// with their index, so that nothing is dropped silently. Apply checks whether the IDs exist.
func ReadPatch(data []byte, file string) (*Patch, error) {
	var open struct {
		Type    *string `json:"type"`
		Version *int    `json:"version"`
		Payload *struct {
			Understanding      *string             `json:"understanding"`
			Operations         *[]json.RawMessage  `json:"operations"`
			PotentialConflicts []PotentialConflict `json:"potential_conflicts"`
		} `json:"payload"`
	}
	if err := decodeOne(data, &open); err != nil {
		return nil, placed(err, data, file)
	}
	fail := func(field, format string, a ...any) (*Patch, error) {
		return nil, invalid(field, format, a...).With(errcode.KeyFile, file)
	}
	switch {
	case open.Type == nil || *open.Type != PatchType:
		return fail("type", "type must be %q", PatchType)
	case open.Version == nil || *open.Version != Version:
		return fail("version", "version must be %d", Version)
	case open.Payload == nil:
		return fail("payload", "payload is missing")
	case open.Payload.Understanding == nil:
		return fail("payload.understanding", "payload.understanding is missing")
	case open.Payload.Operations == nil:
		return fail("payload.operations", "payload.operations is missing")
	}
	p := &Patch{
		Type:    PatchType,
		Version: Version,
		Payload: Payload{
			Understanding:      *open.Payload.Understanding,
			PotentialConflicts: open.Payload.PotentialConflicts,
		},
	}
	for i, raw := range *open.Payload.Operations {
		op, err := readOperation(raw)
		if err != nil {
			return nil, at(i, err).With(errcode.KeyFile, file)
		}
		p.Payload.Operations = append(p.Payload.Operations, op)
	}
	return p, nil
}

func readOperation(raw json.RawMessage) (Operation, error) {
	var op Operation
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return op, errors.New("an operation must be an object, not null")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&op); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return op, fmt.Errorf("%s must be %s, not %s", wrong.Field, typeName(wrong.Type), wrong.Value)
		}
		return op, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return op, op.check()
}

// allowed are the fields of each operation besides op.
var allowed = map[Op]map[string]bool{
	Create: set("temp_id", "title", "description", "acceptance_criteria", "dependencies", "phase_name", "milestone", "wbs_level", "estimated_effort", "suggested_impl", "parent_id", "position"),
	Update: set("task_id", "title", "description", "acceptance_criteria", "dependencies", "phase_name", "milestone", "wbs_level", "estimated_effort", "suggested_impl"),
	Delete: set("task_id", "cascade"),
	Move:   set("task_id", "parent_id", "position"),
}

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, n := range names {
		s[n] = true
	}
	return s
}

// check returns what is invalid in the operation, independent of the plan.
func (o *Operation) check() error {
	may, ok := allowed[o.Op]
	if !ok {
		return fmt.Errorf("op must be create, update, delete or move, not %q", o.Op)
	}
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "op" && !v.Field(i).IsZero() && !may[name] {
			return fmt.Errorf("%s has no %s", o.Op, name)
		}
	}
	if o.Op == Create {
		if fault := idFault(o.TempID); fault != "" {
			return fmt.Errorf("temp_id %s", fault)
		}
	} else if o.TaskID == "" {
		return errors.New("task_id is missing")
	}
	if o.Op == Move && !o.namesParent() && o.Position == nil {
		return errors.New("move says neither parent_id nor position")
	}
	if o.WBSLevel != nil && *o.WBSLevel < 1 {
		return fmt.Errorf("wbs_level must be 1 or more, not %d", *o.WBSLevel)
	}
	return o.Position.check()
}

func (o *Operation) namesParent() bool { return o.ParentID != nil && *o.ParentID != "" }

func (p *Position) check() error {
	if p == nil {
		return nil
	}
	given := 0
	for _, is := range []bool{p.Index != nil, p.Before != nil, p.After != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return errors.New("position must name exactly one of index, before and after")
	}
	return nil
}

// at adds the index of the operation to an error.
func at(index int, err error) *errcode.Error {
	return invalid(fmt.Sprintf("payload.operations[%d]", index), "operations[%d]: %s", index, err).With("operation", index)
}

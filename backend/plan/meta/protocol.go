// Package meta calls the planner: one question, one document in return. It makes no decisions: the runner and the
// planner package use the answers (requirements ME-1 to ME-8, ME-10).
package meta

import (
	"encoding/json"

	"agentflow/backend/plan"
)

// Protocol is a kind of question, and the type of the document that answers it.
type Protocol string

// The protocols.
const (
	PlanTask             Protocol = "plan_task"
	NextAction           Protocol = "next_action"
	CompletionAssessment Protocol = "completion_assessment"
	Decompose            Protocol = "decompose"
	PlanPatch            Protocol = plan.PatchType
)

// AcceptanceCriterion is something that must hold when a task is done.
type AcceptanceCriterion struct {
	ID          string `json:"id" yaml:"id"` // AC-1, AC-2, …; generated if the answer has none
	Description string `json:"description" yaml:"description"`
}

// PlanTaskAnswer answers plan_task (ME-1).
type PlanTaskAnswer struct {
	Type               Protocol              `json:"type" yaml:"type"`
	AcceptanceCriteria []AcceptanceCriterion `json:"acceptance_criteria" yaml:"acceptance_criteria"`
}

// Action is the next action.
type Action string

// The actions.
const (
	RunWorker    Action = "run_worker"
	MarkComplete Action = "mark_complete"
)

// NextActionAnswer answers next_action (ME-2). WorkerCall is set only with run_worker.
type NextActionAnswer struct {
	Type       Protocol    `json:"type" yaml:"type"`
	Decision   Decision    `json:"decision" yaml:"decision"`
	WorkerCall *WorkerCall `json:"worker_call,omitempty" yaml:"worker_call,omitempty"`
}

// Decision is an action with its reason.
type Decision struct {
	Action Action `json:"action" yaml:"action"`
	Reason string `json:"reason" yaml:"reason"`
}

// WorkerCall is the coding CLI to start, and its prompt.
type WorkerCall struct {
	WorkerType   string            `json:"worker_type" yaml:"worker_type"`
	Mode         string            `json:"mode" yaml:"mode"`
	Prompt       string            `json:"prompt" yaml:"prompt"`
	Model        string            `json:"model,omitempty" yaml:"model,omitempty"`
	Flags        []string          `json:"flags,omitempty" yaml:"flags,omitempty"`
	Env          map[string]string `json:"env,omitempty" yaml:"env,omitempty"`
	ToolSpecific map[string]any    `json:"tool_specific,omitempty" yaml:"tool_specific,omitempty"`
	UseStdin     bool              `json:"use_stdin,omitempty" yaml:"use_stdin,omitempty"`
}

// CompletionAssessmentAnswer answers completion_assessment (ME-3).
type CompletionAssessmentAnswer struct {
	Type    Protocol   `json:"type" yaml:"type"`
	Summary string     `json:"summary" yaml:"summary"`
	Details Assessment `json:"details" yaml:"details"`
}

// Assessment is what is met, and what is at risk.
type Assessment struct {
	PassedCriteria []string `json:"passed_criteria" yaml:"passed_criteria"` // IDs
	RemainingRisks []string `json:"remaining_risks" yaml:"remaining_risks"`
}

// DecomposeAnswer answers decompose (ME-8).
type DecomposeAnswer struct {
	Type               Protocol                 `json:"type" yaml:"type"`
	Understanding      string                   `json:"understanding" yaml:"understanding"`
	Phases             []Phase                  `json:"phases" yaml:"phases"`
	PotentialConflicts []plan.PotentialConflict `json:"potential_conflicts" yaml:"potential_conflicts"`
}

// Phase is a stage of the work.
type Phase struct {
	Name      string           `json:"name" yaml:"name"`
	Milestone string           `json:"milestone" yaml:"milestone"`
	Tasks     []DecomposedTask `json:"tasks" yaml:"tasks"`
}

// DecomposedTask is a task proposed by the planner. Its ID is temporary.
type DecomposedTask struct {
	ID                 plan.ID             `json:"id" yaml:"id"`
	Title              string              `json:"title" yaml:"title"`
	Description        string              `json:"description" yaml:"description"`
	AcceptanceCriteria []string            `json:"acceptance_criteria" yaml:"acceptance_criteria"`
	Dependencies       []plan.ID           `json:"dependencies" yaml:"dependencies"`
	WBSLevel           int                 `json:"wbs_level" yaml:"wbs_level"`
	EstimatedEffort    string              `json:"estimated_effort" yaml:"estimated_effort"`
	SuggestedImpl      *plan.SuggestedImpl `json:"suggested_impl,omitempty" yaml:"suggested_impl,omitempty"`
}

// Patch returns the patch that adds the tasks to a plan: one after another below the root, in the order of the
// phases.
func (a *DecomposeAnswer) Patch() *plan.Patch {
	p := &plan.Patch{
		Type:    plan.PatchType,
		Version: plan.Version,
		Payload: plan.Payload{Understanding: a.Understanding, PotentialConflicts: a.PotentialConflicts},
	}
	for _, ph := range a.Phases {
		for _, t := range ph.Tasks {
			op := plan.Operation{
				Op: plan.Create, TempID: t.ID, Title: &t.Title, Description: &t.Description, AcceptanceCriteria: &t.AcceptanceCriteria, Dependencies: &t.Dependencies,
				PhaseName: &ph.Name, Milestone: &ph.Milestone, EstimatedEffort: &t.EstimatedEffort, SuggestedImpl: t.SuggestedImpl, WBSLevel: &t.WBSLevel,
			}
			p.Payload.Operations = append(p.Payload.Operations, op)
		}
	}
	return p
}

// TaskContext is the input of next_action and completion_assessment.
type TaskContext struct {
	Task               TaskSummary           `json:"task"`
	AcceptanceCriteria []AcceptanceCriterion `json:"acceptance_criteria"`
	LastWorkerResult   WorkerResult          `json:"last_worker_result"`
	State              string                `json:"state"`
	Worker             WorkerSetup           `json:"worker,omitzero"`
}

// WorkerSetup is the task's coding CLI: the values that worker_call can name.
type WorkerSetup struct {
	WorkerType string `json:"worker_type"`
	Mode       string `json:"mode"`
}

// TaskSummary is a task in short.
type TaskSummary struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	PRDSummary string `json:"prd_summary"`
}

// WorkerResult is the result of the last worker.
type WorkerResult struct {
	Exists     bool   `json:"exists"`
	ExitCode   int    `json:"exit_code"`
	StdoutTail string `json:"stdout_tail"`
	Evidence   string `json:"evidence,omitempty"` // for example the output of the test command
}

// PRD is the input of plan_task: the task's settings and the goal.
type PRD struct {
	Task json.RawMessage `json:"task"`
	Text string          `json:"prd"`
}

package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/task"
)

// JobEnvelope are what the hub sends with a job besides the task itself. A remote agent gets them as the key EnvelopeKey of
// the job's context, which the protocol leaves open.
type JobEnvelope struct {
	Attempt int `json:"attempt,omitempty"` // number of this attempt; reports carry it in the header AttemptHeader

	Chain []string `json:"chain,omitempty"` // the agents that delegated the task, in order
	Team  []Peer   `json:"team,omitempty"`  // the agents it can delegate parts to

	Budget task.Budget `json:"budget,omitzero"` // of the whole task
	Spent  task.Spent  `json:"spent,omitzero"`  // by the task, before this attempt
	Took   int         `json:"took,omitempty"`  // seconds, before this attempt
}

// EnvelopeKey is the key of a job's context that is reserved for the hub.
const EnvelopeKey = "agentflow"

// AttemptHeader is the report header with the number of the attempt it is about. It works as a fence: reports of an
// attempt that is over no longer count, even if the agent has the task again. Agents that don't know the header leave
// it out.
const AttemptHeader = "Agentflow-Attempt"

// Peer is an agent that can be delegated to.
type Peer struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Role string `json:"role,omitempty"`
}

func (t *JobEnvelope) none() bool {
	return t.Attempt == 0 && len(t.Chain) == 0 && len(t.Team) == 0 && t.Budget == (task.Budget{})
}

// into writes the terms into a job's context.
func (t *JobEnvelope) into(given json.RawMessage) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(given) > 0 {
		if err := json.Unmarshal(given, &fields); err != nil {
			return nil, errcode.Wrap(errcode.Validation, err, "the job's context is not an object")
		}
	}
	delete(fields, EnvelopeKey) // only the hub sets it
	if !t.none() {
		said, err := json.Marshal(t)
		if err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the job cannot be written")
		}
		fields[EnvelopeKey] = said
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return json.Marshal(fields)
}

// ReadEnvelope reads the terms from a job's context. It ignores values of another shape, because other coordinators may
// use the key differently.
func ReadEnvelope(given json.RawMessage) JobEnvelope {
	var fields struct {
		Terms JobEnvelope `json:"agentflow"`
	}
	if json.Unmarshal(given, &fields) != nil {
		return JobEnvelope{}
	}
	return fields.Terms
}

// DelegationRequest is a delegation by an agent.
type DelegationRequest struct {
	Agent    string `json:"agent"`
	Prompt   string `json:"prompt"`
	TaskType string `json:"taskType,omitempty"` // "" is chat
	Key      string `json:"key,omitempty"`      // the same key returns the same task
}

// Delegate is the name of the tool.
const Delegate = "delegate"

// delegateFrom is the tool's source.
const delegateFrom = "team"

// DelegateTool returns the tool that lets an agent delegate parts of its job. give delegates one part, waits for its
// end and returns the result.
func DelegateTool(team []Peer, give func(context.Context, DelegationRequest) (json.RawMessage, error)) tool.Tool {
	ids, known := make([]string, len(team)), make([]string, len(team))
	for i, m := range team {
		ids[i] = m.ID
		known[i] = m.ID + " (" + cmp.Or(m.Role, m.Name, "agent") + ")"
	}
	enum, _ := json.Marshal(ids) // can't fail for strings
	return tool.Typed(tool.Tool{
		Name: Delegate, From: delegateFrom,
		Description: "Give a part of your task to another agent and get its answer. Say all that it needs to know: it sees nothing of your task. Agents: " + strings.Join(known, ", "),
		Schema: json.RawMessage(`{"type":"object","properties":{"agent":{"type":"string","enum":` + string(enum) + `},` +
			`"task":{"type":"string"},"type":{"type":"string","enum":["` + strings.Join(task.TypeList(), `","`) + `"],"description":"default: chat"}},` +
			`"required":["agent","task"],"additionalProperties":false}`),
	}, func(ctx context.Context, in delegateArgs) (string, error) {
		result, err := give(ctx, DelegationRequest{Agent: in.Agent, Prompt: in.Task, TaskType: in.Type})
		return resultText(result), err
	})
}

// delegateArgs are the arguments of the tool.
type delegateArgs struct {
	Agent string `json:"agent"`
	Task  string `json:"task"`
	Type  string `json:"type,omitzero"`
}

// resultText returns the text of a result, or all of the result if it has no text.
func resultText(result json.RawMessage) string {
	var fields struct{ Text *string }
	if json.Unmarshal(result, &fields) == nil && fields.Text != nil {
		return *fields.Text
	}
	return string(result)
}

package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/task"
	"agentflow/backend/tool"
)

// Terms are what the hub says about a job beside what is asked. They go to an agent elsewhere
// as the key TermsKey of the job's context, which is the place that the protocol leaves open.
type Terms struct {
	Attempt int `json:"attempt,omitempty"` // the number of this one; its reports carry it in the header AttemptHeader

	Chain []string `json:"chain,omitempty"` // who gave the job on, the first one first
	Team  []Mate   `json:"team,omitempty"`  // to whom its agent may give parts of it

	Budget task.Budget `json:"budget,omitzero"` // of the whole task
	Spent  task.Spent  `json:"spent,omitzero"`  // of it, before this attempt
	Took   int         `json:"took,omitempty"`  // seconds, likewise
}

// TermsKey is the key of a job's context that is the hub's own.
const TermsKey = "agentflow"

// AttemptHeader is the header of a report with the number of the attempt that it is about. It
// is a fence: what is said of an attempt that is over counts no more, even where the agent
// holds the task again. Agents that do not know it leave it out.
const AttemptHeader = "Agentflow-Attempt"

// Mate is an agent that may be given something to do.
type Mate struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Role string `json:"role,omitempty"`
}

func (t *Terms) none() bool {
	return t.Attempt == 0 && len(t.Chain) == 0 && len(t.Team) == 0 && t.Budget == (task.Budget{})
}

// into writes the terms into a job's context.
func (t *Terms) into(given json.RawMessage) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(given) > 0 {
		if err := json.Unmarshal(given, &fields); err != nil {
			return nil, errcode.Wrap(errcode.Validation, err, "the job's context is not an object")
		}
	}
	delete(fields, TermsKey) // only the hub says it
	if !t.none() {
		said, err := json.Marshal(t)
		if err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the job cannot be written")
		}
		fields[TermsKey] = said
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return json.Marshal(fields)
}

// ReadTerms reads the terms from a job's context. What does not fit is as if it were not there:
// other coordinators may use the key for something else.
func ReadTerms(given json.RawMessage) Terms {
	var fields struct {
		Terms Terms `json:"agentflow"`
	}
	if json.Unmarshal(given, &fields) != nil {
		return Terms{}
	}
	return fields.Terms
}

// Giving is something that an agent gives on.
type Giving struct {
	Agent    string `json:"agent"`
	Prompt   string `json:"prompt"`
	TaskType string `json:"taskType,omitempty"` // "" is chat
	Key      string `json:"key,omitempty"`      // the same key again is the same task
}

// Delegate is the name of the tool.
const Delegate = "delegate"

// delegateFrom is who offers the tool.
const delegateFrom = "team"

// DelegateTool lets an agent give parts of its job to others. give hands one on, waits for its
// end and returns the result.
func DelegateTool(team []Mate, give func(context.Context, Giving) (json.RawMessage, error)) tool.Tool {
	ids, known := make([]string, len(team)), make([]string, len(team))
	for i, m := range team {
		ids[i] = m.ID
		known[i] = m.ID + " (" + cmp.Or(m.Role, m.Name, "agent") + ")"
	}
	enum, _ := json.Marshal(ids) // texts always are JSON
	return tool.Typed(tool.Tool{
		Name: Delegate, From: delegateFrom,
		Description: "Give a part of your task to another agent and get its answer. Say all that it needs to know: it sees nothing of your task. Agents: " + strings.Join(known, ", "),
		Schema: json.RawMessage(`{"type":"object","properties":{"agent":{"type":"string","enum":` + string(enum) + `},` +
			`"task":{"type":"string"},"type":{"type":"string","enum":["chat","command_execution","file_operation","complex_task"],"description":"default: chat"}},` +
			`"required":["agent","task"],"additionalProperties":false}`),
	}, func(ctx context.Context, in delegateArgs) (string, error) {
		result, err := give(ctx, Giving{Agent: in.Agent, Prompt: in.Task, TaskType: in.Type})
		return resultText(result), err
	})
}

// delegateArgs are the arguments of the tool.
type delegateArgs struct {
	Agent string `json:"agent"`
	Task  string `json:"task"`
	Type  string `json:"type,omitzero"`
}

// resultText is a result's text, or the whole of it where it has none.
func resultText(result json.RawMessage) string {
	var fields struct{ Text *string }
	if json.Unmarshal(result, &fields) == nil && fields.Text != nil {
		return *fields.Text
	}
	return string(result)
}

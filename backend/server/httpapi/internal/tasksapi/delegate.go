package tasksapi

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

type delegation struct {
	TaskPath
	Body struct {
		Agent    string    `json:"agent" minLength:"1" maxLength:"200" doc:"ID of the agent to delegate to, at most 200 characters. It needs a Delegate connection."`
		Prompt   string    `json:"prompt" minLength:"1" maxLength:"524288" doc:"What to do, at most 512 KiB."`
		TaskType task.Type `json:"taskType,omitempty" doc:"Type of the subtask. Default: chat."`
		Key      string    `json:"key,omitempty" maxLength:"200" doc:"Idempotency key, at most 200 characters. A repeated key returns the first subtask. Default: each request is a new subtask."`
	}
}

type delegated struct {
	Body struct {
		TaskID  task.ID  `json:"taskId,omitempty"`
		Status  string   `json:"status" enum:"accepted,rejected"`
		Message string   `json:"message" doc:"Why it was rejected, in words."`
		Reason  string   `json:"reason,omitempty" enum:"loop,depth,repetition,many,deadlock,no_connection" doc:"Why it was rejected."`
		Chain   []string `json:"chain,omitempty" doc:"Agents of the rejected chain, from the first that delegated to the one that was asked."`
	}
}

// holder returns the agent that asks.
func holder(ctx context.Context) (topology.AgentID, error) {
	agent, ok := auth.Agent(ctx)
	if !ok {
		return "", errcode.New(errcode.Forbidden,
			"only the agent that holds a task gives parts of it on: send the agent's own secret")
	}
	return topology.AgentID(agent), nil
}

func (s *Routes) delegate(ctx context.Context, in *delegation) (*delegated, error) {
	agent, err := holder(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	got, err := s.Coordinator.Delegate(ctx, agent, in.TaskID,
		worker.DelegationRequest{Agent: b.Agent, Prompt: b.Prompt, TaskType: string(b.TaskType), Key: b.Key})
	if err != nil {
		return nil, err
	}
	out := &delegated{}
	o := &out.Body
	o.TaskID, o.Status, o.Message = got.Task.ID, "accepted", "the task waits for the agent"
	if got.Rejected != "" {
		o.Status, o.Message, o.Reason, o.Chain = "rejected", got.Rejected, got.Reason, got.Chain
	}
	return out, nil
}

type delegatedPath struct {
	TaskPath
	ChildID task.ID `path:"childId" maxLength:"200" doc:"ID of the subtask."`
	Wait    int     `query:"wait" minimum:"0" maximum:"50" default:"25" doc:"Seconds to wait for the end of the subtask, 0 to 50. Default: 25."`
}

func (s *Routes) awaitDelegated(ctx context.Context, in *delegatedPath) (*taskStatus, error) {
	agent, err := holder(ctx)
	if err != nil {
		return nil, err
	}
	t, err := s.Coordinator.DelegatedBy(ctx, agent, in.TaskID, in.ChildID, time.Duration(in.Wait)*time.Second)
	return statusOf(&t), err
}

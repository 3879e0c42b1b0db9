package tasksapi

import (
	"context"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

type overviewQuery struct {
	Status task.Status `query:"status" enum:"pending,in_progress,completed,failed,canceled" doc:"Only tasks with this status. Default: all statuses."`
	Agent  string      `query:"agent" maxLength:"200" doc:"Only tasks that this agent runs, ran or is assigned to. Default: all agents."`
	Search string      `query:"q" maxLength:"500" doc:"Words in the task's text or ID, at most 500 characters. Default: all tasks."`
	Before task.ID     `query:"before" maxLength:"200" doc:"Only tasks older than this ID. Default: from the newest."`
	Limit  int         `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Maximum number of tasks, 1 to 500. Default: 100."`
}

type overview struct {
	Body struct {
		Tasks  []task.Summary `json:"tasks"`
		More   bool           `json:"more" doc:"There are older tasks."`
		Counts struct {
			Pending    int `json:"pending"`
			InProgress int `json:"in_progress"`
			Completed  int `json:"completed"`
			Failed     int `json:"failed" doc:"Without canceled tasks."`
			Canceled   int `json:"canceled"`
			Queued     int `json:"queued" doc:"Tasks in progress without a running attempt."`
			Held       int `json:"held" doc:"Tasks of a restored backup that wait for a person. Not part of the other numbers."`
		} `json:"counts" doc:"Number of tasks per status, over all tasks."`
	}
}

func (s *Routes) overview(ctx context.Context, in *overviewQuery) (*overview, error) {
	all, err := s.Coordinator.Summaries(ctx,
		coordinator.Query{Status: in.Status, Agent: in.Agent, Search: in.Search, Before: in.Before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	counts, err := s.Coordinator.Count(ctx)
	if err != nil {
		return nil, err
	}
	out := &overview{}
	b := &out.Body
	b.Tasks, b.More = all, len(all) == in.Limit
	n := counts.ByStatus
	b.Counts.Pending, b.Counts.InProgress, b.Counts.Completed = n[task.Pending], n[task.InProgress], n[task.Completed]
	b.Counts.Failed, b.Counts.Canceled, b.Counts.Held = n[task.Failed], n[task.Canceled], counts.Held
	b.Counts.Queued = counts.Queued
	return out, nil
}

type candidates struct {
	Body struct {
		Agents []coordinator.Candidate `json:"agents"`
	}
}

func (s *Routes) candidates(ctx context.Context, _ *struct{}) (*candidates, error) {
	out := &candidates{}
	out.Body.Agents = s.Coordinator.Candidates(ctx)
	return out, nil
}

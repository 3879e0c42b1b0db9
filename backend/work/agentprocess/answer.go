package agentprocess

import (
	"context"
	"encoding/json"

	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/worker"
)

// answer runs a job with the model and the available tools.
func (p *Process) answer(ctx context.Context, job worker.Job, tell func(worker.Update) error) (json.RawMessage, error) {
	p.started(ctx)
	a := p.o.Config.Agent
	e := worker.Equipped{
		Model: worker.Model{
			Models:      p.o.Models,
			Name:        a.Name,
			Model:       llm.Model(a.Model),
			Persona:     a.Persona,
			Temperature: a.Temperature,
			MaxTokens:   a.MaxTokens,
			Tools:       p.set(job),
		},
		Shell:   p.shell,
		Options: tool.Options{Policies: p.policies, Hide: p.hide, Asker: p.asks(job.TaskID)},
	}
	return safego.Value(ctx, p.o.Logger, "a task", func() (json.RawMessage, error) { return e.Run(ctx, job, tell) })
}

func (p *Process) asks(task string) tool.Asker {
	if p.o.Coordinator == "" {
		return nil
	}
	asker := inbox.Remote{Task: task, Insist: p.insist}
	if p.folders != nil {
		asker.Folder, _ = p.folders.Dir("") // without a folder each use of a tool fails and says why
	}
	return asker
}

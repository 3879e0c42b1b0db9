package engine

import (
	"cmp"
	"os"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/plantask"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/worker"
)

// standardParallel is how many tasks of a complex one are worked at once.
const standardParallel = 2

// planFolder is where a complex task is worked on: the folder of the settings, or the agent's workspace. Both can begin
// with ~/.
func planFolder(set, workspace string) string { return sandbox.Expand(cmp.Or(set, workspace)) }

// plans is coordinator.Options.Plans: complex tasks become plans, as the settings say.
func (e *Engine) plans(who topology.Agent, task string, alone worker.Worker) worker.Worker {
	c := e.settings.ComplexTasks()
	return &plantask.Worker{
		Planner: e.planner, Executor: e.foreman, Model: llm.Model(who.Model), Alone: alone, Getenv: os.Getenv,
		Asker: tool.Asker(inbox.Asker{Inbox: e.inbox, Agent: string(who.ID), Task: task}),
		Order: plantask.Order{
			AskPlan: c.AskPlan == nil || *c.AskPlan,
			Order: planner.Order{
				Folder: planFolder(c.Folder, who.Workspace), Direct: c.Folder == "", // the workspace is the agent's own
				Worker: c.Worker, Command: c.Command, WorkerModel: c.WorkerModel, Model: llm.Model(c.Model),
				Test: c.Test, Parallel: cmp.Or(c.Parallel, standardParallel), AskPhases: c.AskPhases, AskMerges: c.AskMerges, TryUSD: c.TryUSD,
			},
		},
	}
}

package agentprocess

import (
	"context"
	"time"

	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// startsWithin is how long a status request waits for MCP servers to start.
const startsWithin = 10 * time.Second

// equipment is the sources of the agent's tools.
type equipment struct {
	policies tool.Policies
	folders  *files.Folders // nil: no folder is allowed
	shell    *shell.Shell   // nil: no folder is allowed
	servers  []*mcp.Server
	hide     func(string) string
}

// equip creates the tools from the config. It doesn't start the MCP servers.
func equip(o *Options) (equipment, error) {
	a := &o.Config.Agent
	e := equipment{policies: a.MCPPolicy}
	secrets := []string{o.Secret}
	for _, c := range o.Config.Callers {
		secrets = append(secrets, o.Getenv(c.SecretEnv))
	}
	for _, t := range a.TargetAgents {
		secrets = append(secrets, o.Getenv(t.SecretEnv))
	}
	for _, c := range a.MCPServers {
		server, err := c.Config(o.Getenv)
		if err != nil {
			return e, err
		}
		secrets = append(secrets, server.Token)
		server.Env, server.Logger = shell.Environment(c.Env...), o.Logger
		s, err := mcp.New(server)
		if err != nil {
			return e, err
		}
		e.servers = append(e.servers, s)
	}
	e.hide = tool.Hider(secrets)
	if len(a.Security.AllowedPaths) == 0 {
		return e, nil
	}
	if err := o.Sandbox.Apart(a.Security.AllowedPaths...); err != nil {
		return e, err
	}
	folders, err := files.Open(a.Security.AllowedPaths...)
	if err != nil {
		return e, err
	}
	e.folders = folders
	e.shell = &shell.Shell{
		Dir:     folders.Dir,
		Inside:  folders.Inside,
		Folders: folders.Paths(),
		Sandbox: o.Sandbox,
		Blocked: a.Security.BlockedCommands,
		Asked:   a.Security.AskConfirmationCommands,
	}
	return e, nil
}

func (e *equipment) close() {
	if e.folders != nil {
		e.folders.Close()
	}
}

// started waits until every MCP server has started or failed.
func (e *equipment) started(ctx context.Context) {
	for _, s := range e.servers {
		select {
		case <-s.Ready():
		case <-ctx.Done():
			return
		}
	}
}

// set returns the currently available tools for a job.
func (p *Process) set(job worker.Job) *tool.Set {
	var all []tool.Tool
	if p.folders != nil {
		all = append(p.folders.Tools(), p.shell.Tool())
	}
	for _, s := range p.servers {
		tools, _ := s.Tools() // tools of a server that is down are left out
		all = append(all, tools...)
	}
	o := tool.Options{Policies: p.policies, Hide: p.hide}
	if job.TaskID != promptTask {
		o.Asker = p.asks(job.TaskID)
	}
	if len(job.Envelope.Team) > 0 && p.o.Coordinator != "" {
		all = append(all, worker.DelegateTool(job.Envelope.Team, p.give(job)))
		o.Policies = o.Policies.With(worker.Delegate, tool.Auto) // the team's connections already allow it
	}
	return tool.NewSet(o, all...)
}

// lacks returns the kind of tool that a type of task needs and the agent lacks, or "".
func (p *Process) lacks(taskType string) string {
	info, _ := task.TypeOf(task.Type(taskType))
	if info.ToolKind == "" || len(p.set(worker.Job{}).Only(info.ToolKind).Tools()) > 0 {
		return ""
	}
	return info.ToolKind
}

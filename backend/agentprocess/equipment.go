package agentprocess

import (
	"context"
	"time"

	"agentflow/backend/tool"
	"agentflow/backend/tool/files"
	"agentflow/backend/tool/mcp"
	"agentflow/backend/tool/shell"
	"agentflow/backend/worker"
)

// startsWithin is how long a question for the tools waits for MCP servers that start.
const startsWithin = 10 * time.Second

// equipment is what the agent has tools from.
type equipment struct {
	policies tool.Policies
	folders  *files.Folders // nil: no folder is allowed
	shell    *shell.Shell   // nil likewise
	servers  []*mcp.Server
	hide     func(string) string
}

// equip reads the config. Nothing is started yet.
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
	e.shell = &shell.Shell{Dir: folders.Dir, Folders: folders.Paths(), Sandbox: o.Sandbox, Blocked: a.Security.BlockedCommands, Asked: a.Security.AskConfirmationCommands}
	return e, nil
}

func (e *equipment) close() {
	if e.folders != nil {
		e.folders.Close()
	}
}

// started waits until every MCP server has been started, or has failed to.
func (e *equipment) started(ctx context.Context) {
	for _, s := range e.servers {
		select {
		case <-s.Ready():
		case <-ctx.Done():
			return
		}
	}
}

// set is the tools as they are now, for one job.
func (p *Process) set(job worker.Job) *tool.Set {
	var all []tool.Tool
	if p.folders != nil {
		all = append(p.folders.Tools(), p.shell.Tool())
	}
	for _, s := range p.servers {
		tools, _ := s.Tools() // those of one that is down are missing, which is what there is to say
		all = append(all, tools...)
	}
	o := tool.Options{Policies: p.policies, Hide: p.hide}
	if job.TaskID != promptTask {
		o.Asker = p.asks(job.TaskID)
	}
	if len(job.Terms.Team) > 0 && p.o.Coordinator != "" {
		all = append(all, worker.DelegateTool(job.Terms.Team, p.give(job)))
		o.Policies = o.Policies.With(worker.Delegate, tool.Auto) // the drawn connections have decided it
	}
	return tool.NewSet(o, all...)
}

// lacks names the kind of tool that a type of task needs and the agent does not have, or "".
func (p *Process) lacks(taskType string) string {
	has := func(from string) bool { return len(p.set(worker.Job{}).Only(from).Tools()) > 0 }
	switch {
	case taskType == commandExecution && !has(shell.From):
		return "shell"
	case taskType == fileOperation && !has(files.From):
		return "file"
	}
	return ""
}

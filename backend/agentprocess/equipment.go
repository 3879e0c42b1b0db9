package agentprocess

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentflow/backend/errcode"
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
		token := ""
		if c.TokenEnv != "" {
			if token = o.Getenv(c.TokenEnv); token == "" {
				return e, errcode.New(errcode.Validation, "the environment variable %s, which holds the token of the MCP server %s, is not set", c.TokenEnv, c.Name).With(errcode.KeyField, "mcpServers")
			}
			secrets = append(secrets, token)
		}
		s, err := mcp.New(mcp.Config{Name: c.Name, Command: c.Command, Env: shell.Environment(c.Env...), URL: c.URL, Token: token, Logger: o.Logger})
		if err != nil {
			return e, err
		}
		e.servers = append(e.servers, s)
	}
	e.hide = hider(secrets)
	if len(a.Security.AllowedPaths) == 0 {
		return e, nil
	}
	folders, err := files.Open(a.Security.AllowedPaths...)
	if err != nil {
		return e, err
	}
	e.folders = folders
	e.shell = &shell.Shell{Dir: folders.Dir, Blocked: a.Security.BlockedCommands, Asked: a.Security.AskConfirmationCommands}
	return e, nil
}

// hider takes secrets out of what tools say.
func hider(secrets []string) func(string) string {
	var pairs []string
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range secrets {
		if len(s) >= 4 {
			pairs = append(pairs, s, "…")
		}
	}
	return strings.NewReplacer(pairs...).Replace
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

package chatagent

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"time"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/model/tool/shell"
)

// startsWithin is how long a turn waits for MCP servers that start.
const startsWithin = 10 * time.Second

// Toolbox gives agents their tools: the built-in ones allowed by name (or, as files
// or shell, by kind), within the agent's workspace, and those of its MCP servers. Its
// policies say which need no approval; for the others, a person decides each time.
type Toolbox struct {
	Models Models
	Asker  func(c Config, room string) tool.Asker // nil from it: nobody can be asked, so nothing is done
	Logger *slog.Logger                           // logs what happens to MCP servers; nil: no logs
	// Sandbox is that of this computer, for commands.
	Sandbox sandbox.Settings
}

// Responder is the agent's.
func (w Toolbox) Responder(c Config, room string) Responder {
	built := len(c.Tools) > 0 && c.Workspace != ""
	if !built && len(c.Servers) == 0 {
		return ModelResponder{Models: w.Models}
	}
	able := ToolResponder{Models: w.Models, Name: c.Name}
	var secrets []string
	for _, e := range c.Servers {
		config, err := e.Config(os.Getenv)
		if err != nil {
			return unavailable{err}
		}
		secrets = append(secrets, config.Token)
		config.Env, config.Dir, config.Logger = shell.Environment(e.Env...), c.Workspace, w.Logger
		server, err := mcp.New(config)
		if err != nil {
			return unavailable{err}
		}
		able.Servers = append(able.Servers, server)
	}
	hide := tool.Hider(secrets)
	able.Equip = func(ctx context.Context, ask func(tool.Asker) tool.Asker) (*tool.Set, func(), error) {
		var mine []tool.Tool
		done := func() {}
		if built {
			folders, err := files.OpenWorkspace(c.Workspace, w.Sandbox)
			if err != nil {
				return nil, nil, err
			}
			done = folders.Close
			run := shell.Shell{Dir: folders.Dir, Inside: folders.Inside, Folders: folders.Paths(), Sandbox: w.Sandbox}
			for _, t := range append(folders.Tools(), run.Tool()) {
				if slices.Contains(c.Tools, t.Name) || slices.Contains(c.Tools, t.From) {
					mine = append(mine, t)
				}
			}
		}
		o := tool.Options{Policies: c.Policies, Hide: hide}
		if person := w.Asker(c, room); person != nil {
			o.Asker = ask(person)
		}
		return tool.NewSet(o, append(mine, offered(ctx, able.Servers)...)...), done, nil
	}
	return able
}

// offered are the tools of the servers that run; those of one that is down are missing.
func offered(ctx context.Context, servers []*mcp.Server) []tool.Tool {
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	var all []tool.Tool
	for _, s := range servers {
		select {
		case <-s.Ready():
		case <-ctx.Done():
		}
		tools, _ := s.Tools()
		all = append(all, tools...)
	}
	return all
}

// unavailable is a Responder that can't answer; it reports why at each turn.
type unavailable struct{ why error }

// Respond implements Responder.
func (u unavailable) Respond(context.Context, llm.Request, func(Update) error) (llm.Answer, error) {
	return llm.Answer{}, u.why
}

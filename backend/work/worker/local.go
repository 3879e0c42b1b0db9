package worker

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
)

// Local is an agent in the hub's process. With a workspace it has the built-in tools that are allowed, by name or by
// kind (files, shell), and a person approves each use.
type Local struct {
	Model
	Workspace string
	Allowed   []string
	Asker     tool.Asker
	Others    []tool.Tool      // tools that need no approval
	Sandbox   sandbox.Settings // of this computer
	Servers   []mcp.Entry      // MCP servers, which run as long as the job
	Policies  tool.Policies    // of the tools of Servers, and of the built-in ones
	Getenv    func(string) string
}

var _ Worker = (*Local)(nil)

// Can reports whether the agent has the tools that a type of task needs.
func (h *Local) Can(taskType string) bool {
	info, _ := task.TypeOf(task.Type(taskType))
	kind := info.ToolKind
	return h.Workspace != "" && slices.ContainsFunc(h.Allowed, func(name string) bool {
		return name == kind || kind == shell.From && name == shell.Exec ||
			kind == files.From && strings.HasPrefix(name, "file_")
	})
}

// Run implements Worker.
func (h *Local) Run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	e := Equipped{Model: h.Model, Options: tool.Options{Asker: h.Asker, Policies: h.Policies}}
	served, err := h.serve(ctx, &e.Options, tell)
	if err != nil {
		return nil, err
	}
	defer served.stop()
	for _, t := range h.Others {
		e.Options.Policies = e.Options.Policies.With(t.Name, tool.Auto)
	}
	mine := append(slices.Clone(h.Others), served.tools...)
	if h.Workspace != "" && len(h.Allowed) > 0 {
		folders, err := files.OpenWorkspace(h.Workspace, h.Sandbox)
		if err != nil {
			return nil, err
		}
		defer folders.Close()
		run := &shell.Shell{Dir: folders.Dir, Inside: folders.Inside, Folders: folders.Paths(), Sandbox: h.Sandbox}
		for _, t := range append(folders.Tools(), run.Tool()) {
			if !slices.Contains(h.Allowed, t.Name) && !slices.Contains(h.Allowed, t.From) {
				continue
			}
			mine = append(mine, t)
			if t.From == shell.From {
				e.Shell = run
			}
		}
	}
	if len(mine) > 0 {
		e.Tools = tool.NewSet(e.Options, mine...)
	}
	return e.Run(ctx, job, tell)
}

// served are MCP servers that run for one job.
type served struct {
	tools []tool.Tool
	stop  func() // ends the servers, and returns when they have ended
}

// serve starts the agent's MCP servers. A server that does not start costs the job its tools, and a log line says why.
func (h *Local) serve(ctx context.Context, o *tool.Options, tell func(Update) error) (served, error) {
	running, cancel := context.WithCancel(ctx)
	var keepers sync.WaitGroup
	out := served{stop: func() {
		cancel()
		keepers.Wait()
	}}
	fail := func(err error) (served, error) {
		out.stop()
		return served{}, err
	}
	var servers []*mcp.Server
	var secrets []string
	for _, entry := range h.Servers {
		c, err := entry.Config(h.Getenv)
		if err != nil {
			return fail(err)
		}
		secrets = append(secrets, c.Token)
		c.Env = shell.Environment(entry.Env...)
		s, err := mcp.New(c)
		if err != nil {
			return fail(err)
		}
		servers = append(servers, s)
		keepers.Go(func() { // it ends with running only
			_ = safego.Call(running, nil, "an MCP server", func() error { return s.Run(running) })
		})
	}
	for _, s := range servers {
		select {
		case <-s.Ready():
		case <-ctx.Done():
			return fail(context.Cause(ctx))
		}
		tools, down := s.Tools()
		if down != nil {
			if err := tell(Update{Log: errcode.From(down).Message}); err != nil {
				return fail(err)
			}
		}
		out.tools = append(out.tools, tools...)
	}
	if len(secrets) > 0 {
		o.Hide = tool.Hider(secrets)
	}
	return out, nil
}

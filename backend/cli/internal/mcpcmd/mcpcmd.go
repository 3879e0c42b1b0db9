// Package mcpcmd holds the command agentflow mcp.
package mcpcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/server/mcpserver"
	"agentflow/backend/work/task"
)

// Command returns the command.
func Command(s *shell.Shell) *cobra.Command {
	hub := new(hubflags.Flags)
	cmd := &cobra.Command{
		Use: "mcp", Short: "Run an MCP server for the team", Args: shell.Args(cobra.NoArgs),
		Long: `Run an MCP server on standard input and output, so that other agents can use the hub's team.
They can submit, list and cancel tasks and list agents. The hub also offers this over HTTP at
/mcp, with its token.`,
		Example: "  agentflow mcp --url http://127.0.0.1:18800",
		RunE: s.Run(func(cmd *cobra.Command, _ []string) error {
			c, err := hub.Open()
			if err != nil {
				return err
			}
			defer c.Close()
			err = mcpserver.Stdio(cmd.Context(), team{c}, config.Version)
			if cmd.Context().Err() != nil {
				return context.Cause(cmd.Context())
			}
			return err
		}),
	}
	hub.AddTo(s, cmd)
	return cmd
}

// team is a hub's, asked over its API.
type team struct{ hub *hubclient.Client }

var _ mcpserver.Team = team{}

// Submit implements mcpserver.Team.
func (t team) Submit(ctx context.Context, w mcpserver.Work) (got mcpserver.Status, err error) {
	extra, err := w.Context()
	if err != nil {
		return got, fmt.Errorf("couldn't print the task: %w", err)
	}
	body := map[string]any{
		"sessionId":  cmp.Or(w.Session, "mcp"),
		"userPrompt": w.Text,
		"taskType":   cmp.Or(w.Type, string(task.Chat)),
	}
	if extra != nil {
		body["context"] = extra
	}
	header := http.Header{}
	if w.Key != "" {
		header.Set("Idempotency-Key", w.Key)
	}
	err = t.hub.CallWith(ctx, header, http.MethodPost, "/submit_task", body, &got)
	return got, err
}

func path(id, rest string) string { return "/tasks/" + url.PathEscape(id) + rest }

// Status implements mcpserver.Team.
func (t team) Status(ctx context.Context, id string, wait time.Duration) (got mcpserver.Status, err error) {
	if wait > 0 {
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		err := t.hub.Events(waiting, path(id, "/events"), func(string, []byte) error { return nil })
		if waiting.Err() == nil && !errors.Is(err, io.ErrUnexpectedEOF) { // so a stream ends
			return got, err
		}
	}
	err = t.hub.Call(ctx, http.MethodGet, path(id, "/status"), nil, &got)
	return got, err
}

// Cancel implements mcpserver.Team.
func (t team) Cancel(ctx context.Context, id string) (got mcpserver.Status, err error) {
	if err := t.hub.Call(ctx, http.MethodPost, path(id, "/cancel"), nil, nil); err != nil {
		return got, err
	}
	return t.Status(ctx, id, 0)
}

// Agents implements mcpserver.Team.
func (t team) Agents(ctx context.Context) ([]mcpserver.Agent, error) {
	var got struct {
		Agents []mcpserver.Agent `json:"agents"`
	}
	err := t.hub.Call(ctx, http.MethodGet, "/api/task-agents", nil, &got)
	return got.Agents, err
}

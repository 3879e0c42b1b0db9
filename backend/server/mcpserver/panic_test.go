package mcpserver_test

import (
	"context"
	"errors"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/server/mcpserver"
)

// team panics on Submit.
type team struct{ mcpserver.Team }

func (team) Submit(context.Context, mcpserver.Work) (mcpserver.Status, error) { panic("no") }

func (team) Agents(context.Context) ([]mcpserver.Agent, error) {
	return []mcpserver.Agent{{ID: "dev"}}, nil
}

func (team) Status(context.Context, string, time.Duration) (mcpserver.Status, error) {
	return mcpserver.Status{}, nil
}

// A panic in one request to the team's MCP server fails that request; the session continues.
func TestTR5_APanicEndsOneRequestToTheMCPServer(t *testing.T) {
	client, server := sdk.NewInMemoryTransports()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mcpserver.Server(team{}, "1").Run(ctx, server) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := session.CallTool(t.Context(),
		&sdk.CallToolParams{Name: "submit_task", Arguments: map[string]any{"prompt": "p"}})
	if err == nil && !res.IsError {
		t.Errorf("it succeeded: %+v", res)
	}
	if res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_agents", Arguments: map[string]any{}}); err != nil || res.IsError {
		t.Errorf("%+v, %v", res, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	end()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Package mcpserver exposes the team as an MCP server: other agents submit tasks, query and cancel them, and list the
// agents.
package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/work/task"
)

// Work is a task to submit.
type Work struct {
	Text         string  `json:"text" jsonschema:"what should be done, with all that is needed to do it"`
	Type         string  `json:"type,omitempty" jsonschema:"type of the task; chat if it is not said"`
	Agent        string  `json:"agent,omitempty" jsonschema:"id of the agent that shall do it; whoever may and is free if it is not said"`
	Session      string  `json:"session,omitempty" jsonschema:"what the task belongs to"`
	Key          string  `json:"idempotency_key,omitempty" jsonschema:"the same key twice is one task"`
	BudgetTokens int     `json:"budget_tokens,omitempty" jsonschema:"tokens that it may cost"`
	BudgetUSD    float64 `json:"budget_usd,omitempty" jsonschema:"US dollars that it may cost"`
	Wait         int     `json:"wait_seconds,omitempty" jsonschema:"0 to 50: how long to wait for its end"`
}

// Context returns the context of the task.
func (w *Work) Context() (json.RawMessage, error) {
	fields := map[string]any{}
	if w.Agent != "" {
		fields["agent"] = w.Agent
	}
	if b := (task.Budget{Tokens: w.BudgetTokens, USD: w.BudgetUSD}); b != (task.Budget{}) {
		fields["budget"] = b
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return json.Marshal(fields)
}

// Status is the state of a task.
type Status struct {
	TaskID       string         `json:"taskId"`
	Status       string         `json:"status" jsonschema:"accepted or rejected when it is given; then pending, in_progress, completed, failed or canceled"`
	Message      string         `json:"message,omitempty"`
	Progress     float64        `json:"progress,omitempty"`
	Result       map[string]any `json:"result,omitempty"`
	ErrorMessage string         `json:"errorMessage,omitempty"`
}

// Agent is an agent of the applied team.
type Agent struct {
	ID   string   `json:"id"`
	Name string   `json:"name,omitempty"`
	Role string   `json:"role,omitempty"`
	May  bool     `json:"may" jsonschema:"whether it may be given tasks"`
	Can  []string `json:"can" jsonschema:"the types of tasks that it can do"`
	Task string   `json:"task,omitempty" jsonschema:"that it works on"`
}

// Team runs the tasks. Errors are *errcode.Error.
type Team interface {
	Submit(ctx context.Context, w Work) (Status, error)
	// Status returns a task's state once it has ended, or after the wait.
	Status(ctx context.Context, id string, wait time.Duration) (Status, error)
	Cancel(ctx context.Context, id string) (Status, error)
	Agents(ctx context.Context) ([]Agent, error)
}

const mostWait = 50 // seconds

type which struct {
	TaskID string `json:"task_id"`
}

type waited struct {
	TaskID string `json:"task_id"`
	Wait   int    `json:"wait_seconds,omitempty" jsonschema:"0 to 50: how long to wait for its end"`
}

type agents struct {
	Agents []Agent `json:"agents"`
}

// Server returns the team as an MCP server.
func Server(t Team, version string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "agentflow", Title: "AgentFlow", Version: version}, &sdk.ServerOptions{
		Instructions: "Give the team tasks with submit_task, and ask for their end with task_status. list_agents says who is there.",
	})
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) { // in a goroutine of the SDK
			return safego.Value(ctx, nil, "a request to the MCP server",
				func() (sdk.Result, error) { return next(ctx, method, req) })
		}
	})
	no := false
	sdk.AddTool(s, &sdk.Tool{Name: "submit_task", Description: "Give the team a task. It is durable once it is accepted; its result comes with task_status, or at once if it ends within wait_seconds. Types of tasks: " + task.TypeNames() + ".", Annotations: &sdk.ToolAnnotations{DestructiveHint: &no}},
		func(ctx context.Context, _ *sdk.CallToolRequest, in Work) (*sdk.CallToolResult, Status, error) {
			got, err := t.Submit(ctx, in)
			if err == nil && in.Wait > 0 && got.Status == "accepted" {
				got, err = t.Status(ctx, got.TaskID, wait(in.Wait))
			}
			return nil, got, said(err)
		})
	sdk.AddTool(s, &sdk.Tool{Name: "task_status", Description: "Where a task stands, with its result once it is completed.", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, _ *sdk.CallToolRequest, in waited) (*sdk.CallToolResult, Status, error) {
			got, err := t.Status(ctx, in.TaskID, wait(in.Wait))
			return nil, got, said(err)
		})
	sdk.AddTool(s, &sdk.Tool{Name: "cancel_task", Description: "End a task that has not ended, as canceled."},
		func(ctx context.Context, _ *sdk.CallToolRequest, in which) (*sdk.CallToolResult, Status, error) {
			got, err := t.Cancel(ctx, in.TaskID)
			return nil, got, said(err)
		})
	sdk.AddTool(
		s,
		&sdk.Tool{
			Name:        "list_agents",
			Description: "Who is in the team, who may be given tasks, and of which types.",
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true},
		},
		func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, agents, error) {
			all, err := t.Agents(ctx)
			return nil, agents{all}, said(err)
		},
	)
	return s
}

func wait(seconds int) time.Duration {
	return time.Duration(min(max(seconds, 0), mostWait)) * time.Second
}

// said removes internal details from an error.
func said(err error) error {
	if err == nil {
		return nil
	}
	return errcode.From(err)
}

const maxBody = 1 << 20

type requestKey struct{}

// Handler serves the team over streamable HTTP. Access is checked before it. A call ends with its HTTP request, for
// example when the client disconnects.
func Handler(t Team, version string) http.Handler {
	s := Server(t, version)
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			asked, ok := ctx.Value(requestKey{}).(context.Context)
			if !ok {
				return next(ctx, method, req)
			}
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			defer context.AfterFunc(asked, func() { cancel(context.Cause(asked)) })()
			return next(ctx, method, req)
		}
	})
	h := streamable(s)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, r.Context()))) // the SDK keeps the values of this context, but not its end
	})
}

func streamable(s *sdk.Server) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody})
}

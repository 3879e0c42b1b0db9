package worker_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// user is a model that uses the first tool that it's offered, and then says what came of it.
type user struct{ offered []string }

// Stream implements worker.Models.
func (u *user) Stream(_ context.Context, r llm.Request, _ func(string) error) (llm.Answer, error) {
	last := r.Messages[len(r.Messages)-1]
	if last.Role == llm.RoleTool {
		return llm.Answer{Text: last.Text, Finish: llm.FinishStop}, nil
	}
	u.offered = nil
	for _, t := range r.Tools {
		u.offered = append(u.offered, t.Name)
	}
	if len(r.Tools) == 0 {
		return llm.Answer{Text: "no tools", Finish: llm.FinishStop}, nil
	}
	call := llm.Call{ID: "1", Name: r.Tools[0].Name, Arguments: `{"city":"Osaka"}`}
	return llm.Answer{Calls: []llm.Call{call}, Finish: llm.FinishCalls}, nil
}

// An agent in the hub uses its MCP servers while it works on a task, and a person approves each use, unless its policy
// lets the tool act. A server that isn't there costs its tools only, and a log line names it.
func TestAG3_AnAgentInTheHubUsesItsMCPServers(t *testing.T) {
	type place struct {
		City string `json:"city"`
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "weather", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "forecast", Description: "d"},
		func(_ context.Context, _ *sdk.CallToolRequest, in place) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "rain in " + in.City}}}, nil, nil
		})
	srv := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	defer srv.Close()
	job := worker.Job{TaskID: "t", Type: string(task.Chat), Prompt: "weather?"}
	for name, tc := range map[string]struct {
		url           string
		allow         bool
		policies      tool.Policies
		result, noted string
	}{
		"allowed":          {srv.URL, true, tool.Policies{}, "rain in Osaka", "forecast"},
		"denied":           {srv.URL, false, tool.Policies{}, "denied", "forecast failed"},
		"by its policy":    {srv.URL, false, tool.Policies{Default: tool.Auto}, "rain in Osaka", "forecast"},
		"it isn't there":   {"http://127.0.0.1:1", true, tool.Policies{}, "no tools", "server weather is not running"},
		"a tool is barred": {srv.URL, true, tool.Policies{Default: tool.Deny}, "no tools", ""},
	} {
		t.Run(name, func(t *testing.T) {
			models := new(user)
			h := &worker.Local{
				Model:   worker.Model{Models: models, Model: "m/1"},
				Servers: []mcp.Entry{{Name: "weather", URL: tc.url}}, Policies: tc.policies,
				Asker: &asker{allow: tc.allow},
			}
			var log strings.Builder
			result, err := h.Run(t.Context(), job, func(u worker.Update) error {
				log.WriteString(u.Log + "\n")
				return nil
			})
			if err != nil || !strings.Contains(string(result), tc.result) || !strings.Contains(log.String(), tc.noted) {
				t.Errorf("%s, %v; offered %v; %s", result, err, models.offered, log.String())
			}
		})
	}
	h := &worker.Local{
		Model:   worker.Model{Models: new(user), Model: "m/1"},
		Servers: []mcp.Entry{{Name: "weather", URL: srv.URL, TokenEnv: "AGENTFLOW_AGENT_GONE"}},
		Getenv:  func(string) string { return "" },
	}
	_, err := h.Run(t.Context(), job, nil)
	why := &errcode.Cause{Code: mcp.CauseUnset, Params: map[string]string{
		"field": "mcpServers", "server": "weather", "variable": "AGENTFLOW_AGENT_GONE",
	}}
	if !reflect.DeepEqual(errcode.CauseOf(err), why) || !strings.Contains(err.Error(), "AGENTFLOW_AGENT_GONE") {
		t.Errorf("without its token: %v, %+v", err, errcode.CauseOf(err))
	}
}

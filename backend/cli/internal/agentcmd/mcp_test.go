package agentcmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// TestCO3_AgentflowMCPSpeaksForAHub: the real program, started by a real MCP client.
func TestCO3_AgentflowMCPSpeaksForAHub(t *testing.T) {
	h := enginetest.Start(t, engine.Options{})
	h.Apply("agents:\n  dev-1: {name: Dev, role: Developer, model: demo/echo}\n")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "mcp", "--url", h.URL())
	cmd.Env = append(os.Environ(), asProgram+"=1", "AGENTFLOW_DATA="+t.TempDir(), "AGENTFLOW_TOKEN="+h.Token())
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) string {
		t.Helper()
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(name, err)
		}
		data, _ := json.Marshal(res)
		return string(data)
	}
	var sent struct {
		StructuredContent struct{ TaskID, Status string }
	}
	if err := json.Unmarshal([]byte(call("submit_task", map[string]any{"text": "hello"})), &sent); err != nil || sent.StructuredContent.Status != "accepted" {
		t.Fatalf("%+v %v", sent, err)
	}
	for got := ""; !strings.Contains(got, `"completed"`); {
		if got = call("task_status", map[string]any{"task_id": sent.StructuredContent.TaskID, "wait_seconds": 50}); strings.Contains(got, `"failed"`) {
			t.Fatal(got)
		}
	}
	if got := call("list_agents", nil); !strings.Contains(got, `"dev-1"`) {
		t.Error(got)
	}
	if got := call("task_status", map[string]any{"task_id": "none"}); !strings.Contains(got, `"isError":true`) {
		t.Error(got)
	}
	if err := session.Close(); err != nil { // it ends with its input
		t.Error(err)
	}
}

package agentcmd_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// tireless is a language model that never comes to an answer: each of its calls costs ten
// tokens. asked is what it was asked last.
func tireless(t *testing.T) (url string, asked func() string) {
	var mu sync.Mutex
	var last string
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		last = string(body)
		n++
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c%d","function":{"name":"shell_exec","arguments":"{\"command\":\"echo %d\"}"}}]}}]}`+"\n\n"+
			`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`+"\n\n"+`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}`+"\n\ndata: [DONE]\n\n", n, n)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() string {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// TestCO3_AnAgentProcessKeepsToItsBudget: the model gets a warning when most of the budget is used,
// the task ends when all of it is, and the command line prints what was spent.
func TestCO3_AnAgentProcessKeepsToItsBudget(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_FAR", "far-secret-of-24-bytes-or-more")
	h := &hub{enginetest.Start(t, engine.Options{}), t}
	model, asked := tireless(t)
	p := start(t, []string{"AGENTFLOW_AGENT_SECRET=far-secret-of-24-bytes-or-more", "OPENAI_BASE_URL=" + model}, "agent", "start", "--port", "0", "--coordinator", h.URL(), "--config",
		write(t, "agent-config.yaml", "agent: {name: far-1, role: Developer, model: openai/m, mcpPolicy: {default: auto}, security: {allowedPaths: ["+t.TempDir()+"]}}\n"))
	url, _ := strings.CutPrefix(p.line(), "listening on ")
	h.Apply(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [far-1]}}
  far-1: {name: Far, role: Developer, url: "` + url + `", secretEnv: AGENTFLOW_AGENT_FAR}
`)
	h.Trust()
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	code, _, errs := run(t, "task", "submit", "--wait", "--agent", "far-1", "--budget-tokens", "45", "Go on for ever")
	if code != 1 || !strings.Contains(errs, "the task's budget is used up: 50 of 45 tokens") || !strings.Contains(errs, "88 % of this task's budget is used") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if said := asked(); !strings.Contains(said, "88 % of this task's budget is used (40 of 45 tokens)") {
		t.Errorf("the model was told %s", said)
	}
	var all struct{ Tasks []struct{ TaskID string } }
	ask(t, http.MethodGet, h.URL()+"/tasks", h.Token(), nil, &all)
	if code, out, _ := run(t, "task", "status", all.Tasks[0].TaskID); code != 0 || !strings.Contains(out, "budget: 50 / 45 tokens") {
		t.Errorf("exit %d: %s", code, out)
	}
}

package agentcmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// passing is a language model of agents that give everything on: each asks the one that its
// persona names, and then says what it heard.
func passing(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var said struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(body, &said); err != nil || len(said.Messages) < 2 {
			t.Errorf("asked %s", body)
			return
		}
		self, next, _ := strings.Cut(said.Messages[0].Content, " asks ")
		last := said.Messages[len(said.Messages)-1]
		var delta any = map[string]any{"content": self + " heard: " + last.Content}
		why := "stop"
		if last.Role == "user" {
			arguments := fmt.Sprintf(`{"agent":%q,"task":"go on"}`, next)
			delta = map[string]any{
				"tool_calls": []any{
					map[string]any{
						"index":    0,
						"id":       "x",
						"function": map[string]any{"name": "delegate", "arguments": arguments},
					},
				},
			}
			why = "tool_calls"
		}
		w.Header().Set("Content-Type", "text/event-stream")
		data, _ := json.Marshal(delta)
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", data, why)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// TestCO3_AG1_AChainThatComesBackIsStopped: three agent processes, each of which gives its task
// on to the next. The third one's goes back to the first, and is refused with the chain, which
// the answer, the task's events and the command line show; the others' tasks end right.
func TestCO3_AG1_AChainThatComesBackIsStopped(t *testing.T) {
	h := &hub{enginetest.Start(t, engine.Options{}), t}
	model := passing(t)
	team := "agents:\n  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [a]}}\n"
	for _, c := range []struct{ name, next string }{{"a", "b"}, {"b", "c"}, {"c", "a"}} {
		t.Setenv("AGENTFLOW_AGENT_"+c.name, "secret-of-24-bytes-or-more-of-"+c.name)
		p := start(t, []string{"AGENTFLOW_AGENT_SECRET=secret-of-24-bytes-or-more-of-" + c.name, "OPENAI_BASE_URL=" + model}, "agent", "start", "--port", "0", "--coordinator", h.URL(),
			"--config", write(t, "agent-config.yaml", fmt.Sprintf("agent: {name: %s, role: Developer, model: openai/m, persona: %s asks %s}\n", c.name, c.name, c.next)))
		url, _ := strings.CutPrefix(p.line(), "listening on ")
		team += fmt.Sprintf("  %s: {name: %s, role: Developer, url: %q, secretEnv: AGENTFLOW_AGENT_%s, subagents: {allowAgents: [%s]}}\n", c.name, c.name, url, c.name, c.next)
	}
	h.Apply(team)
	h.Trust()
	id := h.submit("chat", "Do it", nil)
	got := h.ended(id)
	const chain = "a → b → c → a"
	if got.Status != "completed" || !strings.Contains(string(got.Result), "a heard: b heard: c heard: error: the chain "+chain+" was stopped") || len(got.Attempts) != 1 {
		t.Errorf("%+v %s", got, got.Result)
	}
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	if code, _, errs := run(t, "task", "watch", id); code != 0 || !strings.Contains(errs, chain) {
		t.Errorf("exit %d: %s", code, errs)
	}
	var all struct {
		Tasks []struct {
			TaskID, Status string
			Given          []string
			Trace          struct {
				Root, Parent string
				Chain        []string
			}
		}
	}
	ask(t, http.MethodGet, h.URL()+"/tasks", h.Token(), nil, &all)
	if len(all.Tasks) != 3 { // the fourth was never made
		t.Fatalf("%+v", all.Tasks)
	}
	last := all.Tasks[0]
	if last.Status != "completed" || strings.Join(last.Trace.Chain, " ") != "a b" || last.Trace.Root != id || all.Tasks[1].Given[0] != last.TaskID || last.Trace.Parent != all.Tasks[1].TaskID {
		t.Errorf("%+v", all.Tasks)
	}
	if code, out, _ := run(t, "task", "status", last.TaskID); code != 0 || !strings.Contains(out, "delegated by a → b") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, r := range []struct {
		who  string
		want int
	}{{"secret-of-24-bytes-or-more-of-b", http.StatusForbidden}, {h.Token(), http.StatusForbidden}, {"wrong", http.StatusUnauthorized}} {
		var refused map[string]any
		if code := ask(t, http.MethodPost, h.URL()+"/tasks/"+id+"/delegations", r.who, map[string]any{"agent": "c", "prompt": "p"}, &refused); code != r.want {
			t.Errorf("%s: %d %v", r.who, code, refused)
		}
	}
}

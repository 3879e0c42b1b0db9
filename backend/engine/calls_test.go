package engine_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/model/usage"
	"agentflow/backend/server/httpapi/providersapi"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
)

// CH-11: what an agent asked its model is seen with its time, tokens, cost and error; what
// was said only where that is switched on, and never a key.
func TestCH11_WhatAgentsAskModelsIsSeen(t *testing.T) {
	t.Parallel()
	const key = "sk-planted-in-the-ledger-test"
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, last string) {
		if strings.HasSuffix(last, "fail") {
			http.Error(w, `{"error":{"message":"no such thing"}}`, http.StatusBadRequest)
			return
		}
		stream(w, "Yes.")
	})
	team := cast(t)
	h := startHubWith(t, engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {team["Ann"]}}})
	h.must(http.MethodPut, "/api/providers/srv", map[string]any{"name": "srv", "kind": "openai", "baseUrl": s.URL + "/v1", "key": key}, nil)
	h.must(http.MethodPut, "/api/prices", map[string]any{"model": "srv/m", "input": 1e5, "output": 1e6}, nil)
	h.status("Ann is here", here("Ann"))
	page := h.join("room=dev&after=0")
	ask := func(text, answer string) {
		h.post(room.Draft{Room: "dev", Sender: "human", Text: text})
		page.heard("Ann", answer)
		h.status("idle", idle)
	}
	ask("first", "Yes.")
	var d providersapi.Diagnostics
	if h.must(http.MethodPut, "/api/diagnostics", map[string]any{"keepsTexts": true}, &d); !d.KeepsTexts {
		t.Errorf("%+v", d)
	}
	ask("second", "Yes.")
	ask("fail", "could not answer")

	var list struct{ Calls []usage.ModelCall }
	h.must(http.MethodGet, "/api/llm-calls?agent=Ann", nil, &list)
	if len(list.Calls) != 3 {
		t.Fatalf("%+v", list.Calls)
	}
	failed, second, first := list.Calls[0], list.Calls[1], list.Calls[2]
	if failed.Error == nil || second.Error != nil || second.For != "room:dev" || second.Model != "srv/m" || second.TokensIn != 7 || second.TokensOut != 3 || second.CostUSD != 3.7 || !second.Priced || !second.Kept || first.Kept {
		t.Errorf("%+v", list.Calls)
	}
	var text usage.CallText
	path := func(c usage.ModelCall) string { return "/api/llm-calls/" + jsonOf(t, c.ID) + "/text" }
	h.must(http.MethodGet, path(second), nil, &text)
	if !strings.Contains(text.System, "You plan.") || text.Answer != "Yes." || !strings.Contains(text.Messages[len(text.Messages)-1].Text, "human: second") {
		t.Errorf("%+v", text)
	}
	if status, _ := h.call(http.MethodGet, path(first), nil, nil); status != http.StatusNotFound {
		t.Errorf("a text that nobody asked for: %d", status)
	}
	if strings.Contains(jsonOf(t, list)+jsonOf(t, text), key) {
		t.Error("the key leaked")
	}
	h.must(http.MethodGet, "/api/diagnostics", nil, &d)
	if len(d.Agents) != 1 || d.Agents[0].Agent != "Ann" || d.Agents[0].Calls != 3 || d.Agents[0].Failed != 1 || d.Program.Memory == 0 || d.Program.Goroutines == 0 {
		t.Errorf("%+v", d)
	}
	h.must(http.MethodPut, "/api/diagnostics", map[string]any{"keepsTexts": false}, nil)
	if status, _ := h.call(http.MethodGet, path(second), nil, nil); status != http.StatusNotFound {
		t.Errorf("a text that was to be forgotten: %d", status)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package engine_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-11: the cost of a room follows the prices that the person has entered; earlier use
// counts as tokens without a known price.
func TestCH11_ARoomSaysWhatItCost(t *testing.T) {
	t.Parallel()
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, _ string) { stream(w, "Yes.") }) // 7 in, 3 out
	team := cast(t)
	dir := s.home(t)
	h := startHubWith(t, engine.Options{DataDir: dir, Agents: map[string][]chatagent.Config{"dev": {team["Ann"]}}})
	h.status("Ann is here", here("Ann"))
	page := h.join("room=dev&after=0")
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "one"})
	page.heard("Ann", "Yes.")
	st := h.status("counted", func(s turns.Status) bool { return idle(s) && s.Tokens == 10 })
	if st.CostUSD != 0 || st.Unpriced != 10 || st.Agents[0].Unpriced != 10 {
		t.Errorf("without a price: %+v", st)
	}
	var list struct{ Prices []map[string]any }
	h.must(http.MethodPut, "/api/prices", map[string]any{"model": "srv/m", "input": 1e5, "output": 1e6}, &list)
	if len(list.Prices) != 1 || list.Prices[0]["model"] != "srv/m" || list.Prices[0]["output"] != 1e6 {
		t.Errorf("the prices are %+v", list)
	}
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "two"})
	page.heard("Ann", "Yes.")
	st = h.status("counted", func(s turns.Status) bool { return idle(s) && s.Tokens == 20 })
	if st.CostUSD != 3.7 || st.Unpriced != 10 || st.Agents[0].CostUSD != 3.7 {
		t.Errorf("with a price: %+v", st)
	}
	for _, bad := range []map[string]any{{"model": "m", "input": 1, "output": 1}, {"model": "srv/m", "input": -1, "output": 1}, {"model": "srv/m", "input": 1}} {
		if status, e := h.call(http.MethodPut, "/api/prices", bad, nil); status != http.StatusBadRequest || e.Code != errcode.Validation {
			t.Errorf("%v: %d, %+v", bad, status, e)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "agentflow.yaml"))
	if err != nil || !strings.Contains(string(text), "srv/m") {
		t.Errorf("%v\n%s", err, text)
	}
	h.must(http.MethodDelete, "/api/prices?model=srv/m", nil, &list)
	if len(list.Prices) != 0 {
		t.Errorf("the prices are %+v", list)
	}
	if status, _ := h.call(http.MethodDelete, "/api/prices?model=srv/m", nil, nil); status != http.StatusNotFound {
		t.Errorf("a price that is not there: %d", status)
	}
	h.stop()
	h = startHubWith(t, engine.Options{DataDir: dir})
	var again turns.Status
	if h.must(http.MethodGet, "/api/rooms/dev/state", nil, &again); again.CostUSD != 3.7 || again.Unpriced != 10 {
		t.Errorf("after a restart: %+v", again)
	}
}

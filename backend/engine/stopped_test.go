package engine_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/server/httpapi/providersapi"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-12: a stop ends what the models are saying, here and elsewhere. What they have said is stored as theirs, marked,
// and nobody replies to it.
func TestCH12_AStopReachesAgentsElsewhere(t *testing.T) {
	t.Parallel()
	cut := make(chan string, 10)
	s := startScript(t, func(w http.ResponseWriter, r *http.Request, who, _ string) {
		unfinished(w, "I will not end, ")
		<-r.Context().Done() // the connection to the model is cut
		cut <- who
	})
	team := cast(t)
	h := startHubWith(t,
		engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {team["Ann"]}}})
	s.elsewhere(t, h.e.URL(), h.e.Token(), team["Ben"])
	h.status("both are here", here("Ann", "Ben"))
	page := h.join("room=dev&after=0&live=1")
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
	seen := map[string]bool{}
	for len(seen) < 2 {
		seen[page.until("a piece", func(f frame) bool { return f.Live != nil && f.Live.Text == "I will not end, " }).Live.Agent] = true
	}
	var st turns.Status
	began := time.Now()
	h.must(http.MethodPost, "/api/rooms/dev/stop", nil, &st)
	if !idle(st) {
		t.Errorf("after the stop: %+v", st)
	}
	got := []string{<-cut, <-cut}
	t.Logf("both models were cut after %s", time.Since(began))
	slices.Sort(got)
	if !slices.Equal(got, []string{"Ann", "Ben"}) {
		t.Errorf("cut were %q", got)
	}
	h.status("what the cut answers used is counted",
		func(s turns.Status) bool { return s.Agents[0].TokensIn > 0 && s.Agents[1].TokensIn > 0 })
	for range 2 {
		page.until("what an answer has of it", func(f frame) bool {
			return f.Stopped() && f.Text == "I will not end,"
		})
	}
	h.status("both keep it as a message, and have no turn", func(s turns.Status) bool {
		return idle(s) && s.Agents[0].Turns == 1 && s.Agents[1].Turns == 1
	})
	if list := h.messages("room=dev"); len(list) != 3 {
		t.Errorf("the room holds %+v", list)
	}
	var d providersapi.Diagnostics
	h.must(http.MethodGet, "/api/diagnostics", nil, &d)
	if len(d.Agents) != 1 || d.Agents[0].Calls != 1 || d.Agents[0].Failed != 0 {
		t.Errorf("a call that a person stopped counts as %+v", d.Agents)
	}
	for query, head := range map[string]string{"": "## Ann (stopped) — ", "?language=ja": "## Ben（停止） — "} {
		if text := h.get("/api/rooms/dev/export" + query); !strings.Contains(text, "\n"+head) {
			t.Errorf("the file has no %q:\n%s", head, text)
		}
	}
}

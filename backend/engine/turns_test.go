package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-12: an agent that waits for its turn gets it after a message to another agent. It answers what its turn is for,
// and not that message.
func TestCH12_AnAgentDoesNotAnswerForAnother(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	s := startScript(t, func(w http.ResponseWriter, r *http.Request, who, last string) {
		switch {
		case who == "Ben" && strings.HasSuffix(last, "human: one"):
			select {
			case <-free:
			case <-r.Context().Done():
			}
			stream(w, "1")
		case strings.HasSuffix(last, "human: @Ann three"): // models answer what they read last
			stream(w, "3")
		case who == "Ben" && strings.Contains(last, "from human:\n\ntwo\n"):
			stream(w, "2")
		default:
			stream(w, "SKIP")
		}
	})
	team := cast(t)
	h := startHubWith(t,
		engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {team["Ann"], team["Ben"]}}})
	h.status("both are here", here("Ann", "Ben"))
	policy := turns.DefaultPolicy(false)
	policy.ToAgents = turns.ToMentioned
	h.must(http.MethodPut, "/api/rooms/dev/policy", policy, nil)
	page := h.join("room=dev&after=0")
	for _, text := range []string{"one", "two", "@Ann three"} {
		h.post(room.Draft{Room: "dev", Sender: "human", Text: text})
	}
	page.heard("Ann", "3")
	close(free)
	page.heard("Ben", "1")
	page.heard("Ben", "2")
	h.status("all are silent", idle)
	for _, m := range h.messages("room=dev&limit=500") {
		if m.Sender == "Ben" && m.Text != "1" && m.Text != "2" {
			t.Errorf("Ben said %q", m.Text)
		}
	}
}

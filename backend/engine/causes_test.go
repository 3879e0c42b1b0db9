package engine_test

import (
	"net/http"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-6, CH-12: why an agent could not answer is said in a word beside the text, in the hub
// and on another computer.
func TestCH12_AFailureHasItsCauseWhereverTheAgentRuns(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"here", "elsewhere"} {
		t.Run(where, func(t *testing.T) {
			s := startScript(t, nil)
			team := cast(t)
			o := engine.Options{DataDir: s.home(t)}
			if where == "here" {
				o.Agents = map[string][]chatagent.Config{"dev": {team["Ann"]}}
			}
			h := startHubWith(t, o)
			if where == "elsewhere" {
				s.elsewhere(t, h.e.URL(), h.e.Token(), team["Ann"])
			}
			h.status("Ann is here", here("Ann"))
			page := h.join("room=dev&after=0&live=1")
			told := func(say func(w http.ResponseWriter, r *http.Request, who, last string)) map[string]string {
				t.Helper()
				s.set(say)
				h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
				m := page.heard("Ann", "Ann could not answer: ")
				h.status("failed", idle)
				if m.Cause == nil || m.Cause.Code != turns.CauseUnanswered || m.Cause.Params[turns.KeyAgent] != "Ann" {
					t.Fatalf("%q has the cause %+v", m.Text, m.Cause)
				}
				return m.Cause.Params
			}
			if p := told(func(w http.ResponseWriter, _ *http.Request, _, _ string) {
				http.Error(w, `{"error":{"message":"bad key"}}`, http.StatusUnauthorized)
			}); p[turns.KeyWhy] != "bad_key" || p[room.KeyOwn] != "" {
				t.Errorf("refused: %v", p)
			}
			if p := told(func(w http.ResponseWriter, _ *http.Request, _, _ string) { unfinished(w, "半分の答") }); p[turns.KeyWhy] != "no_answer" || p[room.KeyOwn] != "4" {
				t.Errorf("cut in the middle: %v", p)
			}
		})
	}
}

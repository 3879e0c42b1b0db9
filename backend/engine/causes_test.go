package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/work/task"
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
			p := told(func(w http.ResponseWriter, _ *http.Request, _, _ string) { refuses(w, "I won't.") })
			if p[turns.KeyWhy] != llm.ReasonRefusal || p["said"] != "I won't" {
				t.Errorf("refused by the model: %v", p)
			}
			if p := told(func(w http.ResponseWriter, _ *http.Request, _, _ string) { unfinished(w, "半分の答") }); p[turns.KeyWhy] != llm.CauseEndedEarly || p[room.KeyOwn] != "4" {
				t.Errorf("cut in the middle: %v", p)
			}
		})
	}
}

// A model that refuses a task is asked once, and the task says the model's own reason.
func TestARefusedTaskIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, _ string) { refuses(w, "I can't do that.") })
	h := startHub(t, s.home(t))
	h.applyTeam(`agents:
  dev-1: {name: Dev, role: Coordinator, model: srv/m, persona: "You are Dev, a developer."}
`)
	got := h.over(h.submit("chat", "do it", nil).TaskID)
	const said = "I can't do that"
	if got.Status != task.Failed || len(got.Attempts) != 1 || !strings.HasSuffix(got.ErrorMessage, ": "+said) ||
		got.Cause == nil || got.Cause.Code != llm.ReasonRefusal || got.Cause.Params["said"] != said {
		t.Errorf("%s after %d attempts: %q, %+v", got.Status, len(got.Attempts), got.ErrorMessage, got.Cause)
	}
}

package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// frame is anything that comes on a room's socket.
type frame struct {
	room.Message
	Live  *turns.Live    `json:"live"`
	Error *errcode.Error `json:"error"`
}

// until is the next frame that is one, whatever comes before it.
func (m *member) until(what string, is func(frame) bool) frame {
	m.t.Helper()
	_ = m.conn.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		var got frame
		if err := m.conn.ReadJSON(&got); err != nil {
			m.t.Fatalf("waiting for %s: %v", what, err)
		}
		if is(got) {
			return got
		}
	}
}

func (m *member) myTurn() turns.Turn {
	m.t.Helper()
	return *m.until("a turn", func(f frame) bool { return f.Live != nil && f.Live.Type == turns.KindTurn && f.Live.Turn != nil }).Live.Turn
}

func (m *member) tell(n turns.Update) {
	m.t.Helper()
	text, err := json.Marshal(map[string]any{"news": n})
	if err != nil {
		m.t.Fatal(err)
	}
	m.say(string(text))
}

// CH-5, CH-12: over the socket, an agent gets its turn, its answer is seen to grow by who
// asks for it, and by nobody else; a stop reaches it.
func TestCH5_AnAgentTakesTurnsOverItsSocket(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	plain := h.join("room=dev&after=0")
	watcher := h.join("room=dev&live=1")
	watcher.until("how it stands", func(f frame) bool { return f.Live != nil && f.Live.Status != nil })
	agent := h.join("room=dev&sender=Ann&after=0&agent=here&model=demo/echo")
	agent.until("no turn",
		func(f frame) bool { return f.Live != nil && f.Live.Type == turns.KindTurn && f.Live.Turn == nil })
	asked := h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
	if got := plain.next(); got != asked {
		t.Fatalf("got %+v", got)
	}
	turn := agent.myTurn()
	agent.tell(turns.Update{TurnID: turn.ID, State: room.Answering, Text: "Good "})
	agent.tell(turns.Update{TurnID: turn.ID, Text: "day"})
	agent.tell(turns.Update{
		TurnID: turn.ID,
		End:    &turns.End{Outcome: turns.Answered, Text: "Good day", TokensIn: 5, TokensOut: 2},
	})
	for _, piece := range []string{"Good ", "day"} {
		watcher.until(piece, func(f frame) bool {
			return f.Live != nil && f.Live.Type == turns.KindPartial && f.Live.Text == piece &&
				f.Live.TurnID == turn.ID && f.Live.Agent == "Ann"
		})
	}
	answer := watcher.until("the answer", func(f frame) bool { return f.ClientID == turn.ID }).Message
	watcher.until("the end", func(f frame) bool {
		return f.Live != nil && f.Live.Type == turns.KindEnd && f.Live.MessageID == answer.ID &&
			f.Live.Outcome == turns.Answered
	})
	if got := plain.next(); got != answer || got.Text != "Good day" || got.Sender != "Ann" {
		t.Fatalf("who did not ask for more got %+v", got)
	}

	h.post(room.Draft{Room: "dev", Sender: "human", Text: "And?"})
	turn = agent.myTurn()
	var status turns.Status
	h.must(http.MethodPost, "/api/rooms/dev/stop", nil, &status)
	agent.until("the stop",
		func(f frame) bool { return f.Live != nil && f.Live.Type == turns.KindTurn && f.Live.Turn == nil })
	agent.tell(turns.Update{TurnID: turn.ID, End: &turns.End{Outcome: turns.Answered, Text: "late"}})
	refused := agent.until("the refusal", func(f frame) bool { return f.Error != nil }).Error
	if refused.Reason() != turns.ReasonTurnOver || refused.Details["turnId"] != turn.ID {
		t.Errorf("a late answer: %+v", refused)
	}
	second := h.join("room=dev&sender=Ann&agent=elsewhere")
	if e := second.until("the refusal", func(f frame) bool { return f.Error != nil }).Error; e.Reason() != turns.ReasonTaken {
		t.Errorf("a second Ann: %+v", e)
	}
	h.must(http.MethodGet, "/api/rooms/dev/state", nil, &status)
	if a := status.Agents; len(a) != 1 || a[0].Name != "Ann" || a[0].Model != "demo/echo" || !a[0].Elsewhere || a[0].TokensOut != 2 || a[0].State != room.Online {
		t.Errorf("%+v", status)
	}
}

// The policy of a room is read, checked, set, and kept.
func TestCH12_ThePolicyOfARoomIsSet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHub(t, dir)
	var s turns.Status
	if code, _ := h.call(http.MethodGet, "/api/rooms/none/state", nil, nil); code != http.StatusNotFound {
		t.Errorf("the state of no room: %d", code)
	}
	h.must(http.MethodPost, "/api/rooms", map[string]string{"name": "設計 1"}, nil)
	path := "/api/rooms/%E8%A8%AD%E8%A8%88%201"
	h.must(http.MethodGet, path+"/state", nil, &s)
	if s.State != turns.Open || s.Policy != turns.DefaultPolicy(false) {
		t.Errorf("%+v", s)
	}
	s.Policy.Order, s.Policy.MaxAgentTurns = turns.RoundRobin, 3
	h.must(http.MethodPut, path+"/policy", s.Policy, &s)
	bad := s.Policy
	bad.TurnsPerMinute = 0
	if code, e := h.call(http.MethodPut, path+"/policy", bad, nil); code != http.StatusBadRequest || fmt.Sprint(e.Details[errcode.KeyField]) != "turnsPerMinute" {
		t.Errorf("a bad policy: %d, %+v", code, e)
	}
	h.must(http.MethodPost, path+"/pause", nil, &s)
	if code, e := h.call(http.MethodPost, path+"/wrap-up", nil, nil); code != http.StatusConflict || e.Reason() != "nobody" {
		t.Errorf("nobody can wrap up: %d, %+v", code, e)
	}
	h.stop()
	h = startHub(t, dir)
	h.must(http.MethodGet, path+"/state", nil, &s)
	if s.State != turns.Paused || s.Policy.MaxAgentTurns != 3 {
		t.Errorf("after a restart: %+v", s)
	}
	h.must(http.MethodPost, path+"/resume", nil, &s)
	if s.State != turns.Open {
		t.Errorf("%+v", s)
	}
}

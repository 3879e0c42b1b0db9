package engine_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-5, CH-6, CH-12: three agents of agents.yml, one of them elsewhere, hold a conversation
// with a person: all answer, they answer one another, who has nothing to say is silent. The
// hub is restarted in between, at the same address.
func TestCH12_ThreeAgentsTalkWithAPersonAndOneIsElsewhere(t *testing.T) {
	t.Parallel()
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, who, last string) {
		switch {
		case strings.HasSuffix(last, "human: 始めましょう"):
			stream(w, who, ": I am ", who) // the name before it is taken off
		case strings.HasSuffix(last, "human: @Ann ask Ben"), strings.HasSuffix(last, "human: @Ann ask Ben again"):
			stream(w, "@Ben, is it done?")
		case who == "Ben" && strings.HasSuffix(last, "Ann: @Ben, is it done?"):
			stream(w, "It ", "is ", "done.")
		default:
			stream(w, "SK", "IP")
		}
	})
	dir, team := s.home(t), cast(t)
	inHub := map[string][]chatagent.Config{"dev": {team["Ann"], team["調査役"]}}
	h := startHubWith(t, engine.Options{DataDir: dir, Agents: inHub})
	address := strings.TrimPrefix(h.e.URL(), "http://")
	s.elsewhere(t, h.e.URL(), h.e.Token(), team["Ben"])
	h.status("three are here", here("Ann", "Ben", "調査役"))
	page := h.join("room=dev&after=0&live=1")
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "始めましょう"})
	said := map[string]bool{}
	for len(said) < 3 {
		m := page.until("an answer", func(f frame) bool { return strings.HasPrefix(f.Text, "I am ") }).Message
		if m.Text != "I am "+m.Sender {
			t.Errorf("%s said %q", m.Sender, m.Text)
		}
		said[m.Sender] = true
	}
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "@Ann ask Ben"})
	page.heard("Ann", "@Ben, is it done?")
	page.heard("Ben", "It is done.")
	st := h.status("all are silent", idle)
	for _, m := range st.Agents {
		if m.Turns == 0 || m.TokensIn == 0 || m.Elsewhere != (m.Name == "Ben") {
			t.Errorf("%+v", m)
		}
	}
	s.mu.Lock()
	for _, body := range s.asked {
		messages, _ := body["messages"].([]any)
		system := fmt.Sprint(messages[0])
		if strings.Contains(system, "You plan.") != (body["top_p"] == 0.5 && body["seed"] == 7.0 && body["max_tokens"] == 300.0 && body["temperature"] != nil) {
			t.Errorf("the model was asked with %v", body)
		}
	}
	s.mu.Unlock()

	h.stop()
	h = startAt(t, engine.Options{DataDir: dir, Agents: inHub}, address)
	page = h.join("room=dev&live=1&after=" + fmt.Sprint(h.messages("room=dev&limit=1")[0].ID))
	h.status("three are here again", here("Ann", "Ben", "調査役"))
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "@Ann ask Ben again"})
	page.heard("Ann", "@Ben, is it done?")
	page.heard("Ben", "It is done.")
	h.status("all are silent", idle)
	once := map[string]int{}
	for _, m := range h.messages("room=dev&limit=500") {
		once[m.Sender+": "+m.Text]++
	}
	want := map[string]int{
		"human: 始めましょう": 1, "Ann: I am Ann": 1, "Ben: I am Ben": 1, "調査役: I am 調査役": 1, "human: @Ann ask Ben": 1, "human: @Ann ask Ben again": 1,
		"Ann: @Ben, is it done?": 2, "Ben: It is done.": 2,
	}
	for line, n := range want {
		if once[line] != n {
			t.Errorf("%q was said %d times, want %d: %v", line, once[line], n, once)
		}
	}
}

// startAt starts a hub at an address that one has just left.
func startAt(t *testing.T, opts engine.Options, address string) *hub {
	t.Helper()
	opts.Listen = address
	return startHubWith(t, opts)
}

// CH-12: two agents that always answer one another are ended by the room's limit.
func TestCH12_ModelsThatAlwaysAnswerAreEnded(t *testing.T) {
	t.Parallel()
	s := startScript(t,
		func(w http.ResponseWriter, _ *http.Request, who, last string) { stream(w, "Go on, ", "please!") })
	team := cast(t)
	h := startHubWith(t,
		engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {team["Ann"], team["Ben"]}}})
	h.status("both are here", here("Ann", "Ben"))
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
	st := h.status("halted", func(s turns.Status) bool { return s.State == turns.Halted && idle(s) })
	if st.Halt != turns.HaltTurns || st.Turns != st.Policy.MaxAgentTurns {
		t.Errorf("%+v", st)
	}
	spoken := 0
	for _, m := range h.messages("room=dev&limit=500") {
		if m.Type == room.Chat && m.Sender != "human" {
			spoken++
		}
	}
	if spoken != st.Policy.MaxAgentTurns {
		t.Errorf("they spoke %d times", spoken)
	}
}

// CH-12: a pause cuts the answer of an agent elsewhere, which speaks again once the room goes on;
// a wrap-up has it sum up.
func TestCH12_APauseAndAWrapUpReachAgentsElsewhere(t *testing.T) {
	t.Parallel()
	cut := make(chan string, 10)
	s := startScript(t, func(w http.ResponseWriter, r *http.Request, who, _ string) {
		unfinished(w, "I will not end, ")
		<-r.Context().Done()
		cut <- who
	})
	ben := cast(t)["Ben"]
	h := startHubWith(t, engine.Options{DataDir: s.home(t)})
	s.elsewhere(t, h.e.URL(), h.e.Token(), ben)
	h.status("Ben is here", here("Ben"))
	page := h.join("room=dev&after=0&live=1")
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "@Ben hello"})
	page.until("a piece", func(f frame) bool { return f.Live != nil && f.Live.Agent == "Ben" })
	began := time.Now()
	h.must(http.MethodPost, "/api/rooms/dev/pause", nil, nil)
	if who := <-cut; who != "Ben" {
		t.Errorf("cut was %q", who)
	}
	t.Logf("the model was cut after %s", time.Since(began))
	if list := h.messages("room=dev"); len(list) != 1 {
		t.Errorf("in the pause the room holds %+v", list)
	}

	s.set(func(w http.ResponseWriter, _ *http.Request, _, _ string) { stream(w, "As I was saying.") })
	h.must(http.MethodPost, "/api/rooms/dev/resume", nil, nil)
	page.until("the answer", func(f frame) bool { return f.Text == "As I was saying." })

	systems := make(chan string, 10)
	s.set(func(w http.ResponseWriter, _ *http.Request, _, _ string) {
		s.mu.Lock()
		first, _ := s.asked[len(s.asked)-1]["messages"].([]any)[0].(map[string]any)
		s.mu.Unlock()
		systems <- fmt.Sprint(first["content"])
		stream(w, "To sum up: done.")
	})
	h.must(http.MethodPost, "/api/rooms/dev/wrap-up", map[string]string{"agent": "Ben"}, nil)
	page.until("the last word", func(f frame) bool { return f.Text == "To sum up: done." })
	if told := <-systems; !strings.Contains(told, "sum up") {
		t.Errorf("its model was told %q", told)
	}
	h.status("wrapped up", func(s turns.Status) bool { return s.State == turns.Halted && s.Halt == turns.HaltWrapped })
}

// CH-6, fault 16: a model's failure is reported in the room, is never taken for an
// answer, and the next question is answered.
func TestCH6_Fault16_ModelsThatFail(t *testing.T) {
	t.Parallel()
	s := startScript(t, nil)
	team := cast(t)
	h := startHubWith(t,
		engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {team["Ann"]}}})
	h.status("Ann is here", here("Ann"))
	page := h.join("room=dev&after=0&live=1")
	for name, c := range map[string]struct {
		say  func(w http.ResponseWriter, r *http.Request, who, last string)
		told string
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request, _, _ string) {
			http.Error(w, `{"error":{"message":"bad key"}}`, http.StatusUnauthorized)
		}, "refused the key"},
		"cut in the middle": {func(w http.ResponseWriter, _ *http.Request, _, _ string) { unfinished(w, "Half an ans") }, "ended in the middle. This had come of its answer:\n\nHalf an ans"},
		"cut in a character": {func(w http.ResponseWriter, _ *http.Request, _, _ string) {
			unfinished(w, "日本")
			_, _ = w.Write([]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xe8\xaa"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "日本"},
		"a flood": {func(w http.ResponseWriter, _ *http.Request, _, _ string) {
			for range 2 * room.MaxText / 1000 {
				unfinished(w, strings.Repeat("x", 1000))
			}
		}, "more than 65536 characters"},
		"200 with an error": {func(w http.ResponseWriter, _ *http.Request, _, _ string) {
			_, _ = w.Write([]byte(`data: {"error":{"message":"overloaded"}}` + "\n\n"))
		}, "overloaded"},
		"garbage": {func(w http.ResponseWriter, _ *http.Request, _, _ string) { _, _ = w.Write([]byte("data: {broken\n\n")) }, "could not answer"},
		"nothing": {func(w http.ResponseWriter, _ *http.Request, _, _ string) { stream(w) }, "no text"},
	} {
		t.Run(name, func(t *testing.T) {
			s.set(c.say)
			h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
			m := page.heard("Ann", "Ann could not answer: ")
			if m.Type != room.System || !strings.Contains(m.Text, c.told) {
				t.Errorf("told %s %q", m.Type, shortened(m.Text))
			}
			h.status("failed", func(s turns.Status) bool { return s.Agents[0].State == room.Failed && idle(s) })
			s.set(func(w http.ResponseWriter, _ *http.Request, _, _ string) { stream(w, "well") })
			h.post(room.Draft{Room: "dev", Sender: "human", Text: "And now?"})
			page.heard("Ann", "well")
			h.status("well again",
				func(s turns.Status) bool { return s.Agents[0].State == room.Online && s.Agents[0].Error == "" })
		})
	}
	for _, m := range h.messages("room=dev&limit=500") {
		if m.Type == room.Chat && m.Sender == "Ann" && m.Text != "well" {
			t.Errorf("Ann said %q", shortened(m.Text))
		}
	}
}

func shortened(text string) string { return text[:min(len(text), 300)] }

// ME-5, CH-6: a provider that asks to wait is waited for, and then answers.
func TestCH6_RetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var at []time.Time
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, _ string) {
		mu.Lock()
		at = append(at, time.Now())
		first := len(at) == 1
		mu.Unlock()
		if first {
			w.Header().Set("Retry-After", "2")
			http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
			return
		}
		stream(w, "here I am")
	})
	h := startHubWith(t,
		engine.Options{DataDir: s.home(t), Agents: map[string][]chatagent.Config{"dev": {cast(t)["Ann"]}}})
	h.status("Ann is here", here("Ann"))
	page := h.join("room=dev&after=0")
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "Hello"})
	page.heard("Ann", "here I am")
	mu.Lock()
	defer mu.Unlock()
	if len(at) != 2 || at[1].Sub(at[0]) < 2*time.Second {
		t.Errorf("asked at %v", at)
	}
}

// CH-12: agents of a team are opened as a room: they answer there, hear one another along
// the drawn connections, and are others as soon as the team is.
func TestCH12_ADrawnTeamIsARoom(t *testing.T) {
	t.Parallel()
	var answered sync.Map // who comes later is asked about what the other one has said by then
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, who, _ string) {
		if _, has := answered.LoadOrStore(who, true); !has {
			stream(w, "I am ", who)
			return
		}
		stream(w, "SKIP")
	})
	h := startHubWith(t, engine.Options{DataDir: s.home(t)})
	var made struct{ ID string }
	h.must(http.MethodPost, "/api/teams", map[string]any{"name": "Team", "topology": map[string]any{"agents": []any{
		map[string]any{
			"id":          "pm",
			"name":        "PM",
			"role":        "Coordinator",
			"model":       "srv/m",
			"connections": []any{map[string]any{"targetId": "dev", "type": "communication"}},
		},
		map[string]any{"id": "dev", "name": "Dev", "model": "srv/m"},
		map[string]any{"id": "qa", "name": "QA", "model": "srv/m"},
	}}}, &made)
	if status, e := h.call(http.MethodPost, "/api/rooms", map[string]any{"name": "dev", "team": made.ID, "agents": []string{"pm", "nobody"}}, nil); status != http.StatusBadRequest {
		t.Errorf("an agent that is not drawn: %d %+v", status, e)
	}
	h.must(http.MethodPost, "/api/rooms",
		map[string]any{"name": "dev", "team": made.ID, "agents": []string{"pm", "dev"}}, nil)
	h.post(room.Draft{Room: "dev", Sender: "human", Text: "who are you?"}) // before they have taken their seats
	st := h.status("both are here", here("PM", "Dev"))
	if len(st.Agents) != 2 || st.Agents[0].AgentID != "dev" || st.Policy.ToAgents != turns.ToConnected || st.Cast.Team != made.ID {
		t.Fatalf("%+v", st)
	}
	page := h.join("room=dev&after=0")
	for range 2 {
		m := page.until("an answer", func(f frame) bool { return strings.HasPrefix(f.Text, "I am ") }).Message
		if m.Text != "I am "+m.Sender {
			t.Errorf("%s said %q", m.Sender, m.Text)
		}
	}
	var list struct{ Rooms []room.Summary }
	if h.must(http.MethodGet, "/api/rooms", nil, &list); len(list.Rooms) != 1 || list.Rooms[0].Readers != 1 { // the page: agents in the hub are no connections
		t.Errorf("the rooms are %+v", list.Rooms)
	}
	h.must(http.MethodPut, "/api/rooms/dev/cast", map[string]any{"team": made.ID, "agents": []string{"qa"}}, nil)
	h.status("QA is here alone", func(s turns.Status) bool {
		return here("QA")(s) && !here("PM")(s) && !here("Dev")(s)
	})
}

// CH-12: renaming an agent in the draft doesn't rename a participant of a room, and adds none. That
// also applies after another agent joins and after a restart.
func TestCH12_ARenamedAgentKeepsItsNameInARoom(t *testing.T) {
	t.Parallel()
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, who, _ string) { stream(w, "I am ", who) })
	dir := s.home(t)
	h := startHubWith(t, engine.Options{DataDir: dir})
	team := func(lead string) map[string]any {
		return map[string]any{"agents": []any{
			map[string]any{
				"id":          "lead",
				"name":        lead,
				"model":       "srv/m",
				"connections": []any{map[string]any{"targetId": "qa", "type": "communication"}},
			},
			map[string]any{"id": "qa", "name": "QA", "model": "srv/m"},
		}}
	}
	var made struct{ ID, Head string }
	h.must(http.MethodPost, "/api/teams", map[string]any{"name": "Team", "topology": team("Lead")}, &made)
	h.must(http.MethodPost, "/api/rooms", map[string]any{"name": "dev", "team": made.ID, "agents": []string{"lead"}}, nil)
	// An agent that changed in the draft leaves the room for a moment and comes back.
	people := func(when, want string) {
		t.Helper()
		enginetest.Until(t, when+": "+want, func() bool {
			var out struct{ Agents []room.Agent }
			h.must(http.MethodGet, "/api/agents?room=dev", nil, &out)
			var all []string
			for _, a := range out.Agents {
				all = append(all, fmt.Sprint(a.Name, " ", a.Status == room.Offline))
			}
			slices.Sort(all)
			return strings.Join(all, ", ") == want
		})
	}
	h.status("Lead is here", here("Lead"))
	h.must(http.MethodPut, "/api/teams/"+made.ID, map[string]any{"head": made.Head, "topology": team("Boss"), "label": "edit.name"}, nil)
	h.must(http.MethodPut, "/api/rooms/dev/cast", map[string]any{"team": made.ID, "agents": []string{"lead", "qa"}}, nil)
	h.status("both are here", here("Lead", "QA")) // the hub has looked at the draft by then
	people("while it is Boss in the draft", "Lead false, QA false")
	h.must(http.MethodPost, "/api/teams/"+made.ID+"/undo", map[string]any{}, nil)
	h.must(http.MethodPut, "/api/rooms/dev/cast", map[string]any{"team": made.ID, "agents": []string{"lead"}}, nil)
	h.status("Lead is here alone", func(s turns.Status) bool { return here("Lead")(s) && !here("QA")(s) })
	people("after the undo", "Lead false, QA true")
	h.must(http.MethodPost, "/api/teams/"+made.ID+"/redo", map[string]any{}, nil)
	h.stop()
	h = startHubWith(t, engine.Options{DataDir: dir})
	h.status("Lead is here after a restart", here("Lead"))
	people("after a restart", "Lead false, QA true")
}

package engine_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// taskSession is the session of a task at the agent main.
func taskSession(id string) string { return "agent:main:task-" + strings.ToLower(id) }

func (h *hub) detail(id string) (d coordinator.Detail) {
	h.t.Helper()
	h.must(http.MethodGet, "/tasks/"+id, nil, &d)
	return d
}

func (h *hub) candidate(id string) (c coordinator.Candidate, there bool) {
	h.t.Helper()
	var out struct{ Agents []coordinator.Candidate }
	h.must(http.MethodGet, "/api/task-agents", nil, &out)
	for _, a := range out.Agents {
		if string(a.ID) == id {
			return a, true
		}
	}
	return c, false
}

func (h *hub) taskIs(id string, status task.Status) coordinator.Detail {
	h.t.Helper()
	var d coordinator.Detail
	poll(h.t, func() bool {
		d = h.detail(id)
		return d.Status == status || d.Status.Ended()
	})
	if d.Status != status {
		h.t.Fatalf("the task is %s, not %s: %s", d.Status, status, d.ErrorMessage)
	}
	return d
}

// story is the events of a task so far.
type story struct {
	mu     sync.Mutex
	events []task.Event
}

// followed are the stories of tasks, by task.
var followed sync.Map

// follow notes the events of a task until the test or the hub ends.
func (h *hub) follow(id string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.e.URL()+"/tasks/"+id+"/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.e.Token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = res.Body.Close() })
	events := new(story)
	followed.Store(id, events)
	go func() { // it ends with the body
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			var e task.Event
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is && json.Unmarshal([]byte(data), &e) == nil {
				events.mu.Lock()
				events.events = append(events.events, e)
				events.mu.Unlock()
			}
		}
	}()
}

// logs are the lines and the text of a followed task so far.
func (h *hub) logs(id string) (lines []string, text string) {
	h.t.Helper()
	at, _ := followed.Load(id)
	events := at.(*story)
	events.mu.Lock()
	defer events.mu.Unlock()
	for _, e := range events.events {
		if e.Type == task.EventLog {
			lines = append(lines, e.Text)
		}
		if e.Type == task.EventDelta {
			text += e.Text
		}
	}
	return lines, text
}

// lineOf waits for a line of a task.
func (h *hub) lineOf(id, part string) {
	h.t.Helper()
	poll(h.t, func() bool {
		lines, _ := h.logs(id)
		return strings.Contains(strings.Join(lines, "\n"), part)
	})
}

// studioTasks is a hub with one gateway whose agent main doesn't answer until the test speaks for it.
func studioTasks(t *testing.T) (*hub, *gatewaytest.Server) {
	t.Helper()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.SetFaults(gatewaytest.Faults{Mute: true})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	poll(t, func() bool { c, there := h.candidate("main@studio"); return there && len(c.Can) > 0 })
	return h, peer
}

// begun submits a task to main@studio, and waits until the gateway has it.
func (h *hub) begun(peer *gatewaytest.Server, prompt string) (id, run string) {
	h.t.Helper()
	before := peer.Count("chat.send")
	sent := h.submit("chat", prompt, map[string]any{"agent": "main@studio"})
	if sent.Status != "accepted" {
		h.t.Fatalf("%+v", sent)
	}
	h.follow(sent.TaskID)
	poll(h.t, func() bool { return peer.Count("chat.send") > before })
	for _, c := range peer.Calls() {
		var p client.ChatMessage
		if c.Method == "chat.send" && json.Unmarshal(c.Params, &p) == nil && p.SessionKey == taskSession(sent.TaskID) {
			run = p.IdempotencyKey
			if p.Message != prompt {
				h.t.Errorf("sent %q", p.Message)
			}
		}
	}
	if run == "" {
		h.t.Fatal("the task has no separate session")
	}
	return sent.TaskID, run
}

// An agent of an added gateway takes a task through its gateway: its text streams in, its tools are shown, and its
// cost is booked.
func TestCO3_OC5_AnAgentOfAGatewayRunsATask(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	who, _ := h.candidate("main@studio")
	if who.Name != "Main" || who.Gateway != "studio" || !who.May || len(who.Can) != 2 {
		t.Errorf("offered as %+v", who)
	}
	id, run := h.begun(peer, "count the files")
	key := taskSession(id)
	gatewaytest.Speak(peer, key, "another-run", "final", "not this task's")
	gatewaytest.Speak(peer, key, run, "delta", "I look.")
	gatewaytest.Say(peer, key, "assistant", "I look.", map[string]any{"content": []any{
		map[string]any{"type": "text", "text": "I look."},
		map[string]any{"type": "toolCall", "id": "c1", "name": "exec", "arguments": map[string]any{"command": "ls"}},
	}})
	gatewaytest.Say(peer, key, "toolResult", "no such folder",
		map[string]any{"toolCallId": "c1", "toolName": "exec", "isError": true})
	h.lineOf(id, `exec failed: no such folder`)
	gatewaytest.Speak(peer, key, run, "delta", "There are 7")
	peer.SetRow(key, map[string]any{"inputTokens": 30, "outputTokens": 12, "estimatedCostUsd": 0.25})
	gatewaytest.Say(peer, key, "assistant", "There are 7 files.", nil)
	gatewaytest.Speak(peer, key, run, "final", "There are 7 files.")
	done := h.taskIs(id, task.Completed)
	var got struct {
		Text, Gateway, SessionKey string
		Tools                     []struct {
			Tool   string
			Failed bool
		}
	}
	if err := json.Unmarshal(done.Result, &got); err != nil || got.Text != "There are 7 files." ||
		got.Gateway != "studio" || got.SessionKey != key {
		t.Errorf("%s %v", done.Result, err)
	}
	if len(got.Tools) != 1 || got.Tools[0].Tool != "exec" || !got.Tools[0].Failed {
		t.Errorf("tools %+v", got.Tools)
	}
	if done.Spent.TokensIn != 30 || done.Spent.TokensOut != 12 || done.Spent.USD != 0.25 {
		t.Errorf("spent %+v", done.Spent)
	}
	lines, text := h.logs(id)
	if text != "I look.\n\nThere are 7 files." ||
		!strings.Contains(strings.Join(lines, "\n"), `uses exec {"command":"ls"}`) {
		t.Errorf("%q %q", text, lines)
	}
	if n := peer.Count("chat.send"); n != 1 || done.Attempts[0].Agent != "main@studio" {
		t.Errorf("%d messages were sent, by %+v", n, done.Attempts)
	}
}

// A person cancels a task: the gateway is asked to stop.
func TestCO3_OC5_ACanceledTaskStopsAtItsGateway(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	id, run := h.begun(peer, "go on for hours")
	gatewaytest.Speak(peer, taskSession(id), run, "delta", "One")
	poll(t, func() bool { _, text := h.logs(id); return text == "One" })
	h.must(http.MethodPost, "/tasks/"+id+"/cancel", nil, nil)
	h.taskIs(id, task.Canceled)
	if peer.Count("chat.abort") != 1 {
		t.Errorf("chat.abort was called %d times", peer.Count("chat.abort"))
	}
}

// The reason of a run that failed or was stopped there is the task's failure, and it isn't sent again.
func TestCO3_OC5_AFailureAtAGatewayHasItsReason(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	for _, tc := range []struct{ state, said, cause, want string }{
		{"error", "LLM request failed: no API key", "gateway_failed", "LLM request failed: no API key"},
		{"aborted", "half an answer", "gateway_stopped", "was stopped on the gateway studio"},
	} {
		before := peer.Count("chat.send")
		id, run := h.begun(peer, "fail with "+tc.state)
		gatewaytest.Speak(peer, taskSession(id), run, tc.state, tc.said)
		d := h.taskIs(id, task.Failed)
		if !strings.Contains(d.ErrorMessage, tc.want) || d.Cause == nil ||
			d.Cause.Code != tc.cause || len(d.Attempts) != 1 {
			t.Errorf("%s: %q %+v, %d attempts", tc.state, d.ErrorMessage, d.Cause, len(d.Attempts))
		}
		if n := peer.Count("chat.send") - before; n != 1 {
			t.Errorf("%s: sent %d times", tc.state, n)
		}
	}
}

// A gateway that dies in the middle of an answer and returns with it: the task reports it, takes the answer from the
// session, and isn't sent again.
func TestCO3_OC5_AGatewayThatDiesMidAnswerReturnsWithIt(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	id, run := h.begun(peer, "a long answer")
	gatewaytest.Speak(peer, taskSession(id), run, "delta", "The beginning")
	poll(t, func() bool { _, text := h.logs(id); return text != "" })
	peer.Down()
	h.lineOf(id, "the link to the gateway studio is lost")
	if c, there := h.candidate("main@studio"); !there || len(c.Can) > 0 || c.Cause == nil ||
		c.Cause.Code != "gateway_down" {
		t.Errorf("while its gateway is down it is offered as %+v", c)
	}
	gatewaytest.Say(peer, taskSession(id), "assistant", "The beginning and the end", nil)
	peer.Up()
	done := h.taskIs(id, task.Completed)
	if _, text := h.logs(id); text != "The beginning and the end" || len(done.Attempts) != 1 {
		t.Errorf("%q after %d attempts", text, len(done.Attempts))
	}
	if n := peer.Count("chat.send"); n != 1 {
		t.Errorf("the task was sent %d times", n)
	}
	h.lineOf(id, "is connected again")
}

// While its gateway is down, a task waits and shows for what. It is sent once, when the gateway is there.
func TestCO3_OC5_ATaskWaitsForItsGateway(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	peer.Down()
	poll(t, func() bool { c, _ := h.candidate("main@studio"); return len(c.Can) == 0 })
	sent := h.submit("chat", "later", map[string]any{"agent": "main@studio"})
	poll(t, func() bool {
		w := h.detail(sent.TaskID).Waits
		return w != nil && w.Reason == coordinator.WaitsForContact && w.Agents[0].Cause.Code == "gateway_down"
	})
	peer.SetFaults(gatewaytest.Faults{})
	peer.Up()
	h.taskIs(sent.TaskID, task.Completed)
	if n := peer.Count("chat.send"); n != 1 {
		t.Errorf("the task was sent %d times", n)
	}
}

// The hub stops in the middle: the agent goes on, and the next hub takes its answer.
func TestCO3_OC5_ATaskOutlivesTheHub(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	id, run := h.begun(peer, "go on")
	gatewaytest.Speak(peer, taskSession(id), run, "delta", "Some")
	poll(t, func() bool { _, text := h.logs(id); return text != "" })
	h.stop()
	if n := peer.Count("chat.abort"); n != 0 {
		t.Errorf("the hub stopped the agent")
	}
	gatewaytest.Say(peer, taskSession(id), "assistant", "Some more", nil)
	h = startHub(t, h.dir)
	done := h.taskIs(id, task.Completed)
	if !strings.Contains(string(done.Result), "Some more") || len(done.Attempts) != 1 {
		t.Errorf("%s %+v", done.Result, done.Attempts)
	}
	if n := peer.Count("chat.send"); n != 1 {
		t.Errorf("the task was sent %d times", n)
	}
}

// An agent that the gateway doesn't run, or a gateway that nobody added, is reported at once; so is a type of task that
// needs the hub's tools.
func TestCO3_OC5_UnknownAgentsOfGatewaysAreRejected(t *testing.T) {
	t.Parallel()
	h, _ := studioTasks(t)
	for _, agent := range []string{"nobody@studio", "main@nowhere"} {
		got := h.submit("chat", "hello", map[string]any{"agent": agent})
		if got.Status == "accepted" || !strings.Contains(got.Message, "has no agent") {
			t.Errorf("%s: %+v", agent, got)
		}
	}
	sent := h.submit("command_execution", "ls", map[string]any{"agent": "main@studio"})
	d := h.detail(sent.TaskID)
	if d.Waits == nil || d.Waits.Reason != coordinator.WaitsForAbility {
		t.Errorf("%+v", d.Waits)
	}
}

// What the agent asks during a task is linked to the task, and its answer goes to the gateway.
func TestCO3_OC5_AnApprovalOfATaskAtAGateway(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	id, run := h.begun(peer, "push it")
	ask := push("1")
	ask.Request["sessionKey"] = taskSession(id)
	peer.Asks.Add(ask)
	e := h.asked(1)[0]
	if e.Task != id {
		t.Errorf("the question is of task %q", e.Task)
	}
	if err := h.reply(e, map[string]any{"choice": "once"}); err != nil {
		t.Fatal(err)
	}
	poll(t, func() bool { return peer.Asks.Decision(client.AskExec, "1") != "" })
	if d := h.detail(id); d.Status != task.InProgress {
		t.Errorf("the task is %s meanwhile", d.Status)
	}
	gatewaytest.Speak(peer, taskSession(id), run, "final", "Pushed.")
	h.taskIs(id, task.Completed)
}

// A token is for the team. It gives no access to other gateways: not by their agents' names, and not in its lists.
func TestCO3_OC5_ATokenGivesNoAccessToGateways(t *testing.T) {
	t.Parallel()
	h, peer := studioTasks(t)
	if _, there := h.candidate("main@studio"); !there {
		t.Fatal("the owner has no such agent")
	}
	var token struct{ ID, Token string }
	h.must(http.MethodPost, "/api/security/callers", map[string]string{"name": "build box", "role": "tasks"}, &token)
	body := strings.NewReader(
		`{"sessionId":"s","userPrompt":"hello","taskType":"chat","context":{"agent":"main@studio"}}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.e.URL()+"/submit_task", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(answer), "only the owner can") {
		t.Errorf("%s %s %v", res.Status, answer, err)
	}
	if n := peer.Count("chat.send"); n != 0 {
		t.Errorf("the gateway got %d messages", n)
	}
}

// CO-3: an agent that an apply has renamed is offered under its new name at once, also where the gateway neither
// restarts nor tells of its config.
func TestCO3_ARenamedAgentOfAGatewayIsOfferedByItsNewName(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Quiet: true})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	poll(t, func() bool { _, there := h.candidate("main@studio"); return there })
	var d httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	h.edit(string(d.ID), func(t *topology.Topology) { t.Agents[0].Name = "Chief" })
	h.apply(string(d.ID), h.preview(string(d.ID), nil), nil, false)
	poll(t, func() bool { c, _ := h.candidate("main@studio"); return c.Name == "Chief" })
}

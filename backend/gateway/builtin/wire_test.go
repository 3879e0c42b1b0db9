package builtin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/builtin"
)

// GW-1: requests and answers are JSON-RPC 2.0, whatever the id is.
func TestGW1_Requests(t *testing.T) {
	p := start(t, hubOptions{}).peer(t)
	for sent, want := range map[string]any{`1`: 1.0, `"a"`: "a", `-7`: -7.0, `1.5`: 1.5, `null`: nil, `""`: "", `18446744073709551615`: 18446744073709551615.0} {
		for _, prefix := range []string{`"jsonrpc":"2.0",`, ``} {
			got := p.ask(fmt.Sprintf(`{%s"id":%s,"method":"config.get","params":{}}`, prefix, sent))
			result, _ := got["result"].(map[string]any)
			id, there := got["id"]
			if got["jsonrpc"] != "2.0" || !there || id != want || result["baseHash"] == nil || result["raw"] != startConfig {
				t.Errorf("id %s: got %v", sent, got)
			}
		}
	}
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"config.get"}`); got["result"] == nil {
		t.Errorf("without params: %v", got)
	}
	if got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"config.get","params":null}`); got["result"] == nil {
		t.Errorf("with params null: %v", got)
	}
}

// GW-1 … GW-5: the interface description's own examples, which carry neither "jsonrpc"
// nor an id, are answered as it shows: in order, the result as it stands.
func TestGW2_TheDescriptionsExamples(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	p.send(`{"method":"config.get","params":{}}`)
	p.send(
		`{"method":"chat.send","params":{"sessionKey":"agent:pm-1:discord:guild:123","message":"Hello from AgentFlow","idempotencyKey":"unique-key-123"}}`,
	)
	p.send(`{"method":"sessions.list","params":{"kinds":["main"],"includeLastMessage":true,"messageLimit":5}}`)
	p.send(`{"method":"chat.history","params":{"sessionKey":"agent:pm-1:discord:guild:123","limit":20}}`)
	config := p.read()
	agents := config["config"].(map[string]any)["agents"].(map[string]any)
	pm := agents["pm-1"].(map[string]any)
	if pm["name"] != "PM" || fmt.Sprint(pm["subagents"]) != "map[allowAgents:[dev-1]]" || config["baseHash"] == nil || config["id"] != nil {
		t.Fatalf("config.get gave %v", config)
	}
	if sent := p.read(); sent["success"] != true || sent["messageId"] == "" {
		t.Fatalf("chat.send gave %v", sent)
	}
	session := p.read()["sessions"].([]any)[0].(map[string]any)
	if session["sessionKey"] != "agent:pm-1:discord:guild:123" || session["agentId"] != "pm-1" || session["kind"] != "main" || len(session["lastMessages"].([]any)) != 1 {
		t.Fatalf("sessions.list gave %v", session)
	}
	if at, err := time.Parse(time.RFC3339, session["activeAt"].(string)); err != nil || time.Since(at) > time.Minute {
		t.Fatalf("activeAt %v", session["activeAt"])
	}
	line := p.read()["messages"].([]any)[0].(map[string]any)
	part := line["content"].([]any)[0].(map[string]any)
	if line["role"] != "user" || part["type"] != "text" || part["text"] != "Hello from AgentFlow" || line["timestamp"] == nil {
		t.Fatalf("chat.history gave %v", line)
	}
	raw, _ := json.Marshal(map[string]any{"method": "config.apply", "params": map[string]any{
		"raw": startConfig + "# v2\n", "baseHash": config["baseHash"], "reason": "AgentFlow v2 update"}})
	if got := p.ask(string(raw)); got["success"] != true || got["newHash"] != builtin.HashText(startConfig+"# v2\n") {
		t.Fatalf("config.apply gave %v", got)
	}
	if got := p.ask(`{"method":"chat.history","params":{"sessionKey":"nobody"}}`); fmt.Sprint(got["error"].(map[string]any)["code"]) != "NOT_FOUND" || len(got) != 1 {
		t.Fatalf("an error came as %v", got)
	}
	if got := p.ask(`{"jsonrpc":"2.0","method":"config.get"}`); got["result"] == nil || got["jsonrpc"] != "2.0" {
		t.Fatalf("without an id: %v", got)
	}
}

// GW-6: codes are strings.
func TestGW6_StringCodes(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	cases := map[string]string{
		`"method":"nothing"`:                                                        "NOT_FOUND",
		`"method":"chat.history","params":[1]`:                                      "VALIDATION_ERROR",
		`"method":"chat.history","params":{}`:                                       "VALIDATION_ERROR",
		`"method":"chat.history","params":{"limit":"x"}`:                            "VALIDATION_ERROR",
		`"method":"chat.send","params":{"message":7}`:                               "VALIDATION_ERROR",
		`"method":"sessions.list","params":{"kinds":"x"}`:                           "VALIDATION_ERROR",
		`"method":"config.apply","params":{}`:                                       "VALIDATION_ERROR",
		`"method":"config.apply","params":{"raw":"a: ["}`:                           "VALIDATION_ERROR",
		`"method":"config.apply","params":{"raw":""}`:                               "VALIDATION_ERROR",
		`"method":"config.apply","params":{"raw":"","baseHash":"old"}`:              "CONFLICT",
		`"method":"chat.send","params":{"sessionKey":"agent:x:main","message":"x"}`: "NOT_FOUND",
		`"params":{}`: "VALIDATION_ERROR",
		`"method":7`:  "VALIDATION_ERROR",
		`"method":""`: "VALIDATION_ERROR",
	}
	for request, want := range cases {
		got := p.ask(`{"jsonrpc":"2.0","id":5,` + request + `}`)
		if code, message := wireError(got); code != want || message == "" || got["id"] != 5.0 {
			t.Errorf("%s: got %v, want %s", request, got, want)
		}
	}
	c := h.client(t)
	if _, err := c.ChatHistory(ctx(t), "agent:nobody:main", 1); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("our own client sees %v", err)
	}
	if _, err := c.Call(ctx(t), "nothing", struct{}{}); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("our own client sees %v", err)
	}
}

// models.list and chat.abort are there for clients that know them.
func TestFurtherMethods(t *testing.T) {
	h := start(t, hubOptions{})
	c := h.client(t)
	raw, err := c.Call(ctx(t), "models.list", struct{}{})
	if err != nil || !strings.Contains(string(raw), `{"id":"one","name":"one","provider":"talk"}`) {
		t.Fatalf("models %s, %v", raw, err)
	}
	sent := sendText(t, h, pmSession, "x")
	h.model.next(t)
	raw, err = c.Call(ctx(t), "chat.abort", map[string]string{"sessionKey": pmSession, "runId": sent.RunID})
	if err != nil || string(raw) != fmt.Sprintf(`{"aborted":true,"runIds":[%q]}`, sent.RunID) {
		t.Fatalf("abort %s, %v", raw, err)
	}
}

// GW-6: what cannot be read is refused, and the connection lives on.
func TestGW6_FaultMalformedFrames(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	for name, frame := range map[string]string{
		"no JSON": "hello", "half": `{"id":1,`, "list": `[{"id":1,"method":"config.get"}]`, "number": "7", "empty": "",
		"deep":      `{"id":1,"method":"config.get","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
		"not UTF-8": "{\"id\":1,\"method\":\"\xff\"}", "id is a list": `{"id":[1],"method":"config.get"}`, "two objects": `{"id":1,"method":"config.get"}{}`,
	} {
		got := p.ask(frame)
		id, there := got["id"]
		if code, message := wireError(got); code != "VALIDATION_ERROR" || message == "" || id != nil || !there {
			t.Errorf("%s: got %v", name, got)
		}
	}
	p.send(`{"id":1,"result":{}}`) // an answer to nothing is not answered
	if got := p.ask(`{"id":2,"method":"config.get"}`); got["id"] != 2.0 {
		t.Fatalf("afterwards: %v", got)
	}
	if err := p.ws.WriteMessage(websocket.BinaryMessage, []byte(`{"id":3,"method":"config.get"}`)); err != nil {
		t.Fatal(err)
	}
	if got := p.read(); got["id"] != 3.0 {
		t.Fatalf("a binary frame: %v", got)
	}
}

// closeCode reads until the connection ends.
func (p *peer) closeCode() int {
	p.t.Helper()
	_ = p.ws.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		if _, _, err := p.ws.ReadMessage(); err != nil {
			var ce *websocket.CloseError
			if errors.As(err, &ce) {
				return ce.Code
			}
			return 0
		}
	}
}

func TestFaultHugeFrameEndsTheConnection(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	frame := `{"id":1,"method":"config.apply","params":{"raw":"` + strings.Repeat("x", 26<<20) + `"}}`
	// The gateway may close before all of it has left.
	_ = p.ws.WriteMessage(websocket.TextMessage, []byte(frame))
	if code := p.closeCode(); code != websocket.CloseMessageTooBig && code != 0 {
		t.Fatalf("closed with %d", code)
	}
	if err := <-h.served; !errors.Is(err, websocket.ErrReadLimit) {
		t.Fatalf("ServeConn returned %v", err)
	}
	// A large one that fits is read, and refused for what it is.
	p = h.peer(t)
	got := p.ask(
		`{"id":1,"method":"config.apply","params":{"baseHash":"x","raw":"` + strings.Repeat("x", 11<<20) + `"}}`,
	)
	if code, message := wireError(got); code != "VALIDATION_ERROR" || message == "" {
		t.Fatalf("got %v", got)
	}
}

func TestNonsenseEndsTheConnection(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	for range 33 {
		p.send("x")
	}
	if code := p.closeCode(); code != websocket.ClosePolicyViolation {
		t.Fatalf("closed with %d", code)
	}
	if err := <-h.served; err == nil {
		t.Fatal("ServeConn returned nil")
	}
}

// A peer that does not read is cut, and keeps nobody else waiting.
func TestFaultSlowReaderIsCut(t *testing.T) {
	h := start(t, hubOptions{timing: builtin.Timing{Write: 200 * time.Millisecond}})
	h.peer(t) // never reads
	c := h.client(t)
	sendText(t, h, pmSession, "x")
	q := h.model.next(t)
	piece := strings.Repeat("x", 256<<10)
	deadline := time.After(20 * time.Second)
	for cut := false; !cut; {
		q.say(t, piece)
		select {
		case err := <-h.served:
			if err == nil {
				t.Fatal("ServeConn returned nil")
			}
			cut = true
		case <-deadline:
			t.Fatal("the slow reader is still connected")
		default:
		}
	}
	q.finish(t, nil)
	if _, err := c.ConfigGet(ctx(t)); err != nil && !errors.Is(err, event.ErrLagged) {
		if err := c.WaitConnected(ctx(t)); err != nil { // it may have been cut as well, and comes back
			t.Fatal(err)
		}
	}
}

// Both sides may end a connection, and so may silence.
func TestEndOfConnection(t *testing.T) {
	h := start(t, hubOptions{timing: builtin.Timing{Ping: 20 * time.Millisecond}})
	p := h.peer(t)
	p.ask(`{"id":1,"method":"config.get"}`)
	_ = p.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
		time.Now().Add(time.Second))
	if err := <-h.served; err != nil {
		t.Fatalf("a normal end gave %v", err)
	}
	silent := h.peer(t) // answers no pings, because it reads nothing
	if err := <-h.served; err == nil {
		t.Fatal("silence gave nil")
	}
	_ = silent.ws.Close()
	p = h.peer(t)
	p.ask(`{"id":1,"method":"config.get"}`)
	go h.stop()
	if code := p.closeCode(); code != websocket.CloseGoingAway {
		t.Fatalf("the end of the hub closed with %d", code)
	}
	if err := <-h.served; err != nil {
		t.Fatalf("the end of the hub gave %v", err)
	}
	h.stop()
}

// Many calls at once are all answered, each with its own id.
func TestManyAtOnce(t *testing.T) {
	h := start(t, hubOptions{})
	p := h.peer(t)
	const n = 200
	for i := range n {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"config.get"}`, i))
	}
	seen := map[any]bool{}
	for range n {
		seen[p.read()["id"]] = true
	}
	if len(seen) != n {
		t.Fatalf("%d different ids of %d", len(seen), n)
	}
}

// A client that was connected when the config changed is notified.
func TestConfigChangedReachesClients(t *testing.T) {
	h := start(t, hubOptions{})
	c := h.client(t)
	events := c.Events(16)
	defer events.Close()
	hash, err := h.ConfigApply(ctx(t), startConfig+"#\n", builtin.HashText(startConfig), "")
	if err != nil {
		t.Fatal(err)
	}
	for {
		select {
		case e := <-events.C():
			if e.Name == builtin.EventConfigChanged {
				if string(e.Payload) != fmt.Sprintf(`{"hash":%q}`, hash) {
					t.Fatalf("told %s", e.Payload)
				}
				return
			}
		case <-time.After(10 * time.Second):
			t.Fatal("nobody told the client")
		}
	}
}

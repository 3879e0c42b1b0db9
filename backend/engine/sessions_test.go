package engine_test

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi/sessionsapi"
	"agentflow/backend/talk/readstate"
)

// GW-4, GW-5 and GW-9 as the sessions' screen meets them, on real OpenClaw gateways of
// both generations: a reply streams in, one is stopped, and the history is there after
// the hub was gone. Then an approval of the gateway is answered (OC-5).
func TestGW9_OC5_SessionsOfRealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			dir := withGateway(t, peer.URL, peer.Token)
			h := startHub(t, dir)
			h.connected("studio")
			key := "agent:main:" + strings.ToLower(rand.Text()) // no other test has talked in it
			chats := h.chats("studio")
			chats.reply(h.say("studio", key, "hello from the page"), "Echo: hello from the page")

			h.acts(t, version, key)

			h.stopsSlow(t, chats, key)
			first := "agent:main:" + strings.ToLower(rand.Text())
			h.stopsSlow(t, chats, first)

			h.stop()
			h = startHub(t, dir)
			h.connected("studio")
			said := h.history("studio", key)
			if len(said) < 3 || said[0].Role != "user" || said[0].Text() != "hello from the page" || !strings.Contains(said[1].Text(), "Echo: hello from the page") || said[2].Text() != "SLOW please" {
				t.Errorf("after the hub was gone the history is %+v", said)
			}
			if len(said) != 4 || !said[3].Stopped {
				t.Errorf("the stopped answer is kept as %+v", said[3:])
			}
			said = h.history("studio", first)
			if len(said) != 2 || said[0].Text() != "SLOW please" || !said[1].Stopped {
				t.Errorf("a stopped first answer is kept as %+v", said)
			}
			h.approves(t, peer)
		})
	}
}

// stopsSlow asks for a slow answer, and stops it once some of it has come.
func (h *hub) stopsSlow(t *testing.T, chats *chatStream, key string) {
	t.Helper()
	run := h.say("studio", key, "SLOW please")
	chats.until("some of the slow answer",
		func(f sessionsapi.ChatFrame) bool { return f.RunID == run && f.State == "delta" && f.Text != "" })
	var stopped struct{ Aborted bool }
	h.must("POST", "/api/gateway/chat/abort",
		map[string]any{"gateway": "studio", "sessionKey": key, "runId": run}, &stopped)
	if !stopped.Aborted {
		t.Error("there was nothing to stop")
	}
	chats.until("the end", func(f sessionsapi.ChatFrame) bool { return f.RunID == run && f.State == "aborted" })
}

// The same on the hub's own gateway, and a reader of one gateway hears nothing of others.
func TestGW9_SessionsOfTheLocalGateway(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	chats := h.chats("local")
	const key = "agent:lead:main"
	chats.reply(h.say("local", key, "hello from the page"), "hello from the page")
	if said := h.history("local", key); len(said) != 2 || said[0].Role != "user" {
		t.Errorf("the history is %+v", said)
	}
	var last, before client.History
	h.must("POST", "/api/gateway/chat/history", map[string]any{"sessionKey": key, "limit": 1}, &last)
	h.must("POST", "/api/gateway/chat/history", map[string]any{"sessionKey": key, "limit": 1, "offset": last.Next}, &before)
	if len(last.Messages) != 1 || last.Messages[0].Role != "assistant" || !last.More || len(before.Messages) != 1 || before.Messages[0].Text() != "hello from the page" || before.More || before.Next != 0 {
		t.Errorf("in parts the history is %+v, before it %+v", last, before)
	}
	var stopped struct{ Aborted bool }
	h.must("POST", "/api/gateway/chat/abort", map[string]any{"gateway": "local", "sessionKey": key}, &stopped)
	if stopped.Aborted {
		t.Error("a reply that has ended was stopped")
	}
	_, res, err := websocket.DefaultDialer.DialContext(t.Context(), h.streamURL("nowhere"),
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err == nil || res == nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("a gateway that is not there gave %v, %v", res, err)
	}
}

// TestAPP4_WhatIsSaidAtAGatewayWithoutEventsIsHeardOf: windows learn in which session, so that they
// count it as unread; nobody has to open it first.
func TestAPP4_WhatIsSaidAtAGatewayWithoutEventsIsHeardOf(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	h := startHubWith(t,
		engine.Options{DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 20 * time.Millisecond})
	poll(t, func() bool { return peer.Count("sessions.list") > 1 }) // so it is known what was there
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(),
		"ws"+strings.TrimPrefix(h.e.URL(), "http")+"/api/events",
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	heard := func(key string) {
		t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
		for {
			var n struct{ Desk *readstate.News }
			if err := conn.ReadJSON(&n); err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			if n.Desk != nil && slices.Contains(n.Desk.Said, readstate.Said{Gateway: "studio", SessionKey: key}) {
				return
			}
		}
	}
	for _, key := range []string{"agent:main:main", "agent:main:other", "agent:main:main"} {
		h.say("studio", key, "hello from elsewhere")
		heard(key)
	}
}

func (h *hub) streamURL(gateway string) string {
	return "ws" + strings.TrimPrefix(h.e.URL(), "http") + "/api/gateway/stream?gateway=" + gateway
}

// say sends a message into a session, and returns the run that answers it.
func (h *hub) say(gatewayName, key, text string) string {
	h.t.Helper()
	var sent client.ChatSent
	h.must("POST", "/api/gateway/chat/send", map[string]any{"gateway": gatewayName, "sessionKey": key, "message": text},
		&sent)
	return sent.RunID
}

func (h *hub) history(gatewayName, key string) []client.Message {
	h.t.Helper()
	var out struct{ Messages []client.Message }
	h.must("POST", "/api/gateway/chat/history", map[string]any{"gateway": gatewayName, "sessionKey": key}, &out)
	return out.Messages
}

// chatStream is a page that follows a gateway. It reads all the time, as a page does: the hub closes the
// connection of a reader that leaves its pings unanswered.
type chatStream struct {
	t      *testing.T
	frames chan sessionsapi.ChatFrame
	ended  error // once frames is closed
}

func (h *hub) chats(gatewayName string) *chatStream {
	h.t.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(h.t.Context(), h.streamURL(gatewayName),
		http.Header{"Authorization": {"Bearer " + h.e.Token()}})
	if err != nil {
		h.t.Fatal(err)
	}
	s := &chatStream{t: h.t, frames: make(chan sessionsapi.ChatFrame, 10000)}
	h.t.Cleanup(func() {
		_ = conn.Close()
		for range s.frames { // until the reader has ended
		}
	})
	go func() {
		defer close(s.frames)
		for s.ended == nil {
			var f sessionsapi.ChatFrame
			if s.ended = conn.ReadJSON(&f); s.ended == nil {
				s.frames <- f
			}
		}
	}()
	return s
}

func (s *chatStream) until(what string, ok func(sessionsapi.ChatFrame) bool) sessionsapi.ChatFrame {
	s.t.Helper()
	late := time.After(3 * time.Minute)
	for {
		select {
		case f, open := <-s.frames:
			if !open {
				s.t.Fatalf("waiting for %s: %v", what, s.ended)
			}
			if f.State == "error" {
				s.t.Fatalf("waiting for %s: %+v", what, f)
			}
			if ok(f) {
				return f
			}
		case <-late:
			s.t.Fatalf("%s did not come", what)
		}
	}
}

// reply waits for the whole answer to a run: each piece goes on from the one before.
func (s *chatStream) reply(run, want string) {
	s.t.Helper()
	text := ""
	s.until("the answer", func(f sessionsapi.ChatFrame) bool {
		if f.RunID != run {
			return false
		}
		if f.Text != "" {
			if !strings.HasPrefix(f.Text, text) {
				s.t.Errorf("%q does not go on from %q", f.Text, text)
			}
			text = f.Text
		}
		return f.State == "final"
	})
	if !strings.Contains(text, want) {
		s.t.Errorf("the answer is %q, want %q", text, want)
	}
}

package gatewaytest

import (
	"maps"
	"strings"
	"time"

	"agentflow/backend/gateway/client"
)

// Reply is what every agent of the fake answers.
func Reply(to string) string { return "Fake reply to: " + to }

func (s *Server) chatSend(p params) (any, *refusal) {
	switch {
	case p.Message == "":
		return nil, invalid("message or attachment required")
	case p.IdempotencyKey == "":
		return nil, invalid("invalid chat.send params: must have required property 'idempotencyKey'")
	}
	s.mu.Lock()
	if agent := agentOf(p.SessionKey); s.Cron.gone[agent] {
		s.mu.Unlock()
		return nil, &refusal{Code: "UNAVAILABLE",
			Message: "Error: OpenClaw agent database is unavailable while agent " + agent + " is deleted."}
	}
	again := s.ranKeys[p.IdempotencyKey]
	s.ranKeys[p.IdempotencyKey] = true
	if !again {
		s.chats[p.SessionKey] = append(s.chats[p.SessionKey], message("user", p.Message))
		if !s.faults.Mute {
			s.chats[p.SessionKey] = append(s.chats[p.SessionKey], message("assistant", Reply(p.Message)))
		}
	}
	mute := s.faults.Mute
	s.mu.Unlock()
	status := "started"
	if again {
		status = "ok"
	} else if !mute && (s.opts.Dialect == client.DialectFramed || s.opts.Notify) {
		s.later(time.Millisecond, func() { s.speak(p) })
	}
	if s.opts.Dialect == client.DialectJSONRPC {
		return map[string]any{"success": true, "messageId": p.IdempotencyKey}, nil
	}
	return map[string]any{"runId": p.IdempotencyKey, "status": status}, nil
}

// speak streams the reply as real gateways do: each delta is all of it so far.
func (s *Server) speak(p params) {
	words := strings.Fields(Reply(p.Message))
	for i := range words {
		s.Emit(
			"chat",
			map[string]any{"runId": p.IdempotencyKey, "sessionKey": p.SessionKey, "seq": i + 1, "state": "delta",
				"message": message("assistant", strings.Join(words[:i+1], " "))},
		)
	}
	s.Emit(
		"chat",
		map[string]any{"runId": p.IdempotencyKey, "sessionKey": p.SessionKey, "seq": len(words) + 1, "state": "final",
			"message": message("assistant", Reply(p.Message))},
	)
}

// Say adds a message to a session, as the gateway keeps it; further are other fields of it.
func Say(s *Server, key, role, said string, further map[string]any) {
	m := message(role, said)
	maps.Copy(m, further)
	s.mu.Lock()
	s.chats[key] = append(s.chats[key], m)
	s.mu.Unlock()
}

// Speak sends one event of a run.
func Speak(s *Server, key, run, state, said string) {
	e := map[string]any{"runId": run, "sessionKey": key, "seq": 1, "state": state}
	if state == "error" {
		e["errorMessage"] = said
	} else {
		e["message"] = message("assistant", said)
	}
	s.Emit("chat", e)
}

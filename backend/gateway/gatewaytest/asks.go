package gatewaytest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentflow/backend/gateway/client"
)

// Ask is what the gateway asks a person: as recorded of the real ones in gateway/client/testdata.
type Ask struct {
	Kind client.AskKind
	ID   string
	// Request is that of an approval. Of a question it is its "questions", "agentId" and "sessionKey".
	Request   map[string]any
	CreatedAt time.Time // now by default
	For       time.Duration

	decision string // "" while it waits
}

// askMethod reads the method of something that is asked.
func askMethod(method string) (kind client.AskKind, verb string, is bool) {
	for _, k := range []client.AskKind{client.AskExec, client.AskPlugin} {
		if verb, is := strings.CutPrefix(method, string(k)+".approval."); is {
			return k, verb, true
		}
	}
	verb, is = strings.CutPrefix(method, "question.")
	return client.AskQuestion, verb, is
}

// lateAsks reports whether an early gateway has no such method.
func lateAsks(method string) bool {
	kind, verb, is := askMethod(method)
	return is && (kind != client.AskExec || verb == "list")
}

func (a *Ask) row() map[string]any {
	row := map[string]any{
		"id": a.ID, "createdAtMs": a.CreatedAt.UnixMilli(), "expiresAtMs": a.CreatedAt.Add(a.For).UnixMilli(),
	}
	if a.Kind != client.AskQuestion {
		row["request"] = a.Request
		return row
	}
	row["status"] = "pending"
	for name, value := range a.Request {
		row[name] = value
	}
	return row
}

// Ask asks a person: everybody who may see it is told. Without For it waits for an hour.
func (s *Server) Ask(a Ask) {
	if a.CreatedAt.IsZero() {
		a.CreatedAt = time.Now()
	}
	if a.For == 0 {
		a.For = time.Hour
	}
	s.mu.Lock()
	s.asks = append(s.asks, &a)
	s.mu.Unlock()
	s.tellAsk(a.Kind, "requested", a.row())
}

// AskSilently is Ask without an event, as if the event had been dropped.
func (s *Server) AskSilently(a Ask) {
	if a.CreatedAt.IsZero() {
		a.CreatedAt = time.Now()
	}
	if a.For == 0 {
		a.For = time.Hour
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks = append(s.asks, &a)
}

// Resolve ends what was asked, as somebody does who is not connected to the server. Without by nobody did.
func (s *Server) Resolve(kind client.AskKind, id, decision, by string) bool {
	s.mu.Lock()
	a := s.ask(kind, id)
	won := a != nil && a.decision == ""
	if won {
		a.decision = decision
	}
	s.mu.Unlock()
	if won {
		s.tellAsk(kind, "resolved", resolvedRow(kind, id, decision, by))
	}
	return won
}

func resolvedRow(kind client.AskKind, id, decision, by string) map[string]any {
	if kind == client.AskQuestion {
		return map[string]any{"id": id, "status": decision}
	}
	row := map[string]any{"id": id, "decision": decision, "resolvedBy": nil, "ts": time.Now().UnixMilli()}
	if by != "" {
		row["resolvedBy"] = by
	}
	return row
}

// ForgetAsks drops all that was asked without a word, as a restart does.
func (s *Server) ForgetAsks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks = nil
}

// Decision returns what was decided; "" while it waits.
func (s *Server) Decision(kind client.AskKind, id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.ask(kind, id); a != nil {
		return a.decision
	}
	return ""
}

func (s *Server) ask(kind client.AskKind, id string) *Ask {
	for _, a := range s.asks {
		if a.Kind == kind && a.ID == id {
			return a
		}
	}
	return nil
}

// tellAsk sends the event to those who may see it and, at newer gateways, say that they show it.
func (s *Server) tellAsk(kind client.AskKind, what string, row map[string]any) {
	name, scope := string(kind)+".approval."+what, "operator.approvals"
	if kind == client.AskQuestion {
		name, scope = "question."+what, "operator.questions"
	}
	s.emitTo(name, row, 1, func(c *conn) bool {
		may := slices.Contains(c.scopes, "operator.admin") || slices.Contains(c.scopes, scope)
		shows := s.opts.Generation == February || kind == client.AskQuestion || slices.Contains(c.caps, "approvals")
		return may && shows
	})
}

func (s *Server) asksCall(kind client.AskKind, verb string, raw json.RawMessage) (any, *refusal) {
	if verb == "list" {
		rows := []any{}
		s.mu.Lock()
		for _, a := range s.asks {
			if a.Kind == kind && a.decision == "" {
				rows = append(rows, a.row())
			}
		}
		s.mu.Unlock()
		if kind == client.AskQuestion {
			return map[string]any{"questions": rows}, nil
		}
		return rows, nil
	}
	var p struct {
		ID       string `json:"id"`
		Decision string `json:"decision"`
		Cancel   bool   `json:"cancel"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalid("invalid params: " + err.Error())
	}
	if kind == client.AskQuestion {
		p.Decision = "answered"
		if p.Cancel {
			p.Decision = "cancelled"
		}
	}
	s.mu.Lock()
	a := s.ask(kind, p.ID)
	had := ""
	if a != nil {
		had = a.decision
	}
	s.mu.Unlock()
	switch {
	case a == nil:
		return nil, &refusal{
			Code:    "INVALID_REQUEST",
			Message: "unknown or expired approval id",
			Details: map[string]any{"reason": "APPROVAL_NOT_FOUND"},
		}
	case had == p.Decision && kind != client.AskQuestion && s.opts.Generation != February:
		return map[string]any{"ok": true}, nil // the same again is no error there
	case had != "" && kind == client.AskQuestion:
		return nil, &refusal{
			Code:    "INVALID_REQUEST",
			Message: "question '" + p.ID + "' is already " + had,
			Details: map[string]any{"reason": "QUESTION_ALREADY_TERMINAL"},
		}
	case had != "":
		return nil, &refusal{
			Code:    "INVALID_REQUEST",
			Message: "approval already resolved",
			Details: map[string]any{"reason": "APPROVAL_ALREADY_RESOLVED"},
		}
	}
	s.Resolve(kind, p.ID, p.Decision, "AgentFlow")
	return map[string]any{"ok": true}, nil
}

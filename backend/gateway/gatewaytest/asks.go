package gatewaytest

import (
	"cmp"
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

// Asks are what a Server asks a person.
type Asks struct {
	s    *Server
	list []*Ask // guarded by the server's mu
}

// Add asks a person: everybody who may see it gets an event. Without For it waits for an hour.
func (q *Asks) Add(a Ask) {
	row := q.add(a)
	q.tell(a.Kind, "requested", row)
}

// AddSilently is Add without an event, as if the event had been dropped.
func (q *Asks) AddSilently(a Ask) { q.add(a) }

func (q *Asks) add(a Ask) map[string]any {
	if a.CreatedAt.IsZero() {
		a.CreatedAt = time.Now()
	}
	a.For = cmp.Or(a.For, time.Hour)
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.list = append(q.list, &a)
	return a.row()
}

// Resolve ends what was asked, as somebody does who is not connected to the server. Without by nobody did.
func (q *Asks) Resolve(kind client.AskKind, id, decision, by string) bool {
	q.s.mu.Lock()
	a := q.find(kind, id)
	won := a != nil && a.decision == ""
	if won {
		a.decision = decision
	}
	q.s.mu.Unlock()
	if won {
		q.tell(kind, "resolved", resolvedRow(kind, id, decision, by))
	}
	return won
}

// asksRules returns the scope and the parameters of a method of what is asked; nil for every other.
func asksRules(method string) (scope string, params []string) {
	kind, verb, is := askMethod(method)
	if !is || verb != "list" && verb != "resolve" {
		return "", nil
	}
	scope, params = "operator.approvals", []string{"id", "decision"}
	if kind == client.AskQuestion {
		scope, params = "operator.questions", []string{"id", "answers", "cancel", "resolvedBy"}
	}
	if verb == "list" {
		params = []string{}
	}
	return scope, params
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

// Decision returns what was decided; "" while it waits.
func (q *Asks) Decision(kind client.AskKind, id string) string {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	if a := q.find(kind, id); a != nil {
		return a.decision
	}
	return ""
}

func (q *Asks) find(kind client.AskKind, id string) *Ask {
	for _, a := range q.list {
		if a.Kind == kind && a.ID == id {
			return a
		}
	}
	return nil
}

// tell sends the event to those who may see it and, at newer gateways, say that they show it.
func (q *Asks) tell(kind client.AskKind, what string, row map[string]any) {
	name, scope := string(kind)+".approval."+what, "operator.approvals"
	if kind == client.AskQuestion {
		name, scope = "question."+what, "operator.questions"
	}
	q.s.emitTo(name, row, 1, func(c *conn) bool {
		may := slices.Contains(c.scopes, "operator.admin") || slices.Contains(c.scopes, scope)
		shows := q.s.opts.Generation == February || kind == client.AskQuestion || slices.Contains(c.caps, "approvals")
		return may && shows
	})
}

func (q *Asks) call(kind client.AskKind, verb string, raw json.RawMessage) (any, *refusal) {
	if verb == "list" {
		rows := []any{}
		q.s.mu.Lock()
		for _, a := range q.list {
			if a.Kind == kind && a.decision == "" {
				rows = append(rows, a.row())
			}
		}
		q.s.mu.Unlock()
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
	q.s.mu.Lock()
	a := q.find(kind, p.ID)
	had := ""
	if a != nil {
		had = a.decision
	}
	q.s.mu.Unlock()
	switch {
	case a == nil:
		return nil, &refusal{Code: "INVALID_REQUEST", Message: "unknown or expired approval id",
			Details: map[string]any{"reason": "APPROVAL_NOT_FOUND"}}
	case had == p.Decision && kind != client.AskQuestion && q.s.opts.Generation != February:
		return map[string]any{"ok": true}, nil // the same again is no error there
	case had != "" && kind == client.AskQuestion:
		return nil, &refusal{Code: "INVALID_REQUEST", Message: "question '" + p.ID + "' is already " + had,
			Details: map[string]any{"reason": "QUESTION_ALREADY_TERMINAL"}}
	case had != "":
		return nil, &refusal{Code: "INVALID_REQUEST", Message: "approval already resolved",
			Details: map[string]any{"reason": "APPROVAL_ALREADY_RESOLVED"}}
	}
	q.Resolve(kind, p.ID, p.Decision, "AgentFlow")
	return map[string]any{"ok": true}, nil
}

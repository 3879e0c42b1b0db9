package gatewaytest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentflow/backend/gateway/client"
)

// closedParams are the keys each method takes; real gateways refuse every other.
var closedParams = map[string][]string{
	"config.get":       {},
	"config.apply":     {"raw", "baseHash", "note", "sessionKey", "restartDelayMs"},
	"agents.delete":    {"agentId", "deleteFiles"},
	"agents.create":    {"name", "workspace"},
	"agents.update":    {"agentId", "name"},
	"agents.list":      {},
	"models.list":      {"agentId"},
	"sessions.list":    {"limit", "activeMinutes", "includeGlobal", "includeUnknown", "includeDerivedTitles", "includeLastMessage", "label", "spawnedBy", "agentId", "search"},
	"sessions.preview": {"keys", "limit", "maxChars"},
	"chat.send":        {"sessionKey", "message", "idempotencyKey", "thinking", "deliver", "attachments", "timeoutMs"},
	"chat.history":     {"sessionKey", "limit"},
	"chat.abort":       {"sessionKey", "runId"},
	"sessions.reset":   {"key", "reason"},
	"sessions.compact": {"key", "maxLines"},
	"sessions.create":  {"key", "agentId", "parentSessionKey", "fork"},

	"agents.files.list":    {"agentId"},
	"agents.files.get":     {"agentId", "name"},
	"agents.files.set":     {"agentId", "name", "content"},
	"config.schema":        {},
	"plugins.list":         {},
	"config.schema.lookup": {"path"},

	"tools.catalog": {"agentId"},
	methodEffective: {"agentId", "sessionKey"},
	"skills.status": {"agentId"},
}

var neededScope = map[string]string{
	"config.apply":  "operator.admin",
	"agents.delete": "operator.admin",
	"agents.create": "operator.admin", "agents.update": "operator.admin",
	"chat.send":        "operator.write",
	"chat.abort":       "operator.write",
	"sessions.reset":   "operator.admin",
	"sessions.compact": "operator.admin",
	"sessions.create":  "operator.write",

	"agents.files.set": "operator.admin",
}

// params is every parameter of the methods that are served.
type params struct {
	Raw            string   `json:"raw"`
	BaseHash       string   `json:"baseHash"`
	AgentID        string   `json:"agentId"`
	DeleteFiles    *bool    `json:"deleteFiles"`
	SessionKey     string   `json:"sessionKey"`
	Message        string   `json:"message"`
	IdempotencyKey string   `json:"idempotencyKey"`
	RunID          string   `json:"runId"`
	Limit          int      `json:"limit"`
	Offset         int      `json:"offset"`
	Key            string   `json:"key"`
	Keys           []string `json:"keys"`
	Parent         string   `json:"parentSessionKey"`
	LastMessage    bool     `json:"includeLastMessage"`
	MessageLimit   int      `json:"messageLimit"`
	Path           string   `json:"path"`
	Name           string   `json:"name"`
	Workspace      string   `json:"workspace"`
	Content        string   `json:"content"`
	ExpectedHash   string   `json:"expectedHash"`
}

func (s *Server) dispatch(c *conn, method string, raw json.RawMessage) (any, *refusal) {
	if s.opts.Dialect == client.DialectFramed {
		if no := checkCall(c, method, raw); no != nil {
			return nil, no
		}
	}
	var p params
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalid("invalid " + method + " params: " + err.Error())
	}
	if kind, verb, is := askMethod(method); is {
		return s.Asks.call(kind, verb, raw)
	}
	if cronParams(method) != nil && s.opts.Dialect == client.DialectFramed {
		return s.Cron.call(method, raw)
	}
	switch method {
	case "config.get":
		return s.config.get(), nil
	case "config.apply":
		return s.configApply(p)
	case "agents.delete":
		return s.agentsDelete(p)
	case "agents.create", "agents.update":
		return s.setAgent(method, p)
	case "sessions.list":
		return s.sessionsList(p), nil
	case "sessions.preview":
		return s.sessionsPreview(p), nil
	case "chat.send":
		return s.chatSend(p)
	case "chat.history":
		return s.history(p), nil
	case "sessions.reset", "sessions.compact", "sessions.create":
		return s.sessionAct(method, p)
	case "chat.abort":
		return map[string]any{"ok": true, "aborted": true, "runIds": []string{p.RunID}}, nil
	case "plugins.list":
		return map[string]any{"plugins": []any{}, "mutationAllowed": s.fault().ReadOnly != Managed}, nil
	case "config.schema", "config.schema.lookup":
		return s.schema(method, p.Path)
	case "agents.files.list", "agents.files.get", "agents.files.set":
		return s.filesCall(method, p)
	case "tools.catalog", methodEffective, "skills.status":
		return s.toolsCall(method, p)
	case "agents.list":
		return map[string]any{
			"defaultId": "main", "selectionRequired": s.wantsOwner(), "agents": entriesOf(s.Config()),
		}, nil
	case "models.list":
		if s.wantsOwner() && p.AgentID == "" {
			return nil, invalid("Multiple agents are configured, but this Gateway request has no explicit owner. Set agentId to one of the configured agents.")
		}
		list := []any{map[string]any{
			"id": "fake-1", "name": "Fake One", "provider": "fake", "contextWindow": 64000, "reasoning": false, "input": []string{"text"},
		}}
		if models, is := s.Config()["models"].(map[string]any); is && models["more"] != nil {
			list = append(list, map[string]any{"id": models["more"], "name": "More", "provider": "fake"})
		}
		return map[string]any{"models": list}, nil
	}
	return nil, invalid("unknown method: " + method)
}

func checkCall(c *conn, method string, raw json.RawMessage) *refusal {
	allowed, known := closedParams[method]
	askScope, askParams := asksRules(method)
	if askParams != nil {
		allowed, known = askParams, true
	}
	if keys := cronParams(method); keys != nil {
		allowed, known = keys, true
	}
	if method == "cron.update" && c.s.opts.Generation == February {
		allowed = []string{"id", "patch"}
	}
	if method == "chat.history" && c.s.opts.Generation != February {
		allowed = append(slices.Clone(allowed), "offset")
	}
	if method == "agents.files.set" && c.s.opts.Generation != February {
		allowed = append(slices.Clone(allowed), "expectedHash")
	}
	late := lateAsks(method) || method == "sessions.create" || method == methodEffective
	if !known || c.s.opts.Generation == February && late {
		return invalid("unknown method: " + method)
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(allowed, key) {
			return invalid(fmt.Sprintf("invalid %s params: at root: unexpected property '%s'", method, key))
		}
	}
	need := cmp.Or(neededScope[method], askScope, cronScope(method), "operator.read")
	if slices.Contains(c.scopes, need) || slices.Contains(c.scopes, "operator.admin") {
		return nil
	}
	if c.s.opts.Generation == February {
		return invalid("missing scope: " + need)
	}
	return &refusal{Code: "FORBIDDEN", Message: "missing scope: " + need,
		Details: map[string]any{"code": "MISSING_SCOPE", "missingScope": need, "requiredScopes": []string{need}}}
}

func (s *Server) configApply(p params) (any, *refusal) {
	if ms := s.fault().RateLimitMs; ms > 0 {
		return nil, &refusal{Code: "UNAVAILABLE", Message: fmt.Sprintf("rate limit exceeded for config.apply; retry after %ds", ms/1000),
			Retryable: true, RetryAfterMs: ms, Details: map[string]any{"method": "config.apply", "limit": "3 per 60s"}}
	}
	if text := cmp.Or(s.fault().ReadOnly, s.fault().NotWritten); text != "" {
		return nil, &refusal{Code: "UNAVAILABLE", Message: text}
	}
	hash, no := s.config.apply(p.Raw, p.BaseHash)
	switch {
	case no != nil:
		return nil, no
	case s.fault().Written != "":
		if strings.Contains(s.fault().Written, "to restart") {
			s.later(s.opts.RestartIn, s.Restart)
		}
		return nil, &refusal{Code: "UNAVAILABLE", Message: s.fault().Written}
	case s.opts.Dialect == client.DialectJSONRPC:
		return map[string]any{"success": true, "newHash": hash}, nil
	case s.opts.Generation == February:
		s.later(s.opts.RestartIn, s.Restart)
		return map[string]any{"ok": true, "path": "/home/user/.openclaw/openclaw.json", "config": mask(s.Config()),
			"restart": map[string]any{"ok": true, "signal": "SIGUSR1", "delayMs": s.opts.RestartIn.Milliseconds(), "reason": "config.apply", "mode": "emit"}}, nil
	}
	if !s.opts.Quiet {
		s.Emit("config.changed", map[string]any{"hash": hash, "ts": time.Now().UnixMilli()})
	}
	return map[string]any{"ok": true, "hash": hash, "config": mask(s.Config()), "sentinel": map[string]any{
		"persisted": true, "payload": map[string]any{"kind": "config-apply", "status": "ok",
			"stats": map[string]any{"mode": "config.apply", "requiresRestart": false}},
	}}, nil
}

// later does something after the wait, unless the server has ended by then.
func (s *Server) later(wait time.Duration, do func()) {
	s.work.Go(func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		<-timer.C
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if !closed {
			do()
		}
	})
}

func (s *Server) agentsDelete(p params) (any, *refusal) {
	if s.opts.Dialect == client.DialectJSONRPC {
		return nil, &refusal{Code: "NOT_FOUND", Message: "unknown method: agents.delete"}
	}
	if text := s.fault().ReadOnly; text != "" {
		return nil, &refusal{Code: "UNAVAILABLE", Message: text}
	}
	s.mu.Lock()
	lost := s.faults.LeasesLost > 0
	if lost {
		s.faults.LeasesLost--
	}
	unknown := !lost && s.faults.NotLoaded > 0
	if unknown {
		s.faults.NotLoaded--
	}
	s.mu.Unlock()
	if unknown {
		return nil, invalid(fmt.Sprintf("agent %q not found", p.AgentID))
	}
	if lost {
		return nil, &refusal{
			Code:    "UNAVAILABLE",
			Message: "OpenClawStateLeaseError: agent deletion core:agent-deletion/" + p.AgentID + " was lost: code=OPENCLAW_STATE_LEASE_LOST",
		}
	}
	if no := s.config.remove(p.AgentID); no != nil {
		return nil, no
	}
	if p.DeleteFiles == nil || *p.DeleteFiles {
		s.Disk.forget(p.AgentID)
	}
	if s.opts.Generation == Newest {
		s.Cron.forget(p.AgentID)
	}
	s.Emit("config.changed", map[string]any{"hash": s.Hash(), "ts": time.Now().UnixMilli()})
	return map[string]any{
		"ok":              true,
		"agentId":         p.AgentID,
		"removedBindings": 0,
		"removed":         []any{},
		"failed":          []any{},
	}, nil
}

func message(role, text string) map[string]any {
	return map[string]any{
		"role":      role,
		"content":   []any{map[string]any{"type": "text", "text": text}},
		"timestamp": time.Now().UnixMilli(),
	}
}

// wireMessage gives a message the form of this server's dialect and generation.
func (s *Server) wireMessage(m map[string]any) map[string]any {
	m = maps.Clone(m)
	if s.opts.Dialect == client.DialectJSONRPC {
		m["timestamp"] = time.UnixMilli(m["timestamp"].(int64)).UTC().Format(time.RFC3339Nano)
		return m
	}
	if m["role"] != "user" {
		return m
	}
	if s.opts.Generation == Newest {
		m["content"] = text(m)
		return m
	}
	m["content"] = []any{map[string]any{"type": "text", "text": "Conversation info (untrusted metadata):\n```json\n{\n  \"sender\": \"gateway-client\"\n}\n```\n\n[Fri 2026-11-20 09:30 UTC] " + text(m)}}
	return m
}

func text(m map[string]any) string {
	parts, _ := m["content"].([]any)
	first, _ := parts[0].(map[string]any)
	t, _ := first["text"].(string)
	return t
}

// last are the newest messages of a session.
func (s *Server) last(key string, limit int) []any {
	messages, _ := s.history(params{SessionKey: key, Limit: limit})["messages"].([]any)
	return messages
}

func (s *Server) history(p params) map[string]any {
	s.mu.Lock()
	all := slices.Clone(s.chats[p.SessionKey])
	s.mu.Unlock()
	all = all[:max(0, len(all)-p.Offset)]
	more := p.Limit > 0 && len(all) > p.Limit
	if more {
		all = all[len(all)-p.Limit:]
	}
	messages := []any{}
	for _, m := range all {
		messages = append(messages, s.wireMessage(m))
	}
	out := map[string]any{"sessionKey": p.SessionKey, "messages": messages}
	if s.pages() && more {
		out["hasMore"], out["nextOffset"] = true, p.Offset+p.Limit
	}
	return out
}

// pages reports whether the gateway gives histories in parts.
func (s *Server) pages() bool {
	return s.opts.Dialect == client.DialectFramed && s.opts.Generation != February
}

func (s *Server) sessionKeys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.chats))
}

func (s *Server) sessionsList(p params) any {
	rows := []any{}
	for _, key := range s.sessionKeys() {
		agent := agentOf(key)
		if s.opts.Dialect == client.DialectJSONRPC {
			row := map[string]any{
				"sessionKey": key,
				"agentId":    agent,
				"kind":       "main",
				"activeAt":   time.Now().UTC().Format(time.RFC3339),
			}
			if p.LastMessage {
				row["lastMessages"] = s.last(key, max(p.MessageLimit, 1))
			}
			rows = append(rows, row)
			continue
		}
		row := map[string]any{"key": key, "kind": "direct", "chatType": "direct", "updatedAt": time.Now().UnixMilli(),
			"modelProvider": "fake", "model": "fake-1", "totalTokens": 10}
		s.mu.Lock()
		last := s.chats[key][len(s.chats[key])-1]
		maps.Copy(row, s.rows[key])
		s.mu.Unlock()
		if p.LastMessage {
			row["lastMessagePreview"] = text(last)
		}
		if s.opts.Generation == Newest {
			row["agentId"] = agent
		}
		rows = append(rows, row)
	}
	return map[string]any{"ts": time.Now().UnixMilli(), "count": len(rows), "sessions": rows}
}

func (s *Server) sessionsPreview(p params) any {
	previews := []any{}
	for _, key := range p.Keys {
		items := []any{}
		for _, m := range s.last(key, p.Limit) {
			m, _ := m.(map[string]any)
			t, ok := m["content"].(string)
			if !ok {
				t = text(m)
			}
			items = append(items, map[string]any{"role": m["role"], "text": t})
		}
		previews = append(previews, map[string]any{"key": key, "status": "ok", "items": items})
	}
	return map[string]any{"previews": previews}
}

// Package builtintest holds a Store in memory, and the suite that every Store
// must pass.
package builtintest

import (
	"context"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
)

// MemoryStore forgets everything at the end of the process. The zero value is ready.
type MemoryStore struct {
	mu       sync.Mutex
	text     string
	hash     string
	saved    bool
	messages []builtin.Message
}

var _ builtin.Store = (*MemoryStore)(nil)

// LoadConfig implements builtin.ConfigStore.
func (s *MemoryStore) LoadConfig(context.Context) (string, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text, s.saved, nil
}

// SaveConfig implements builtin.ConfigStore.
func (s *MemoryStore) SaveConfig(_ context.Context, text, hash, baseHash string, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if baseHash != s.hash {
		return errcode.New(errcode.Conflict, "the stored config has another hash")
	}
	s.text, s.hash, s.saved = text, hash, true
	return nil
}

// AppendMessage implements builtin.SessionStore.
func (s *MemoryStore) AppendMessage(_ context.Context, m builtin.Message) (builtin.Message, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, old := range s.messages {
		if m.IdempotencyKey != "" && old.SessionKey == m.SessionKey && old.IdempotencyKey == m.IdempotencyKey {
			return old, false, nil
		}
	}
	s.messages = append(s.messages, m)
	return m, true, nil
}

// Messages implements builtin.SessionStore.
func (s *MemoryStore) Messages(_ context.Context, sessionKey string, limit, skip int) ([]builtin.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []builtin.Message
	for _, m := range s.messages {
		if m.SessionKey == sessionKey {
			out = append(out, m)
		}
	}
	out = out[:max(0, len(out)-skip)]
	return out[max(0, len(out)-limit):], nil
}

// Sessions implements builtin.SessionStore.
func (s *MemoryStore) Sessions(_ context.Context, limit int) ([]builtin.SessionRow, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []builtin.SessionRow
	seen := map[string]bool{}
	for i := len(s.messages) - 1; i >= 0 && len(out) < limit; i-- {
		if m := s.messages[i]; !seen[m.SessionKey] {
			seen[m.SessionKey] = true
			out = append(out, builtin.SessionRow{SessionKey: m.SessionKey, AgentID: m.AgentID, ActiveAt: m.At, Last: m})
		}
	}
	return out, nil
}

// Unanswered implements builtin.SessionStore.
func (s *MemoryStore) Unanswered(context.Context) ([]builtin.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	type run struct{ session, id string }
	answered := map[run]bool{}
	for _, m := range s.messages {
		if m.Role == builtin.RoleAssistant {
			answered[run{m.SessionKey, m.RunID}] = true
		}
	}
	var out []builtin.Message
	for _, m := range s.messages {
		if m.Role == builtin.RoleUser && !answered[run{m.SessionKey, m.RunID}] {
			out = append(out, m)
		}
	}
	return out, nil
}

package gatewaytest

import (
	"maps"
	"slices"
)

// kept is how many messages a compaction leaves as they are.
const kept = 2

// sessionAct serves what is done with a whole session, as recorded of the real gateways.
func (s *Server) sessionAct(method string, p params) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "sessions.reset":
		delete(s.chats, p.Key)
		return map[string]any{"ok": true, "key": p.Key, "entry": map[string]any{"totalTokens": 0}}, nil
	case "sessions.compact":
		said := s.chats[p.Key]
		if len(said) <= kept {
			return map[string]any{"ok": false, "key": p.Key, "compacted": false,
				"reason": "Nothing to compact (session too small)"}, nil
		}
		s.chats[p.Key] = append([]map[string]any{message("assistant", "Summary")}, said[len(said)-kept:]...)
		return map[string]any{"ok": true, "key": p.Key, "compacted": true}, nil
	}
	if s.chats[p.Parent] == nil {
		return nil, invalid("unknown parent session: " + p.Parent)
	}
	key := "agent:" + p.AgentID + ":dashboard:" + randomText()
	s.chats[key] = slices.Clone(s.chats[p.Parent])
	return map[string]any{"ok": true, "key": key, "runStarted": false}, nil
}

// SetRow gives the row of a session in sessions.list further fields, as a gateway has them while it runs. Nil takes
// them away.
func (s *Server) SetRow(key string, fields map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows == nil {
		s.rows = map[string]map[string]any{}
	}
	s.rows[key] = maps.Clone(fields)
}

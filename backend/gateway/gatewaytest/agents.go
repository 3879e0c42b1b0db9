package gatewaytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (s *Server) setAgent(method string, p params) (any, *refusal) {
	if method == "agents.create" {
		return s.agentsCreate(p)
	}
	return s.agentsUpdate(p)
}

// agentsCreate also has 2026.9.6 use a deleted agent again, even if the config has it already and it is refused.
func (s *Server) agentsCreate(p params) (any, *refusal) {
	s.Cron.reopen(p.Name)
	s.config.mu.Lock()
	defer s.config.mu.Unlock()
	if slices.Contains(s.config.roster(), p.Name) {
		return nil, invalid(fmt.Sprintf("agent %q already exists", p.Name))
	}
	entry := map[string]any{"name": p.Name, "identity": map[string]any{"name": p.Name}}
	if p.Workspace != "" {
		entry["workspace"] = p.Workspace
	}
	return s.setEntry(p.Name, entry)
}

func (s *Server) agentsUpdate(p params) (any, *refusal) {
	s.config.mu.Lock()
	defer s.config.mu.Unlock()
	if !slices.Contains(s.config.roster(), p.AgentID) {
		return nil, invalid(fmt.Sprintf("agent %q not found", p.AgentID))
	}
	return s.setEntry(p.AgentID, map[string]any{"name": p.Name, "identity": map[string]any{"name": p.Name}})
}

// setEntry sets keys of an agent's entry. Its caller holds the config's lock.
func (s *Server) setEntry(id string, set map[string]any) (any, *refusal) {
	doc := clone(s.config.doc)
	agents, _ := doc["agents"].(map[string]any)
	entries, _ := agents["entries"].(map[string]any)
	if entries == nil {
		return nil, invalid("this simulated gateway creates agents only in agents.entries")
	}
	entry, _ := entries[id].(map[string]any)
	if entry == nil {
		entry = map[string]any{}
		entries[id] = entry
	}
	maps.Copy(entry, set)
	s.config.put(doc)
	return map[string]any{"ok": true, "agentId": id}, nil
}

// agentOf returns the agent of a session's key.
func agentOf(key string) string {
	agent, _, _ := strings.Cut(strings.TrimPrefix(key, "agent:"), ":")
	return agent
}

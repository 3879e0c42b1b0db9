package gatewaytest

import (
	"maps"
	"slices"

	"agentflow/backend/gateway/client"
)

// convertList turns a legacy list into entries, as the newest gateways do.
func convertList(agents map[string]any) map[string]any {
	entries, _ := agents["entries"].(map[string]any)
	list, ok := agents["list"].([]any)
	if !ok {
		return entries
	}
	if entries == nil {
		entries = map[string]any{}
	}
	for _, item := range list {
		if a, ok := item.(map[string]any); ok {
			id, _ := a["id"].(string)
			delete(a, "id")
			entries[id] = a
		}
	}
	delete(agents, "list")
	agents["entries"] = entries
	return entries
}

// stripDefault drops the marks of default agents from a config that is written where the
// roster has owners already, and names nobody instead: what the newest gateways do.
func stripDefault(now, agents, entries map[string]any) {
	held, _ := now["agents"].(map[string]any)
	if held["ownership"] != "explicit" || agents["ownership"] != nil || len(entries) < 2 {
		return
	}
	for _, v := range entries {
		if a, ok := v.(map[string]any); ok {
			delete(a, "default")
		}
	}
	agents["ownership"] = "explicit"
}

// ownerless says whether a request that names no agent has none: the newest gateways
// refuse it then.
func ownerless(doc map[string]any) bool {
	agents, _ := doc["agents"].(map[string]any)
	entries, _ := agents["entries"].(map[string]any)
	defaults, _ := agents["defaults"].(map[string]any)
	marked := func(v any) bool { a, _ := v.(map[string]any); return a["default"] == true }
	return len(entries) > 1 && defaults["systemAgent"] == nil &&
		!slices.ContainsFunc(slices.Collect(maps.Values(entries)), marked)
}

// wantsOwner says whether a request has to name an agent.
func (s *Server) wantsOwner() bool {
	return s.opts.Dialect == client.DialectFramed && s.opts.Generation == Newest && ownerless(s.Config())
}

// entriesOf lists the agents of a newest config, as agents.list answers.
func entriesOf(doc map[string]any) []any {
	agents, _ := doc["agents"].(map[string]any)
	entries, _ := agents["entries"].(map[string]any)
	list := []any{}
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		list = append(list, map[string]any{"id": id})
	}
	return list
}

// retireDefault replaces an entry's mark default by what names the agent since 2026.8, as
// the newest gateways do with the first config that is written.
func retireDefault(doc, agents, entries map[string]any) *refusal {
	explicit := agents["ownership"] == "explicit"
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		a, _ := entries[id].(map[string]any)
		if a["default"] == true {
			if explicit {
				return issue("agents.ownership",
					"agents.ownership=explicit cannot be combined with a legacy default=true marker")
			}
			defaults, _ := agents["defaults"].(map[string]any)
			if defaults == nil {
				defaults = map[string]any{}
			}
			surfaces := []string{"heartbeat", "systemAgent"}
			if id != "main" {
				surfaces = append(surfaces, "authInheritance")
			}
			for _, surface := range surfaces {
				defaults[surface] = map[string]any{"agentId": id}
			}
			if a["workspace"] == nil {
				a["workspace"] = "/home/user/.openclaw/workspace"
			}
			agents["defaults"], agents["ownership"], doc["talk"] = defaults, "explicit", map[string]any{"agentId": id}
		}
		delete(a, "default")
	}
	return nil
}

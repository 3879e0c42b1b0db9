package gatewaytest

import (
	"maps"
	"slices"
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
			for _, surface := range []string{"authInheritance", "heartbeat", "systemAgent"} {
				defaults[surface] = map[string]any{"agentId": id}
			}
			agents["defaults"], agents["ownership"], doc["talk"] = defaults, "explicit", map[string]any{"agentId": id}
		}
		delete(a, "default")
	}
	return nil
}

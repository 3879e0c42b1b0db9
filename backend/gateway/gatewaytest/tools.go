package gatewaytest

const methodEffective = "tools.effective" // gateways of February don't have it

// toolsCall answers what a gateway is asked about tools and skills: as recorded of OpenClaw 2026.9.6 and 2026.2.26,
// with fewer rows.
func (s *Server) toolsCall(method string, p params) (any, *refusal) {
	agents, _ := s.Config()["agents"].(map[string]any)
	entries, _ := agents["entries"].(map[string]any)
	if _, has := entries[p.AgentID]; p.AgentID != "" && len(entries) > 0 && !has {
		return nil, invalid("unknown agent id \"" + p.AgentID + "\"")
	}
	if p.AgentID == "" && s.wantsOwner() {
		return nil, invalid("Multiple agents are configured, but this Gateway request has no explicit owner. " +
			"Set agentId to one of the configured agents.")
	}
	tool := func(id, description, source string) map[string]any {
		return map[string]any{"id": id, "label": id, "description": description, "source": source}
	}
	files := map[string]any{"id": "fs", "label": "Files", "source": "core", "tools": []any{
		tool("read", "Read file contents", "core"), tool("write", "Create or overwrite files", "core"),
	}}
	switch method {
	case "tools.catalog":
		profiles := []any{}
		for _, id := range []string{"minimal", "coding", "messaging", "full"} {
			profiles = append(profiles, map[string]any{"id": id, "label": id})
		}
		return map[string]any{"agentId": p.AgentID, "profiles": profiles, "groups": []any{files, map[string]any{
			"id": "runtime", "label": "Runtime", "source": "core",
			"tools": []any{tool("exec", "Run shell now.", "core")},
		}, map[string]any{
			"id": "plugin:talk-voice", "label": "talk-voice", "source": "plugin", "pluginId": "talk-voice",
			"tools": []any{tool("talk_voice", "List or change the voice", "plugin")},
		}}}, nil
	case methodEffective:
		s.mu.Lock()
		_, has := s.chats[p.SessionKey]
		s.mu.Unlock()
		if !has {
			return nil, invalid("unknown session key \"" + p.SessionKey + "\"")
		}
		return map[string]any{"agentId": p.AgentID, "profile": "coding", "groups": []any{files}}, nil
	}
	nothing := func() map[string]any {
		return map[string]any{"bins": []any{}, "anyBins": []any{}, "env": []any{}, "config": []any{}, "os": []any{}}
	}
	lacking := nothing()
	lacking["bins"] = []any{"op"}
	skill := func(name, description string, missing map[string]any) map[string]any {
		return map[string]any{
			"name": name, "skillKey": name, "description": description, "source": "openclaw-bundled",
			"missing": missing, "disabled": false, "blockedByAllowlist": false,
			"eligible": len(missing["bins"].([]any)) == 0,
		}
	}
	return map[string]any{"workspaceDir": "/w", "managedSkillsDir": "/s", "skills": []any{
		skill("1password", "Set up and use 1Password CLI.", lacking), skill("weather", "Get the weather.", nothing()),
	}}, nil
}

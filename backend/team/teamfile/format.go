package teamfile

import (
	"strings"

	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// FileName is what a file of the format is called that holds a team of the name.
func (f Format) FileName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, strings.TrimSpace(name))
	if clean == "" {
		clean = "team"
	}
	switch f {
	case AgentFlow:
		return clean + ".agentflow.yaml"
	case AgentsYML:
		return "agents.yml"
	case AgentConfig:
		return "agent-config.yaml"
	case OpenClawMap:
		return clean + ".openclaw.yaml"
	}
	return clean + ".openclaw.json"
}

// Held says what a file of the format can hold, so that the rest stays as drawn.
func (f Format) Held() topology.Held {
	shapes := map[Format]gatewayconfig.Shape{
		OpenClawMap: gatewayconfig.Map, OpenClawList: gatewayconfig.List, OpenClawEntries: gatewayconfig.Entries,
	}
	if at, ok := shapes[f]; ok {
		return gatewayconfig.Limits{Roster: at}.Held(at)
	}
	return topology.Held{
		Fields: []string{
			"name",
			"role",
			"model",
			"persona",
			"description",
			"temperature",
			"maxTokens",
			topology.FieldOrder,
		},
	}
}

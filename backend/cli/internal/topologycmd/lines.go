package topologycmd

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/team/topology"
)

// lines knows where in a file each agent stands, in every format that is YAML or JSON.
type lines struct {
	agents map[topology.AgentID]*yaml.Node
	keys   map[topology.AgentID]int // where the id itself stands
	root   *yaml.Node
}

func linesOf(data []byte) lines {
	l := lines{agents: map[topology.AgentID]*yaml.Node{}, keys: map[topology.AgentID]int{}}
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return l // JSON5, which has no lines here
	}
	l.root = doc.Content[0]
	_, agents := pair(l.root, "agents")
	if agents == nil {
		return l
	}
	for _, place := range []string{"entries", "list"} {
		if _, inner := pair(agents, place); inner != nil {
			agents = inner
		}
	}
	l.collect(agents)
	return l
}

// collect takes the agents of a list, by id or name, or of a map, by key.
func (l lines) collect(agents *yaml.Node) {
	switch agents.Kind {
	case yaml.SequenceNode:
		for _, item := range agents.Content {
			_, id := pair(item, "id")
			if id == nil { // agents.yml has names only
				_, id = pair(item, "name")
			}
			if id != nil {
				l.put(id, item)
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(agents.Content); i += 2 {
			l.put(agents.Content[i], agents.Content[i+1])
		}
	}
}

func (l lines) put(id, agent *yaml.Node) {
	if _, there := l.agents[topology.AgentID(id.Value)]; !there {
		l.agents[topology.AgentID(id.Value)], l.keys[topology.AgentID(id.Value)] = agent, id.Line
	}
}

// pair returns a key of a map and its value.
func pair(n *yaml.Node, key string) (*yaml.Node, *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// of finds the line of a problem, or that of the closest thing around it; 0 if there is
// none.
func (l lines) of(p topology.Problem) int {
	agent := l.agents[p.Agent]
	if agent == nil {
		if key, _ := pair(l.root, "agents"); key != nil {
			return key.Line
		}
		return 0
	}
	if p.Target != "" {
		if line := connectionLine(agent, string(p.Target)); line > 0 {
			return line
		}
	}
	if key, _ := pair(agent, p.Field); key != nil {
		return key.Line
	}
	return l.keys[p.Agent]
}

func connectionLine(agent *yaml.Node, target string) int {
	_, list := pair(agent, "connections")
	if list == nil {
		_, sub := pair(agent, "subagents")
		_, list = pair(sub, "allowAgents")
	}
	if list == nil {
		return 0
	}
	for _, item := range list.Content {
		if _, id := pair(item, "targetId"); item.Value == target || id != nil && id.Value == target {
			return item.Line
		}
	}
	return 0
}

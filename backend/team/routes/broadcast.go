package routes

import (
	"regexp"
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// BroadcastGroup is a broadcast group as AgentFlow understands it: agents that all answer one conversation. The
// bindings don't count there.
type BroadcastGroup struct {
	Key     string             `json:"key" doc:"Key in broadcast of the config, such as telegram:-100123."`
	Channel string             `json:"channel" doc:"Channel of the conversation."`
	Peer    string             `json:"peer" doc:"ID of the conversation."`
	Agents  []topology.AgentID `json:"agents" doc:"Agents that answer, in their order."`
	Notes   []Remark           `json:"notes,omitempty" doc:"What is wrong with the group."`
}

// whatsapp is the channel of groups that name none, and the only one that has groups on older gateways.
const whatsapp = "whatsapp"

var qualified = regexp.MustCompile(`(?i)^([a-z][a-z0-9_-]*):(.+)$`)

// group returns a broadcast group, or false for the strategy and what isn't understood.
func (t *Table) group(f topology.Field) (BroadcastGroup, bool) {
	agents := topology.BroadcastTo(f.Key, f.Value)
	if len(agents) == 0 {
		return BroadcastGroup{}, false
	}
	g := BroadcastGroup{Key: f.Key, Channel: whatsapp, Peer: f.Key, Agents: make([]topology.AgentID, len(agents))}
	if parts := qualified.FindStringSubmatch(f.Key); parts != nil {
		g.Channel, g.Peer = parts[1], parts[2]
	}
	unknown := false
	for i, id := range agents {
		g.Agents[i] = t.agent(string(id))
		_, known := t.agents[normal(string(id))]
		unknown = unknown || !known
	}
	if unknown {
		g.Notes = append(g.Notes, Remark{Code: UnknownAgent})
	}
	here := func(c Channel) bool { return c.ID == g.Channel }
	switch {
	case t.lenient && g.Peer != g.Key:
		g.Notes = append(g.Notes, Remark{Code: OnlyWhatsApp})
	case t.Known && g.Channel != "webchat" && !slices.ContainsFunc(t.Channels, here):
		g.Notes = append(g.Notes, Remark{Code: UnknownChannel})
	}
	return g, true
}

// inGroup returns the agents that answer a conversation because it is a broadcast group, and the key of that.
func (t *Table) inGroup(from From) (key string, agents []topology.AgentID) {
	if from.Peer == nil {
		return "", nil
	}
	keys := []string{from.Channel + ":" + from.Peer.ID}
	if t.lenient {
		keys = nil
	}
	if from.Channel == whatsapp {
		keys = append(keys, from.Peer.ID)
	}
	for _, key := range keys {
		i := slices.IndexFunc(t.Groups, func(g BroadcastGroup) bool { return g.Key == key })
		if i < 0 {
			continue
		}
		for _, id := range t.Groups[i].Agents {
			if _, known := t.agents[normal(string(id))]; known && !slices.Contains(agents, id) {
				agents = append(agents, id)
			}
		}
		return key, agents
	}
	return "", nil
}

// groups reads the broadcast groups of a team, sorted by channel.
func (t *Table) groups(team *topology.Topology) {
	t.Groups = []BroadcastGroup{}
	for _, f := range team.Broadcast {
		if g, ok := t.group(f); ok {
			t.Groups = append(t.Groups, g)
		}
	}
	slices.SortStableFunc(t.Groups, func(a, b BroadcastGroup) int { return strings.Compare(a.Channel, b.Channel) })
}

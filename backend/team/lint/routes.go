package lint

import (
	"slices"
	"strconv"

	"agentflow/backend/team/routes"
	"agentflow/backend/team/topology"
)

// The codes of problems of broadcast groups.
const (
	BroadcastToNobody  = "broadcast_to_nobody"
	UnreachedBroadcast = "unreached_broadcast"
	OldBroadcast       = "old_broadcast"
)

// routes reports the bindings that don't do what they say. That a channel has none is no problem.
func (c *checker) routes() {
	if len(c.t.Bindings) == 0 {
		return
	}
	codes := map[string]string{
		routes.UnknownAgent: BoundToNobody, routes.UnknownChannel: UnknownChannel,
		routes.UnknownAccount: UnknownAccount, routes.Shadowed: ShadowedBinding,
	}
	rules := routes.Read(c.t, c.rules.Config).Rules
	numbers := make([]int, len(rules)) // people count in the order in which the gateway tries them
	for i := range rules {
		numbers[rules[i].At] = i + 1
	}
	number := func(at int) string { return strconv.Itoa(numbers[at]) }
	for i := range rules {
		r := &rules[i]
		for _, n := range r.Notes {
			at := strconv.Itoa(r.At)
			c.add(topology.SeverityWarning, codes[n.Code], "binding "+at,
				topology.Problem{Subject: topology.SubjectBinding, Item: at}, "number", number(r.At),
				"target", string(r.Agent), "channel", r.Match.Channel, "account", r.Match.Account,
				"other", number(n.By))
		}
	}
}

// broadcast reports the groups that don't do what they say. OpenClaw takes no config with a group of an unknown agent.
func (c *checker) broadcast() {
	if len(c.t.Broadcast) == 0 {
		return
	}
	codes := map[string]string{routes.UnknownChannel: UnreachedBroadcast, routes.OnlyWhatsApp: OldBroadcast}
	table := routes.Read(c.t, c.rules.Config)
	for i := range table.Groups {
		g := &table.Groups[i]
		for _, id := range g.Agents {
			if _, there := c.first[id]; there {
				continue
			}
			severity := topology.SeverityWarning
			if c.rules.OpenClaw && !slices.Contains(c.rules.BaseAgents, id) {
				severity = topology.SeverityError
			}
			c.add(severity, BroadcastToNobody, "broadcast "+g.Key+":"+string(id),
				topology.Problem{Subject: topology.SubjectBroadcast, Field: g.Key, Target: id},
				"group", g.Key, "target", string(id))
		}
		for _, n := range g.Notes {
			if code := codes[n.Code]; code != "" {
				c.add(topology.SeverityWarning, code, "broadcast "+g.Key,
					topology.Problem{Subject: topology.SubjectBroadcast, Field: g.Key},
					"group", g.Key, "channel", g.Channel)
			}
		}
	}
}

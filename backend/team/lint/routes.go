package lint

import (
	"slices"
	"strconv"

	"agentflow/backend/team/routes"
	"agentflow/backend/team/topology"
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
	number := func(at int) string { // people count in the order in which the gateway tries them
		return strconv.Itoa(1 + slices.IndexFunc(rules, func(r routes.Route) bool { return r.At == at }))
	}
	for _, r := range rules {
		for _, n := range r.Notes {
			at := strconv.Itoa(r.At)
			c.add(topology.SeverityWarning, codes[n.Code], "binding "+at,
				topology.Problem{Subject: topology.SubjectBinding, Item: at}, "number", number(r.At),
				"target", string(r.Agent), "channel", r.Match.Channel, "account", r.Match.Account,
				"other", number(n.By))
		}
	}
}

package lint

import (
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
	for _, r := range routes.Read(c.t, c.rules.Config).Rules {
		for _, n := range r.Notes {
			at := strconv.Itoa(r.At)
			c.add(topology.SeverityWarning, codes[n.Code], "binding "+at,
				topology.Problem{Subject: topology.SubjectBinding, Item: at}, "number", strconv.Itoa(r.At+1),
				"target", string(r.Agent), "channel", r.Match.Channel, "account", r.Match.Account,
				"other", strconv.Itoa(n.By+1))
		}
	}
}

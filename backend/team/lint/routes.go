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

package lint

import (
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// OC-1: what every agent of an OpenClaw gateway inherits is a model, too. The built-in gateway has no defaults.
func TestOC1_AModelThatEveryAgentInherits(t *testing.T) {
	all := team(agent("a", "A", ""))
	missing := func(rules Rules) bool {
		return slices.ContainsFunc(Check(all, rules), func(p topology.Problem) bool { return p.Code == MissingModel })
	}
	if !missing(Rules{}) {
		t.Error("an agent without any model has no problem")
	}
	all.Defaults = extra(`{"model":{"primary":"fake/fake-1"}}`)
	if missing(Rules{}) {
		t.Error("an agent that inherits a model has none")
	}
	if !missing(Rules{KnownKeys: []string{}}) {
		t.Error("the built-in gateway has a default model")
	}
}

package templatesapi

import (
	"testing"

	"agentflow/backend/team/example"
	"agentflow/backend/team/topology"
)

// Every template of the product can be started from, in both languages, and isn't shared between two starts.
func TestFromTemplate_EveryTemplateOpens(t *testing.T) {
	s := &Routes{}
	for _, lang := range []string{"en", "ja"} {
		ids := []string{"example"}
		for _, one := range example.Templates(lang) {
			ids = append(ids, one.ID)
		}
		for _, id := range ids {
			first, err := s.FromTemplate(t.Context(), id, lang)
			if err != nil || len(first.Agents) == 0 {
				t.Fatalf("%s in %s: %+v, %v", id, lang, first, err)
			}
			name := first.Agents[0].Name
			first.Agents[0].Name = "Edited"
			again, err := s.FromTemplate(t.Context(), id, lang)
			if err != nil || again.Agents[0].Name != name {
				t.Errorf("%s in %s was changed by its first start: %+v, %v", id, lang, again.Agents[0], err)
			}
		}
	}
}

// Connections are counted of all agents.
func TestCounts(t *testing.T) {
	team := &topology.Topology{Agents: []topology.Agent{
		{ID: "a", Connections: []topology.Connection{{TargetID: "b"}, {TargetID: "c"}}},
		{ID: "b", Connections: []topology.Connection{{TargetID: "c"}}},
		{ID: "c"},
	}}
	if agents, connections := Counts(team); agents != 3 || connections != 3 {
		t.Errorf("%d agents, %d connections", agents, connections)
	}
}

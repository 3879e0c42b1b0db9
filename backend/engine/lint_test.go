package engine_test

import (
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

func TestTheLinterKnowsWhatTheGatewayKnows(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "local"}, &d)
	state := h.edit(string(d.ID), func(t *topology.Topology) {
		t.Agents[0].Extra = topology.Extra{{Key: "colour", Value: []byte(`"red"`)}}
		t.Agents[1].Model = ""
		t.Agents[2].Model = "nope/x"
		t.Agents[2].Connections = []topology.Connection{{TargetID: "ghost", Type: topology.Command}}
		t.Agents[3].Connections = []topology.Connection{{TargetID: "lead", Type: topology.Command}}
		t.Agents[0].Connections = append(t.Agents[0].Connections,
			topology.Connection{TargetID: t.Agents[3].ID, Type: topology.Command})
	})
	found := map[string]topology.Problem{}
	for _, p := range state.Problems {
		found[p.Code] = p
	}
	for _, code := range []string{lint.UnknownKey, lint.MissingModel, lint.UnknownProvider, lint.UnknownTarget, lint.DelegationCycle} {
		if found[code].Message == "" || found[code].Remedy == "" {
			t.Errorf("%s was not found, or says too little: %+v", code, found[code])
		}
	}
	p := h.preview(string(d.ID), nil)
	_, err := h.call("POST", "/api/teams/"+string(d.ID)+"/apply", map[string]any{"hash": p.BaseHash}, nil)
	if err == nil || err.Code != errcode.Validation || err.Reason() != rollout.ReasonProblems {
		t.Errorf("a team with errors was applied: %+v", err)
	}
}

// TestGW7_TheLinterKnowsTheGatewaysSchema: what the gateway would refuse is named while
// team and before applying, with what it says itself; it is asked again when it is back.
func TestGW7_TheLinterKnowsTheGatewaysSchema(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]gatewaytest.Options{"newest": {}, "february": {Generation: gatewaytest.February}} {
		t.Run(name, func(t *testing.T) {
			peer := gatewaytest.Start(t, opts)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			var d httpapi.Team
			h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
			h.refusals(string(d.ID))
			asked := func() int { return peer.Count("config.schema") + peer.Count("config.schema.lookup") }
			before := asked()
			peer.Restart()
			poll(t, func() bool { return asked() > before })
		})
	}
}

// refusals draws what the gateway would refuse, checks the warnings, and undoes it.
func (h *hub) refusals(id string) {
	h.t.Helper()
	h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Extra = append(t.Agents[0].Extra, topology.Field{Key: "sandbx", Value: []byte(`{}`)},
			topology.Field{Key: "sandbox", Value: []byte(`{"mode":"non-man"}`)})
	})
	find := func(problems []topology.Problem) string {
		said := ""
		for _, code := range []string{lint.RefusedKey, lint.RefusedValue} {
			for _, p := range problems {
				if p.Code == code && p.Severity == topology.SeverityWarning && p.Message != "" {
					said += p.Params["key"] + ": " + p.Remedy + " "
				}
			}
		}
		return said
	}
	const want = "sandbx: Check the spelling, or remove the key. sandbox.mode: Use one of these: off, non-main, all. "
	poll(h.t, func() bool { return find(h.team(id).Problems) == want }) // the schema comes a moment after the link
	if got := find(h.preview(id, nil).Problems); got != want {
		h.t.Errorf("the preview says %q, want %q", got, want)
	}
	h.must("POST", "/api/teams/"+id+"/undo", nil, nil)
}

// framed reports whether a gateway is a real one, or speaks like one.
func (h *hub) framed(name string) bool {
	h.t.Helper()
	var got struct{ Gateways []httpapi.Gateway }
	h.must("GET", "/api/gateways", nil, &got)
	for _, g := range got.Gateways {
		if g.Name == name {
			return g.Dialect == string(client.DialectFramed)
		}
	}
	return false
}

// A team from a template gets ids that no agent of its gateway has. The page learns which those are.
func TestTemplate_ItsAgentsAreNotThoseOfTheGateway(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var first, second httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "local"}, &first)
	h.must("POST", "/api/teams", map[string]any{"template": "example", "gateway": "local"}, &second)
	if len(first.Taken) == 0 || !slices.Equal(first.Taken, second.Taken) || len(second.Topology.Agents) == 0 {
		t.Fatalf("known of the gateway: %v, %v", first.Taken, second.Taken)
	}
	for _, a := range second.Topology.Agents {
		if slices.Contains(second.Taken, a.ID) {
			t.Errorf("%s is on the gateway already", a.ID)
		}
	}
}

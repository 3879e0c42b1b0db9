package engine_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// TestGW10_UndoOfTheFirstApplyToARealGateway undoes the first apply to a config that
// marks its default agent, on the real gateway.
func TestGW10_UndoOfTheFirstApplyToARealGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.StartRealWith(t, gatewaytest.RealVersions[0], strings.ReplaceAll(handWritten, "lead", "main"))
	undoFirstApply(t, peer.URL, peer.Token, "main")
}

// TestAPP5_UndoOfTheFirstApplyKeepsTheDefaultAgent is the same on the simulated one.
func TestAPP5_UndoOfTheFirstApplyKeepsTheDefaultAgent(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"main", "lead"} {
		t.Run(agent, func(t *testing.T) {
			config := map[string]any{}
			if err := json.Unmarshal([]byte(`{"agents": `+strings.ReplaceAll(handWritten, "lead", agent)+`}`), &config); err != nil {
				t.Fatal(err)
			}
			peer := gatewaytest.Start(t, gatewaytest.Options{Config: config})
			undoFirstApply(t, peer.URL, peer.Token, agent)
		})
	}
}

// undoFirstApply changes one name and takes it back. The gateway replaced the mark of its
// default agent meanwhile: the agent must still be the one that acts where none is named.
func undoFirstApply(t *testing.T, url, token, agent string) {
	h := startHub(t, withGateway(t, url, token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Studio"}, &d)
	id := string(d.ID)
	h.edit(id, func(team *topology.Topology) {
		a, _ := team.Agent(topology.AgentID(agent))
		a.Name = "Chief"
	})
	h.apply(id, h.preview(id, nil), nil, false)
	after := h.owners(agent)
	h.undoApply(id)

	if cfg := string(h.config().Config); !strings.Contains(cfg, `"Lead"`) || strings.Contains(cfg, `"Chief"`) {
		t.Errorf("the name was not taken back: %s", cfg)
	}
	if now := h.owners(agent); now != after || now.system != agent || now.ownership != "explicit" {
		t.Errorf("after the apply %+v, after the undo %+v", after, now)
	}
	link, stop, err := engine.DialGateway(t.Context(), engine.DialOptions{
		URL: url, Token: func(context.Context) (string, error) { return token, nil }, Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if models, err := link.Client().Models(t.Context()); err != nil || len(models) == 0 {
		t.Errorf("the gateway lists the models %v: %v", models, err)
	}
	h.applyAgain(id)
}

// applyAgain applies what the undo left in the draft.
func (h *hub) applyAgain(id string) {
	h.t.Helper()
	if now := h.team(id); now.Unsent != 1 {
		h.t.Errorf("after the undo %d changes are unsent: %+v", now.Unsent, now.Changes)
	}
	p := h.preview(id, nil)
	if p.Sent != 1 || p.Stale || slices.ContainsFunc(p.Losses, func(l openclaw.Loss) bool { return l.Field == "default" }) {
		h.t.Errorf("the review after the undo: sent %d, stale %v, losses %+v, %+v", p.Sent, p.Stale, p.Losses, p.Changes)
	}
	h.apply(id, p, nil, false)
}

// owners are the places in which a gateway since 2026.8 names its default agent.
type owners struct{ ownership, heartbeat, system, auth, talk, workspace string }

func (h *hub) owners(agent string) owners {
	h.t.Helper()
	type named struct {
		AgentID string `json:"agentId"`
	}
	var doc struct {
		Agents struct {
			Ownership string
			Defaults  struct{ Heartbeat, SystemAgent, AuthInheritance named }
			Entries   map[string]struct{ Workspace string }
		}
		Talk named
	}
	if err := json.Unmarshal(h.config().Config, &doc); err != nil {
		h.t.Fatal(err)
	}
	d := doc.Agents.Defaults
	return owners{doc.Agents.Ownership, d.Heartbeat.AgentID, d.SystemAgent.AgentID, d.AuthInheritance.AgentID, doc.Talk.AgentID, doc.Agents.Entries[agent].Workspace}
}

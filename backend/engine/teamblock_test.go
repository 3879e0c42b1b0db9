package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

const (
	agentsFile = "AGENTS.md"
	emptyBlock = "\n<!-- agentflow:team begin -->\n<!-- agentflow:team end -->\n"
)

// OC-2: what is drawn reaches agents of gateways whose config can't store it, as a block in AGENTS.md.
func TestOC2_AgentsAreToldAboutTheTeam(t *testing.T) {
	t.Parallel()
	for name, generation := range map[string]gatewaytest.Generation{
		"newest": gatewaytest.Newest, "february": gatewaytest.February,
	} {
		t.Run(name, func(t *testing.T) {
			peer := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
			peer.Disk.Set("main", agentsFile, "# Rules\r\n\r\nBe kind.\r\n")
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.toldAboutTheTeam("studio")
		})
	}
}

// TestOC2_RealGatewaysGetTheBlock does the same on real OpenClaw gateways, below the text of their own templates.
func TestOC2_RealGatewaysGetTheBlock(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.toldAboutTheTeam("studio")
		})
	}
}

// toldAboutTheTeam: switch on, apply, draw something else, undo and redo it, apply, switch off, apply.
func (h *hub) toldAboutTheTeam(gateway string) {
	h.t.Helper()
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": gateway, "name": "Studio"}, &created)
	id := string(created.ID)
	was := h.file(gateway, "main", agentsFile)
	eol := "\n"
	if strings.Contains(was.Content, "\r\n") {
		eol = "\r\n"
	}
	h.write(id, gateway, "main", agentsFile, was.Content+strings.ReplaceAll(emptyBlock, "\n", eol))
	h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Role = "Coordinator"
		t.Agents[0].Connections = []topology.Connection{{TargetID: "ops", Type: topology.Communication}}
		t.Agents = append(t.Agents, topology.Agent{ID: "ops", Name: "Ops", Model: t.Agents[0].Model})
	})
	there := func(want ...string) {
		h.t.Helper()
		got := h.file(gateway, "main", agentsFile).Content
		block, ok := strings.CutPrefix(got, was.Content+eol+"<!-- agentflow:team begin")
		if !ok || !strings.HasSuffix(block, "<!-- agentflow:team end -->"+eol) {
			h.t.Fatalf("the gateway has %q, before %q", got, was.Content)
		}
		for _, w := range want {
			if !strings.Contains(block, w+eol) {
				h.t.Errorf("%q isn't in %q", w, block)
			}
		}
	}
	first := h.apply(id, h.preview(id, nil), nil, false)
	there("- You can exchange messages with Ops (ops).")
	if got := h.file(gateway, "main", agentsFile).Content; !strings.Contains(got, "Your role: Coordinator.") {
		h.t.Errorf("the role isn't in %q", got)
	}
	h.nothingToSend(id)

	drawn := h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Connections[0].Type = topology.Review
		t.Agents[1].Name = "Op"
	})
	if !changesFile(drawn.Changes) {
		h.t.Fatalf("the file isn't among the changes %+v", drawn.Changes)
	}
	var undone httpapi.Team
	h.must("POST", "/api/teams/"+id+"/undo", nil, &undone)
	if changesFile(undone.Changes) || undone.Unsent != 0 {
		h.t.Fatalf("after undo: %d, %+v", undone.Unsent, undone.Changes)
	}
	h.must("POST", "/api/teams/"+id+"/redo", nil, &undone)
	p := h.preview(id, nil)
	for _, c := range p.Changes {
		was, is := string(c.Before), string(c.After)
		if c.Field == topology.FileField(agentsFile) && (!strings.Contains(was, "messages with Ops (ops)") ||
			!strings.Contains(is, "review the results of Op (ops)")) {
			h.t.Errorf("the review shows %s → %s", c.Before, c.After)
		}
	}
	if len(p.Files) != 1 {
		h.t.Fatalf("the review writes %+v", p.Files)
	}
	h.apply(id, p, nil, false)
	there("- You review the results of Op (ops).")
	h.nothingToSend(id)

	h.write(id, gateway, "main", agentsFile, was.Content)
	h.apply(id, h.preview(id, nil), nil, false)
	if got := h.file(gateway, "main", agentsFile).Content; got != was.Content {
		h.t.Errorf("switched off, the gateway has %q, before %q", got, was.Content)
	}
	h.nothingToSend(id)
	h.restoreSnapshot(gateway, id, first.Snapshot)
}

func (h *hub) nothingToSend(id string) {
	h.t.Helper()
	if d := h.team(id); d.Unsent != 0 {
		h.t.Errorf("%d changes are unsent: %+v", d.Unsent, d.Changes)
	}
	if p := h.preview(id, nil); p.Sends || p.Stale {
		h.t.Errorf("the preview would send %+v, %+v", p.Changes, p.Merge)
	}
}

func changesFile(cs topology.ChangeSet) bool {
	for _, c := range cs {
		if c.Field == topology.FileField(agentsFile) {
			return true
		}
	}
	return false
}

// OC-2: a save says what it wrote into blocks, and saves of two windows that drew different things don't collide in
// the text that follows from it.
func TestOC2_ASaveFillsTheBlocks(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"name": "Team", "topology": topology.Topology{Agents: []topology.Agent{
		{ID: "a", Name: "A", Files: topology.Files{agentsFile: {Content: "mine\n" + emptyBlock}}},
		{ID: "b", Name: "B"}, {ID: "c", Name: "C"},
	}}}, &d)
	id := string(d.ID)
	if got := d.Topology.Agents[0].Files[agentsFile].Content; !strings.Contains(got, "You are A (a).") {
		t.Fatalf("the new team has %q", got)
	}
	type saved struct {
		State    httpapi.TeamState                   `json:"state"`
		Topology *topology.Topology                  `json:"topology"`
		Followed map[topology.AgentID]topology.Files `json:"followed"`
	}
	save := func(change func(*topology.Topology)) (out saved) {
		t.Helper()
		next := d.Topology.Clone()
		change(next)
		h.must("PUT", "/api/teams/"+id, map[string]any{"topology": next, "head": d.Head, "label": "edit.test"}, &out)
		return out
	}
	first := save(func(t *topology.Topology) {
		t.Agents[0].Connections = []topology.Connection{{TargetID: "b", Type: topology.Review}}
	})
	if got := first.Followed["a"][agentsFile].Content; first.Topology != nil ||
		!strings.Contains(got, "You review the results of B (b).") {
		t.Fatalf("the first window gets %+v", first)
	}
	// The second window saw the version before, and types in the same file.
	second := save(func(t *topology.Topology) {
		t.Agents[2].Name = "Cee"
		t.Agents[0].Connections = []topology.Connection{{TargetID: "c", Type: topology.Communication}}
		t.Agents[0].Files[agentsFile] = topology.AgentFile{Content: "my own\n" + t.Agents[0].Files[agentsFile].Content}
	})
	if second.Topology == nil || len(second.State.Collisions) != 0 {
		text, _ := json.Marshal(second)
		t.Fatalf("the second window gets %s", text)
	}
	got := second.Topology.Agents[0].Files[agentsFile].Content
	for _, want := range []string{"my own\nmine\n", "review the results of B (b).", "messages with Cee (c)."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't in %q", want, got)
		}
	}
}

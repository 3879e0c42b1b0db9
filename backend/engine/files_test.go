package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// OC-2: workspace files go the whole way on both generations of gateways.
func TestOC2_FilesOfAGateway(t *testing.T) {
	t.Parallel()
	for name, generation := range map[string]gatewaytest.Generation{
		"newest": gatewaytest.Newest, "february": gatewaytest.February,
	} {
		t.Run(name, func(t *testing.T) {
			peer := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
			peer.Disk.Set("main", "SOUL.md", "# Soul\r\n\nBe kind.\r\n")
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.filesThereAndBack("studio", generation == gatewaytest.Newest)
		})
	}
}

// TestOC2_RealGateways does the same on real OpenClaw gateways, with the files that they make from their templates.
func TestOC2_RealGateways(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHub(t, withGateway(t, peer.URL, peer.Token))
			h.connected("studio")
			h.filesThereAndBack("studio", version == gatewaytest.RealVersions[0])
		})
	}
}

// The built-in gateway keeps its agents' files in their workspaces.
func TestOC2_FilesOfTheBuiltinGateway(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	dir := filepath.Join(t.TempDir(), "space")
	h.applyTeam("agents:\n  main: {name: Main, model: demo/echo, tools: {allow: [file_read]}, " +
		"workspace: " + dir + "}\n")
	h.trust()
	h.filesThereAndBack("local", true)
}

// TR-1 OC-2: a team can name any folder as a workspace. Before the owner has allowed it, its files are neither read,
// written nor part of a prompt.
func TestTR1_WorkspaceFilesOfAFolderThatNobodyAllowed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tools string
		code  errcode.Code
	}{
		"it asks for its tools": {"tools: {allow: [file_read]}, ", errcode.Forbidden},
		"it asks for nothing":   {"", errcode.Validation},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := startHub(t, t.TempDir())
			dir := t.TempDir()
			soul := filepath.Join(dir, "SOUL.md")
			if err := os.WriteFile(soul, []byte("a private note"), 0o600); err != nil {
				t.Fatal(err)
			}
			h.applyTeam("agents:\n  main: {name: Main, model: demo/echo, " + tt.tools + "workspace: " + dir + "}\n")
			refused := func(method, path string, in any) {
				t.Helper()
				if _, err := h.call(method, path, in, nil); err == nil || err.Code != tt.code {
					t.Errorf("%s %s: %+v", method, path, err)
				}
			}
			refused("GET", "/api/gateways/local/agents/main/files", nil)
			refused("GET", "/api/gateways/local/agents/main/files/SOUL.md", nil)
			var d httpapi.Team
			h.must("POST", "/api/teams", map[string]any{"import": "local", "name": "Theirs"}, &d)
			h.edit(string(d.ID), func(t *topology.Topology) {
				t.Agents[0].Files = topology.Files{"SOUL.md": {Content: "theirs"}}
			})
			// The review opens all the same, so that the owner may allow it there. The file stays in the team.
			var p rollout.Preview
			h.must("POST", "/api/teams/"+string(d.ID)+"/preview", map[string]any{}, &p)
			if len(p.Files) > 0 || len(keptFiles(p)) != 1 {
				t.Errorf("files %+v, losses %+v", p.Files, p.Losses)
			}
			if now, err := os.ReadFile(soul); err != nil || string(now) != "a private note" {
				t.Errorf("the file has %q, %v", now, err)
			}
		})
	}
}

// keptFiles lists what a review says of workspace files that stay in the team.
func keptFiles(p rollout.Preview) (out []string) {
	for _, l := range p.Losses {
		if _, isFile := topology.FileOf(l.Field); isFile && strings.Contains(l.Message, " stays in the team: ") {
			out = append(out, l.Message)
		}
	}
	return out
}

// OC-2: files of new agents that the built-in gateway has no folder for stay in the team. The review shows that before
// the apply, which ends well, and the next review opens.
func TestOC2_FilesOfNewAgentsWithoutAFolder(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam("agents:\n  main: {name: Main, model: demo/echo}\n")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "local", "name": "More"}, &d)
	id, elsewhere := string(d.ID), t.TempDir()
	h.edit(id, func(t *topology.Topology) {
		for agent, dir := range map[topology.AgentID]string{"relative": "notes", "elsewhere": elsewhere, "own": ""} {
			t.Agents = append(t.Agents, topology.Agent{
				ID: agent, Name: string(agent), Model: "demo/echo", Workspace: dir,
				Files: topology.Files{"SOUL.md": {Content: "# " + string(agent)}},
			})
		}
	})
	var p rollout.Preview
	h.must("POST", "/api/teams/"+id+"/preview", map[string]any{}, &p)
	if len(p.Files) != 1 || p.Files[0].Agent != "own" || len(keptFiles(p)) != 2 {
		t.Fatalf("files %+v, losses %+v", p.Files, p.Losses)
	}
	if a := h.apply(id, p, nil, false); len(a.Files) != 1 {
		t.Fatalf("%+v", a)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "SOUL.md")); err == nil {
		t.Error("a file was written into a folder that nobody allowed")
	}
	h.must("POST", "/api/teams/"+id+"/preview", map[string]any{}, &p)
	if len(p.Files) != 0 || p.Sends {
		t.Errorf("after the apply: %+v", p)
	}
}

func (h *hub) file(gateway, agent, name string) (f rollout.WorkspaceFile) {
	h.t.Helper()
	h.must("GET", "/api/gateways/"+gateway+"/agents/"+agent+"/files/"+name, nil, &f)
	return f
}

// write edits a file of the draft as the page does.
func (h *hub) write(id, gateway, agent, name, content string) {
	h.t.Helper()
	now := h.file(gateway, agent, name)
	h.edit(id, func(t *topology.Topology) {
		a, _ := t.Agent(topology.AgentID(agent))
		a.Files = maps.Clone(a.Files)
		if a.Files == nil {
			a.Files = topology.Files{}
		}
		a.Files[name] = topology.AgentFile{Content: content, BasedOn: now.Hash}
	})
}

// filesThereAndBack: import, edit a file and the config, apply, a change behind our back, a conflict, rollback.
func (h *hub) filesThereAndBack(gateway string, guarded bool) {
	h.t.Helper()
	const soul, mine = "SOUL.md", "# Soul\n\nBe strict. 日本語\n"
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": gateway, "name": "Studio"}, &created)
	id := string(created.ID)
	var space rollout.Workspace
	h.must("GET", "/api/gateways/"+gateway+"/agents/main/files", nil, &space)
	if !space.Served || !space.Exists || len(space.Files) != len(topology.FileNames()) {
		h.t.Fatalf("the workspace is %+v", space)
	}
	was := h.file(gateway, "main", soul)
	h.write(id, gateway, "main", soul, mine)
	h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Name = "Chief"
		t.Agents = append(t.Agents, topology.Agent{
			ID: "ops", Model: t.Agents[0].Model, Files: topology.Files{"USER.md": {Content: "Mika\n"}},
		})
		if gateway == "local" {
			t.Agents[1].Workspace = filepath.Join(filepath.Dir(t.Agents[0].Workspace), "ops")
			t.Agents[1].Tools = &topology.Tools{Allow: []string{"file_read"}}
		}
	})
	if gateway == "local" {
		enginetest.Trust(h.t, h.client, id)
	}
	if got := h.file(gateway, "main", soul); got.Content != was.Content {
		h.t.Fatalf("an edit of the draft wrote %q", got.Content)
	}
	p := h.preview(id, nil)
	if p.Stale || len(p.Files) != 2 || p.Files[0].Guarded != (guarded && (gateway == "local" || !was.Missing)) ||
		!p.Files[1].Later {
		h.t.Fatalf("stale %v, files %+v, %+v", p.Stale, p.Files, p.Changes)
	}
	first := h.apply(id, p, nil, false)
	if got := h.file(gateway, "main", soul); got.Content != mine || len(first.Files) != 2 {
		h.t.Fatalf("after the apply: %+v, %+v", got, first.Files)
	}
	if got := h.file(gateway, "ops", "USER.md"); got.Content != "Mika\n" {
		h.t.Fatalf("the new agent has %+v", got)
	}
	if d := h.team(id); d.Unsent != 0 {
		h.t.Errorf("after the apply %d changes are unsent: %+v", d.Unsent, d.Changes)
	}
	if p = h.preview(id, nil); p.Sends || p.Stale {
		h.t.Fatalf("nothing changed, but the preview would send: %+v, %+v", p.Changes, p.Merge)
	}
	h.fileConflict(id, gateway)
	h.fileRollback(id, gateway, first, was)
}

// fileConflict has two teams of one gateway edit the same file.
func (h *hub) fileConflict(id, gateway string) {
	h.t.Helper()
	const soul = "SOUL.md"
	var other httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": gateway, "name": "Other"}, &other)
	if gateway == "local" { // what one saved team is allowed isn't the other's
		enginetest.Trust(h.t, h.client, string(other.ID))
	}
	h.write(id, gateway, "main", soul, "mine\n")
	h.write(string(other.ID), gateway, "main", soul, "theirs\n")
	h.apply(string(other.ID), h.preview(string(other.ID), nil), nil, false)
	p := h.preview(id, nil)
	if p.Merge.Undecided() != 1 || string(p.Merge.Conflicts[0].Theirs) != `"theirs\n"` {
		h.t.Fatalf("a file that both changed gave %+v", p.Merge)
	}
	if _, err := h.call("POST", "/api/teams/"+id+"/apply", map[string]any{"hash": p.BaseHash}, nil); err == nil {
		h.t.Fatal("an undecided file was applied")
	}
	choices := map[string]topology.Choice{p.Merge.Conflicts[0].ID: topology.ChooseTheirs}
	if p = h.preview(id, choices); p.Sends {
		h.t.Errorf("their file would be sent: %+v", p.Changes)
	}
	h.apply(id, p, choices, false)
	if f := h.file(gateway, "main", soul); f.Content != "theirs\n" {
		h.t.Errorf("the gateway has %q", f.Content)
	}
}

// fileRollback restores what was there before the first apply, byte for byte.
func (h *hub) fileRollback(id, gateway string, first rollout.Apply, was rollout.WorkspaceFile) {
	h.t.Helper()
	back := h.restoreSnapshot(gateway, id, first.Snapshot)
	if f := h.file(gateway, "main", "SOUL.md"); f.Content != was.Content {
		h.t.Errorf("after the rollback %q, before %q", f.Content, was.Content)
	}
	d := h.team(id)
	if a, ok := d.Topology.Agent("main"); !ok || d.Unsent != 0 || a.Files["SOUL.md"].Content != was.Content {
		h.t.Errorf("the team did not follow: unsent %d, %+v", d.Unsent, d.Changes)
	}
	if p := h.preview(id, nil); p.Sends || p.Stale {
		h.t.Errorf("after the rollback: %+v, %+v", p.Changes, p.Merge)
	}
	// The way back from the rollback: the agent that it deleted has its file.
	h.restoreSnapshot(gateway, id, back.Snapshot)
	if gateway == "local" {
		enginetest.Trust(h.t, h.client, id)
	}
	if f := h.file(gateway, "ops", "USER.md"); f.Content != "Mika\n" {
		h.t.Errorf("the agent that was deleted and is there again has %+v", f)
	}
	h.restoreSnapshot(gateway, id, first.Snapshot)
}

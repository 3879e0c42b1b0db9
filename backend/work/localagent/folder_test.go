package localagent

import (
	"os"
	"path/filepath"
	"testing"

	"agentflow/backend/team/topology"
)

// An agent's own folder is created when its process starts, and no other folder.
func TestAG3_AnAgentsOwnFolderIsCreated(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	own, foreign := filepath.Join(home, ".openclaw", "workspace-dev-1"), filepath.Join(home, "project")
	b := start(t, t.TempDir(), "works")
	if _, err := b.Add("dev-1", "", false); err != nil {
		t.Fatal(err)
	}
	exists := func(folder string) bool { _, err := os.Stat(folder); return err == nil }
	for _, is := range []struct {
		workspace string
		tools     *topology.Tools
		created   bool
	}{
		{workspace: own},
		{workspace: foreign, tools: &topology.Tools{Allow: []string{"files"}}},
		{workspace: own, tools: &topology.Tools{Allow: []string{"files"}}, created: true},
		{workspace: "~/.openclaw/workspace-dev-1", tools: &topology.Tools{Allow: []string{"files"}}, created: true},
	} {
		agent := topology.Agent{ID: "dev-1", Name: "Dev", Model: "demo/echo", Workspace: is.workspace, Tools: is.tools}
		b.team.Apply("h", &topology.Topology{Agents: []topology.Agent{agent}})
		b.begun("dev-1")
		b.until("dev-1", "running", func(a Agent) bool { return a.State == Running })
		if exists(own) != is.created || exists(foreign) {
			t.Errorf("%+v: own folder %v, foreign folder %v", is, exists(own), exists(foreign))
		}
		if _, err := b.Stop(t.Context(), "dev-1"); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Dir(own)); err != nil {
			t.Fatal(err)
		}
	}
}

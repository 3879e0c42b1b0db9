package localagent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/topology"
)

// TestAG4_WhatWasKeptIsForgottenWithItsAgent: a config that has changed, or a variable that the
// hub's own environment has too, leaves no secret behind, and nothing its process was given.
func TestAG4_WhatWasKeptIsForgottenWithItsAgent(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	if _, err := b.Add("", fileConfig, false); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Keep("lone", "PEER_SECRET", "peers-secret"); err != nil {
		t.Fatal(err)
	}
	b.started("lone")
	other := "agent: {name: lone, role: Developer, model: demo/echo}"
	if _, err := b.Change("lone", Edit{Config: &other}); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove(t.Context(), "lone"); err != nil || len(b.kept.all) != 0 {
		t.Errorf("%v, kept %v", err, b.kept.all)
	}
	if left, err := os.ReadDir(filepath.Join(b.dir, "agents")); err != nil || len(left) != 0 {
		t.Errorf("%v, left %v", err, left)
	}
}

// TestAG4_NoAgentHasTheSecretsOfAnother, whoever keeps its config.
func TestAG4_NoAgentHasTheSecretsOfAnother(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	b.mu.Lock()
	environ := b.o.Environ
	b.o.Environ = func() []string { return append(environ(), "PEER_SECRET=peers-secret") }
	b.mu.Unlock()
	for _, config := range []string{fileConfig, "agent: {name: second, role: Developer, model: demo/echo}"} {
		if _, err := b.Add("", config, false); err != nil {
			t.Fatal(err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, want := range map[topology.AgentID]bool{"lone": true, "second": false} {
		_, c, err := b.config(b.all[id])
		if err != nil {
			t.Fatal(err)
		}
		if env, _ := b.environment(b.all[id], c); slices.Contains(env, "PEER_SECRET=peers-secret") != want {
			t.Errorf("%s has it: %v", id, !want)
		}
	}
}

// TestAG3_AnAgentMayHaveALongName in any script, and one that differs in its case alone has a
// config of its own.
func TestAG3_AnAgentMayHaveALongName(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	name := topology.AgentID(strings.Repeat("名", maxID/3))
	if _, err := b.Add("", "agent: {name: "+string(name)+", role: Developer, model: demo/echo}", false); err != nil {
		t.Fatal(err)
	}
	b.begun(name)
	if a := b.until(name, "running", func(a Agent) bool { return a.State == Running || a.State == Failed }); a.State != Running {
		t.Errorf("%+v", a)
	}
	if strings.EqualFold(b.file("dev"), b.file("Dev")) {
		t.Error("dev and Dev share a file")
	}
}

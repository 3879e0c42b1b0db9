package localagent

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/team/topology"
)

// TestAG4_WhatWasKeptIsForgottenWithItsAgent checks that no secret and no config file is left, even of a variable
// that the config no longer names or that the hub's environment also sets.
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

// TestAG4_NoAgentHasTheSecretsOfAnother, wherever its config comes from.
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
	for id, want := range map[topology.AgentID]bool{"lone": true, "second": false} {
		_, c, err := b.config(b.all[id].record)
		if err != nil {
			t.Fatal(err)
		}
		if env, _ := b.environment(id, c, "", b.records()); slices.Contains(env, "PEER_SECRET=peers-secret") != want {
			t.Errorf("%s has it: %v", id, !want)
		}
	}
}

// TestAG3_AnAgentMayHaveALongName checks names in any script; names that differ only in case have separate config
// files.
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

// TestAG3_ALockedKeyringHoldsUpNobody checks that a locked keyring blocks only calls that read it: the hub still
// knows its agents' secrets and can stop the agents.
func TestAG3_ALockedKeyringHoldsUpNobody(t *testing.T) {
	b := start(t, t.TempDir(), "works")
	for id, config := range map[topology.AgentID]string{"dev-1": "", "lone": fileConfig} {
		if _, err := b.Add(id, config, false); err != nil {
			t.Fatal(err)
		}
	}
	b.started("dev-1")
	b.mu.Lock()
	clear(b.all["lone"].has) // as after a start of the hub
	b.mu.Unlock()
	b.kept.asked, b.kept.answer = make(chan struct{}), make(chan struct{})
	listed := make(chan []Agent, 1)
	go func() { listed <- b.Agents() }()
	<-b.kept.asked
	placed, _ := b.team.Agent("dev-1")
	if secret, here := b.Secret(placed.SecretEnv); secret == "" || !here {
		t.Error("the agent's secret is unknown")
	}
	if a, err := b.Stop(t.Context(), "dev-1"); err != nil || a.State != Stopped {
		t.Errorf("%+v %v", a, err)
	}
	close(b.kept.answer)
	for {
		select {
		case <-b.kept.asked:
		case all := <-listed:
			if len(all) != 2 || len(all[1].Variables) != 3 {
				t.Errorf("%+v", all)
			}
			return
		}
	}
}

// TestAG3_Fault18_WhereAProcessDiedNobodyIs: the place is gone from the process's end until it listens again.
func TestAG3_Fault18_WhereAProcessDiedNobodyIs(t *testing.T) {
	b := start(t, t.TempDir(), "dies")
	b.stop()
	b.o.Backoff = time.Hour // no restart during this test
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	if _, err := b.Add("dev-1", "", false); err != nil {
		t.Fatal(err)
	}
	b.begun("dev-1")
	b.until("dev-1", "restarting", func(a Agent) bool { return a.State == Restarting })
	if at, is := b.team.Place("dev-1"); !is || !at.Gone {
		t.Errorf("%+v %v", at, is)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if at, is := b.team.Place("dev-1"); is {
		t.Errorf("%+v", at)
	}
}

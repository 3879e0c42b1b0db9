package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
)

// agentflow runs one command in this process and demands its exit code.
func agentflow(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(t.Context(), args, Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil); code != want {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, code, want, &out, &errs)
	}
	return out.String()
}

// change replaces a text that must be in the file.
func change(t *testing.T, path, old, with string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not hold %q:\n%s", path, old, data)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, with, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// GW-2, GW-3, GW-10, APP-3: read, add an agent, apply, compare, talk, go back; on real
// OpenClaw gateways of both generations.
func TestGW10_CommandsOnRealGateways(t *testing.T) {
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			real := gatewaytest.StartReal(t, version)
			dir := t.TempDir()
			t.Setenv("AGENTFLOW_DATA", filepath.Join(dir, "data"))
			t.Setenv("AGENTFLOW_GATEWAY_URL", real.URL)
			t.Setenv("AGENTFLOW_GATEWAY_TOKEN", real.Token)
			team := filepath.Join(dir, "team.agentflow.yaml")
			agentflow(t, 0, "gateway", "get", "-o", team)
			agentflow(t, 0, "gateway", "diff", team)
			const added = "agents:\n  - id: new-dev\n    name: New developer\n    role: Developer\n"
			change(t, team, "agents:\n", added)
			agentflow(t, 1, "gateway", "diff", team)
			agentflow(t, 2, "gateway", "apply", team)
			var applied struct {
				Verified bool
				Snapshot string
			}
			text := agentflow(t, 0, "gateway", "apply", team, "--yes", "--note", "a test", "--json")
			if err := json.Unmarshal([]byte(text), &applied); err != nil || !applied.Verified || applied.Snapshot == "" {
				t.Fatalf("%v: %s", err, text)
			}
			agentflow(t, 0, "gateway", "diff", team)
			if got := agentflow(t, 0, "gateway", "get"); !strings.Contains(got, "new-dev") {
				t.Fatalf("read back:\n%s", got)
			}
			if got := agentflow(t, 0, "gateway", "send", "agent:new-dev:main", "hello", "--wait"); !strings.Contains(got, "hello") {
				t.Fatalf("the agent said %q", got)
			}
			agentflow(t, 2, "gateway", "rollback", "--to", applied.Snapshot, "--yes")
			agentflow(t, 0, "gateway", "rollback", "--to", applied.Snapshot, "--yes", "--delete-agents")
			if got := agentflow(t, 0, "gateway", "get"); strings.Contains(got, "new-dev") {
				t.Fatalf("after the rollback:\n%s", got)
			}
			if version == gatewaytest.RealVersions[0] {
				bringsBack(t, applied.Snapshot, filepath.Join(dir, "again.agentflow.yaml"), added)
			}
		})
	}
}

// bringsBack: an agent that was talked to and deleted comes back by a rollback, and then by an apply. It answers each
// time. OpenClaw 2026.9.6 would end if it got the config without having created the agent before.
func bringsBack(t *testing.T, without, team, added string) {
	t.Helper()
	says := func(text string) {
		t.Helper()
		got := agentflow(t, 0, "gateway", "send", "agent:new-dev:main", text, "--wait")
		if !strings.Contains(got, text) {
			t.Fatalf("the agent said %q", got)
		}
	}
	agentflow(t, 0, "gateway", "rollback", "--yes")
	says("are you back")
	agentflow(t, 0, "gateway", "rollback", "--to", without, "--yes", "--delete-agents")
	agentflow(t, 0, "gateway", "get", "-o", team)
	change(t, team, "agents:\n", added)
	agentflow(t, 0, "gateway", "apply", team, "--yes")
	says("and again")
}

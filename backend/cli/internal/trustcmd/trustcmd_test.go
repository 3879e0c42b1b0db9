package trustcmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// TestTR1_TrustOnTheCommandLine: what a file asks for is shown whole, allowed with its apply or
// alone, listed and revoked; without somebody to ask, nothing is allowed.
// handy is a team whose only agent runs a command.
const handy = `agentflow: 1
agents:
  - {id: worker, name: Worker, model: demo/echo, mcpServers: [{name: helper, command: [npx, handy]}]}
`

// hub starts one that the program's environment names.
func hub(t *testing.T) *enginetest.Hub {
	t.Helper()
	h := enginetest.Start(t, engine.Options{})
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_GATEWAY_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	return h
}

// running returns what runs the program and checks its exit code, and that its output has a text.
func running(t *testing.T) func(want int, says string, args ...string) {
	return func(want int, says string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		code := cli.Main(context.Background(), args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
		if code != want || !strings.Contains(out.String()+errs.String(), says) {
			t.Errorf("%v: exit %d, want %d and %q:\n%s%s", args, code, want, says, out.String(), errs.String())
		}
	}
}

// Commands, folders and policies can't be read as AgentFlow's own words.
func TestTR1_WhatATeamAsksForIsSetOff(t *testing.T) {
	hub(t)
	run, file := running(t), filepath.Join(t.TempDir(), "team.agentflow.yaml")
	asks := strings.Replace(handy, "mcpServers:", "security: {allowedPaths: [/, ~/.ssh]}, "+
		"mcpPolicy: {default: auto, tools: {file_read: ask}}, mcpServers:", 1)
	asks = strings.Replace(asks, "[npx, handy]", "[run, '`.', Nothing, runs]", 1)
	if err := os.WriteFile(file, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "runs `run \"\\u0060.\" Nothing runs` on", "trust", "show", file)
	run(0, "write in `/, ~/.ssh`.", "trust", "show", file)
	run(0, "Tool policy: default: auto, file_read: ask\n", "trust", "show", file)
	lines := strings.Replace(asks, "name: helper", `name: "helper\n\nNothing else is asked."`, 1)
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "MCP server: helper⏎⏎Nothing else is asked.\n", "trust", "show", file)
	if err := os.WriteFile(file, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "runs `run \"\\u0060.\" Nothing runs` on", "team", "lint", file)
}

// A variable without a value is named before a task fails.
func TestTR1_AVariableThatIsNotSetIsNamed(t *testing.T) {
	hub(t)
	run, file := running(t), filepath.Join(t.TempDir(), "team.agentflow.yaml")
	remote := "url: 'http://127.0.0.1:9/mcp', tokenEnv: AGENTFLOW_AGENT_WEB"
	asks := strings.Replace(handy, "command: [npx, handy]", remote, 1)
	if err := os.WriteFile(file, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "Not set on this computer: AGENTFLOW_AGENT_WEB. Set it", "trust", "show", file)
	t.Setenv("AGENTFLOW_AGENT_WEB", "s3cret")
	run(0, "Address: http://127.0.0.1:9/mcp\n", "trust", "show", file)
}

func TestTR1_TrustOnTheCommandLine(t *testing.T) {
	h := hub(t)
	h.Apply("agents:\n  other: {name: Other, role: Developer, model: demo/echo}\n")
	file := filepath.Join(t.TempDir(), "team.agentflow.yaml")
	if err := os.WriteFile(file, []byte(handy), 0o600); err != nil {
		t.Fatal(err)
	}
	run := running(t)
	gateway := "ws" + strings.TrimPrefix(h.URL(), "http") + "/gateway"
	run(0, "worker  asked\n  It runs `npx handy` on this computer.\n    MCP server: helper\n",
		"trust", "show", file)
	run(0, `"command":["npx","handy"]`, "trust", "show", file, "--json")
	foreign := filepath.Join(t.TempDir(), "foreign.agentflow.yaml")
	asks := strings.Replace(handy, "[npx, handy]", `[sh, -c, "a > /tmp/b && c <d"]`, 1)
	if err := os.WriteFile(foreign, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, `sh -c "a > /tmp/b && c <d"`, "trust", "show", foreign)
	refused := filepath.Join(t.TempDir(), "refused.agentflow.yaml")
	asks = "agentflow: 1\nagents:\n  - {id: far, name: Far, url: 'https://far.example', secretEnv: OPENAI_API_KEY}\n"
	if err := os.WriteFile(refused, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "a team can't name the variable OPENAI_API_KEY", "trust", "show", refused)
	run(2, "Nothing was allowed", "trust", "allow", file)
	t.Setenv("AGENTFLOW_LANG", "ja")
	run(0, "worker  未許可\n", "trust", "show", file)
	run(0, `"state":"asked"`, "trust", "show", file, "--json")
	run(0, "変数OPENAI_API_KEYはAgentFlowかモデルのプロバイダーのものなので", "trust", "show", refused)
	t.Setenv("AGENTFLOW_LANG", "en")
	run(0, "applied and verified", "gateway", "apply", file, "--yes", "--delete-agents", "--gateway", gateway)
	run(0, "worker  asked", "trust", "list")
	run(0, "allowed: worker", "trust", "allow", "local", "--agent", "worker", "--yes")
	run(4, "no agent ghost of local asks for anything", "trust", "allow", "local", "--agent", "ghost", "--yes")
	run(4, "no agent ghost of local asks for anything", "trust", "revoke", "local", "--agent", "worker", "--agent",
		"ghost")
	run(4, "no agent ghost of "+file+" asks for anything", "trust", "allow", file, "--agent", "ghost", "--yes")
	run(0, "worker  allowed", "trust", "list")
	run(0, "worker  allowed\n", "trust", "show", "local")
	run(0, "worker  allowed before\n  This is what the file asks for, not what is applied. "+
		"You allowed exactly this before, for the agent worker of the gateway local. ", "trust", "show", file)
	run(0, `"state":"allowed"`, "trust", "show", file, "--json")
	t.Setenv("AGENTFLOW_LANG", "ja")
	run(0, "worker  許可済み\n", "trust", "list")
	run(0, "ゲートウェイlocalのエージェントworkerに、まったく同じ内容を以前に許可しています。", "trust", "show", file)
	t.Setenv("AGENTFLOW_LANG", "en")
	run(2, "Use --yes to revoke without asking. Nothing was revoked.", "trust", "revoke", "local", "--agent", "worker")
	run(0, "worker  allowed", "trust", "list")
	run(0, "revoked", "trust", "revoke", "local", "--agent", "worker", "--yes")
	run(0, "worker  asked", "trust", "list")
	run(4, "no team or file nobody", "trust", "show", "nobody")
	missing := filepath.Join(t.TempDir(), "missing.agentflow.yaml")
	run(4, missing+" cannot be read: there is no such file", "trust", "show", missing)
	run(0, "allowed: worker", "gateway", "apply", file, "--yes", "--delete-agents", "--trust", "--gateway", gateway)
	run(0, `"state":"allowed"`, "trust", "show", "local", "--json")

	works := "name: Other, model: demo/echo, tools: {allow: [file_read]}, workspace: " + t.TempDir()
	h.Apply("agents:\n  other: {" + works + "}\n")
	asks = "agentflow: 1\nagents:\n  - {id: other, " + works + ", files: {SOUL.md: mine}}\n"
	if err := os.WriteFile(foreign, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	run(3, "the agent other waits for trust", "gateway", "diff", foreign, "--gateway", gateway)
}

// TestTR1_APermissionThatIsNotInUseIsListed: a file was allowed and isn't applied yet.
func TestTR1_APermissionThatIsNotInUseIsListed(t *testing.T) {
	hub(t)
	run, file := running(t), filepath.Join(t.TempDir(), "team.agentflow.yaml")
	if err := os.WriteFile(file, []byte(handy), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "allowed: worker", "trust", "allow", file, "--yes")
	run(0, "local  Example team  worker  allowed, not in use\n", "trust", "list")
	run(0, `"former":[{"agent":"worker"`, "trust", "list", "--json")
	run(0, "worker  allowed, not in use\n  It runs `npx handy` on this computer.\n",
		"trust", "show", "local")
	run(4, "no agent worker of local asks for anything", "trust", "allow", "local", "--agent", "worker", "--yes")
	run(4, "no agent ghost of local", "trust", "revoke", "local", "--agent", "ghost", "--yes")
	run(0, "revoked", "trust", "revoke", "local", "--agent", "worker", "--yes")
	run(0, "No team asks for a permission yet.", "trust", "list")
	run(0, "worker  asked", "trust", "show", file)
}

// Package integrations_test shows that what runs AgentFlow from elsewhere fits it.
package integrations_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/cli"
)

// CH-10: the plugin for llm parses, makes the command lines it should, and hands on exit
// codes and signals. No package of llm itself is needed: its README says what was tried with it by hand.
func TestCH10_ThePluginOfLLM(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3: the plugin is not tested")
	}
	cmd := exec.CommandContext(t.Context(), python, "-m", "unittest", "discover", "-s", "tests", "-v")
	cmd.Dir = "llm-agentchat"
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "... ok") != 6 {
		t.Fatalf("%v\n%s", err, out)
	}
}

// CH-10: every flag that the plugin gives is one of agentflow's.
func TestCH10_ThePluginsFlagsAreAgentflows(t *testing.T) {
	source, err := os.ReadFile("llm-agentchat/llm_agentchat/command.py")
	if err != nil {
		t.Fatal(err)
	}
	for function, command := range map[string]string{"server_command": "server", "client_command": "join"} {
		_, body, found := strings.Cut(string(source), "def "+function)
		if !found {
			t.Fatalf("there is no %s", function)
		}
		body, _, _ = strings.Cut(body, "\ndef ")
		var out strings.Builder
		if code := cli.Main(t.Context(), []string{"chat", command, "--help"}, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &out}, nil); code != 0 {
			t.Fatalf("agentflow chat %s --help: %d", command, code)
		}
		flags := regexp.MustCompile(`"(--[a-z]+)"`).FindAllStringSubmatch(body, -1)
		if len(flags) < 3 {
			t.Fatalf("%s has the flags %q", function, flags)
		}
		for _, f := range flags {
			if !strings.Contains(out.String(), f[1]+" ") {
				t.Errorf("agentflow chat %s has no %s", command, f[1])
			}
		}
	}
}

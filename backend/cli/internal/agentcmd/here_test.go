package agentcmd_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

const asAgents = "AGENTFLOW_TEST_AS_PROGRAM" // TestMain's: what the hub starts is the program

// TestAG3_CO3_TheHubRunsAgents: an agent of the applied team is started by the command line as
// a process of the hub's, does a task, is listed with what it used, and is stopped. It is the
// real program each time, over TLS.
func TestAG3_CO3_TheHubRunsAgents(t *testing.T) {
	t.Setenv(asAgents, "1")
	h := &hub{enginetest.Start(t, engine.Options{TLSSelfSigned: true}), t}
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	t.Setenv("AGENTFLOW_FINGERPRINT", h.Exposed().Fingerprint())
	h.Apply("agents:\n  dev-1: {name: Dev, role: Developer, model: demo/echo}\n")
	if code, _, errs := run(t, "agent", "start", "nobody"); code != 4 || !strings.Contains(errs, "Apply the team first") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, flag := range []string{"--port=8001", "--tls-self-signed"} { // what could not be honoured is refused
		if code, _, errs := run(t, "agent", "start", "dev-1", flag); code != 2 || !strings.Contains(errs, "Remove --port") {
			t.Errorf("%s: exit %d: %s", flag, code, errs)
		}
	}
	code, out, errs := run(t, "agent", "start", "dev-1")
	if code != 0 || !strings.Contains(out, "dev-1  running  https://127.0.0.1:") && !strings.Contains(out, "dev-1  running  http://127.0.0.1:") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := run(t, "task", "submit", "--wait", "--agent", "dev-1", "Tell me about queues"); code != 0 || !strings.Contains(out, "Tell me about queues") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	var list struct {
		Agents []struct {
			ID, State string
			Use       struct{ Tasks, Failed int }
		}
	}
	until(t, "the task to be counted", func() bool {
		code, out, errs := run(t, "agent", "list", "--json")
		if code != 0 || json.Unmarshal([]byte(out), &list) != nil || len(list.Agents) != 1 {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		return list.Agents[0].Use.Tasks == 1 && list.Agents[0].Use.Failed == 0
	})
	if code, out, _ := run(t, "agent", "logs", "dev-1", "--search", "LISTENS"); code != 0 || !strings.Contains(out, "it listens on ") || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d: %s", code, out)
	}
	t.Setenv("AGENTFLOW_LANG", "ja")
	if code, out, _ := run(t, "agent", "logs", "dev-1", "--search", "LISTENS"); code != 0 || !strings.Contains(out, "で待ち受けています") {
		t.Errorf("exit %d: %s", code, out)
	}
	t.Setenv("AGENTFLOW_LANG", "en")
	if code, out, _ := run(t, "agent", "logs", "dev-1", "--json"); code != 0 || !strings.Contains(out, `"outcome\":\"OK\"`) || strings.Contains(out, "queues") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := run(t, "agent", "restart", "dev-1"); code != 0 || !strings.Contains(out, "dev-1  starting") && !strings.Contains(out, "dev-1  running") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := run(t, "agent", "stop", "dev-1"); code != 0 || !strings.Contains(out, "dev-1  stopped") {
		t.Errorf("exit %d: %s", code, out)
	}
	// The hub itself is the agent again.
	if code, out, errs := run(t, "task", "submit", "--wait", "--agent", "dev-1", "Tell me about stacks"); code != 0 || !strings.Contains(out, "stacks") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := run(t, "agent", "remove", "dev-1"); code != 2 || !strings.Contains(errs, "--yes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := run(t, "agent", "remove", "dev-1", "--yes"); code != 0 {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, _ := run(t, "agent", "stop", "dev-1"); code != 4 {
		t.Errorf("exit %d", code)
	}
}

// TestAG4_AnAgentOfAFileRunsAtTheHub: the hub is the Coordinator that its config names, other
// callers' secrets have to be set, and what is missing is said.
func TestAG4_AnAgentOfAFileRunsAtTheHub(t *testing.T) {
	t.Setenv(asAgents, "1")
	h := &hub{enginetest.Start(t, engine.Options{}), t}
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	h.Apply("agents:\n  far-1: {name: Far, role: Developer}\n")
	file := write(t, "agent-config.yaml", config+"  - {name: peer, role: Reviewer, secretEnv: PEER_SECRET}\n")
	if code, out, errs := run(t, "agent", "add", "--config", file, "--autostart"); code != 0 || !strings.Contains(out, "PEER_SECRET is not set") || strings.Contains(out, "HUB_SECRET") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := run(t, "agent", "start", "far-1"); code != 1 || !strings.Contains(out, "far-1  failed") || !strings.Contains(out, "PEER_SECRET") {
		t.Errorf("exit %d: %s", code, out)
	}
	var kept struct{ Variables []struct{ Name, From string } }
	if code := ask(t, http.MethodPut, h.URL()+"/api/local-agents/far-1/variables", h.Token(), map[string]string{"name": "PEER_SECRET", "value": "the-peers-own"}, &kept); code != http.StatusOK || kept.Variables[1].From != "kept" {
		t.Fatal(code, kept)
	}
	if code, out, errs := run(t, "agent", "start", "far-1"); code != 0 || !strings.Contains(out, "far-1  running") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	// The applied team's agent has no model; the process has one.
	if code, out, errs := run(t, "task", "submit", "--wait", "--agent", "far-1", "Tell me about queues"); code != 0 || !strings.Contains(out, "queues") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	h.Stop() // ends the agent with it
}

// An error in the config that was given names that file.
func TestAG4_AnErrorNamesTheGivenConfig(t *testing.T) {
	h := enginetest.Start(t, engine.Options{})
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	file := write(t, "acbad.yaml", "agent:\n  name: far-1\n  rule: Developer\n")
	if code, _, errs := run(t, "agent", "add", "--config", file); code != 2 || !strings.Contains(errs, file+":3: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

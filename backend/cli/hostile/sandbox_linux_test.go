package hostile

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/runnertest"
)

const homesSecret = "what-the-person-keeps-at-home-0123456789" //nolint:gosec // of nobody

// held is a world in which commands are held in the sandbox, with the owner's token in the data
// folder and a key at home.
func held(t *testing.T, conf string) *world {
	t.Helper()
	if here := sandbox.Here(); here.Name == "" {
		t.Skipf("NOT RUN: %s", here.Why)
	}
	w := newWorld(t)
	for path, text := range map[string]string{
		filepath.Join(w.data, "token"): ownersToken, filepath.Join(w.data, "agentflow.yaml"): conf, w.key(): homesSecret,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.run()
	return w
}

func (w *world) key() string { return filepath.Join(w.home, ".ssh", "id_ed25519") }

// steals is a command that reads what is the owner's, and says that it ran.
func (w *world) steals() string {
	return fmt.Sprintf("cat %[1]s/token; cat %[2]s; env; cat /proc/%[3]d/environ; ls -A %[1]s; echo it ran",
		w.data, w.key(), w.hub.Process.Pid)
}

// kept asserts that a command ran, and told nothing of what is the owner's. What it was given is not.
func (w *world) kept(said, given string) {
	w.t.Helper()
	if !strings.Contains(said, "it ran") {
		w.t.Errorf("it didn't run: %s", said)
	}
	for what, secret := range map[string]string{
		"the owner's token": ownersToken, "the key at home": homesSecret, "a list of the data folder": "agentflow.db",
		"the provider's key": providersKey, "an agent's secret": agentsSecret,
	} {
		if secret != given && strings.Contains(said, secret) {
			w.t.Errorf("it told %s: %s", what, said)
		}
	}
}

// TestTR3_TheHubHoldsCommandsOfTasks: the command of a task runs in the sandbox, within the hub and
// in a local process.
func TestTR3_TheHubHoldsCommandsOfTasks(t *testing.T) {
	t.Parallel()
	w := held(t, "")
	w.config(w.fill(asking))
	w.trust()
	work := func() {
		t.Helper()
		id := w.submit(suspect, "command_execution", w.steals())
		w.agree()
		_, said := w.over(id)
		w.kept(said, "")
	}
	work()
	if err := w.begin(suspect, false); err != nil {
		t.Fatal(err)
	}
	w.until("the process", func() bool { state, _ := w.local(suspect); return state == "running" })
	work()
}

// speaks is a model that uses the shell when it is given one, and says what it was told.
func speaks(t *testing.T, command func() string) string {
	t.Helper()
	rest := codeclitest.Serve(t, runnertest.Steps().Answer)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"shell_exec"`) || codeclitest.Called(string(body)) {
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			rest.ServeHTTP(w, r)
			return
		}
		arguments, _ := json.Marshal(map[string]string{"command": command()})
		call, _ := json.Marshal([]any{map[string]any{"index": 0, "id": "call-1", "type": "function",
			"function": map[string]any{"name": "shell_exec", "arguments": string(arguments)}}})
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":%s}}]}\n\n", call)
		_, _ = io.WriteString(
			w,
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
		)
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return "providers:\n  - {name: stub, kind: openai, baseUrl: \"" + s.URL + "/v1\"}\ndefaultProvider: stub\n"
}

// TestTR3_TheHubHoldsCommandsInRooms: an agent of a room uses its shell in the sandbox.
func TestTR3_TheHubHoldsCommandsInRooms(t *testing.T) {
	t.Parallel()
	var w *world
	w = held(t, speaks(t, func() string { return w.steals() }))
	var made struct{ ID string }
	agent := map[string]any{
		"id": "ann", "name": "Ann", "model": "stub/stub-1", "workspace": w.marks,
		"tools": map[string]any{"allow": []string{"shell_exec"}},
	}
	team := map[string]any{"agents": []any{agent}}
	w.must(http.MethodPost, "/api/teams", map[string]any{"name": "Team", "topology": team}, &made)
	enginetest.Trust(t, w.c, made.ID)
	room := map[string]any{"name": "dev", "team": made.ID, "agents": []string{"ann"}}
	w.must(http.MethodPost, "/api/rooms", room, nil)
	w.until("Ann to be there", func() bool {
		var said json.RawMessage
		w.must(http.MethodGet, "/api/agents?room=dev", nil, &said)
		return strings.Contains(string(said), `"Ann"`) && !strings.Contains(string(said), `"offline"`)
	})
	words := map[string]any{"room": "dev", "sender": "human", "message": "run it"}
	w.must(http.MethodPost, "/api/message", words, nil)
	w.agree()
	told := ""
	w.until("what the tool told", func() bool {
		var said struct{ Messages []struct{ Message string } }
		w.must(http.MethodGet, "/api/messages?room=dev", nil, &said)
		for _, m := range said.Messages {
			if strings.Contains(m.Message, "shell_exec") {
				told = m.Message
			}
		}
		return told != ""
	})
	w.kept(told[strings.LastIndex(told, "stdout"):], "") // the command stands before it
}

// TestTR3_TheHubHoldsPlans: a plan's worker and its test command run in the sandbox.
func TestTR3_TheHubHoldsPlans(t *testing.T) {
	t.Parallel()
	w := held(t, speaks(t, nil))
	repo, cli := runnertest.Repo(t), t.TempDir()
	runnertest.CLI(t, cli, "#!/bin/sh\n{ "+w.steals()+"; } > one.txt 2>&1\necho '{\"type\":\"turn.completed\"}'\n")
	var made struct {
		ID   string
		Head int
	}
	w.must(http.MethodPost, "/api/plans", map[string]any{"name": "Files"}, &made)
	step := map[string]any{
		"op": "create", "temp_id": "one", "title": "one", "description": "MAKE one.txt", "phase_name": "build",
		"acceptance_criteria": []string{"one.txt is there"},
	}
	change := map[string]any{"version": made.Head, "operations": []any{step}}
	w.must(http.MethodPost, "/api/plans/"+made.ID+"/edit", change, nil)
	test := fmt.Sprintf("cat %[1]s/token && exit 41; cat %[2]s && exit 42; cat %[1]s/agentflow.db > db && exit 43; "+
		"cat /proc/%[3]d/environ && exit 44; test -s one.txt", w.data, w.key(), w.hub.Process.Pid)
	w.must(http.MethodPost, "/api/plans/"+made.ID+"/run", map[string]any{
		"folder": repo, "worker": "codex-cli", "command": filepath.Join(cli, "codex"), "test": test, "parallel": 1,
	}, nil)
	var state string
	w.until("the plan's end", func() bool {
		var whole json.RawMessage
		w.must(http.MethodGet, "/api/plans/"+made.ID, nil, &whole)
		state = string(whole)
		return strings.Contains(state, `"state":"ended"`) || strings.Contains(state, `"state":"paused"`)
	})
	if !strings.Contains(state, `test: exit code 0\n`) { // it ran, and read none of them
		t.Errorf("the test command: %s", state)
	}
	w.kept(runnertest.Read(filepath.Join(repo, "one.txt")), providersKey) // its own model's
}

package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/spf13/cobra"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/runnertest"
)

// unrecorded are the commands that have no recording, with the reason.
var unrecorded = map[string]string{
	"agentflow":     "it is serve --open at the default address, or the window",
	"agentflow mcp": "its standard output belongs to MCP",
}

// Every command that can be run has a recording of what it writes with --json.
func TestAPP3_EveryCommandHasAJSONRecording(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		_, err := os.Stat(fileOf(c.CommandPath()))
		if runs := c.Runnable() && !isGroup(c); runs && unrecorded[c.CommandPath()] == "" && err != nil {
			t.Errorf("%s has no recording: add it to jsonscenes_linux_test.go, then %s",
				c.CommandPath(), updateRecordings)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(commandTree())
}

// isGroup reports whether a command does nothing but list its subcommands.
func isGroup(c *cobra.Command) bool {
	return c.HasSubCommands() && c.CommandPath() != "agentflow" && c.CommandPath() != "agentflow login"
}

// APP-3: what every command writes with --json is as recorded, byte for byte but for IDs, times, ports and paths.
func TestAPP3_JSONRecordings(t *testing.T) {
	r := newRecorder(t)
	r.files()
	r.plans()
	r.hub()
	for path, out := range r.outputs {
		file, got := fileOf(path), strings.TrimSuffix(out.String(), "\n")
		if *update {
			if err := os.MkdirAll(recordings, 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != got {
			t.Errorf("%s writes something else than %s (%v). If that is meant: %s\ngot:\n%s\nwant:\n%s",
				path, file, err, updateRecordings, got, want)
		}
	}
}

// smallTeam is a team of three agents.
const smallTeam = `agentflow: 1
name: Small
agents:
  - id: boss
    name: Boss
    role: Coordinator
    model: demo/echo
    connections:
      - {targetId: writer, type: command}
      - {targetId: far, type: command}
  - id: writer
    name: Writer
    role: Developer
    model: demo/echo
  - id: far
    name: Far
    role: Developer
    url: "http://192.0.2.1:1"
    secretEnv: AGENTFLOW_AGENT_MISSING
`

// files are the commands that need neither a hub nor a model.
func (r *recorder) files() {
	r.write("team.agentflow.yaml", smallTeam)
	r.write("renamed.agentflow.yaml", strings.Replace(smallTeam, "name: Writer", "name: Author", 1))
	r.write("other.agentflow.yaml", strings.Replace(smallTeam, "name: Writer", "name: Poet", 1))
	r.write("bad.agentflow.yaml", "agentflow: 1\nagents:\n  - {id: a, id: b}\n")
	r.write("agentflow.yaml", "")
	r.run(0, "topology", "new", "-o", "new.agentflow.yaml", "--template", "pair")
	r.run(0, "topology", "validate", "team.agentflow.yaml")
	r.run(2, "topology", "validate", "bad.agentflow.yaml")
	r.run(0, "topology", "lint", "team.agentflow.yaml")
	r.run(0, "topology", "diff", "team.agentflow.yaml", "team.agentflow.yaml")
	r.run(1, "topology", "diff", "team.agentflow.yaml", "renamed.agentflow.yaml")
	r.run(0, "topology", "merge", "team.agentflow.yaml", "renamed.agentflow.yaml", "team.agentflow.yaml",
		"-o", "merged.agentflow.yaml")
	r.run(5, "topology", "merge", "team.agentflow.yaml", "renamed.agentflow.yaml", "other.agentflow.yaml")
	r.run(0, "topology", "layout", "renamed.agentflow.yaml")
	r.run(0, "topology", "convert", "team.agentflow.yaml", "--to", "openclaw-list")
	r.run(0, "topology", "convert", "team.agentflow.yaml", "--to", "bundle", "-o", "team.agentflow.zip")
	r.environment()
}

// environment are the commands whose output is about this computer: what differs between computers is left out.
func (r *recorder) environment() {
	path := r.env["PATH"]
	r.env["PATH"] = filepath.Join(r.dir, "bin")
	defer func() { r.env["PATH"] = path }()
	for name, args := range map[string][]string{
		"version": {"version"}, "doctor": {"doctor"}, "completion": {"completion", "bash"},
	} {
		cmd := r.command(args...)
		out, err := cmd.Output()
		code := 0
		if err != nil {
			code = exitCode(err)
		}
		for _, v := range []struct{ pattern, with string }{
			{`"(version|commit|built|go|platform|revision|date|os|arch)":"[^"]*"`, `"$1":"<$1>"`},
			{`"script":"(?:[^"\\]|\\.)*"`, `"script":"<script>"`},
			{
				`"status":"\w+","message":"(?:[^"\\]|\\.)*"(,"remedy":"(?:[^"\\]|\\.)*")?`,
				`"status":"<status>","message":"<message>"`,
			},
			{`"ok":(true|false),"checks"`, `"ok":<ok>,"checks"`},
		} {
			out = regexp.MustCompile(v.pattern).ReplaceAll(out, []byte(v.with))
		}
		text := string(out)
		if name == "doctor" {
			code = 0 // what a computer lacks differs
		}
		r.recordAs(args, text, code)
	}
}

// recordAs records an output that isn't JSON once it has placeholders.
func (r *recorder) recordAs(args []string, text string, code int) {
	r.t.Helper()
	cmd, _, err := commandTree().Find(args)
	if err != nil {
		r.t.Fatal(err)
	}
	b := new(strings.Builder)
	_, _ = fmt.Fprintf(b, "$ agentflow %s\n%sexit %d\n\n", strings.Join(args, " "), r.plain(text), code)
	r.outputs[cmd.CommandPath()] = b
}

// plans are the commands of plans and coding tasks, with a planner and a coding CLI that play their parts.
func (r *recorder) plans() {
	t := r.t
	planner := runnertest.Steps()
	planner.Criterion = "one.txt is there" // of a task without one
	steps := codeclitest.Serve(t, planner.Answer)
	r.env["OPENAI_BASE_URL"], r.env["OPENAI_API_KEY"] = steps.URL, "sk-test"
	defer func() { delete(r.env, "OPENAI_BASE_URL"); delete(r.env, "OPENAI_API_KEY") }()
	r.write("settings.yaml", "providers: [{name: stub, kind: openai, baseUrl: '"+steps.URL+"'}]\n")
	r.env["AGENTFLOW_CONFIG"] = filepath.Join(r.dir, "settings.yaml")
	r.run(0, "models")
	delete(r.env, "AGENTFLOW_CONFIG")
	r.write("empty.json", `{"version":1,"root_node_id":"node-root","tasks":[],
 "node_index":[{"node_id":"node-root","parent_id":"","children":[]}]}`)
	r.write("patch.json", `{"type":"plan_patch","version":1,"payload":{"understanding":"","operations":[
 {"op":"create","temp_id":"temp-1","parent_id":"node-root","title":"A","description":""}]}}`)
	for _, more := range [][]string{nil, {"--show-prompt"}, {"--apply", "-o", "plan.json"}} {
		args := []string{"plan", "decompose", "--plan", "empty.json", "--goal", "two files", "--model", "stub-1"}
		r.run(0, append(args, more...)...)
	}
	r.run(0, "plan", "show", "plan.json")
	r.run(0, "plan", "export", "plan.json", "--to", "mermaid")
	r.run(0, "plan", "patch", "--plan", "empty.json", "patch.json", "-o", "patched.json")
	command := runnertest.Stepping(t, t.TempDir())
	yaml := func() string {
		return runnertest.TaskYAML{Repo: runnertest.Repo(t), URL: steps.URL, Command: command, Title: "all", PRD: "all",
			Test: "test -s one.txt", MaxLoops: 1, Key: "k"}.String()
	}
	r.write("task.yaml", yaml())
	r.run(0, "plan", "run", "plan.json", "--task", "task.yaml", "--parallel", "1", "--yes")
	r.write("task.yaml", yaml())
	r.run(0, "run", "task.yaml")
}

// hub are the commands that speak with a hub, which is recorded as well.
func (r *recorder) hub() {
	t := r.t
	serve := r.start(1, "serve", "--listen", "127.0.0.1:0")
	r.env["AGENTFLOW_URL"] = r.hubURL()
	gateway := "ws" + strings.TrimPrefix(r.env["AGENTFLOW_URL"], "http") + "/gateway"
	token, err := os.ReadFile(filepath.Join(r.dir, "data", "token"))
	if err != nil {
		t.Fatal(err)
	}
	r.env["AGENTFLOW_GATEWAY_TOKEN"] = strings.TrimSpace(string(token))
	r.gateways(gateway)
	r.tasks()
	r.agents()
	r.rooms()
	r.inbox()
	r.access()
	serve.stop(t)
	r.env["AGENTFLOW_DATA"] = filepath.Join(r.dir, "rooms")
	r.start(1, "chat", "server", "--listen", "127.0.0.1:0").stop(t)
}

// hubURL is where the hub of the data folder listens, as it noted it for commands.
func (r *recorder) hubURL() string {
	r.t.Helper()
	var found string
	_ = filepath.WalkDir(filepath.Join(r.dir, "data"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := os.ReadFile(path)
			if m := regexp.MustCompile(`^http://127\.0\.0\.1:\d+\s*$`).Find(data); m != nil {
				found = strings.TrimSpace(string(m))
			}
		}
		return nil
	})
	if found == "" {
		r.t.Fatal("the hub noted no URL")
	}
	return found
}

func (r *recorder) gateways(at string) {
	to := []string{"--gateway", at}
	run := func(code int, args ...string) { r.t.Helper(); r.run(code, append(args, to...)...) }
	run(0, "gateway", "get")
	run(1, "gateway", "diff", "team.agentflow.yaml")
	r.run(0, "trust", "show", "team.agentflow.yaml")
	run(0, "gateway", "apply", "team.agentflow.yaml", "--yes", "--delete-agents", "--note", "first")
	run(0, "gateway", "diff", "team.agentflow.yaml")
	r.write("renamed.agentflow.yaml", strings.Replace(r.read("team.agentflow.yaml"), "name: Writer", "name: Author", 1))
	run(0, "gateway", "apply", "renamed.agentflow.yaml", "--yes")
	run(0, "gateway", "rollback", "--list")
	run(0, "gateway", "rollback", "--yes")
	watch := r.start(1, append([]string{"gateway", "watch"}, to...)...)
	run(0, "gateway", "send", "agent:writer:main", "Hello", "--wait", "--idempotency-key", "k")
	watch.stop(r.t)
	run(0, "gateway", "sessions")
	run(0, "gateway", "history", "agent:writer:main")
	r.run(0, "trust", "list")
}

// inbox are the commands about what an agent asks that has its seat in a room.
func (r *recorder) inbox() {
	c, err := hubclient.New(r.env["AGENTFLOW_URL"], r.env["AGENTFLOW_GATEWAY_TOKEN"])
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	where := c.WebSocketURL("/ws", url.Values{"room": {"desk"}, "sender": {"Boss"}, "agent": {"boss-1"}})
	conn, _, err := websocket.DefaultDialer.DialContext(r.t.Context(), where, c.Header())
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	// The agent takes its seat a moment after the connection is open, and hears of itself then.
	if _, _, err := conn.ReadMessage(); err != nil {
		r.t.Fatal(err)
	}
	ask := func(key string, more map[string]any) string {
		r.t.Helper()
		body := map[string]any{"key": key, "room": "desk", "agent": "Boss"}
		maps.Copy(body, more)
		var out struct{ ID string }
		if err := c.Call(r.t.Context(), http.MethodPost, "/api/inbox/questions", body, &out); err != nil {
			r.t.Fatal(err)
		}
		return out.ID
	}
	r.run(0, "inbox", "list")
	tool := map[string]any{"tool": "shell_exec", "arguments": map[string]any{"command": "make"}}
	id := ask("one", tool)
	r.run(0, "inbox", "list")
	r.run(0, "inbox", "show", id)
	r.run(2, "inbox", "allow", id)
	r.run(0, "inbox", "allow", id, "--yes")
	r.run(5, "inbox", "allow", id, "--yes")
	r.run(0, "inbox", "deny", ask("two", tool), "--word", "Not today.")
	id = ask("three", map[string]any{"text": "Which port?"})
	r.run(2, "inbox", "answer", id)
	r.run(0, "inbox", "answer", id, "8080")
	r.run(0, "inbox", "list", "--ended")
	r.run(4, "inbox", "show", "none")
}

func (r *recorder) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *recorder) tasks() {
	id := func(out string) string {
		r.t.Helper()
		var sent struct{ TaskID string }
		if err := json.Unmarshal([]byte(out), &sent); err != nil || sent.TaskID == "" {
			r.t.Fatalf("%v: %s", err, out)
		}
		return sent.TaskID
	}
	r.run(0, "task", "submit", "--wait", "--agent", "writer", "--session", "s", "Hello")
	finished := id(r.run(0, "task", "submit", "--agent", "writer", "--session", "s", "Once more"))
	r.run(0, "task", "watch", finished)
	r.run(0, "task", "status", finished)
	canceled := id(r.run(0, "task", "submit", "--agent", "far", "--session", "s", "Wait for trust"))
	r.run(0, "task", "status", canceled)
	r.run(0, "task", "cancel", canceled)
	r.run(5, "task", "cancel", canceled)
	r.run(1, "task", "watch", canceled)
	r.run(0, "task", "status", canceled)
	again := id(r.run(0, "task", "retry", canceled))
	r.run(0, "task", "cancel", again)
	r.run(0, "trust", "allow", "local", "--yes")
	r.run(0, "trust", "show", "local")
	failed := id(r.run(0, "task", "submit", "--agent", "far", "--session", "s", "For somebody elsewhere"))
	r.run(1, "task", "watch", failed)
	r.run(0, "task", "status", failed)
	for _, status := range []string{"completed", "failed", "canceled"} {
		r.run(0, "task", "list", "--status", status)
	}
	r.run(2, "task", "list", "--status", "cancelled")
	r.run(4, "task", "submit", "--agent", "nobody", "For nobody")
	r.run(4, "task", "status", "none")
	r.run(2, "trust", "revoke", "local")
	r.run(0, "trust", "revoke", "local", "--yes")
}

func (r *recorder) agents() {
	r.run(0, "agent", "add", "writer")
	r.run(0, "agent", "start", "writer")
	r.run(0, "agent", "list")
	r.run(0, "agent", "logs", "writer", "--search", "listens")
	r.run(0, "agent", "restart", "writer")
	r.run(0, "agent", "stop", "writer")
	r.run(0, "agent", "remove", "writer", "--yes")
	r.write("agent-config.yaml", "agent: {name: lone, role: Developer, model: demo/echo}\n")
	r.env["AGENTFLOW_AGENT_SECRET"] = "a-secret-of-more-than-24-bytes"
	r.start(1, "agent", "start", "--port", "0", "--config", "agent-config.yaml").stop(r.t)
	delete(r.env, "AGENTFLOW_AGENT_SECRET")
}

func (r *recorder) rooms() {
	r.run(0, "chat", "send", "--room", "dev", "--sender", "Ann", "--client-message-id", "k", "Hello")
	r.run(0, "chat", "rooms")
	r.run(0, "chat", "tail", "--room", "dev", "--once")
	r.run(0, "chat", "export", "--room", "dev")
	r.write("agents.yml", "agents:\n  - {name: Planner, model: demo/echo, persona: You plan.}\n")
	r.start(1, "chat", "join", "--room", "dev", "--agents", "agents.yml").stop(r.t)
	r.run(0, "chat", "prune", "--room", "dev", "--keep", "1", "--yes")
}

func (r *recorder) access() {
	r.run(0, "caller", "add", "build box", "--role", "tasks")
	r.run(0, "caller", "list")
	r.run(0, "caller", "change", "build box", "--role", "reader")
	r.run(0, "caller", "rotate", "build box")
	r.run(0, "caller", "revoke", "build box", "--yes")
	var link struct{ Open string }
	if err := json.Unmarshal([]byte(r.run(0, "login")), &link); err != nil {
		r.t.Fatal(err)
	}
	client := &http.Client{Timeout: time.Minute}
	res, err := client.Get(link.Open)
	if err != nil {
		r.t.Fatal(err)
	}
	_ = res.Body.Close()
	r.run(0, "login", "list")
	r.run(0, "login", "end", "--all")
	r.run(0, "token", "rotate", "--yes")
}

package inboxcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/work/inbox"
)

// desk is a hub, and the program that talks to it.
type desk struct {
	*enginetest.Hub
	t *testing.T
}

func open(t *testing.T, dir string) desk {
	t.Helper()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	return desk{h, t}
}

// run runs the program and checks its exit code, and that its output has the texts. It returns the standard output.
func (d desk) run(want int, args []string, says ...string) string {
	d.t.Helper()
	var out, errs bytes.Buffer
	code := cli.Main(context.Background(), args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
	all := out.String() + errs.String()
	for _, s := range says {
		if !strings.Contains(all, s) {
			d.t.Errorf("%v: no %q in\n%s", args, s, all)
		}
	}
	if code != want {
		d.t.Errorf("%v: exit %d, want %d:\n%s", args, code, want, all)
	}
	return out.String()
}

func words(line string) []string { return strings.Fields("inbox " + line) }

// waiting returns the only entry that waits.
func (d desk) waiting() (e inbox.Entry) {
	d.t.Helper()
	enginetest.Until(d.t, "one request", func() bool {
		var got struct{ Entries []inbox.Entry }
		if err := json.Unmarshal([]byte(d.run(0, words("list --json"))), &got); err != nil {
			d.t.Fatal(err)
		}
		if len(got.Entries) != 1 {
			return false
		}
		e = got.Entries[0]
		return true
	})
	return e
}

func (d desk) submit(command string) {
	d.t.Helper()
	body := map[string]any{"sessionId": "s", "taskType": "command_execution", "userPrompt": command}
	if err := d.Client().Call(d.t.Context(), http.MethodPost, "/submit_task", body, nil); err != nil {
		d.t.Fatal(err)
	}
}

// OC-5 TR-2: a tool is shown whole, with marks where nobody sees what is there, before it's allowed. Without a person
// who was asked, nothing is.
func TestOC5_ToolsAreAllowedAndDeniedOnTheCommandLine(t *testing.T) {
	d := open(t, t.TempDir())
	d.run(0, words("list"), "Nothing waits for an answer.")
	d.Apply("agents:\n  dev: {name: Dev, role: Developer, model: demo/echo, workspace: " + t.TempDir() +
		", tools: {allow: [shell]}}\n")
	d.Trust()
	d.submit("echo one" + strings.Repeat(" ", 40) + "; echo \u202etwo")
	e := d.waiting()
	id := string(e.ID)
	d.run(0, words("list"), id+"  waiting for you  dev  shell_exec")
	d.run(0, words("show "+id), "Tool: shell_exec\n",
		"  Arguments:\n    {\n      \"command\": \"echo one␣×40; echo ⟨U+202E⟩two\"\n")
	d.run(2, words("allow "+id), "echo one␣×40", "Use --yes to allow it. Nothing was allowed.")
	d.run(2, words("answer "+id+" yes"), "isn't a question")
	d.run(2, words("allow "+id+" --caller"), "--starts and --caller need --until")
	d.run(2, words("allow "+id+" --until never --yes"), `expected value to be one of "task, today, revoked"`)
	d.run(0, words("list"), id+"  waiting for you")
	d.run(0, words("allow "+id+" --until today --yes"), "echo one␣×40", "allowed from now on\n")
	d.run(5, words("allow "+id+" --yes"), "not waiting any more")
	d.run(0, words("list --ended"), id+"  allowed from now on  dev")
	t.Setenv("AGENTFLOW_LANG", "ja")
	d.run(0, words("show "+id), "ツール: shell_exec\n", "今後も許可", "  引数:\n")
	t.Setenv("AGENTFLOW_LANG", "en")
	d.submit("touch never")
	id = string(d.waiting().ID)
	d.run(0, []string{"inbox", "deny", id, "--word", "not today"}, "denied\n")
	d.run(0, words("show "+id), "  Your reply:\n    not today\n")
	d.run(4, words("show nobody"), "the inbox has no request nobody. Run agentflow inbox list.")
	d.run(4, words("deny nobody"))
}

// OC-5: what a gateway asks is answered on the command line, too.
func TestOC5_AGatewaysRequestsOnTheCommandLine(t *testing.T) {
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	t.Setenv("INBOX_TEST_GATEWAY", peer.Token)
	dir := t.TempDir()
	conf := fmt.Sprintf("gateways:\n  - {name: studio, url: %q, tokenEnv: INBOX_TEST_GATEWAY, color: 3}\n", peer.URL)
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, dir)
	add := func(kind client.AskKind, id string, request map[string]any) string {
		t.Helper()
		peer.Asks.Add(gatewaytest.Ask{Kind: kind, ID: id, Request: request})
		return string(d.waiting().ID)
	}
	id := add(client.AskExec, "push", map[string]any{
		"command": "git push", "cwd": "/srv/shop", "host": "gateway", "agentId": "main", "ask": "on-miss",
		"sessionKey": "agent:main:main", "allowedDecisions": []string{"allow-once", "allow-always", "deny"},
	})
	d.run(0, words("show "+id), "main@studio\n", "Session: agent:main:main\n", `"cwd": "/srv/shop"`)
	d.run(2, words("allow "+id+" --until today --yes"), "Use --until revoked alone.")
	d.run(2, words("deny "+id+" --word no"), "the gateway doesn't pass a reply on to the agent.")
	d.run(0, words("allow "+id+" --until revoked --yes"), "allowed from now on\n")
	if got := peer.Asks.Decision(client.AskExec, "push"); got != client.DecisionAlways {
		t.Errorf("the gateway got %q", got)
	}
	question := func(id string, secret bool) string {
		return add(client.AskQuestion, id, map[string]any{"agentId": "main", "questions": []any{
			map[string]any{"questionId": "color", "question": "Which color?", "isSecret": secret, "isOther": true,
				"options": []any{map[string]any{"label": "Blue", "description": "like the sea"}}},
			map[string]any{"questionId": "size", "question": "Which size?"},
		}})
	}
	id = question("q1", false)
	d.run(0, words("show "+id), "  color: Which color?\n    - Blue\n      like the sea\n  size: Which size?\n")
	d.run(2, words("allow "+id+" --yes"), "is a question. Answer it with agentflow inbox answer.")
	d.run(2, words("answer "+id), "give the answer either as text or with --field")
	d.run(2, words("answer "+id+" --field color"), "give the ID and the answer, as ID=TEXT")
	d.run(2, words("answer "+id+" --field color=Blue"), `the question "size" needs an answer`)
	d.run(0, words("answer "+id+" --field color=Blue --field size=5"), "answered\n")
	d.run(0, words("deny "+question("q2", false)), "skipped\n")
}

package inboxcmd

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/inbox"
)

// A plan has its folder among its arguments. The workspace of the agent that asks isn't where it runs.
func TestTR2_TheFolderOfARequest(t *testing.T) {
	for name, tc := range map[string]struct {
		question inbox.Question
		shows    bool
	}{
		"a command": {inbox.Question{Tool: "shell_exec", From: "shell"}, true},
		"a file":    {inbox.Question{Tool: "write_file", From: "files"}, true},
		"a plan": {inbox.Question{
			Tool:      "work plan",
			Arguments: json.RawMessage(`{"folder":"/home/me/shop"}`),
		}, false},
	} {
		var out bytes.Buffer
		screen := term.NewScreen(term.Stdio{Out: &out, Err: &out}, func(string) string { return "" })
		ground := inbox.Ground{Workspace: "/home/me/desk"}
		program{Shell: &shell.Shell{Screen: screen}}.tell(&inbox.Entry{ID: "1", Question: tc.question, Ground: ground})
		if got := strings.Contains(out.String(), "Folder: /home/me/desk"); got != tc.shows {
			t.Errorf("%s: %s", name, out.String())
		}
		if !tc.shows && !strings.Contains(out.String(), "/home/me/shop") {
			t.Errorf("%s: the plan's folder is missing: %s", name, out.String())
		}
	}
}

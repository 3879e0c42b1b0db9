package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// toolTask runs a chat task whose model asks once for a tool with these arguments. allow answers
// what the person is asked. It returns the questions and what the model was told of the tool.
func toolTask(t *testing.T, work, name, arguments string) (asked []inbox.Entry, told string) {
	t.Helper()
	s := startScript(t, func(w http.ResponseWriter, _ *http.Request, _, last string) {
		if last == "do it" {
			wants(w, name, arguments)
			return
		}
		told = last
		stream(w, "Done.")
	})
	h := startHubWith(t, optionsOf(s.home(t)))
	h.applyTeam(`agents:
  dev-1: {name: Dev, role: Coordinator, model: srv/m, persona: "You are Dev, a developer.", workspace: "` + work + `", tools: {allow: [files, shell]}}
`)
	h.trust()
	id := h.submit("chat", "do it", nil).TaskID
	for {
		var got task.Task
		h.must(http.MethodGet, "/tasks/"+id, nil, &got)
		if got.Status.Ended() {
			return asked, told
		}
		var waiting struct{ Entries []inbox.Entry }
		h.must(http.MethodGet, "/api/inbox", nil, &waiting)
		for _, q := range waiting.Entries {
			asked = append(asked, q)
			h.must(http.MethodPost, "/api/inbox/"+string(q.ID)+"/answer", map[string]any{"choice": inbox.Once}, nil)
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestTR2_F4_ACommandThatIsReadInTwoWaysIsNotAskedAbout: neither runs, and the model learns why.
func TestTR2_F4_ACommandThatIsReadInTwoWaysIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{
		`{"command":"git status","Command":"touch hidden"}`, `{"command":"git status","command":"touch hidden"}`,
		`{"COMMAND":"touch hidden"}`, `{"command":"git status","\u0063ommand":"touch hidden"}`,
	} {
		work := t.TempDir()
		asked, told := toolTask(t, work, "shell_exec", arguments)
		if len(asked) > 0 || exists(filepath.Join(work, "hidden")) || !strings.Contains(told, "the arguments ") {
			t.Errorf("%s: asked %+v, the model was told %q", arguments, asked, told)
		}
	}
	work := t.TempDir()
	if asked, _ := toolTask(t, work, "file_write", `{"path":"a","Path":"b","content":"x"}`); len(asked) > 0 || exists(filepath.Join(work, "a")) || exists(filepath.Join(work, "b")) {
		t.Errorf("asked %+v", asked)
	}
}

// TestTR2_F4_WhatIsShownIsWhatRuns: the person sees the arguments as the tool gets them.
func TestTR2_F4_WhatIsShownIsWhatRuns(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	asked, _ := toolTask(t, work, "shell_exec", ` { "command" : "touch\u0020se\u0065n" , "timeoutSec":5 } `)
	if len(asked) != 1 || string(asked[0].Arguments) != `{"command":"touch seen","timeoutSec":5}` || !exists(filepath.Join(work, "seen")) {
		t.Errorf("asked %+v", asked)
	}
}

// TestTR2_F5_WhatCannotBeShownWholeIsRefused: nobody is asked about a part of it.
func TestTR2_F5_WhatCannotBeShownWholeIsRefused(t *testing.T) {
	t.Parallel()
	tail := strings.Repeat("x\n", 40_000) + "EVIL-TAIL"
	content, _ := json.Marshal(tail)
	work := t.TempDir()
	asked, told := toolTask(t, work, "file_write", fmt.Sprintf(`{"path":"long.txt","content":%s}`, content))
	if len(asked) > 0 || exists(filepath.Join(work, "long.txt")) || !strings.Contains(told, "too long to be read") || !strings.Contains(told, "a file in parts") {
		t.Errorf("asked %d, the model was told %q", len(asked), told)
	}
	blanks := `"git status` + strings.Repeat(`\u0020`, 11_500) + `; touch late"`
	asked, _ = toolTask(t, work, "shell_exec", `{"command":`+blanks+`}`)
	if len(asked) != 1 || !strings.HasSuffix(string(asked[0].Arguments), `; touch late"}`) {
		t.Errorf("asked %+v", asked)
	}
}

// shellTeam is the team of the findings about standing permissions.
func shellTeam(name, work string) string {
	return `agents:
  dev-1: {name: ` + name + `, role: Coordinator, model: demo/echo, workspace: "` + work + `", tools: {allow: [shell]}}
`
}

// asks reports whether a person is asked about a command of the task, and answers once.
func (h *hub) asks(id string) bool {
	h.t.Helper()
	for {
		var got task.Task
		h.must(http.MethodGet, "/tasks/"+id, nil, &got)
		if got.Status.Ended() {
			return false
		}
		var waiting struct{ Entries []inbox.Entry }
		h.must(http.MethodGet, "/api/inbox", nil, &waiting)
		if len(waiting.Entries) > 0 {
			h.must(http.MethodPost, "/tasks/"+id+"/cancel", nil, nil)
			return true
		}
		if err := h.t.Context().Err(); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *hub) rules() (out []inbox.Rule) {
	h.t.Helper()
	var list struct{ Rules []inbox.Rule }
	h.must(http.MethodGet, "/api/inbox/rules", nil, &list)
	return list.Rules
}

// TestTR2_F3_AForeignTeamInheritsNoPermission: an agent of the same id in another folder is another one.
func TestTR2_F3_AForeignTeamInheritsNoPermission(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	mine, home := t.TempDir(), t.TempDir()
	h.applyTeam(shellTeam("Dev", mine))
	h.trust()
	id := h.submit("command_execution", "pwd", nil).TaskID
	h.decide(id, inbox.Always, "")
	h.over(id)
	if id = h.submit("command_execution", "pwd", nil).TaskID; h.asks(id) {
		t.Error("the permission does not hold")
	}
	if r := h.rules(); len(r) != 1 || r[0].Team != "gateway:local" || r[0].Workspace != mine || r[0].Command != "pwd" || r[0].Uses != 1 {
		t.Errorf("%+v", r)
	}
	if id = h.submit("command_execution", "pwd; touch ran", nil).TaskID; !h.asks(id) || exists(filepath.Join(mine, "ran")) {
		t.Error("another command ran unasked")
	}
	for _, team := range []string{shellTeam("Kind Helper", mine), shellTeam("Dev", home)} {
		h.applyTeam(team)
		h.trust()
		if id = h.submit("command_execution", "pwd", nil).TaskID; !h.asks(id) {
			t.Errorf("the permission holds for %s", team)
		}
	}
	if r := h.rules(); len(r) != 0 {
		t.Errorf("the permission of the agent as it was is left: %+v", r)
	}
}

// A standing permission ends when the owner revokes the trust that it depends on, and soon after the
// applied agent changes.
func TestTR2_F3_APermissionEndsWithTheTrustItRestsOn(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	work, other := t.TempDir(), t.TempDir()
	for name, end := range map[string]func(){
		"revoked": func() {
			h.must(http.MethodPost, "/api/trust/local/revoke", map[string]any{"agents": []string{"dev-1"}}, nil)
		},
		"changed": func() { h.applyTeam(shellTeam("Dev", other)) },
	} {
		h.applyTeam(shellTeam("Dev", work))
		h.trust()
		id := h.submit("command_execution", "pwd", nil).TaskID
		h.decide(id, inbox.Always, "")
		h.over(id)
		if r := h.rules(); len(r) != 1 {
			t.Fatalf("%s: before, the rules are %+v", name, r)
		}
		end()
		if r := h.rules(); len(r) != 0 && name == "revoked" {
			t.Errorf("the permission is left: %+v", r)
		}
		poll(t, func() bool { return len(h.rules()) == 0 })
	}
}

// TestTR2_F3_ACallerUsesNoPermissionOfTheOwner: unless the owner allowed it to this caller.
func TestTR2_F3_ACallerUsesNoPermissionOfTheOwner(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(shellTeam("Dev", t.TempDir()))
	h.trust()
	id := h.submit("command_execution", "pwd", nil).TaskID
	h.decide(id, inbox.Always, "")
	h.over(id)
	var token struct{ ID, Token string }
	h.must(http.MethodPost, "/api/security/callers", map[string]string{"name": "build box", "role": "tasks"}, &token)
	submit := func() string {
		t.Helper()
		body := strings.NewReader(`{"sessionId":"s","userPrompt":"pwd","taskType":"command_execution"}`)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.e.URL()+"/submit_task", body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token.Token)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close() //nolint:errcheck // the response is read whole
		var out struct{ TaskID string }
		if err := json.NewDecoder(res.Body).Decode(&out); err != nil || out.TaskID == "" {
			t.Fatal(res.Status, err)
		}
		return out.TaskID
	}
	if !h.asks(submit()) {
		t.Fatal("a caller used the owner's permission")
	}
	id = submit()
	var waiting struct{ Entries []inbox.Entry }
	for len(waiting.Entries) == 0 {
		h.must(http.MethodGet, "/api/inbox", nil, &waiting)
	}
	q := waiting.Entries[0]
	if q.CallerName != "build box" || q.Caller != token.ID {
		t.Errorf("asked %+v", q)
	}
	path := "/api/inbox/" + string(q.ID) + "/answer"
	if status, err := h.call(http.MethodPost, path, map[string]any{"choice": "always", "standing": map[string]any{"until": "today"}}, nil); status != http.StatusBadRequest {
		t.Errorf("always without naming the caller: %d %v", status, err)
	}
	h.must(http.MethodPost, path,
		map[string]any{"choice": "always", "standing": map[string]any{"until": "today", "caller": true}}, nil)
	h.over(id)
	if h.asks(submit()) {
		t.Error("the owner allowed it to this caller")
	}
	rules := h.rules()
	h.must(http.MethodDelete, "/api/inbox/rules/"+rules[1].ID, nil, nil)
	if len(rules) != 2 || rules[1].Ends.IsZero() || !h.asks(submit()) {
		t.Errorf("%+v", rules)
	}
}

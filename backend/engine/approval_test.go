package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/inbox"
	"agentflow/backend/task"
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
	work := t.TempDir()
	asked, _ := toolTask(t, work, "shell_exec", ` { "command" : "touch\u0020se\u0065n" , "timeoutSec":5 } `)
	if len(asked) != 1 || string(asked[0].Arguments) != `{"command":"touch seen","timeoutSec":5}` || !exists(filepath.Join(work, "seen")) {
		t.Errorf("asked %+v", asked)
	}
}

// TestTR2_F5_WhatCannotBeShownWholeIsRefused: nobody is asked about a part of it.
func TestTR2_F5_WhatCannotBeShownWholeIsRefused(t *testing.T) {
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

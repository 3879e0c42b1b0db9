package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// TestCO6_Fault12_NonsenseForATask: what is no task is refused and nothing of it is kept; what is
// taken comes back as it was given.
func TestCO6_Fault12_NonsenseForATask(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	with := func(prompt, context string) string {
		return `{"sessionId":"s","taskType":"chat","userPrompt":` + prompt + `,"context":` + context + `}`
	}
	for name, body := range map[string]string{
		"nothing": "", "no JSON": "task", "cut off": `{"sessionId":"s","taskType":"chat","userPrompt":"half`, "two": with(`"p"`, "{}") + with(`"p"`, "{}"),
		"depth": with(`"p"`, `{"a":`+deep+`}`), "bytes that are no UTF-8": with("\"\xff\xfe\"", "{}"), "such bytes in the context": with(`"p"`, "{\"a\":\"\xff\"}"),
		"a number beyond all": with(`"p"`, `{"priority":1e999}`), "a number for a text": with("1e5", "{}"), "a NUL between": with(`"p"`, "{\x00}"),
		"a member twice": `{"sessionId":"s","taskType":"chat","userPrompt":"p","userPrompt":"q"}`, "a member of the context twice": with(`"p"`, `{"agent":"a","agent":"b"}`),
		"a list": "[]", "a list for a context": with(`"p"`, "[]"), "too much": with(`"`+strings.Repeat("x", task.MaxPrompt+1)+`"`, "{}"),
	} {
		for _, path := range []string{"/submit_task", "/tasks", "/a2a", "/tasks/none/result"} {
			if path == "/a2a" && strings.HasPrefix(body, "{") {
				continue // it is JSON-RPC, whose answers have codes of their own
			}
			if status, said := h.send(http.MethodPost, path, "application/json", []byte(body)); path != "/a2a" && (status < 400 || status > 499) || status >= 500 {
				t.Errorf("%s at %s: %d %.200s", name, path, status, said)
			}
		}
	}
	var list struct{ Tasks []task.Task }
	if h.must(http.MethodGet, "/tasks", nil, &list); len(list.Tasks) != 0 {
		t.Errorf("%d were kept: %.300v", len(list.Tasks), list.Tasks)
	}
	context := `{"big":123456789012345678901234567890.50,"lone":"\ud800","nul":"\u0000","text":"日本語 👩‍👩‍👧","nested":[[{"a":null}]]}`
	status, said := h.send(http.MethodPost, "/submit_task", "application/json", []byte(with(`"a\u0000b 日本語"`, context)))
	var got struct{ TaskID string }
	if err := json.Unmarshal(said, &got); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s", status, said)
	}
	var kept task.Task
	if h.must(http.MethodGet, "/tasks/"+got.TaskID, nil, &kept); kept.Prompt != "a\x00b 日本語" || string(kept.Context) != context {
		t.Errorf("%q %s", kept.Prompt, kept.Context)
	}
}

// TestCO4_Fault16_ATaskWhoseModelFails: what is half said is no result, trying again is bounded,
// and who was only asked to wait does the task in its first attempt.
func TestCO4_Fault16_ATaskWhoseModelFails(t *testing.T) {
	t.Parallel()
	limited := make(chan struct{}, 1)
	limited <- struct{}{}
	refuse := func(w http.ResponseWriter, status int) { http.Error(w, `{"error":{"message":"no"}}`, status) }
	faults := []struct {
		name     string
		say      func(w http.ResponseWriter)
		status   task.Status
		attempts int
	}{
		{"key", func(w http.ResponseWriter) { refuse(w, http.StatusUnauthorized) }, task.Failed, 1},
		{"cut", func(w http.ResponseWriter) { unfinished(w, "Half an ans") }, task.Failed, 3},
		{"letter", func(w http.ResponseWriter) {
			unfinished(w, "日本")
			_, _ = w.Write([]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xe8\xaa"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, task.Failed, 3},
		{"error", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`data: {"error":{"message":"overloaded"}}` + "\n\n"))
		}, task.Failed, 3},
		{"garbage", func(w http.ResponseWriter) { _, _ = w.Write([]byte("data: {broken\n\n")) }, task.Failed, 3},
		{"wait", func(w http.ResponseWriter) {
			select {
			case <-limited:
				w.Header().Set("Retry-After", "1")
				refuse(w, http.StatusTooManyRequests)
			default:
				stream(w, "here I am")
			}
		}, task.Completed, 1},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Messages) == 0 {
			http.NotFound(w, r)
			return
		}
		for _, f := range faults {
			if body.Messages[len(body.Messages)-1].Content == "fault "+f.name {
				f.say(w)
			}
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), fmt.Appendf(nil, "providers:\n  - {name: srv, kind: openai, baseUrl: %q}\ndefaultProvider: srv\n", server.URL+"/v1"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startHubWith(t, engine.Options{DataDir: dir})
	team := "agents:\n"
	for _, f := range faults {
		team += "  " + f.name + ": {name: Dev, role: Developer, model: srv/m}\n"
	}
	h.applyTeam(team)
	ids := map[string]string{}
	for _, f := range faults {
		ids[f.name] = h.submit("chat", "fault "+f.name, map[string]any{"agent": f.name}).TaskID
	}
	for _, f := range faults {
		got := h.over(ids[f.name])
		if got.Status != f.status || len(got.Attempts) != f.attempts || (got.Status == task.Failed) != (len(got.Result) == 0) || (got.Status == task.Failed) != (got.ErrorMessage != "") {
			t.Errorf("%s: %s after %d attempts, %s %q", f.name, got.Status, len(got.Attempts), got.Result, got.ErrorMessage)
		}
	}
}

// TestCO4_NoArgumentReachesAShell that the type of the task does not give to one: names of files and
// words of a talk are what they are. A command's flood is bounded in what is kept of it.
func TestCO4_Fault17_NoArgumentReachesAShell(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	work := t.TempDir()
	h.applyTeam(`agents:
  dev-1: {name: Dev, role: Developer, model: demo/echo, workspace: "` + work + `", tools: {allow: [files, shell]}}
`)
	h.trust()
	hostile := []string{"; touch made", "$(touch made)", "`touch made`", "| touch made", "&& touch made",
		"\n touch made", "'\"; touch made; '", "-rf", "%s%n", "~root"}
	for i, text := range hostile {
		if got := h.over(h.submit("chat", text, nil).TaskID); got.Status != task.Completed {
			t.Errorf("%q: %+v", text, got)
		}
		id := h.submit(
			"file_operation",
			"write it",
			map[string]any{"operation": "write", "path": text, "content": "x"},
		).TaskID
		if i == 0 {
			h.decide(id, inbox.Always, "")
		}
		h.over(id) // a name may be refused; what it must not do is run
	}
	left, err := os.ReadDir(work)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if f.Name() == "made" || f.IsDir() {
			t.Errorf("there is %s", f.Name())
		}
	}
	if len(left) == 0 {
		t.Error("no file was written: nothing was tried")
	}
	id := h.submit(
		"command_execution",
		"head -c 60000000 /dev/zero | tr '\\0' 'x'; head -c 2000000 /dev/zero >&2",
		nil,
	).TaskID
	h.decide(id, inbox.Once, "")
	if got := h.over(id); got.Status != task.Completed || len(got.Result) > 1<<20 || !strings.Contains(string(got.Result), "left out") {
		t.Errorf("%s: %d bytes of result %s", got.Status, len(got.Result), got.ErrorMessage)
	}
}

package callercmd_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(t.Context(), append([]string{"caller"}, args...),
		cli.Stdio{In: strings.NewReader(""), Out: &o, Err: &e}, nil)
	return code, o.String(), e.String()
}

// startHub runs a hub over a data folder and points the commands at it.
func startHub(t *testing.T) *enginetest.Hub {
	t.Helper()
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	t.Setenv("AGENTFLOW_DATA", dir)
	t.Setenv("AGENTFLOW_URL", h.URL())
	return h
}

// may reports what a token opens: reading tasks, and giving one.
func may(t *testing.T, h *enginetest.Hub, token string) (read, give int) {
	t.Helper()
	ask := func(method, path, body string) int {
		req, err := http.NewRequestWithContext(t.Context(), method, h.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	return ask(http.MethodGet, "/tasks", ""), ask(http.MethodPost, "/submit_task", `{"sessionId":"s","userPrompt":"p","taskType":"chat"}`)
}

// On a hub without a window, the command line manages who may call it: callers are added,
// get another role and another token, and are removed. The token is shown once.
func TestAG4_AG6_CallersByCommandLine(t *testing.T) {
	h := startHub(t)
	if code, out, errs := run(t, "list"); code != 0 || out != "" || !strings.Contains(errs, "No API tokens") {
		t.Errorf("nobody yet: exit %d: %q %q", code, out, errs)
	}
	code, out, errs := run(t, "add", "build box")
	first := strings.TrimSpace(out)
	if code != 0 || strings.Count(out, "\n") != 1 || len(first) < 40 || strings.Contains(errs, first) {
		t.Fatalf("exit %d: %q %q", code, out, errs)
	}
	if read, give := may(t, h, first); read != 200 || give != 403 {
		t.Errorf("a reader: %d and %d", read, give)
	}
	if code, out, _ := run(t, "list"); code != 0 || !strings.HasPrefix(out, "build box  reader  created ") || strings.Contains(out, first) {
		t.Errorf("exit %d: %q", code, out)
	}
	if code, out, _ := run(t, "change", "build box", "--role", "tasks", "--name", "builder"); code != 0 || !strings.HasPrefix(out, "builder  tasks  ") {
		t.Errorf("exit %d: %q", code, out)
	}
	if read, give := may(t, h, first); read != 200 || give != 200 {
		t.Errorf("who gives tasks: %d and %d", read, give)
	}
	file := filepath.Join(t.TempDir(), "builder.token")
	if err := os.WriteFile(file, []byte("what was there"), 0o644); err != nil { //nolint:gosec // others can read it: that is what is to change
		t.Fatal(err)
	}
	code, out, errs = run(t, "rotate", "builder", "-o", file, "--json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	second := strings.TrimSpace(string(data))
	info, err := os.Stat(file)
	if err != nil || code != 0 || info.Mode().Perm() != 0o600 || strings.Contains(out+errs, second) || strings.Contains(out, "token") {
		t.Errorf("exit %d: %q %q, the file is %v: %v", code, out, errs, info.Mode(), err)
	}
	if read, _ := may(t, h, first); read != 401 {
		t.Errorf("the old token: %d", read)
	}
	if read, _ := may(t, h, second); read != 200 {
		t.Errorf("the new token: %d", read)
	}
	if code, _, errs := run(t, "revoke", "builder"); code != 2 || !strings.Contains(errs, "--yes") {
		t.Errorf("nobody can be asked: exit %d: %q", code, errs)
	}
	if code, out, _ := run(t, "revoke", "builder", "--yes"); code != 0 || !strings.Contains(out, "revoked builder") {
		t.Errorf("exit %d: %q", code, out)
	}
	if read, _ := may(t, h, second); read != 401 {
		t.Errorf("who was revoked: %d", read)
	}
}

// The token opens the same command line, which may not say who calls.
func TestAG6_OnlyTheOwnerSaysWhoCalls(t *testing.T) {
	startHub(t)
	code, out, _ := run(t, "add", "bot", "--role", "tasks", "--json")
	var made struct{ ID, Name, Role, Token string }
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 0 || made.Role != "tasks" || made.Token == "" || made.ID == "" {
		t.Fatalf("exit %d: %q: %v", code, out, err)
	}
	for want, args := range map[int][][]string{
		2: {{"add", "x", "--role", "king"}, {"add", ""}, {"add"}, {"change", "bot"}, {"list", "--url", "nonsense"}},
		4: {{"rotate", "nobody"}, {"revoke", "nobody", "--yes"}, {"change", "nobody", "--role", "tasks"}},
		5: {{"add", "bot"}},
		3: {{"list", "--url", "http://127.0.0.1:1"}},
	} {
		for _, a := range args {
			if code, out, errs := run(t, a...); code != want || out != "" || errs == "" {
				t.Errorf("%v: exit %d, want %d: %q %q", a, code, want, out, errs)
			}
		}
	}
	code, out, errs := run(t, "add", "lost", "-o", filepath.Join(t.TempDir(), "no", "such", "folder"))
	if code == 0 || out != "" || !strings.Contains(errs, "agentflow caller rotate") {
		t.Errorf("a file that cannot be written: exit %d: %q %q", code, out, errs)
	}
	t.Setenv("AGENTFLOW_TOKEN", made.Token)
	for _, args := range [][]string{{"list"}, {"add", "me too"}, {"rotate", "bot"}, {"revoke", "bot", "--yes"}} {
		if code, out, errs := run(t, args...); code != 3 || out != "" {
			t.Errorf("%v by a caller: exit %d: %q %q", args, code, out, errs)
		}
	}
}

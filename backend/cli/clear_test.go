package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Without the switch, no command sends the owner's token or an agent's secret to another computer in
// clear. 0.0.0.0 counts as another computer, and this one answers there.
func TestTR4_F16_CommandsDoNotSendTheTokenInClear(t *testing.T) {
	const token = "owner-token-that-is-seen-by-others"
	var mu sync.Mutex
	var heard []string
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, r.Header.Get("Authorization"))
		http.Error(w, "{}", http.StatusTeapot)
	}))
	defer hub.Close()
	far := strings.Replace(hub.URL, "127.0.0.1", "0.0.0.0", 1)
	t.Setenv("AGENTFLOW_TOKEN", token)
	t.Setenv("AGENTFLOW_URL", far)
	command := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := Main(t.Context(), append(args, "--data", t.TempDir()), Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
		return code, out.String() + errs.String()
	}
	for _, args := range [][]string{
		{"task", "list"}, {"task", "watch", "t-1"}, {"chat", "rooms"}, {"chat", "export", "--room", "dev"}, {"agent", "list"}, {"agent", "start", "dev-1"},
		{"agent", "start", "--config", "none.yaml", "--coordinator", far}, {"mcp"}, {"login"}, {"token", "rotate", "--yes"}, {"caller", "list"}, {"trust", "list"},
	} {
		code, said := command(args...)
		if code != 2 || !strings.Contains(said, "--insecure-http") || !strings.Contains(said, "Nothing was changed") || strings.Contains(said, token) {
			t.Errorf("%v: exit %d: %s", args, code, said)
		}
	}
	t.Setenv("AGENTFLOW_LANG", "ja")
	if _, said := command("task", "list"); !strings.Contains(said, "何も変更していません") {
		t.Errorf("in Japanese: %s", said)
	}
	if len(heard) > 0 {
		t.Fatalf("it was sent: %q", heard)
	}
	if runtime.GOOS == "windows" { // nothing answers at 0.0.0.0 there
		return
	}
	for _, args := range [][]string{{"task", "list"}, {"agent", "start", "dev-1"}} {
		if code, said := command(append(args, "--insecure-http")...); code == 2 {
			t.Errorf("%v, accepted: %s", args, said)
		}
	}
	if len(heard) != 2 || heard[0] != "Bearer "+token || heard[1] != heard[0] {
		t.Errorf("accepted, it was sent as %q", heard)
	}
}

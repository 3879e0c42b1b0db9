package engine_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// The command that lets others in starts this hub again, not another one with an empty folder.
func TestSecurity_TheCommandForOthersNamesThisHub(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "it's mine")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	now := asked[guarded](t, h, http.MethodGet, "/api/security", nil)
	at, err := url.Parse(now.Address)
	if err != nil {
		t.Fatal(err)
	}
	quoted := "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	if runtime.GOOS == "windows" {
		quoted = `"` + dir + `"`
	}
	want := "agentflow serve --data " + quoted + " --listen 0.0.0.0:" + at.Port() + " --tls-self-signed"
	if now.ForOthers != want {
		t.Errorf("got %s, want %s", now.ForOthers, want)
	}
}

// Wrong tokens are shown from the first on, also before they lock an address and after a right one.
func TestSecurity_TellsTheFirstWrongToken(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL()+"/api/security", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer wrong")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if now := asked[guarded](t, h, http.MethodGet, "/api/security", nil); now.WrongTokens != 1 || len(now.Lockouts) != 0 {
		t.Errorf("%+v", now)
	}
	var about struct{ Secrets, SecretsIn string }
	err = h.Client().Call(t.Context(), http.MethodGet, "/api/about", nil, &about)
	if err != nil || about.Secrets != "" || about.SecretsIn != "none" {
		t.Errorf("a hub without secrets says %+v: %v", about, err)
	}
}

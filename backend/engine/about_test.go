package engine_test

import (
	"path/filepath"
	"testing"

	"agentflow/backend/base/config"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/server/httpapi"
)

// TestTR3_TheAPISaysInWhatCommandsRun compares what a person sees before they approve
// with what this computer has.
func TestTR3_TheAPISaysInWhatCommandsRun(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var about httpapi.About
	h.must("GET", "/api/about", nil, &about)
	here, told := sandbox.Here(), about.Sandbox
	if (told.Why == nil) != (here.Name != "") || told.Why != nil && (told.Why.Code == "" || told.Why.Text != here.Why.Text) {
		t.Errorf("told %+v, here is %+v", told.Why, here.Why)
	}
	if told.Name != here.Name || told.Active != (here.Name != "") || told.Mode != string(sandbox.Auto) || told.Gaps == nil {
		t.Errorf("told %+v, here is %+v", told, here)
	}
}

// The page shows the file's path, so it is named from the first secret on.
func TestAbout_NamesTheFileOfSecretsOnceThereIsOne(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	dir := t.TempDir()
	h := startHub(t, dir)
	told := func() (about httpapi.About) {
		h.must("GET", "/api/about", nil, &about)
		return about
	}
	if about := told(); about.SecretsIn != config.SecretsNowhere || about.Secrets != "" {
		t.Errorf("before: %q, file %q", about.SecretsIn, about.Secrets)
	}
	key := "word"
	h.must("POST", "/api/providers", edit("http://127.0.0.1:9/v1", &key), nil)
	file := filepath.Join(dir, "secrets.json")
	if about := told(); about.SecretsIn != config.SecretsInFile || about.Secrets != file {
		t.Errorf("after: %q, file %q, want %s", about.SecretsIn, about.Secrets, file)
	}
}

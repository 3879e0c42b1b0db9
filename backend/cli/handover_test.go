package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// A second start beside a hub of the same folder shows its file there and opens its page;
// another folder's hub gets nothing.
func TestAPP1_ASecondStartGoesToTheHubThatRuns(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	dir := t.TempDir()
	hub := enginetest.Start(t, engine.Options{DataDir: dir})
	team := filepath.Join(t.TempDir(), "night.agentflow.yaml")
	if err := os.WriteFile(team, []byte("agentflow: 1\nname: Night\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := &program{&shell.Shell{Screen: term.NewScreen(Stdio{Out: &out}, os.Getenv), DataDir: dir}, nil}
	if given, err := p.handOver(t.Context(), hub.URL(), team); !given || err != nil {
		t.Fatalf("given %v, %v", given, err)
	}
	var taken struct{ File struct{ Name, Text string } }
	if err := hub.Client().Call(t.Context(), "POST", "/api/files/take", struct{}{}, &taken); err != nil || taken.File.Name != "night.agentflow.yaml" || !strings.Contains(taken.File.Text, "name: Night") {
		t.Errorf("the page was given %+v, %v", taken, err)
	}
	if !strings.Contains(out.String(), "open "+hub.URL()+"/open/") {
		t.Errorf("printed %q", out.String())
	}
	if given, err := p.handOver(t.Context(), hub.URL(), filepath.Join(dir, "absent.yaml")); !given || err == nil {
		t.Errorf("a file that is not there: given %v, %v", given, err)
	}
	p.DataDir = t.TempDir()
	if given, err := p.handOver(t.Context(), hub.URL(), ""); given || err != nil {
		t.Errorf("a folder that no hub has: given %v, %v", given, err)
	}
	if err := os.WriteFile(filepath.Join(p.DataDir, "token"), []byte("of another hub\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if given, err := p.handOver(t.Context(), hub.URL(), team); given || err == nil {
		t.Errorf("another folder's hub: given %v, %v", given, err)
	}
}

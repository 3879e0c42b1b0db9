package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestEveryModuleHasItsLicence holds the list against what is linked into the program.
func TestEveryModuleHasItsLicence(t *testing.T) {
	parts, err := collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Part{}
	for _, p := range parts {
		if len(p.Text) < 200 || p.Version == "" {
			t.Errorf("%s %s has a licence of %d bytes", p.Name, p.Version, len(p.Text))
		}
		byName[p.Name] = p
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "agentflow").
		Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if _, ok := byName[path]; !ok {
			t.Errorf("%s is linked into the program, and its licence is not shown", path)
		}
	}
	for name, id := range map[string]string{"Go": "BSD-3-Clause", "github.com/wailsapp/wails/v2": "MIT", "github.com/spf13/cobra": "Apache-2.0", "modernc.org/sqlite": "BSD-3-Clause"} {
		if got := byName[name].Identifier; !strings.Contains(got, id) {
			t.Errorf("%s is under %q, want %s", name, got, id)
		}
	}
}

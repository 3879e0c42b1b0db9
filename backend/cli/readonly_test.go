package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
)

// OC-4: an apply and a rollback of a gateway whose config is managed elsewhere change nothing and name the remedy,
// which saves the config as a file.
func TestOC4_CommandsSaveAConfigThatCannotBeChanged(t *testing.T) {
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	dir := t.TempDir()
	t.Setenv("AGENTFLOW_DATA", filepath.Join(dir, "data"))
	t.Setenv("AGENTFLOW_GATEWAY_URL", peer.URL)
	t.Setenv("AGENTFLOW_GATEWAY_TOKEN", peer.Token)
	team, saved := filepath.Join(dir, "team.agentflow.yaml"), filepath.Join(dir, "openclaw.json")
	agentflow(t, 0, "gateway", "get", "-o", team)
	change(t, team, "name: Main", "name: Chief")
	agentflow(t, 0, "gateway", "apply", team, "--yes")
	change(t, team, "name: Chief", "name: Boss")

	for why, said := range map[string]string{
		"config_managed": gatewaytest.Managed, "config_unwritable": gatewaytest.Unwritable,
	} {
		peer.SetFaults(gatewaytest.Faults{ReadOnly: said})
		for _, args := range [][]string{{"apply", team}, {"rollback"}} {
			before := peer.Hash()
			code, out := failing(t, append(append([]string{"gateway"}, args...), "--yes", "--json")...)
			named := strings.Contains(out, `"`+why+`"`) && strings.Contains(out, "--save-config FILE")
			if code != 1 || !named || peer.Hash() != before {
				t.Errorf("%s: %v says %s", why, args, out)
			}
		}
		agentflow(t, 0, "gateway", "apply", team, "--save-config", saved)
		text, err := os.ReadFile(saved)
		hides := strings.Contains(string(text), "__OPENCLAW_REDACTED__")
		if err != nil || !strings.Contains(string(text), "Boss") || !hides {
			t.Errorf("%s: saved %s, %v", why, text, err)
		}
		if info, err := os.Stat(saved); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", why, info, err)
		}
	}
	agentflow(t, 0, "gateway", "rollback", "--save-config", saved)
	if text, err := os.ReadFile(saved); err != nil || !strings.Contains(string(text), "Main") {
		t.Errorf("saved by a rollback: %s, %v", text, err)
	}
}

// failing runs a command and returns its exit code and what it says.
func failing(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(t.Context(), args, Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
	return code, out.String() + errs.String()
}

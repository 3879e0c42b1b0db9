package logincmd_test

import (
	"bytes"
	"strings"
	"testing"

	"agentflow/backend/base/config"
	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

func run(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(t.Context(), args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, nil); code != want {
		t.Fatalf("%v: exit %d, want %d\n%s%s", args, code, want, out.String(), errs.String())
	}
	return out.String() + errs.String()
}

// The owner's logins and token are managed from the command line, with a hub that runs and without.
func TestTR4_F15_LoginsAndTheTokenFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	h := enginetest.Start(t, engine.Options{DataDir: dir})
	at := []string{"--url", h.URL(), "--data", dir}
	if got := run(t, 0, append([]string{"login"}, at...)...); !strings.Contains(got, "open "+h.URL()+"/open/") {
		t.Error(got)
	}
	run(t, 0, append([]string{"login", "list"}, at...)...)
	run(t, 4, append([]string{"login", "end", "nobody"}, at...)...)
	run(t, 2, append([]string{"login", "end"}, at...)...)
	run(t, 0, append([]string{"login", "end", "--all"}, at...)...)
	run(t, 2, append([]string{"token", "rotate"}, at...)...)

	before := h.Token()
	said := run(t, 0, append([]string{"token", "rotate", "--yes"}, at...)...)
	kept, err := config.OwnerToken(dir, false)
	if err != nil || kept == before || kept != h.Token() || strings.Contains(said, kept) {
		t.Errorf("with a hub: %v %q", err, said)
	}
	h.Stop()
	run(t, 0, append([]string{"token", "rotate", "--yes"}, at...)...)
	if now, err := config.OwnerToken(dir, false); err != nil || now == kept {
		t.Errorf("without a hub: %v", err)
	}
	t.Setenv("AGENTFLOW_TOKEN", "of-the-environment")
	run(t, 5, append([]string{"token", "rotate", "--yes"}, at...)...)
}

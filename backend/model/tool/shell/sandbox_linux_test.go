package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
)

// A command of the shell tool can't read the owner's token, and can write only in its folders.
func TestTR3_ACommandReadsNoToken(t *testing.T) {
	if here := sandbox.Here(); here.Name == "" {
		t.Skipf("NOT RUN: %s", here.Why)
	}
	const token = "the-owners-token-0123456789"
	t.Setenv("AGENTFLOW_TOKEN", token)
	s, dir := newShell(t)
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "token"), []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Sandbox.Data = data
	r, err := s.Run(
		t.Context(),
		Args{
			Command: fmt.Sprintf(
				"cat %s/token; cat /proc/%d/environ; env; echo x > %s/new; echo x > here",
				data,
				os.Getpid(),
				data,
			),
		},
	)
	if err != nil || r.ExitCode != 0 || strings.Contains(r.Text(), token) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(filepath.Join(data, "new")); err == nil {
		t.Error("it wrote into the data folder")
	}
	if _, err := os.Stat(filepath.Join(dir, "here")); err != nil {
		t.Error(err)
	}
	s.Sandbox.Read = []string{"relative"}
	if _, err := s.Run(t.Context(), Args{Command: "true"}); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("a sandbox that can't be made: %v", err)
	}
}

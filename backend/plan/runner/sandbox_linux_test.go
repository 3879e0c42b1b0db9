package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/sandbox"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codeclitest"
	"agentflow/backend/plan/runnertest"
)

// A worker commits in its worktree, and the test command runs. Neither can read the owner's token, or leave something
// that Git would run outside the sandbox.
func TestTR3_NeitherWorkerNorTestReachesTheOwner(t *testing.T) {
	if here := sandbox.Here(); here.Name == "" {
		t.Skipf("NOT RUN: %s", here.Why)
	}
	b := newBench(t, working)
	token := filepath.Join(b.dir, "token")
	if err := os.WriteFile(token, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	hook, config := filepath.Join(b.repo, ".git", "hooks", "post-merge"), filepath.Join(b.repo, ".git", "config")
	before := runnertest.Read(config)
	tries := fmt.Sprintf("rm half.txt; git add -A; git -c user.name=W -c user.email=w@localhost commit -q --allow-empty -m own || exit 9\n"+
		"cat %s && exit 8; echo x > %s; echo x >> %s; git config core.fsmonitor evil; git --git-dir=%s config core.fsmonitor evil\n", token, hook, config, filepath.Join(b.repo, ".git"))
	b.cli, b.count = runnertest.CLI(t, t.TempDir(), strings.Replace(working, "rm half.txt", tries, 1)), os.DevNull
	m := codeclitest.Serve(t, decides)
	o := b.options(m.URL, func(Event) {})
	o.Worker.Sandbox = sandbox.Settings{Data: b.dir}
	task := b.task()
	task.Test.Command += fmt.Sprintf(` && ! cat %s && ! { echo x > %s; } && git log --format=%%s | grep own`, token,
		hook)
	out, err := Run(t.Context(), task, o)
	if err != nil || out.State != plan.Complete || out.Merge != nil {
		t.Fatalf("%+v, %v\n%s", out, err, runnertest.Read(out.Note))
	}
	if _, err := os.Stat(hook); err == nil || runnertest.Read(config) != before {
		t.Errorf("a hook (%v) or a setting of git was left: %s", err, runnertest.Read(config))
	}
	if runnertest.Read(filepath.Join(b.repo, "made.txt")) != "line\n" {
		t.Error("the work is not merged")
	}
}

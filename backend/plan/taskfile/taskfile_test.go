package taskfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

const whole = `version: 1
task:
  id: TASK-123
  title: User registration API
  repo: .
  prd: {path: docs.md}
  test: {command: go test ./..., cwd: .}
runner:
  meta: {kind: openai-chat, model: openai/gpt-5, max_loops: 3, system_prompt: "custom"}
  worker: {kind: codex-cli, max_run_time_sec: 60, env: {CODEX_API_KEY: "env:MY_KEY", PLAIN: x}}
`

func read(t *testing.T, text string) (*File, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docs.md"), []byte("what is wanted"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(
		[]byte(text),
		Source{
			Name:   "task.yaml",
			Dir:    dir,
			Getenv: func(name string) (string, bool) { return "s3cret", name == "MY_KEY" },
		},
	)
}

func TestME7_TheWholeTaskYAML(t *testing.T) {
	f, err := read(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	if f.Task.PRD.Text != "what is wanted" || !filepath.IsAbs(f.Task.Repo) || f.Runner.Meta.SystemPrompt != "custom" || f.Runner.Worker.Env["CODEX_API_KEY"] != "s3cret" || f.Runner.Worker.Env["PLAIN"] != "x" || *f.Runner.Meta.MaxLoops != 3 {
		t.Errorf("%+v", f)
	}
	short := "version: 1\ntask: {title: T, prd: {text: do it}}\n"
	f, err = read(t, short)
	if err != nil || f.Task.ID == "" || *f.Runner.Meta.MaxLoops != DefaultMaxLoops || f.Runner.Worker.Kind != "codex-cli" || f.Runner.Meta.Kind != MetaChat || f.Runner.Worker.MaxRunTimeSec != 1800 {
		t.Errorf("%+v, %v", f, err)
	}
	if here, err := read(t, short+"runner: {worker: {command: bin/cli}}\n"); err != nil || !filepath.IsAbs(here.Runner.Worker.Command) {
		t.Errorf("a path of a command: %+v, %v", here, err)
	}
	if named, err := read(t, short+"runner: {worker: {command: cli}}\n"); err != nil || named.Runner.Worker.Command != "cli" {
		t.Errorf("a name of a command: %+v, %v", named, err)
	}
	for more, want := range map[string]string{"mode: exec": PermissionsAllow, "mode: acp": PermissionsAsk, "mode: acp, permissions: allow": PermissionsAllow} {
		if f, err := read(t, short+"runner: {worker: {"+more+"}}\n"); err != nil || f.Runner.Worker.Permissions != want {
			t.Errorf("%s: %+v, %v", more, f, err)
		}
	}
	if none, err := read(t, short+"runner: {meta: {max_loops: 0}}\n"); err != nil || *none.Runner.Meta.MaxLoops != 0 {
		t.Errorf("max_loops 0: %+v, %v", none, err)
	}
}

func TestME7_WrongTaskFilesNameTheLine(t *testing.T) {
	for change, want := range map[string]struct {
		line int
		text string
	}{
		"version: 1→version: 2":                               {1, "version must be 1"},
		"  title: User registration API\n→":                   {2, "task.title is missing"},
		"title: User→titel: User":                             {4, `no key "titel"`},
		"  id: TASK-123→  id: a/b":                            {3, "task.id"},
		"{path: docs.md}→{path: gone.md}":                     {6, "cannot be read"},
		"{path: docs.md}→{path: docs.md, text: x}":            {6, "both path and text"},
		"  prd: {path: docs.md}\n→":                           {2, "task.prd is missing"},
		"repo: .→repo: nowhere":                               {5, "no folder"},
		"cwd: .}→cwd: ../..}":                                 {7, "inside the repo"},
		"kind: openai-chat→kind: magic":                       {9, "runner.meta.kind"},
		"kind: codex-cli→kind: codex-clii":                    {10, "runner.worker.kind must be one of codex-cli, claude-code"},
		"max_loops: 3→max_loops: many":                        {9, "cannot"},
		"kind: codex-cli→kind: codex-cli, mode: pty":          {10, "runner.worker.mode"},
		"kind: codex-cli→mode: acp, permissions: maybe":       {10, "runner.worker.permissions"},
		"kind: codex-cli→kind: codex-cli, permissions: ask":   {10, "nothing is asked"},
		"env:MY_KEY→env:OTHER":                                {10, "OTHER, which is not set"},
		"version: 1\n→version: 1\nversion: 1\n":               {2, "already defined"},
		"version: 1\n→version: 1\n---\nversion: 1\ntask: 1\n": {0, ""},
		whole + "→": {1, "empty"},
	} {
		from, to, _ := strings.Cut(change, "→")
		_, err := read(t, strings.Replace(whole, from, to, 1))
		var e *errcode.Error
		if !errors.As(err, &e) || e.Code != errcode.Validation || e.Details[errcode.KeyFile] != "task.yaml" {
			t.Errorf("%q: %v", change, err)
			continue
		}
		line, _ := e.Details[errcode.KeyLine].(int)
		if line != want.line || !strings.Contains(e.Message, want.text) {
			t.Errorf("%q: line %d, %s", change, line, e.Message)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = Read([]byte(text), Source{Name: "f", Dir: os.TempDir(), Getenv: os.LookupEnv})
	})
}

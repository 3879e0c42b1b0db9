// Package taskfile reads the Task YAML: the task, its place, and its planner and worker.
package taskfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/codecli"
)

// Version is the only version of the Task YAML.
const Version = 1

// Kinds of planners.
const (
	MetaChat  = "openai-chat"
	MetaCodex = "codex-cli"
)

// Defaults and limits.
const (
	DefaultMaxLoops   = 5
	maxLoops          = 100
	DefaultMaxRunTime = 1800
	maxRunTime        = 24 * 3600
	maxFile           = 1 << 20
)

// File is a Task YAML.
type File struct {
	Version int    `yaml:"version"`
	Task    Task   `yaml:"task"`
	Runner  Runner `yaml:"runner"`
}

// Task is the task. Repo and PRD.Path are relative to the file.
type Task struct {
	ID    string `yaml:"id"` // default: derived from the file's content, so that it is stable
	Title string `yaml:"title"`
	Repo  string `yaml:"repo"`
	PRD   PRD    `yaml:"prd"`
	Test  Test   `yaml:"test"`
}

// PRD describes the goal, as a file or a text. After Read, Text is always set.
type PRD struct {
	Path string `yaml:"path"`
	Text string `yaml:"text"`
}

// Test is a command whose result counts as evidence. Cwd is relative to the repo.
type Test struct {
	Command string `yaml:"command"`
	Cwd     string `yaml:"cwd"`
}

// Runner is the planner and the worker.
type Runner struct {
	Meta   Meta   `yaml:"meta"`
	Worker Worker `yaml:"worker"`
}

// Meta configures the planner.
type Meta struct {
	Kind         string `yaml:"kind"`
	Model        string `yaml:"model"`
	MaxLoops     *int   `yaml:"max_loops"` // never nil after Read
	SystemPrompt string `yaml:"system_prompt"`
}

// Worker is a coding CLI. A value env:NAME in Env is replaced by that environment variable, so that no file contains
// a secret.
type Worker struct {
	Kind          string            `yaml:"kind"`
	Mode          string            `yaml:"mode"`        // exec, or acp: the Agent Client Protocol
	Permissions   string            `yaml:"permissions"` // in mode acp: allow, ask (the default) or deny its requests for approval
	Command       string            `yaml:"command"`     // a path is relative to the file
	Model         string            `yaml:"model"`
	Flags         []string          `yaml:"flags"`
	MaxRunTimeSec int               `yaml:"max_run_time_sec"`
	Env           map[string]string `yaml:"env"`
	ToolSpecific  map[string]any    `yaml:"tool_specific"`
}

// Modes of a worker, and answers to its requests for approval.
const (
	ModeExec = "exec"
	ModeACP  = "acp"

	PermissionsAllow = "allow"
	PermissionsAsk   = "ask"
	PermissionsDeny  = "deny"
)

// Source is the origin of a Task YAML.
type Source struct {
	Name   string // for messages
	Dir    string // what its paths are relative to
	Getenv func(string) (string, bool)
}

var (
	unknown = regexp.MustCompile(`line (\d+): (?:field (\S+) not found|(.*))`)
	plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
)

// reader reads one file.
type reader struct {
	from Source
	root yaml.Node
}

// Read reads a Task YAML. Errors are VALIDATION_ERROR with details.file and, if known, details.line.
func Read(data []byte, from Source) (*File, error) {
	r := &reader{from: from}
	if len(data) > maxFile {
		return nil, r.wrong(0, "the file is longer than %d bytes", maxFile)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&r.root); err != nil {
		return nil, r.broken(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, r.wrong(0, "a task is one YAML document, and this file holds more")
	}
	f := &File{}
	strict := yaml.NewDecoder(bytes.NewReader(data))
	strict.KnownFields(true)
	if err := strict.Decode(f); err != nil {
		return nil, r.broken(err)
	}
	if err := r.complete(f, data); err != nil {
		return nil, err
	}
	return f, nil
}

func (r *reader) wrong(line int, format string, a ...any) *errcode.Error {
	e := errcode.New(errcode.Validation, format, a...).With(errcode.KeyFile, r.from.Name)
	if line > 0 {
		return e.With(errcode.KeyLine, line)
	}
	return e
}

// broken converts an error of the YAML parser.
func (r *reader) broken(err error) error {
	if errors.Is(err, io.EOF) {
		return r.wrong(1, "the file is empty")
	}
	m := unknown.FindStringSubmatch(err.Error())
	if m == nil {
		return r.wrong(0, "this is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	line, _ := strconv.Atoi(m[1])
	if m[2] != "" {
		return r.wrong(line, "a task has no key %q here; keep to those of the guide", m[2])
	}
	return r.wrong(line, "this cannot be read: %s", m[3])
}

// line returns the line of a key, or of the nearest map around it.
func (r *reader) line(way ...string) int {
	if len(r.root.Content) == 0 {
		return 1
	}
	n := r.root.Content[0]
	line := n.Line
	for _, key := range way {
		at := -1
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				at = i
			}
		}
		if at < 0 {
			break
		}
		line, n = n.Content[at].Line, n.Content[at+1]
	}
	return line
}

// complete checks the values and sets the defaults.
func (r *reader) complete(f *File, data []byte) error {
	t := &f.Task
	switch {
	case f.Version != Version:
		return r.wrong(r.line("version"), "version must be %d", Version)
	case strings.TrimSpace(t.Title) == "":
		return r.wrong(r.line("task", "title"), "task.title is missing")
	case t.ID != "" && !plainID.MatchString(t.ID):
		return r.wrong(r.line("task", "id"), "task.id may hold letters, digits and ._- only, 100 at most")
	case t.PRD.Path == "" && strings.TrimSpace(t.PRD.Text) == "":
		return r.wrong(r.line("task", "prd"), "task.prd is missing: say what is wanted, by path or text")
	case t.PRD.Path != "" && t.PRD.Text != "":
		return r.wrong(r.line("task", "prd"), "task.prd holds both path and text: keep one")
	case t.Test.Command == "" && t.Test.Cwd != "":
		return r.wrong(r.line("task", "test"), "task.test.command is missing")
	case filepath.IsAbs(t.Test.Cwd) || t.Test.Cwd != "" && !filepath.IsLocal(t.Test.Cwd):
		return r.wrong(r.line("task", "test", "cwd"), "task.test.cwd must lie inside the repo")
	}
	if err := r.runner(&f.Runner); err != nil {
		return err
	}
	if t.Repo == "" {
		t.Repo = "."
	}
	t.Repo = r.path(t.Repo)
	if info, err := os.Stat(t.Repo); err != nil || !info.IsDir() {
		return r.wrong(r.line("task", "repo"), "there is no folder %s", t.Repo)
	}
	if t.ID == "" {
		sum := sha256.Sum256(append(data, t.Repo...))
		t.ID = "task-" + hex.EncodeToString(sum[:6])
	}
	return r.prd(t)
}

// prd reads the file with the PRD.
func (r *reader) prd(t *Task) error {
	if t.PRD.Path == "" {
		return nil
	}
	text, err := os.ReadFile(r.path(t.PRD.Path))
	if err != nil {
		return r.wrong(r.line("task", "prd", "path"), "the file that task.prd.path names cannot be read: %s",
			err.Error())
	}
	if t.PRD.Text = string(text); strings.TrimSpace(t.PRD.Text) == "" {
		return r.wrong(r.line("task", "prd", "path"), "the file that task.prd.path names is empty")
	}
	return nil
}

func (r *reader) path(p string) string {
	if !filepath.IsAbs(p) {
		p = filepath.Join(r.from.Dir, p)
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

func (r *reader) runner(in *Runner) error {
	m, w := &in.Meta, &in.Worker
	if m.Kind == "" {
		m.Kind = MetaChat
	}
	if w.Kind == "" {
		w.Kind = "codex-cli"
	}
	if m.MaxLoops == nil {
		standard := DefaultMaxLoops
		m.MaxLoops = &standard
	}
	if w.Mode == "" {
		w.Mode = ModeExec
	}
	if w.Permissions == "" {
		w.Permissions = PermissionsAsk
		if w.Mode == ModeExec {
			w.Permissions = PermissionsAllow // by the CLI's own settings, in its sandbox
		}
	}
	if w.MaxRunTimeSec == 0 {
		w.MaxRunTimeSec = DefaultMaxRunTime
	}
	switch {
	case !slices.Contains([]string{MetaChat, MetaCodex}, m.Kind):
		return r.wrong(r.line("runner", "meta", "kind"), "runner.meta.kind must be %s or %s, not %q", MetaChat,
			MetaCodex, m.Kind)
	case !slices.Contains(codecli.Kinds(), codecli.Kind(w.Kind)):
		return r.wrong(r.line("runner", "worker", "kind"), "runner.worker.kind must be one of %s, not %q", kinds(),
			w.Kind)
	case !slices.Contains([]string{ModeExec, ModeACP}, w.Mode):
		return r.wrong(r.line("runner", "worker", "mode"), "runner.worker.mode must be %s or %s, not %q", ModeExec,
			ModeACP, w.Mode)
	case !slices.Contains([]string{PermissionsAllow, PermissionsAsk, PermissionsDeny}, w.Permissions):
		return r.wrong(r.line("runner", "worker", "permissions"),
			"runner.worker.permissions must be %s, %s or %s, not %q", PermissionsAllow, PermissionsAsk, PermissionsDeny,
			w.Permissions)
	case w.Permissions != PermissionsAllow && w.Mode != ModeACP:
		return r.wrong(r.line("runner", "worker", "permissions"),
			"runner.worker.permissions need runner.worker.mode: %s; in the mode %s nothing is asked", ModeACP, ModeExec)
	case *m.MaxLoops < 0 || *m.MaxLoops > maxLoops:
		return r.wrong(r.line("runner", "meta", "max_loops"), "runner.meta.max_loops must be 0 to %d", maxLoops)
	case w.MaxRunTimeSec < 0 || w.MaxRunTimeSec > maxRunTime:
		return r.wrong(r.line("runner", "worker", "max_run_time_sec"), "runner.worker.max_run_time_sec must be 1 to %d",
			maxRunTime)
	}
	if strings.ContainsAny(w.Command, `/\`) {
		w.Command = r.path(w.Command)
	}
	return r.secrets(w.Env)
}

// kinds lists the supported coding CLIs.
func kinds() string {
	var names []string
	for _, k := range codecli.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// secrets replaces references to environment variables with their values.
func (r *reader) secrets(env map[string]string) error {
	for name, value := range env {
		from, ok := strings.CutPrefix(value, "env:")
		if !ok {
			continue
		}
		secret, set := r.from.Getenv(from)
		if !set {
			return r.wrong(r.line("runner", "worker", "env", name),
				"runner.worker.env.%s takes its value from the variable %s, which is not set", name, from)
		}
		env[name] = secret
	}
	return nil
}

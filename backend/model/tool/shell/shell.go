// Package shell provides a tool that runs commands. Each command has its own process tree, a deadline, limited output
// and an environment without secrets.
package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
)

// From is the source of the tool; Exec is its name.
const (
	From = "shell"
	Exec = "shell_exec"
)

// Limits.
const (
	defaultTimeout = 60 * time.Second
	maxTimeout     = 10 * time.Minute
	maxKept        = 24 << 10 // bytes of the head and of the tail of each output
	maxCommand     = 32 << 10
)

// Shell runs commands.
type Shell struct {
	// Dir resolves a folder named by a model, or rejects it; "" is the default.
	Dir func(name string) (string, error)
	// Inside returns why Dir would reject a folder, and creates nothing; nil rejects none.
	Inside  func(name string) error
	Folders []string         // that commands can change
	Sandbox sandbox.Settings // of this computer
	Blocked []string         // commands that are never run, such as "rm -rf" or sudo
	Asked   []string         // commands that need approval whatever the policy is
}

// Args are the arguments of the tool.
type Args struct {
	Command    string `json:"command"`
	Dir        string `json:"dir,omitzero"`
	TimeoutSec int    `json:"timeoutSec,omitzero"`
}

// Result is the result of a command.
type Result struct {
	ExitCode int    `json:"exitCode"` // -1 if it was killed
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	TimedOut bool   `json:"timedOut,omitempty"`

	told bool // Follow has passed on all of the output
}

// Tool returns the shell tool.
func (s *Shell) Tool() tool.Tool {
	return tool.Typed(tool.Tool{
		Name:        Exec,
		From:        From,
		Description: "Run a command with sh -c and return its exit code and output. It has no standard input. What it starts ends with it.",
		Schema: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"},` +
			`"dir":{"type":"string","description":"working folder, default: the first allowed one"},` +
			`"timeoutSec":{"type":"integer","description":"1 to 600, default 60"}},"required":["command"],"additionalProperties":false}`),
		Check: s.check,
	}, func(ctx context.Context, a Args) (string, error) {
		r, err := s.Run(ctx, a)
		if err != nil {
			return "", err
		}
		return r.Text(), nil
	})
}

func (s *Shell) check(arguments json.RawMessage) (tool.Policy, error) {
	var a Args
	if err := tool.Decode(arguments, &a); err != nil {
		return "", err
	}
	if err := a.validate(); err != nil {
		return "", err
	}
	if s.Inside != nil {
		if err := s.Inside(a.Dir); err != nil {
			return "", err
		}
	}
	for _, b := range s.Blocked {
		if runs(a.Command, b) {
			return "", errcode.New(errcode.Forbidden, "the command was not run: %q is blocked for this agent", b)
		}
	}
	for _, b := range s.Asked {
		if runs(a.Command, b) {
			return tool.Ask, nil
		}
	}
	return "", nil
}

// allowed are the environment variables that commands get, besides LC_….
var allowed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "TEMP", "TMP",
	"SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES",
}

// Environment returns this process's environment without possible secrets. more names additional variables.
func Environment(more ...string) []string {
	var out []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(allowed, strings.ToUpper(name)) || strings.HasPrefix(name, "LC_") || slices.Contains(more, name) {
			out = append(out, kv)
		}
	}
	return out
}

var errDeadline = errors.New("the command took too long")

// validate rejects arguments that can't be run.
func (a Args) validate() error {
	switch {
	case strings.TrimSpace(a.Command) == "":
		return errcode.New(errcode.Validation, "the command is empty")
	case len(a.Command) > maxCommand || strings.ContainsRune(a.Command, 0):
		return errcode.New(errcode.Validation, "the command is longer than %d bytes, or holds a NUL", maxCommand)
	case a.TimeoutSec < 0 || time.Duration(a.TimeoutSec)*time.Second > maxTimeout:
		return errcode.New(errcode.Validation, "timeoutSec must be 1 to %d", int(maxTimeout.Seconds()))
	}
	return nil
}

// Run runs a command. Its failure or timeout isn't an error but a Result. When Run returns, its whole process tree
// has ended.
func (s *Shell) Run(ctx context.Context, a Args) (Result, error) {
	return s.Follow(ctx, a, func(string) {})
}

// Follow is Run, and passes on what the command prints, in whole lines, while it runs. It passes on only the beginning
// of a long output.
func (s *Shell) Follow(ctx context.Context, a Args, say func(lines string)) (Result, error) {
	if err := a.validate(); err != nil {
		return Result{}, err
	}
	timeout := defaultTimeout
	if a.TimeoutSec > 0 {
		timeout = time.Duration(a.TimeoutSec) * time.Second
	}
	dir, err := s.Dir(a.Dir)
	if err != nil {
		return Result{}, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errDeadline)
	defer cancel()
	out, errs := proc.HeadTailBuffer{Most: maxKept}, proc.HeadTailBuffer{Most: maxKept}
	command := proc.Command{
		Path: "sh",
		Args: []string{"-c", a.Command},
		Dir:  dir,
		Env:  Environment(),
	}
	printed, erred := lines{say: say}, lines{say: say}
	command.Output, command.Errors = printed.before(out.Take), erred.before(errs.Take)
	res, err := s.Sandbox.Run(limited, command, sandbox.Access{Write: s.folders(dir)})
	printed.end()
	erred.end()
	r := Result{ExitCode: res.Code, Stdout: out.Text(), Stderr: errs.Text(), told: !printed.over && !erred.over}
	switch {
	case errors.Is(err, errDeadline):
		r.TimedOut, r.ExitCode = true, -1
		return r, nil
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case errcode.HasReason(err, sandbox.ReasonNone):
		return r, err
	case err != nil:
		return r, errcode.New(errcode.Unavailable, "the command could not be started: %s", err.Error())
	}
	return r, nil
}

// folders returns the folders that a command can change: the allowed ones, or its working folder.
func (s *Shell) folders(dir string) []string {
	if len(s.Folders) == 0 {
		return []string{dir}
	}
	return s.Folders
}

// Text returns the result as text for a model.
func (r Result) Text() string {
	var b strings.Builder
	b.WriteString(r.end())
	if r.Stdout != "" {
		b.WriteString("stdout:\n" + r.Stdout + "\n")
	}
	if r.Stderr != "" {
		b.WriteString("stderr:\n" + r.Stderr + "\n")
	}
	return b.String()
}

// Rest returns what is left to tell after Follow: how the command ended, and the output if it was too long to follow.
func (r Result) Rest() string {
	if r.told {
		return r.end()
	}
	return r.Text()
}

func (r Result) end() string {
	if r.TimedOut {
		return "it took too long and was ended\n"
	}
	return fmt.Sprintf("exit code %d\n", r.ExitCode)
}

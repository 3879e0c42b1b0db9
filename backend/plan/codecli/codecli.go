// Package codecli runs coding CLIs: their input, their reports, and whether they succeeded (requirement ME-11). It
// doesn't know tasks.
package codecli

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/safego"
	"agentflow/backend/base/sandbox"
)

// Kind is a kind of coding CLI.
type Kind string

// The kinds.
const (
	Codex    Kind = "codex-cli"
	Claude   Kind = "claude-code"
	Gemini   Kind = "gemini-cli"
	OpenCode Kind = "opencode"
)

// Exec is the mode of one command line: one prompt, run to its end.
const Exec = "exec"

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Codex, Claude, Gemini, OpenCode} }

// Limits.
const (
	DefaultTimeout = 30 * time.Minute
	maxLine        = 1 << 20   // bytes of one event; a longer one is cut and ignored as an event
	maxKept        = 24 << 10  // bytes of the head and of the tail of the output
	maxArgument    = 100 << 10 // bytes of a prompt as an argument; a longer one is sent on standard input
)

// Call is the planner's call of a CLI (worker_call, ME-2). It comes from a model, so values that would extend the
// CLI's permissions are rejected.
type Call struct {
	Kind         Kind
	Mode         string
	Prompt       string
	Model        string
	Flags        []string
	Env          map[string]string
	ToolSpecific map[string]any
	UseStdin     bool
}

// Worker is a CLI as configured by a person.
type Worker struct {
	Kind         Kind
	Mode         string            // Exec or ACP; "": the call decides
	Command      string            // its path (in mode ACP, that of the ACP program); "" searches for the usual name
	Model        string            // default for calls
	Flags        []string          // always passed
	Env          map[string]string // always set; secrets belong here, never in Flags
	ToolSpecific map[string]any    // settings of the kind; see docs
	Timeout      time.Duration     // 0 is DefaultTimeout
	Sandbox      sandbox.Settings  // of this computer
	// Permit decides on the CLI's requests for approval in mode ACP; nil rejects all.
	Permit func(ctx context.Context, p Permission) (bool, error)
}

// Place is where a CLI works.
type Place struct {
	Dir     string // the work tree
	Home    string // base of its home and temporary folder; not in the system's temporary folder
	Records string // see proc.Command
	NoGit   bool   // Dir isn't in a Git repository
	// Paths that it can access in the sandbox besides Dir and Home.
	Read  []string
	Write []string
}

// Kinds of an Event.
const (
	EventText    = "text"    // text of the CLI
	EventCommand = "command" // a command, and how it ended
	EventFile    = "file"    // a changed file
	EventLog     = "log"     // any other line
)

// Event is an event of a CLI.
type Event struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

// Verdict is the result of a call according to the CLI's reports; the exit code alone isn't enough.
type Verdict struct {
	Finished  bool    `json:"finished"` // it reported the end of its work, without a failure
	Reason    string  `json:"reason,omitempty"`
	ExitCode  int     `json:"exitCode"` // -1 when a signal ended it
	Signal    string  `json:"signal,omitempty"`
	Message   string  `json:"message"` // its last message
	Output    string  `json:"output"`  // head and tail of its output
	Commands  int     `json:"commands"`
	Failed    int     `json:"failedCommands"`
	TokensIn  int     `json:"tokensIn"`
	TokensOut int     `json:"tokensOut"`
	Cost      float64 `json:"cost,omitempty"` // in dollars, if the CLI reports it
	Session   string  `json:"session,omitempty"`
}

// Run runs one call and returns when the CLI and its whole process tree have ended. A failure of the work isn't an
// error but a Verdict. An error is an invalid call, a missing CLI, or the end of ctx, with its cause.
func (w Worker) Run(ctx context.Context, p Place, call Call, tell func(Event)) (Verdict, error) {
	a, err := w.adapter(call)
	if err != nil {
		return Verdict{}, err
	}
	if err := a.refuses(call); err != nil {
		return Verdict{}, err
	}
	if call.Mode == ACP {
		return w.converse(ctx, a, p, call, tell)
	}
	path, err := exec.LookPath(cmp.Or(w.Command, a.command))
	if err != nil {
		return Verdict{}, errcode.New(errcode.Unavailable,
			"the worker %s cannot be used: the command %s was not found. Install it (%s), or name its path", w.Kind,
			cmp.Or(w.Command, a.command), a.install)
	}
	home, err := prepare(p.Home, a)
	if err != nil {
		return Verdict{}, errcode.Wrap(errcode.Unavailable, err, "the worker's own folder cannot be made")
	}
	stdin, argument := "", call.Prompt
	if (call.UseStdin || len(call.Prompt) > maxArgument) && a.stdin {
		stdin, argument = call.Prompt, ""
	}
	s := w.setup(p, home, call)
	s.prompt = argument
	args, err := a.args(s)
	if err != nil {
		return Verdict{}, err
	}
	r := reading{tell: tell, out: proc.HeadTailBuffer{Most: maxKept}, read: a.read}
	lines := proc.LineSplitter{Most: maxLine, Line: r.line}
	res, err := w.Sandbox.Run(ctx, proc.Command{
		Path: path, Args: args, Dir: p.Dir, Env: w.environment(a, home, call), Stdin: stdin, Records: p.Records,
		Timeout: cmp.Or(w.Timeout, DefaultTimeout),
		Output:  func(b []byte) error { _ = r.out.Take(b); return lines.Take(b) },
		Errors:  r.out.Take,
	}, s.access())
	_ = lines.End()
	return w.weigh(ctx, r.verdict(res), err)
}

// weigh interprets the end of a CLI's process.
func (w Worker) weigh(ctx context.Context, v Verdict, err error) (Verdict, error) {
	switch {
	case errors.Is(err, proc.ErrTimeout):
		v.Finished, v.Reason = false, "it took longer than "+cmp.Or(w.Timeout, DefaultTimeout).String()+" and was ended"
		return v, nil
	case ctx.Err() != nil:
		return v, context.Cause(ctx)
	case errcode.HasReason(err, sandbox.ReasonNone), safego.Is(err):
		return v, err
	case err != nil:
		return v, errcode.New(errcode.Unavailable, "the worker %s could not be run: %s", w.Kind, err.Error())
	}
	return v, nil
}

// setup combines the call with the person's settings.
func (w Worker) setup(p Place, home string, call Call) setup {
	own := w.Kind == Codex // Codex has its own sandbox
	return setup{
		place: p, home: home, model: cmp.Or(call.Model, w.Model), flags: slices.Concat(w.Flags, call.Flags), specific: merged(w.ToolSpecific, call.ToolSpecific),
		nested: own && w.Sandbox.Nests(), held: own && !w.Sandbox.Nests(),
	}
}

func (w Worker) adapter(call Call) (adapter, error) {
	a, known := adapters[w.Kind]
	switch {
	case !known:
		return a, errcode.New(errcode.Validation, "no worker is called %q; known are %s", w.Kind, names()).
			With(errcode.KeyField, "worker_type")
	case call.Kind != w.Kind:
		return a, errcode.New(errcode.Validation, "the worker of this task is %s, not %q", w.Kind, call.Kind).
			With(errcode.KeyField, "worker_type")
	case call.Mode != Exec && call.Mode != ACP:
		return a, errcode.New(errcode.Validation,
			"the worker %s has the modes %s and %s, not %q", w.Kind, Exec, ACP, call.Mode).
			With(errcode.KeyField, "mode")
	case w.Mode != "" && call.Mode != w.Mode:
		return a, errcode.New(errcode.Validation,
			"the worker of this task works in the mode %s, not %q", w.Mode, call.Mode).
			With(errcode.KeyField, "mode")
	case strings.TrimSpace(call.Prompt) == "" || strings.ContainsRune(call.Prompt, 0):
		return a, errcode.New(errcode.Validation, "the prompt is empty, or holds a NUL").
			With(errcode.KeyField, "prompt")
	}
	return a, nil
}

func names() string {
	all := make([]string, 0, len(adapters))
	for _, k := range Kinds() {
		all = append(all, string(k))
	}
	return strings.Join(all, ", ")
}

func merged(own, asked map[string]any) map[string]any {
	out := maps.Clone(asked)
	if out == nil {
		out = map[string]any{}
	}
	for name, value := range own {
		if both, ok := value.(map[string]any); ok {
			if more, ok := out[name].(map[string]any); ok {
				value = merged(both, more)
			}
		}
		out[name] = value
	}
	return out
}

// prepare creates the CLI's own folders.
func prepare(home string, a adapter) (string, error) {
	home, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	for _, dir := range append([]string{"tmp"}, a.folders...) {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			return "", err
		}
	}
	for name, text := range a.files {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return home, nil
}

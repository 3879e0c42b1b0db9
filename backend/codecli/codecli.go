// Package codecli runs coding command lines: what they are given, what they say, and
// whether they did it (requirement ME-11). It knows nothing of tasks.
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

	"agentflow/backend/errcode"
	"agentflow/backend/proc"
	"agentflow/backend/safego"
	"agentflow/backend/sandbox"
)

// Kind names a coding CLI.
type Kind string

// The kinds.
const (
	Codex    Kind = "codex-cli"
	Claude   Kind = "claude-code"
	Gemini   Kind = "gemini-cli"
	OpenCode Kind = "opencode"
)

// Exec is the mode of one command line: a prompt, worked to its end.
const Exec = "exec"

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Codex, Claude, Gemini, OpenCode} }

// Bounds.
const (
	DefaultTimeout = 30 * time.Minute
	maxLine        = 1 << 20   // bytes of one event; a longer one is cut, and no event any more
	maxKept        = 24 << 10  // bytes of the head and of the tail of the output
	maxArgument    = 100 << 10 // bytes of a prompt as an argument; a longer one goes to standard input
)

// Call is what a meta-agent asks of a CLI (worker_call, ME-2). It comes from a model, so
// that only what cannot widen what the CLI may do is taken from it.
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

// Worker is a CLI as a person set it up.
type Worker struct {
	Kind         Kind
	Mode         string            // Exec or ACP; "" leaves it to the call
	Command      string            // its path, of the program for ACP where Mode is that; "" looks for the usual name
	Model        string            // where the call names none
	Flags        []string          // always passed
	Env          map[string]string // always there; secrets belong here, never into Flags
	ToolSpecific map[string]any    // of the kind; see docs
	Timeout      time.Duration     // 0 is DefaultTimeout
	Sandbox      sandbox.Settings  // of this computer
	// Permit decides what the CLI asks leave for, in the mode ACP; nil refuses all.
	Permit func(ctx context.Context, p Permission) (bool, error)
}

// Place is where a CLI works.
type Place struct {
	Dir     string // the work tree
	Home    string // its own home and temporary folder are made below; not under the system's temporary folder
	Records string // as proc.Command has it
	NoGit   bool   // Dir is in no git repository
	// What it can reach beside Dir and Home, within the sandbox.
	Read  []string
	Write []string
}

// Kinds of an Event.
const (
	EventText    = "text"    // what the CLI says
	EventCommand = "command" // a command it runs, and how that ended
	EventFile    = "file"    // a file it changed
	EventLog     = "log"     // anything else worth a line
)

// Event is something a CLI does.
type Event struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

// Verdict is what became of a call, by what the CLI reported; its exit code alone says
// little.
type Verdict struct {
	Finished  bool    `json:"finished"` // it reported the end of its work, and no failure
	Reason    string  `json:"reason,omitempty"`
	ExitCode  int     `json:"exitCode"` // -1 when a signal ended it
	Signal    string  `json:"signal,omitempty"`
	Message   string  `json:"message"` // its last words
	Output    string  `json:"output"`  // head and tail of all it wrote
	Commands  int     `json:"commands"`
	Failed    int     `json:"failedCommands"`
	TokensIn  int     `json:"tokensIn"`
	TokensOut int     `json:"tokensOut"`
	Cost      float64 `json:"cost,omitempty"` // in dollars, where the CLI tells it
	Session   string  `json:"session,omitempty"`
}

// Run works one call and returns when the CLI and everything it started have ended. That
// the work failed is no error but a Verdict; an error is a call that must not be made, a
// CLI that is not there, or the end of ctx, as its cause.
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
		return Verdict{}, errcode.New(errcode.Unavailable, "the worker %s cannot be used: the command %s was not found. Install it (%s), or name its path", w.Kind, cmp.Or(w.Command, a.command), a.install)
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
	r := reading{tell: tell, out: proc.Ends{Most: maxKept}, read: a.read}
	lines := proc.Lines{Most: maxLine, Line: r.line}
	res, err := w.Sandbox.Run(ctx, proc.Command{
		Path: path, Args: args, Dir: p.Dir, Env: w.environment(a, home, call), Stdin: stdin, Records: p.Records,
		Timeout: cmp.Or(w.Timeout, DefaultTimeout),
		Output:  func(b []byte) error { _ = r.out.Take(b); return lines.Take(b) },
		Errors:  r.out.Take,
	}, s.access())
	_ = lines.End()
	return w.weigh(ctx, r.verdict(res), err)
}

// weigh says what the end of a CLI's process means for the call.
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

// setup is the call with all that the person set.
func (w Worker) setup(p Place, home string, call Call) setup {
	own := w.Kind == Codex // it has a sandbox of its own
	return setup{
		place: p, home: home, model: cmp.Or(call.Model, w.Model), flags: slices.Concat(w.Flags, call.Flags), specific: merged(w.ToolSpecific, call.ToolSpecific),
		nested: own && w.Sandbox.Nests(), held: own && !w.Sandbox.Nests(),
	}
}

func (w Worker) adapter(call Call) (adapter, error) {
	a, known := adapters[w.Kind]
	switch {
	case !known:
		return a, errcode.New(errcode.Validation, "no worker is called %q; known are %s", w.Kind, names()).With(errcode.KeyField, "worker_type")
	case call.Kind != w.Kind:
		return a, errcode.New(errcode.Validation, "the worker of this task is %s, not %q", w.Kind, call.Kind).With(errcode.KeyField, "worker_type")
	case call.Mode != Exec && call.Mode != ACP:
		return a, errcode.New(errcode.Validation, "the worker %s has the modes %s and %s, not %q", w.Kind, Exec, ACP, call.Mode).With(errcode.KeyField, "mode")
	case w.Mode != "" && call.Mode != w.Mode:
		return a, errcode.New(errcode.Validation, "the worker of this task works in the mode %s, not %q", w.Mode, call.Mode).With(errcode.KeyField, "mode")
	case strings.TrimSpace(call.Prompt) == "" || strings.ContainsRune(call.Prompt, 0):
		return a, errcode.New(errcode.Validation, "the prompt is empty, or holds a NUL").With(errcode.KeyField, "prompt")
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

// prepare makes the folders that the CLI has for itself.
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

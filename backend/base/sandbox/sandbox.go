// Package sandbox runs a command so that it reaches only what it needs: its folders, the
// system's programs and toolchains, and, if it is allowed, the network. On Linux that is
// Landlock with a seccomp filter, on macOS sandbox-exec. Other systems have none here. On Windows a restricted
// job limits the command, but keeps no files out of reach, so it doesn't count as a sandbox.
package sandbox

import (
	"context"
	"os"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// ReasonNone is the reason of an error: a sandbox is required, and there is none.
const ReasonNone = "no_sandbox"

// Mode says when commands are sandboxed.
type Mode string

// The modes. The zero Mode is Auto.
const (
	Auto     Mode = "auto"     // where the system has a sandbox
	Required Mode = "required" // always: without a sandbox nothing runs
	Off      Mode = "off"      // never
)

// Settings are what the owner of this computer decided. The zero Settings are the default.
type Settings struct {
	Mode    Mode
	Read    []string // further folders and files that every command can read
	Write   []string // likewise, and change
	Offline bool     // tests and shell commands have no network
	Sockets bool     // commands can connect to Unix sockets, such as Docker's
	Data    string   // the data folder, which stays out of reach inside every other folder
}

// Access is what one command needs beside the system and the toolchains.
type Access struct {
	Read    []string
	Write   []string
	Home    string // its home folder, which it can change; "" is the person's, which it can't
	Network bool   // it needs the network even where Settings.Offline is set
	Nested  bool   // it creates its own sandbox; see Settings.Nests
}

// State describes the sandbox of this computer.
type State struct {
	Name string // landlock or sandbox-exec; "" is none
	ABI  int    // of Landlock
	Gaps []Fact // what it doesn't cover
	Why  Fact   // why there is none
}

// Fact is something about the sandbox: a word for it, to be told in any language, and in English.
type Fact struct {
	errcode.Cause
	Text string
}

// String is the fact in English.
func (f Fact) String() string { return f.Text }

func fact(code, text string) Fact { return Fact{errcode.Cause{Code: code}, text} }

// about is a fact with what it is about.
func (f Fact) about(param, value string) Fact {
	f.Params = map[string]string{param: value}
	return f
}

// Here returns the sandbox of this computer.
func Here() State { return here() }

// Active reports whether commands run in a sandbox.
func (s Settings) Active() bool { return s.Mode != Off && Here().Name != "" }

// Nests reports whether a command can create its own sandbox within this one.
func (s Settings) Nests() bool { return !s.Active() || nests() }

// Run is proc.Run within the sandbox. Without one it is proc.Run, restricted unless the mode is Off, or an error
// if the settings require one. The command's temporary folder is private and removed afterwards,
// unless Access.Home is set: its tmp folder is the temporary folder then.
func (s Settings) Run(ctx context.Context, c proc.Command, a Access) (proc.Result, error) {
	if !s.Active() {
		if s.Mode == Required {
			return proc.Result{}, errcode.New(errcode.Unavailable,
				"this computer has no sandbox (%s), and the settings require one. Nothing was run. Set sandbox.mode to auto to run without", Here().Why).
				With(errcode.KeyReason, ReasonNone)
		}
		return proc.Run(ctx, s.bare(c, a))
	}
	if a.Home == "" {
		tmp, err := os.MkdirTemp("", "agentflow-run-")
		if err != nil {
			return proc.Result{}, errcode.Wrap(errcode.Unavailable, err,
				"no temporary folder can be made for the command: %s", err.Error())
		}
		defer os.RemoveAll(tmp) //nolint:errcheck // what is left there is nobody's
		a.Write = append(a.Write[:len(a.Write):len(a.Write)], tmp)
		vars, cache := s.private(tmp)
		if err := os.MkdirAll(cache, 0o700); err == nil {
			a.Write = append(a.Write, cache)
		}
		c.Env = with(c.Env, vars)
	}
	p, err := s.policy(c, a)
	if err != nil {
		return proc.Result{}, err
	}
	c, as := confine(c, p, a.Nested)
	res, err := proc.Run(ctx, c)
	return as(res), err
}

// bare returns the command as it runs without a sandbox.
func (s Settings) bare(c proc.Command, a Access) proc.Command {
	c.Restricted, c.Jobs = s.Mode != Off, a.Nested
	return c
}

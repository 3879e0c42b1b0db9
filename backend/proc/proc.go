// Package proc runs a child process and leaves nothing of it behind.
package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// grace is how long a process that was asked to end may take before it is killed.
const grace = 2 * time.Second

// maxSaid bounds what is kept of standard error; the end of it says why.
const maxSaid = 16 << 10

// Command is a program to run.
type Command struct {
	Path  string   // as exec.LookPath takes it
	Args  []string // public: every user of the computer can read them
	Env   []string // the whole environment
	Dir   string   // where it works; "" is where this program does
	Stdin string
	Input *os.File // instead of Stdin: the reading end of a pipe, or a file
	// Output gets what the program writes, as it comes. An error of it ends the program.
	Output func(chunk []byte) error
	// Errors, if it is not nil, gets standard error likewise, one call at a time with Output.
	Errors func(chunk []byte) error
}

// Result is how a program ended.
type Result struct {
	Code int    // its exit code; -1 when a signal ended it
	Said string // the end of its standard error
}

// Run runs the program and returns when it has ended, with everything that it started.
// When ctx ends, the whole tree is asked to end, and killed two seconds later; the
// error is then ctx's cause. A program that ended by itself is no error, whatever its
// code; one that could not be started is.
func Run(ctx context.Context, c Command) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var one sync.Mutex
	said := &tail{}
	out, errs := &sink{take: c.Output, stop: cancel, mu: &one}, &sink{take: c.Errors, stop: cancel, mu: &one}
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Env, c.Dir, strings.NewReader(c.Stdin), out, io.MultiWriter(said, errs)
	if c.Input != nil { // as it is: what copies would wait for its end
		cmd.Stdin = c.Input
	}
	cmd.WaitDelay = grace
	tree := prepare(cmd)
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	err := cmd.Wait()
	tree.kill()
	res := Result{Code: cmd.ProcessState.ExitCode(), Said: said.text()}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return res, nil
	}
	return res, err
}

// sink hands output on. It never fails towards the program, which would die of that
// instead of being ended.
type sink struct {
	take func([]byte) error
	stop context.CancelCauseFunc
	mu   *sync.Mutex
	done bool
}

// Write implements io.Writer.
func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done && s.take != nil {
		if err := s.take(bytes.Clone(p)); err != nil {
			s.done = true
			s.stop(err)
		}
	}
	return len(p), nil
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

var _ io.Writer = (*tail)(nil)

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxSaid; over > 0 {
		t.kept = append(t.kept[:0:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.kept), "\uFFFD")
}

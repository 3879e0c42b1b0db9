// Package proc runs a child process and leaves nothing of it behind.
package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/safego"
)

// Grace is how long a process that was asked to end may take before it is killed (ME-6).
const Grace = 5 * time.Second

// maxSaid bounds what is kept of standard error; the end of it says why.
const maxSaid = 16 << 10

// ErrTimeout is why a program was ended that took longer than its Timeout.
var ErrTimeout = errors.New("it took too long and was ended")

// Command is a program to run.
type Command struct {
	Path  string   // as exec.LookPath takes it
	Args  []string // public: every user of the computer can read them
	Env   []string // the whole environment
	Dir   string   // where it works; "" is where this program does
	Stdin string   // "" is an input that has ended
	Input *os.File // instead of Stdin: the reading end of a pipe, or a file
	// Output gets what the program writes, as it comes. An error of it ends the program.
	Output func(chunk []byte) error
	// Errors, if it is not nil, gets standard error likewise, one call at a time with Output.
	Errors func(chunk []byte) error
	// Timeout is the program's own deadline, 0 for none. With one, a deadline of Run's ctx
	// does not hold for the program; that ctx is cancelled still does.
	Timeout time.Duration
	// Grace is how long it may take to end once it is asked to; 0 is Grace.
	Grace time.Duration
	// Records is a folder in which it is written down while it runs, so that Sweep can end it
	// if this program is killed; "" is for one that need not be found again.
	Records string
	// Restricted bounds its processes and memory, and keeps it from the clipboard and other programs'
	// windows. Only Windows can do that here; other systems ignore it.
	Restricted bool
	// Jobs says that a restricted program creates jobs itself. Windows nests no job in one that restricts
	// the user interface, so such a program is only bounded.
	Jobs bool
}

// Records is the folder below a program's data folder for the Records of a Command.
func Records(dir string) string { return filepath.Join(dir, "processes") }

// Result is how a program ended.
type Result struct {
	Code   int    // its exit code; -1 when a signal ended it
	Signal string // the name of that signal, or ""
	Said   string // the end of its standard error
}

// Run runs the program and returns when it has ended, with everything that it started.
// When ctx ends, the whole tree is asked to end, and killed after the grace time; the
// error is then ctx's cause. What a program leaves running when it ends is ended, too. A
// program that ended without being stopped is no error, whatever its code; one that
// could not be started is.
//
// On Linux a program that called Shim holds the tree in a separate process, so that
// nothing escapes, and the tree ends when this program is killed.
func Run(ctx context.Context, c Command) (Result, error) {
	ctx, cancel := c.bound(ctx)
	defer cancel(nil)
	var one sync.Mutex
	said := &tail{}
	out, errs := &sink{take: c.Output, stop: cancel, mu: &one}, &sink{take: c.Errors, stop: cancel, mu: &one}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), c.Path, c.Args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.Env, c.Dir, out, io.MultiWriter(said, errs)
	switch {
	case c.Input != nil: // as it is: what copies would wait for its end
		cmd.Stdin = c.Input
	case c.Stdin != "":
		cmd.Stdin = strings.NewReader(c.Stdin)
	}
	if c.Grace <= 0 {
		c.Grace = Grace
	}
	if cmd.Err != nil {
		return Result{}, cmd.Err
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	held := hold(cmd, c)
	if err := held.start(); err != nil {
		return Result{}, err
	}
	asked := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(asked)
		held.end()
	})
	waited := cmd.Wait()
	if !stop() {
		<-asked
	}
	res, err := held.waitGone()
	res.Said = said.text()
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	if exit := (*exec.ExitError)(nil); err == nil && waited != nil && !errors.As(waited, &exit) && !errors.Is(waited, exec.ErrWaitDelay) {
		err = waited
	}
	return res, err
}

// bound is the context that the program runs under.
func (c Command) bound(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	if c.Timeout <= 0 {
		return context.WithCancelCause(ctx)
	}
	limited, release := context.WithTimeoutCause(context.WithoutCancel(ctx), c.Timeout, ErrTimeout)
	own, cancel := context.WithCancelCause(limited)
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cancel(context.Cause(ctx))
		}
	})
	return own, func(cause error) {
		stop()
		cancel(cause)
		release()
	}
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
		// In a goroutine of os/exec, where a panic would end this program.
		err := safego.Call(context.Background(), nil, "the reader of a program's output",
			func() error { return s.take(bytes.Clone(p)) })
		if err != nil {
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

package proc

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// patience is how long a shim may take to end beyond the grace time before it is killed.
const patience = 10 * time.Second

var errShimEnded = errors.New("the process that held the program was killed")

// tree is a program with everything that it starts.
type tree interface {
	start() error
	end() // asks all to end; what does not is killed after the grace time
	waitGone() (Result, error)
}

func hold(cmd *exec.Cmd, c Command) tree {
	if shims {
		return &shimmed{cmd: cmd, c: c}
	}
	return &group{cmd: cmd, c: c}
}

// shimmed is a program below a shim.
type shimmed struct {
	cmd    *exec.Cmd
	c      Command
	tag    string
	status *os.File
	life   *os.File
	record *record
	once   sync.Once
	kills  *time.Timer
}

func (t *shimmed) start() error {
	status, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	hear, life, err := os.Pipe()
	if err != nil {
		_, _ = status.Close(), tell.Close()
		return err
	}
	t.status, t.life, t.tag = status, life, newTag()
	t.cmd.WaitDelay = patience // only a tree whose shim was killed still holds the output open
	if t.cmd.Env == nil {
		t.cmd.Env = os.Environ()
	}
	t.cmd.Env = append(t.cmd.Env[:len(t.cmd.Env):len(t.cmd.Env)], tagName+"="+t.tag)
	t.cmd.Args = append([]string{shimName, strconv.FormatInt(t.c.Grace.Milliseconds(), 10), t.cmd.Path}, t.cmd.Args...)
	t.cmd.Path = "/proc/self/exe" // this very program, whatever stands in its place by now
	t.cmd.ExtraFiles = []*os.File{tell, hear}
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = t.cmd.Start()
	_, _ = tell.Close(), hear.Close()
	if err != nil {
		_, _ = status.Close(), life.Close()
		return err
	}
	t.record = note(t.c.Records, t.tag, t.cmd.Process.Pid)
	_, _ = life.Write([]byte{1})
	return nil
}

func (t *shimmed) end() {
	t.once.Do(func() {
		_ = t.life.Close()
		t.kills = time.AfterFunc(t.c.Grace+patience, func() { _ = t.cmd.Process.Kill() })
	})
}

func (t *shimmed) waitGone() (Result, error) {
	t.once.Do(func() { _ = t.life.Close() })
	if t.kills != nil {
		t.kills.Stop()
	}
	defer t.record.remove()
	var st status
	err := json.NewDecoder(io.LimitReader(t.status, maxSaid)).Decode(&st)
	_ = t.status.Close()
	if err != nil { // the tree has lost its shim: who is left bears the tag
		for range 3 {
			signalAll(tagged(t.tag), syscall.SIGKILL)
		}
		return Result{Code: -1}, errShimEnded
	}
	if st.Error != "" {
		return Result{Code: -1}, errors.New(st.Error)
	}
	return Result{Code: st.Code, Signal: st.Signal}, nil
}

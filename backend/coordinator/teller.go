package coordinator

import (
	"context"
	"strings"
	"sync"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/task"
	"agentflow/backend/worker"
)

// teller turns a worker's news into steps of its task. The first piece of an answer is
// told at once; those that come within a short time after it are joined.
type teller struct {
	machine *Machine
	ctx     context.Context
	task    *task.Task

	mu    sync.Mutex
	text  strings.Builder
	told  time.Time
	timer *time.Timer // set while text waits
	err   error       // of a step that the timer made
}

func (l *teller) tell(n worker.News) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	l.text.WriteString(n.Text)
	more := n.Log != "" || n.Progress > l.task.Progress || n.Given != ""
	wait := l.machine.o.Join - time.Since(l.told)
	switch {
	case more || wait <= 0:
		if err := l.flush(); err != nil || !more {
			return err
		}
		return l.machine.step(l.ctx, l.task, task.Step{Log: n.Log, Progress: n.Progress, Given: task.ID(n.Given)})
	case l.timer == nil && l.text.Len() > 0:
		l.timer = time.AfterFunc(wait, l.due)
	}
	return nil
}

func (l *teller) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && l.err == nil {
		l.err = l.flush()
	}
}

// flush makes what waits one step.
func (l *teller) flush() error {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if l.text.Len() == 0 {
		return nil
	}
	err := l.machine.step(l.ctx, l.task, task.Step{Text: l.text.String()})
	l.text.Reset()
	l.told = time.Now()
	return err
}

// end tells what is left. After it the teller touches the task no more.
func (l *teller) end() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if err := l.flush(); err != nil {
		l.err = err
		return err
	}
	l.err = errOver
	return nil
}

// errOver is why nothing more is told.
var errOver = errcode.New(errcode.Conflict, "the attempt is over")

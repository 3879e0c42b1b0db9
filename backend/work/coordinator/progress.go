package coordinator

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// progressWriter turns a worker's news into steps of its task. It publishes the first piece of an answer at once and joins
// the pieces that follow within a short time.
type progressWriter struct {
	machine *Machine
	ctx     context.Context
	task    *task.Task
	attempt *attempt

	mu    sync.Mutex
	text  strings.Builder
	told  time.Time
	timer *time.Timer // set while text is pending
	err   error       // of a step made by the timer
}

func (l *progressWriter) tell(n worker.Update) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	l.text.WriteString(n.Text)
	more := n.Log != "" || n.Progress > l.task.Progress || n.Delegated != "" || n.Spent != nil || n.Charged != nil
	wait := l.machine.o.Join - time.Since(l.told)
	switch {
	case more || wait <= 0:
		if err := l.flush(); err != nil || !more {
			return err
		}
		return l.more(n)
	case l.timer == nil && l.text.Len() > 0:
		l.timer = time.AfterFunc(wait, l.due)
	}
	return nil
}

// more makes a step of all news but text, and cancels the attempt if its budget is used up.
func (l *progressWriter) more(n worker.Update) error {
	before := l.task.Spent
	s := task.Step{Log: n.Log, Cause: n.Cause, Progress: n.Progress, Given: task.ID(n.Delegated), Spent: n.Spent}
	if n.Charged != nil {
		s.Charged = *n.Charged
	}
	if err := l.machine.step(l.ctx, l.task, s); err != nil || l.task.Spent == before {
		return err
	}
	more := l.task.Spent.Since(before)
	l.machine.charge(l.task.Trace, more)
	if err := l.task.Budget.Over(l.task.Spent, l.machine.stopwatch.elapsed(l.task)); err != nil {
		l.attempt.cancel(err)
		if n.Charged == nil { // the worker itself reported the cost
			return err
		}
	}
	return nil
}

// paid books the cost that a result states, for an agent that hasn't reported it before.
func (l *progressWriter) paid(result json.RawMessage) error {
	var said struct {
		TokensIn, TokensOut int
		CostUSD             *float64
	}
	_ = json.Unmarshal(result, &said) // most remote agents state no cost
	if said.TokensIn+said.TokensOut > 0 {
		spent := task.Spent{TokensIn: said.TokensIn, TokensOut: said.TokensOut, Unpriced: said.CostUSD == nil}
		if said.CostUSD != nil {
			spent.USD = *said.CostUSD
		}
		if err := l.tell(worker.Update{Spent: &spent}); err != nil {
			return err
		}
	}
	return l.task.Budget.Over(l.task.Spent, l.machine.stopwatch.elapsed(l.task))
}

// charge adds the cost of a subtask to the task that waits for it.
func (m *Machine) charge(t *task.Trace, more task.Spent) {
	if t == nil {
		return
	}
	m.mu.Lock()
	a := m.running[t.Parent]
	m.mu.Unlock()
	if a != nil {
		_ = a.say(worker.Update{Charged: &more}) // a parent that no longer waits isn't charged
	}
}

// due flushes pending text from a timer. A panic there would end the program, so due turns it into a failure of the
// attempt.
func (l *progressWriter) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && l.err == nil && time.Since(l.told) >= l.machine.o.Join { // otherwise the timer belongs to text that was flushed meanwhile
		l.err = safego.Call(l.ctx, l.machine.o.Logger, "a step of an attempt", l.flush)
		if safego.Is(l.err) {
			l.attempt.cancel(l.err)
		}
	}
}

// flush makes one step of the pending text.
func (l *progressWriter) flush() error {
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

// end flushes the rest. After that, the teller no longer touches the task.
func (l *progressWriter) end() error {
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

// errOver rejects news of an attempt that has ended.
var errOver = errcode.New(errcode.Conflict, "the attempt is over")

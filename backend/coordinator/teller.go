package coordinator

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"agentflow/backend/errcode"
	"agentflow/backend/safego"
	"agentflow/backend/task"
	"agentflow/backend/worker"
)

// teller turns a worker's news into steps of its task. The first piece of an answer is
// told at once; those that come within a short time after it are joined.
type teller struct {
	machine *Machine
	ctx     context.Context
	task    *task.Task
	attempt *attempt

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
	more := n.Log != "" || n.Progress > l.task.Progress || n.Given != "" || n.Spent != nil || n.Charged != nil
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

// more makes a step of all news but text, and ends the attempt where it has become too dear.
func (l *teller) more(n worker.News) error {
	before := l.task.Spent
	s := task.Step{Log: n.Log, Cause: n.Cause, Progress: n.Progress, Given: task.ID(n.Given), Spent: n.Spent}
	if n.Charged != nil {
		s.Charged = *n.Charged
	}
	if err := l.machine.step(l.ctx, l.task, s); err != nil || l.task.Spent == before {
		return err
	}
	more := l.task.Spent.Since(before)
	l.machine.charge(l.task.Trace, more)
	if err := l.task.Budget.Over(l.task.Spent, l.machine.worked.took(l.task)); err != nil {
		l.attempt.cancel(err)
		if n.Charged == nil { // the worker itself said so
			return err
		}
	}
	return nil
}

// paid settles what a result says it cost, of an agent that did not say so before.
func (l *teller) paid(result json.RawMessage) error {
	var said struct {
		TokensIn, TokensOut int
		CostUSD             *float64
	}
	_ = json.Unmarshal(result, &said) // most agents elsewhere say nothing
	if said.TokensIn+said.TokensOut > 0 {
		spent := task.Spent{TokensIn: said.TokensIn, TokensOut: said.TokensOut, Unpriced: said.CostUSD == nil}
		if said.CostUSD != nil {
			spent.USD = *said.CostUSD
		}
		if err := l.tell(worker.News{Spent: &spent}); err != nil {
			return err
		}
	}
	return l.task.Budget.Over(l.task.Spent, l.machine.worked.took(l.task))
}

// charge has the task that something was given on for pay for it.
func (m *Machine) charge(t *task.Trace, more task.Spent) {
	if t == nil {
		return
	}
	m.mu.Lock()
	a := m.running[t.Parent]
	m.mu.Unlock()
	if a != nil {
		_ = a.say(worker.News{Charged: &more}) // who does not wait for it does not pay
	}
}

// due tells what waits, in a timer, where a panic would end the program: it fails the attempt.
func (l *teller) due() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && l.err == nil && time.Since(l.told) >= l.machine.o.Join { // else it is the timer of text that was told meanwhile
		l.err = safego.Call(l.ctx, l.machine.o.Logger, "a step of an attempt", l.flush)
		if safego.Is(l.err) {
			l.attempt.cancel(l.err)
		}
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

package agentprocess

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// work runs one job after another until ctx ends.
func (p *Process) work(ctx context.Context) {
	p.prompt(ctx)
	for {
		select {
		case <-ctx.Done():
			p.mu.Lock()
			p.stopped = true
			p.mu.Unlock()
			return
		case job := <-p.jobs:
			p.do(ctx, job)
		}
	}
}

// prompt answers the prompt that the process was started with (CO-1).
func (p *Process) prompt(ctx context.Context) {
	if p.o.Prompt == "" {
		return
	}
	defer p.release()
	result, err := p.answer(ctx, worker.Job{TaskID: promptTask, Type: "chat", Prompt: p.o.Prompt},
		func(worker.Update) error { return nil })
	var answer struct{ Text string }
	if err == nil {
		err = json.Unmarshal(result, &answer)
	}
	if errors.Is(err, ErrStopping) {
		err = errcode.Wrap(errcode.Unavailable, err, "%s", ErrStopping.Error())
	}
	p.o.Answered(answer.Text, err)
}

// do runs a job and reports its end to the coordinator.
func (p *Process) do(ctx context.Context, job worker.Job) {
	defer p.release()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.mu.Lock()
	if p.callOff = cancel; p.unwanted {
		cancel(errElsewhere)
	}
	p.mu.Unlock()
	news := &news{process: p, job: job, stop: cancel}
	done := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() {
		err := safego.Call(ctx, p.o.Logger, "the reports of a task", func() error {
			news.beat(ctx, done)
			return nil
		})
		if err != nil {
			cancel(err)
		}
	})
	result, err := p.answer(ctx, job, news.tell)
	close(done)
	beating.Wait()
	defer func() { p.tellEnd(job, err, news.all) }()
	if errors.Is(context.Cause(ctx), errElsewhere) {
		return
	}
	end := worker.Report{Status: worker.ReportCompleted, Result: result}
	if err != nil {
		e := errcode.From(err)
		end = worker.Report{Status: worker.ReportFailed, ErrorMessage: e.Message}
		why := worker.Failure{Code: e.Code, Cause: errcode.CauseOf(e).Code}
		end.Result, _ = json.Marshal(why) // strings always encode
		if errors.Is(err, ErrStopping) {
			end.ErrorMessage, end.Result = ErrStopping.Error(), nil
		}
	}
	p.deliver(ctx, job, end)
}

// tellEnd reports a task's end to the parent process.
func (p *Process) tellEnd(job worker.Job, err error, spent task.Spent) {
	if p.o.Ended == nil {
		return
	}
	end := End{Task: job.TaskID, Status: worker.ReportCompleted, Spent: spent}
	if err != nil {
		end.Status = worker.ReportFailed
	}
	p.o.Ended(end)
}

// Delays of deliver.
const (
	firstWait  = 500 * time.Millisecond
	lastWait   = 15 * time.Second
	deliverFor = 24 * time.Hour
	handBack   = 5 * time.Second // limit once the process is stopping
)

// deliver reports the end of a task to the coordinator, across its restarts, until the report is accepted or rejected
// for good.
func (p *Process) deliver(ctx context.Context, job worker.Job, end worker.Report) {
	if p.o.Coordinator == "" {
		return
	}
	until := deliverFor
	if ctx.Err() != nil {
		until = handBack
	}
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), until)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(handBack, cancel) })
	defer stop()
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		_, err := p.report(sending, job, end)
		if err == nil || !errcode.Is(err, errcode.Unavailable) {
			p.logEnd(sending, job, end, err)
			return
		}
		select {
		case <-sending.Done():
			p.logEnd(sending, job, end, err)
			return
		case <-time.After(wait):
		}
	}
}

func (p *Process) logEnd(ctx context.Context, job worker.Job, end worker.Report, err error) {
	outcome := "OK"
	if err != nil {
		outcome = errcode.From(err).Message
	}
	p.o.Logger.InfoContext(ctx, "report", slog.String("task", job.TaskID), slog.String("status", end.Status),
		slog.String("outcome", outcome))
}

// joinText is how long pieces of an answer are collected into one report.
const joinText = 200 * time.Millisecond

// news reports progress to the coordinator, in joined pieces, and sends keep-alive reports.
type news struct {
	process *Process
	job     worker.Job
	stop    context.CancelCauseFunc

	mu    sync.Mutex
	text  strings.Builder
	log   strings.Builder
	spent *task.Spent // not reported yet
	all   task.Spent  // total so far
}

func (n *news) tell(w worker.Update) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text.WriteString(w.Text)
	if w.Spent != nil {
		n.spent, n.all = w.Spent, *w.Spent
	}
	if w.Log != "" && n.log.Len() < maxWaiting {
		n.log.WriteString(w.Log + "\n")
	}
	return nil
}

// beat reports until the job is done, and then sends the rest.
func (n *news) beat(ctx context.Context, done <-chan struct{}) {
	tick := time.NewTicker(joinText)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-done:
			n.send(ctx, false)
			return
		case <-tick.C:
			if n.send(ctx, time.Since(last) >= n.process.o.Heartbeat) {
				last = time.Now()
			}
		}
	}
}

// send reports the pending text or, if due, only that the agent is working. What can't be sent waits for the next
// report.
func (n *news) send(ctx context.Context, due bool) bool {
	n.mu.Lock()
	text, log, spent := n.text.String(), n.log.String(), n.spent
	n.spent = nil
	n.text.Reset()
	n.log.Reset()
	n.mu.Unlock()
	if text == "" && log == "" && spent == nil && !due {
		return false
	}
	r := worker.Report{Status: worker.ReportInProgress}
	if text != "" || log != "" || spent != nil {
		r.Result, _ = json.Marshal(struct { // strings always encode
			Text string `json:"text,omitempty"`
			Log  string `json:"log,omitempty"`

			Spent *task.Spent `json:"spent,omitempty"`
		}{text, strings.TrimRight(log, "\n"), spent})
	}
	wanted, err := n.process.report(context.WithoutCancel(ctx), n.job, r)
	switch {
	case err == nil && !wanted, errcode.Is(err, errcode.Forbidden):
		n.stop(errElsewhere)
	case err != nil:
		n.putBack(text, log, spent)
	}
	return true
}

// maxWaiting limits the pending text while the coordinator can't be reached. The result contains all of the text
// anyway.
const maxWaiting = 256 << 10

func (n *news) putBack(text, log string, spent *task.Spent) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.spent == nil {
		n.spent = spent
	}
	for _, b := range []struct {
		waits   *strings.Builder
		earlier string
	}{{&n.text, text}, {&n.log, log}} {
		if later := b.waits.String(); len(b.earlier)+len(later) <= maxWaiting {
			b.waits.Reset()
			b.waits.WriteString(b.earlier + later)
		}
	}
}

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/work/task"
)

// Report is a remote agent's report about its job (POST /tasks/{taskId}/result, AG-2).
type Report struct {
	Status       string          `json:"status" enum:"completed,failed,in_progress" doc:"Status of the task."`
	Result       json.RawMessage `json:"result,omitempty" doc:"Result as an object. Only with the status completed. Default: none."`
	ErrorMessage string          `json:"errorMessage,omitempty" doc:"Why the task failed. Only with the status failed. Default: none."`

	Attempt int `json:"-"` // the attempt it is about; 0 if the agent doesn't state it
}

// The states of a Report.
const (
	ReportCompleted  = "completed"
	ReportFailed     = "failed"
	ReportInProgress = "in_progress"
)

// DefaultLease is how long a remote agent can be silent about its job.
const DefaultLease = 60 * time.Second

// Remote is a remote agent process, called over HTTP (AG-1, AG-3).
type Remote struct {
	HTTP    *http.Client
	URL     string // http://host:port; plain http only on loopback
	Secret  string
	Reports <-chan Report // those of this job
	Attach  bool          // the agent already has the job: don't send it again
	Lease   time.Duration // 0 is DefaultLease
	Leave   error         // the cause that leaves the job with the agent; any other cause cancels the job there
}

var _ Worker = (*Remote)(nil)

// Run implements Worker. It sends the job to the agent and waits for reports. A job that is no longer wanted is
// canceled at the agent. An agent that doesn't support this learns of it from the answer to its next report.
func (r *Remote) Run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	unwanted := false
	result, err := r.run(ctx, job, func(n Update) error {
		err := tell(n)
		unwanted = unwanted || err != nil
		return err
	})
	if cause := context.Cause(ctx); unwanted || cause != nil && !errors.Is(cause, r.Leave) {
		r.callOff(ctx, job)
	}
	return result, err
}

// callOffWithin is the timeout of canceling a job at its agent.
const callOffWithin = 800 * time.Millisecond

func (r *Remote) callOff(ctx context.Context, job Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callOffWithin)
	defer cancel()
	about := http.Header{AttemptHeader: {strconv.Itoa(job.Envelope.Attempt)}}
	// If this fails, the answer to the agent's next report says the same.
	_ = r.call(ctx, http.MethodPost, "/tasks/"+url.PathEscape(job.TaskID)+"/cancel", about, nil, new(struct{}))
}

// run sends the job to the agent and waits for reports. An agent that is silent for a third of a lease is asked for
// its status. The attempt ends if the agent has dropped the task, refuses two connections in a row, as after its
// process has ended, or can't be reached for two leases, as behind a network failure.
func (r *Remote) run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	if err := CheckURL(r.URL); err != nil {
		return nil, err
	}
	if !r.Attach {
		if err := r.give(ctx, job); err != nil {
			return nil, err
		}
	}
	lease := r.Lease
	if lease <= 0 {
		lease = DefaultLease
	}
	q := quiet{remote: r, task: job.TaskID, lease: lease, heard: time.Now()}
	first := q.every()
	if r.Attach { // it may have finished while the hub was down
		first = 0
	}
	timer := time.NewTimer(first)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case rep := <-r.Reports:
			q.heard, q.gone = time.Now(), false
			timer.Reset(q.every())
			switch rep.Status {
			case ReportCompleted:
				return rep.Result, nil
			case ReportFailed:
				return nil, failure(rep)
			}
			if err := tell(news(rep)); err != nil {
				return nil, err
			}
		case <-timer.C:
			again, err := q.ask(ctx)
			if err != nil {
				return nil, err
			}
			timer.Reset(again)
		}
	}
}

// quiet tracks an agent that doesn't report on its job.
type quiet struct {
	remote *Remote
	task   string
	lease  time.Duration
	heard  time.Time // last sign of life
	gone   bool      // the last status request was refused a connection
}

func (q *quiet) every() time.Duration { return q.lease / 3 }

// goneAgain is the pause before the second status request after a refused connection.
const goneAgain = 5 * time.Second

// ask requests the agent's status. It returns when to ask again, or why the attempt is over.
func (q *quiet) ask(ctx context.Context) (time.Duration, error) {
	holds, err := q.remote.holds(ctx, q.task)
	refused := errors.Is(err, syscall.ECONNREFUSED)
	switch {
	case err == nil && holds:
		q.heard, q.gone = time.Now(), false
	case err == nil:
		return 0, errcode.New(errcode.Unavailable, "the agent at %s has given the task up", q.remote.URL).
			With(errcode.KeyCause, "given_up")
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case refused && q.gone, time.Since(q.heard) >= 2*q.lease:
		return 0, errcode.Wrap(errcode.Unavailable, err, "the agent at %s does not answer any more", q.remote.URL).
			With(errcode.KeyCause, "agent_silent").
			With(errcode.KeyReason, ReasonSilent)
	case refused:
		q.gone = true
		return min(q.every(), goneAgain), nil
	default:
		q.gone = false
	}
	return q.every(), nil
}

// Failure is the result in a Report of a failed task.
type Failure struct {
	Code  errcode.Code `json:"code"`
	Cause string       `json:"cause,omitempty"`
}

// failure converts a reported failure to an error. The code in the report's result is used if it rules out a retry.
func failure(rep Report) error {
	var said Failure
	_ = json.Unmarshal(rep.Result, &said) // most agents send no code
	if said.Cause == task.CauseUnpriced {
		return errcode.New(errcode.Validation,
			"the task's budget is in US dollars, but the agent has no price of its model. "+
				"Enter the price in agentflow.yaml on the agent's computer, or use a token budget").
			With(errcode.KeyReason, task.ReasonBudget).
			With(errcode.KeyCause, task.CausePriceThere)
	}
	code := errcode.Unavailable
	if said.Code == errcode.Validation || said.Code == errcode.Forbidden || said.Code == errcode.Unauthorized || said.Code == errcode.NotFound {
		code = said.Code
	}
	return errcode.New(code, "%s", orText(rep.ErrorMessage, "the agent failed without a reason")).
		With(errcode.KeyCause, "agent_failed").
		With(task.KeySaid, strings.TrimSpace(rep.ErrorMessage))
}

func orText(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}

// news reads the result of an in_progress report: text, log, progress and spent.
func news(rep Report) Update {
	var n struct {
		Text     string  `json:"text"`
		Log      string  `json:"log"`
		Progress float64 `json:"progress"`

		Spent *task.Spent `json:"spent"`
	}
	if json.Unmarshal(rep.Result, &n) != nil {
		return Update{}
	}
	return Update{Text: n.Text, Log: n.Log, Progress: n.Progress, Spent: n.Spent}
}

const (
	callWithin = 20 * time.Second
	maxAnswer  = 1 << 20
)

// CheckURL rejects addresses that a secret must not be sent to.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errcode.New(errcode.Validation,
			"an agent's url must be like https://host:port, without user or query").With(errcode.KeyField, "url")
	}
	if netlisten.Readable(address) {
		return errcode.New(errcode.Validation,
			"%s is on another computer: it needs https, or its secret could be read on the way", address).
			With(errcode.KeyCause, "agent_http").
			With(errcode.KeyField, "url")
	}
	return nil
}

func (r *Remote) give(ctx context.Context, job Job) error {
	given, err := job.Envelope.into(job.Context)
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		TaskID   string          `json:"taskId"`
		TaskType string          `json:"taskType"`
		Prompt   string          `json:"prompt"`
		Context  json.RawMessage `json:"context,omitempty"`
	}{job.TaskID, job.Type, job.Prompt, given})
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the job cannot be written")
	}
	var answer struct{ Status, Message string }
	if err := r.call(ctx, http.MethodPost, "/tasks", nil, body, &answer); err != nil {
		return err
	}
	if answer.Status != "accepted" {
		return errcode.New(errcode.Conflict,
			"the agent at %s rejected the task for now: %s", r.URL, orText(answer.Message, "no reason given")).
			With(errcode.KeyReason, ReasonRefused).
			With(errcode.KeyCause, "agent_rejected").
			With(task.KeySaid, strings.TrimSpace(answer.Message))
	}
	return nil
}

// ReasonRefused marks an agent that rejected a job, ReasonUnreachable one that couldn't be connected to, so that it can't
// have received the job, and ReasonSilent one that no longer answers.
const (
	ReasonRefused     = "refused"
	ReasonUnreachable = "unmet"
	ReasonSilent      = "silent"
	ReasonSent        = "sent" // the job has reached its gateway: another attempt would send it twice
)

// Ping checks that the agent answers. The reason of an error is ReasonUnreachable if the connection failed.
func (r *Remote) Ping(ctx context.Context) error {
	if err := CheckURL(r.URL); err != nil {
		return err
	}
	_, err := r.holds(ctx, "")
	return err
}

func (r *Remote) holds(ctx context.Context, task string) (bool, error) {
	var status struct {
		CurrentTask string `json:"currentTask"`
	}
	err := r.call(ctx, http.MethodGet, "/status", nil, nil, &status)
	return status.CurrentTask == task, err
}

func (r *Remote) call(ctx context.Context, method, path string, header http.Header, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(r.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return errcode.Wrap(errcode.Validation, err, "the agent's url cannot be used")
	}
	req.Header.Set("Authorization", "Bearer "+r.Secret)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, header)
	resp, err := r.HTTP.Do(req)
	if err != nil {
		return r.unreached(ctx, err)
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return r.unreached(ctx, err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return r.refused(resp.StatusCode, data)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return errcode.New(errcode.Unavailable, "the agent at %s does not speak the agents' protocol", r.URL).
			With(errcode.KeyCause, "no_agent").
			With("url", r.URL)
	}
	return nil
}

func (r *Remote) unreached(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	e := errcode.Wrap(errcode.Unavailable, err, "the agent at %s cannot be reached", r.URL).
		With(errcode.KeyCause, "agent_unreached").
		With("url", r.URL)
	if NobodyListens(err) {
		return e.With(errcode.KeyReason, ReasonUnreachable)
	}
	return e
}

// NobodyListens reports whether a request failed before a connection was made, so that it can't have been received.
func NobodyListens(err error) bool {
	dial, ok := errors.AsType[*net.OpError](err)
	return ok && dial.Op == "dial"
}

func (r *Remote) refused(status int, data []byte) error {
	var said struct {
		Error struct{ Message string } `json:"error"`
	}
	_ = json.Unmarshal(data, &said) // otherwise the status is the message
	code := errcode.Unavailable
	switch status {
	case http.StatusUnauthorized:
		return errcode.New(errcode.Unauthorized, "the agent at %s refused the hub's secret", r.URL).
			With(errcode.KeyCause, "agent_secret")
	case http.StatusForbidden:
		code = errcode.Forbidden
	case http.StatusBadRequest, http.StatusNotFound:
		code = errcode.Validation
	}
	return errcode.New(code,
		"the agent at %s answered %d: %s", r.URL, status, orText(said.Error.Message, http.StatusText(status))).
		With(errcode.KeyCause, "agent_refused").
		With("status", status).
		With(task.KeySaid, said.Error.Message)
}

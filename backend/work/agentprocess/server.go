package agentprocess

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/base/safego"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/usage"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Options configure a Process.
type Options struct {
	Config      *Config
	Coordinator string              // the hub's address for reports; "": no reports
	Secret      string              // AGENTFLOW_AGENT_SECRET: for its reports, and for callers if the config has none
	Getenv      func(string) string // reads the callers' secrets
	Models      worker.Models
	Listener    net.Listener // Run closes it
	TLS         *tls.Config  // nil: HTTP
	HTTP        *http.Client // to the coordinator; nil is one that follows no redirects
	Logger      *slog.Logger // the audit log: requests and decisions, never secrets or prompts

	Sandbox sandbox.Settings // of this computer, for commands

	Prompt    string              // answered first, without a coordinator
	Answered  func(string, error) // gets the answer to Prompt
	Ended     func(End)           // gets the end of every task; may be nil
	Heartbeat time.Duration       // interval of the keep-alive reports; 0 is 15 s
	Reporter  *usage.Reporter     // reports model calls to the coordinator's hub; may be nil
}

// End is the end of a task in this process, with its cost.
type End struct {
	Task   string     `json:"task"`
	Status string     `json:"status"`
	Spent  task.Spent `json:"spent"`
}

// Process is one agent. Create it with New; Run serves.
type Process struct {
	o    Options
	who  callers
	made string

	equipment

	mu       sync.Mutex
	current  string                  // the running task
	unwanted bool                    // it was canceled
	callOff  context.CancelCauseFunc // cancels it; nil until it has started
	attempt  int                     // the number of its attempt; the latest one if the task is sent again while it runs
	stopped  bool
	jobs     chan worker.Job
}

// ErrStopping ends a job because the process stops.
var ErrStopping = errors.New("the agent was stopped")

// errElsewhere ends a job that the coordinator no longer wants.
var errElsewhere = errors.New("the coordinator wants the task no more")

// New checks the callers. Its errors name what is missing in the config or environment.
func New(o Options) (*Process, error) {
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if o.Coordinator != "" {
		if err := worker.CheckURL(o.Coordinator); err != nil {
			return nil, errcode.Wrap(errcode.Validation, err, "the coordinator's address cannot be used").
				With(errcode.KeyField, "coordinator")
		}
		if o.Secret == "" {
			return nil, errcode.New(errcode.Validation,
				"reports to a coordinator need the agent's own secret: set AGENTFLOW_AGENT_SECRET")
		}
	}
	who, made, err := readCallers(o.Config, o.Secret, local(o.Listener), o.Getenv)
	if err != nil {
		return nil, err
	}
	p := &Process{o: o, who: who, made: made, jobs: make(chan worker.Job)}
	if p.equipment, err = equip(&o); err != nil {
		return nil, err
	}
	if o.Prompt != "" {
		p.current = promptTask
	}
	return p, nil
}

// promptTask is the ID of the prompt's task.
const promptTask = "initial-prompt"

func local(l net.Listener) bool {
	host, _, err := net.SplitHostPort(l.Addr().String())
	return err == nil && netlisten.Local(host)
}

// MadeSecret returns the secret that New generated, or "".
func (p *Process) MadeSecret() string { return p.made }

// URL returns the agent's address.
func (p *Process) URL() string {
	scheme := "http"
	if p.o.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + p.o.Listener.Addr().String()
}

// Run serves until ctx ends, and then returns a running task to the coordinator. It returns nil after such a stop.
func (p *Process) Run(ctx context.Context) error {
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	var working sync.WaitGroup
	defer p.close()
	for _, s := range p.servers {
		working.Go(func() { _ = s.Run(work) }) // it ends only with work
	}
	working.Go(func() { p.work(work) })
	telling, told := context.WithCancel(context.WithoutCancel(ctx))
	defer told()
	var reporting sync.WaitGroup
	if r := p.o.Reporter; r != nil && p.o.Coordinator != "" {
		r.Call = p.insist
		reporting.Go(func() { r.Run(telling) })
	}
	server := &http.Server{
		Handler:           p.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(p.o.Logger.Handler(), slog.LevelDebug),
	}
	l := p.o.Listener
	if p.o.TLS != nil {
		l = tls.NewListener(l, p.o.TLS)
	}
	err := netlisten.Serve(ctx, server, l)
	stop(ErrStopping)
	working.Wait()
	told()
	reporting.Wait()
	return err
}

const maxBody = 1 << 20

func (p *Process) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tasks", p.guard(true, p.take))
	mux.HandleFunc("POST /tasks/{taskId}/cancel", p.guard(true, p.cancel))
	mux.HandleFunc("POST /tasks/{taskId}/result", p.guard(false, p.result))
	mux.HandleFunc("GET /status", p.guard(false, p.status))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, errcode.New(errcode.NotFound, "there is no route %s %s", r.Method, r.URL.Path))
	})
	return mux
}

// guard authenticates callers, and admits only Coordinators to some routes (AG-4 to AG-6).
func (p *Process) guard(coordinators bool, next func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		who, err := p.who.check(r)
		if err == nil && coordinators && !topology.IsCoordinator(who.role) {
			err = errcode.New(errcode.Forbidden, "%s is a %s: only a Coordinator gives tasks", who.name, who.role)
		}
		if err == nil {
			err = safego.Call(r.Context(), p.o.Logger, "a request", func() error { return next(w, r) })
		}
		level, code := slog.LevelInfo, "OK"
		if err != nil {
			e := errcode.From(err)
			level, code = slog.LevelWarn, string(e.Code)
			refuse(w, e)
		}
		p.o.Logger.Log(r.Context(), level, "request", slog.String("caller", who.name), slog.String("from", r.RemoteAddr),
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("outcome", code))
	}
}

func refuse(w http.ResponseWriter, e *errcode.Error) {
	answer(w, e.Code.HTTPStatus(), map[string]any{"error": e})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client has disconnected
}

type assignment struct {
	TaskID   string          `json:"taskId"`
	TaskType string          `json:"taskType"`
	Prompt   string          `json:"prompt"`
	Context  json.RawMessage `json:"context"`
}

func (a assignment) check() error {
	bad := func(field, format string) error {
		return errcode.New(errcode.Validation, format, field).With(errcode.KeyField, field)
	}
	switch {
	case a.TaskID == "" || len(a.TaskID) > 200:
		return bad("taskId", "%s must be 1 to 200 bytes long")
	case a.TaskType == "" || len(a.TaskType) > 200:
		return bad("taskType", "%s must be 1 to 200 bytes long")
	case a.Prompt == "":
		return bad("prompt", "%s is missing")
	}
	var fields map[string]json.RawMessage
	if len(a.Context) > 0 && (json.Unmarshal(a.Context, &fields) != nil || fields == nil) {
		return bad("context", "%s must be an object")
	}
	return nil
}

func decode(r *http.Request, into any) error {
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the document")
		}
	}
	if err != nil {
		return errcode.New(errcode.Validation, "the body is not what it should be: %s",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// take answers POST /tasks (AG-1). The agent runs one task at a time.
func (p *Process) take(w http.ResponseWriter, r *http.Request) error {
	var a assignment
	if err := decode(r, &a); err != nil {
		return err
	}
	if err := a.check(); err != nil {
		return err
	}
	status, why := "accepted", "started"
	if refusal := p.begin(r.Context(), worker.Job{TaskID: a.TaskID, Type: a.TaskType, Prompt: a.Prompt, Context: a.Context, Envelope: worker.ReadEnvelope(a.Context)}); refusal != "" {
		status, why = "rejected", refusal
	}
	answer(w, http.StatusOK, map[string]string{"status": status, "message": why})
	return nil
}

// begin starts a job, or returns why it can't.
func (p *Process) begin(ctx context.Context, job worker.Job) string {
	if lack := p.lacks(job.Type); lack != "" {
		return "this agent has no " + lack + " tool"
	}
	p.mu.Lock()
	switch {
	case p.current == job.TaskID && !p.unwanted:
		p.attempt = max(p.attempt, job.Envelope.Attempt)
		p.mu.Unlock()
		return "" // sent twice
	case p.stopped:
		p.mu.Unlock()
		return "the agent is stopping"
	case p.current != "":
		p.mu.Unlock()
		return "busy with the task " + p.current
	}
	p.current, p.attempt = job.TaskID, job.Envelope.Attempt
	p.mu.Unlock()
	select {
	case p.jobs <- job:
		return ""
	case <-ctx.Done():
		p.release()
		return "the caller has left"
	}
}

func (p *Process) release() {
	p.mu.Lock()
	p.current, p.unwanted, p.callOff = "", false, nil
	p.mu.Unlock()
}

// cancel answers POST /tasks/{taskId}/cancel: the coordinator no longer wants the task, and its end isn't reported.
// The header worker.AttemptHeader names the attempt; a newer attempt continues.
func (p *Process) cancel(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("taskId")
	attempt, err := strconv.Atoi(r.Header.Get(worker.AttemptHeader))
	p.mu.Lock()
	found := p.current == id && (err != nil || attempt >= p.attempt)
	if found {
		p.unwanted = true
	}
	if found && p.callOff != nil {
		p.callOff(errElsewhere)
	}
	p.mu.Unlock()
	if !found {
		return errcode.New(errcode.NotFound, "this agent is not at the task %s", id)
	}
	answer(w, http.StatusOK, map[string]bool{"success": true})
	return nil
}

// result answers POST /tasks/{taskId}/result. This agent assigns no tasks, so it accepts no results (AG-6).
func (p *Process) result(_ http.ResponseWriter, r *http.Request) error {
	return errcode.New(errcode.Forbidden, "nobody holds the task %s of this agent", r.PathValue("taskId"))
}

// status answers GET /status (AG-3).
func (p *Process) status(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), startsWithin)
	defer cancel()
	p.started(ctx)
	tools := p.set(worker.Job{}).Names()
	p.mu.Lock()
	defer p.mu.Unlock()
	body := map[string]any{
		"agentName":      p.o.Config.Agent.Name,
		"role":           p.o.Config.Agent.Role,
		"status":         "idle",
		"availableTools": tools,
	}
	if p.current != "" {
		body["status"], body["currentTask"] = "busy", p.current
	}
	answer(w, http.StatusOK, body)
	return nil
}

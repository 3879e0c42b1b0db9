package client

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// CronAct is something that a gateway offers to do with its cron jobs.
type CronAct string

// What can be done with cron jobs, where the gateway offers it.
const (
	CronList   CronAct = "list"
	CronAdd    CronAct = "add"
	CronChange CronAct = "update"
	CronRemove CronAct = "remove"
	CronRun    CronAct = "run"
	CronRuns   CronAct = "runs" // list the last runs of a job
)

var cronActs = []CronAct{CronList, CronAdd, CronChange, CronRemove, CronRun, CronRuns}

func (a CronAct) method() string { return "cron." + string(a) }

// CronActs lists what the gateway offers to do with cron jobs. Without a list there is nothing to do anything with.
func CronActs(f Features) []CronAct {
	acts := []CronAct{}
	for _, a := range cronActs {
		if f.Has(CronList.method()) && f.Has(a.method()) {
			acts = append(acts, a)
		}
	}
	return acts
}

// CronChanged reports whether an event says that a cron job was added, changed, removed or run, or that events were
// missed.
func CronChanged(e Event) bool { return e.Resync || e.Name == "cron" }

// The most that is read of a gateway's cron jobs.
const (
	MaxCronJobs    = 1000
	MaxCronRuns    = 200
	MaxCronMessage = 16 << 10 // bytes; of a longer message the list has the beginning
	cronPage       = 200
)

// Kinds of schedules.
const (
	CronAt    = "at"    // once
	CronEvery = "every" // at intervals
	CronExpr  = "cron"  // by a cron expression
)

// CronSchedule is when a job runs. Which of the fields has a value depends on the kind.
type CronSchedule struct {
	Kind     string    `json:"kind" enum:"at,every,cron,other" doc:"at: once. every: at intervals. cron: by a cron expression. other: in a way that only the gateway knows."`
	At       time.Time `json:"at,omitzero" doc:"Time of the only run, for the kind at."`
	EveryMs  int64     `json:"everyMs,omitempty" doc:"Milliseconds between runs, for the kind every."`
	Expr     string    `json:"expr,omitempty" doc:"Cron expression with five, six or seven parts, for the kind cron."`
	TimeZone string    `json:"timeZone,omitempty" doc:"IANA time zone of the cron expression, such as Europe/Berlin. Absent: the time zone of the gateway's computer."`
}

// What a job does.
const (
	CronMessage = "message" // an agent answers a message in its own session
	CronEvent   = "event"   // its main session gets a note
	CronOther   = "other"
)

// CronJob is a job of a gateway.
type CronJob struct {
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	AgentID      string       `json:"agentId" doc:"Agent that the job is for. Empty: the gateway doesn't name it."`
	Enabled      bool         `json:"enabled"`
	Managed      bool         `json:"managed" doc:"The gateway added the job itself. It would add it again."`
	Kind         string       `json:"kind" enum:"message,event,other" doc:"message: the agent answers a message in its own session. event: its main session gets a note. other: a command or something else."`
	Message      string       `json:"message" doc:"What the agent is asked. At most 16 KiB are returned."`
	MessageCut   bool         `json:"messageCut" doc:"The message is longer than what is returned."`
	Schedule     CronSchedule `json:"schedule"`
	DeletedAfter bool         `json:"deletedAfter" doc:"The gateway deletes it after a successful run."`
	NextRunAt    time.Time    `json:"nextRunAt,omitzero"`
	RunningSince time.Time    `json:"runningSince,omitzero" doc:"Start of the active run."`
	LastRunAt    time.Time    `json:"lastRunAt,omitzero"`
	LastStatus   string       `json:"lastStatus,omitempty" enum:"ok,error,skipped" doc:"Result of the last run."`
	LastError    string       `json:"lastError,omitempty" doc:"Why the last run failed or was skipped, as the gateway says it."`
	Revision     string       `json:"revision,omitempty" doc:"Revision of the job's definition, if the gateway has revisions."`
}

// CronEntry is a new job: an agent answers the message in its own session.
type CronEntry struct {
	Name, AgentID, Message string
	Enabled                bool
	Schedule               CronSchedule
}

// CronEdit changes a job. What is nil stays as it is. With a Revision the change is refused with CONFLICT if the job
// isn't the one that was read.
type CronEdit struct {
	ID, Revision  string
	Enabled       *bool
	Name, Message *string
	Schedule      *CronSchedule
}

// CronStarted is the answer to CronRun.
type CronStarted struct {
	Started bool   `json:"started" doc:"The job was started, or is about to be."`
	Reason  string `json:"reason,omitempty" doc:"Why it wasn't started, as the gateway says it, such as already-running."`
}

// CronRunEntry is one ended run of a job.
type CronRunEntry struct {
	At         time.Time `json:"at,omitzero" doc:"Start of the run."`
	DurationMs int64     `json:"durationMs,omitempty" doc:"Duration in milliseconds."`
	Status     string    `json:"status,omitempty" enum:"ok,error,skipped"`
	Error      string    `json:"error,omitempty" doc:"Why the run failed or was skipped, as the gateway says it."`
	Summary    string    `json:"summary,omitempty" doc:"What the agent said, shortened by the gateway."`
	SessionKey string    `json:"sessionKey,omitempty" doc:"Session of the run."`
	Model      string    `json:"model,omitempty" doc:"Model that answered, as provider/model."`
	TokensIn   int       `json:"tokensIn,omitempty" doc:"Tokens sent to the model. Absent: the gateway doesn't tell."`
	TokensOut  int       `json:"tokensOut,omitempty" doc:"Tokens received from the model."`
}

// Cron are the cron jobs of a gateway.
type Cron struct{ c *Client }

// CronOf returns the cron jobs of the gateway that c is connected to.
func CronOf(c *Client) Cron { return Cron{c} }

func (j Cron) call(ctx context.Context, act CronAct, params any) (json.RawMessage, error) {
	r := request{
		method: act.method(), params: params, timeout: j.c.timing.Call,
		able: func(f Features) bool { return f.Has(CronList.method()) && f.Has(act.method()) },
	}
	if act != CronList && act != CronRuns {
		r.changes, r.scope, r.timeout = true, dialect.ScopeAdmin, j.c.timing.Apply
	}
	if act == CronRun { // an early gateway answers when the run has ended
		r.timeout = max(compactTime, r.timeout)
	}
	raw, err := j.c.call(ctx, r)
	return raw, cronError(err)
}

var (
	cronGone    = regexp.MustCompile(`^(Error: )?(Automation not found:|unknown cron job id:)`)
	cronMoved   = regexp.MustCompile(`^cron job definition no longer matches`)
	cronRemoved = regexp.MustCompile(`\bwas removed, but session cleanup failed\b`)
)

var errCronGone = errors.New("the gateway has no such cron job")

func noCronJob(cause error) error {
	return errcode.Wrap(errcode.NotFound, cause, "the gateway no longer has this cron job. Load the jobs again")
}

// cronError tells the gateway's words for a missing and for a changed job from other refusals.
func cronError(err error) error {
	if err == nil {
		return nil
	}
	switch msg := errcode.From(err).Message; {
	case cronGone.MatchString(msg):
		return noCronJob(err)
	case cronMoved.MatchString(msg):
		return errcode.Wrap(errcode.Conflict, err,
			"the cron job was changed on the gateway since it was loaded. Nothing was saved. Load it again")
	}
	return err
}

// List reads all jobs, at most MaxCronJobs, those that run next first where the gateway sorts them. Rows that can't be
// read or repeat another are left out.
func (j Cron) List(ctx context.Context) ([]CronJob, error) {
	return j.list(ctx, func(json.RawMessage) {})
}

// list reads all jobs, and calls each with the row of each.
func (j Cron) list(ctx context.Context, each func(row json.RawMessage)) ([]CronJob, error) {
	jobs, seen := []CronJob{}, map[string]bool{}
	for offset := 0; len(jobs) < MaxCronJobs; {
		raw, err := j.call(ctx, CronList, map[string]any{"includeDisabled": true, "limit": cronPage, "offset": offset})
		if err != nil {
			return nil, err
		}
		var page struct {
			Jobs    []json.RawMessage `json:"jobs"`
			HasMore bool              `json:"hasMore"`
			Next    *int              `json:"nextOffset"`
		}
		if err := decodeResult(CronList.method(), raw, &page); err != nil {
			return nil, err
		}
		for _, one := range page.Jobs {
			var row cronRow
			if json.Unmarshal(one, &row) != nil || row.ID == "" || seen[row.ID] || len(jobs) == MaxCronJobs {
				continue
			}
			seen[row.ID] = true
			jobs = append(jobs, row.job())
			each(one)
		}
		if !page.HasMore || page.Next == nil || *page.Next <= offset {
			break
		}
		offset = *page.Next
	}
	return jobs, j.nameOwners(ctx, jobs)
}

// nameOwners gives jobs without an agent to the gateway's default agent, which runs them.
func (j Cron) nameOwners(ctx context.Context, jobs []CronJob) error {
	const method = "agents.list"
	open := false
	for i := range jobs {
		open = open || jobs[i].AgentID == ""
	}
	if !open || !j.c.Features().Has(method) {
		return nil
	}
	raw, err := j.c.call(ctx, request{method: method, params: struct{}{}, timeout: j.c.timing.Call})
	if err != nil {
		return err
	}
	var a struct {
		DefaultID string `json:"defaultId"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return err
	}
	for i := range jobs {
		jobs[i].AgentID = firstOf(jobs[i].AgentID, a.DefaultID)
	}
	return nil
}

// Add creates a job.
func (j Cron) Add(ctx context.Context, e CronEntry) (CronJob, error) {
	raw, err := j.call(ctx, CronAdd, map[string]any{
		"name": e.Name, "agentId": e.AgentID, "enabled": e.Enabled, "schedule": e.Schedule.wire(),
		"sessionTarget": "isolated", "wakeMode": "now", "delivery": map[string]any{"mode": "none"},
		"payload": map[string]any{"kind": agentTurn, "message": e.Message},
	})
	if err != nil {
		return CronJob{}, err
	}
	return cronJobOf(CronAdd, raw)
}

// Change changes a job.
func (j Cron) Change(ctx context.Context, e CronEdit) (CronJob, error) {
	patch := map[string]any{}
	if e.Enabled != nil {
		patch["enabled"] = *e.Enabled
	}
	if e.Name != nil {
		patch["name"] = *e.Name
	}
	if e.Schedule != nil {
		patch["schedule"] = e.Schedule.wire()
	}
	if e.Message != nil {
		payload, err := j.payload(ctx, e.ID, *e.Message)
		if err != nil {
			return CronJob{}, err
		}
		patch["payload"] = payload
	}
	params := map[string]any{"id": e.ID, "patch": patch}
	if e.Revision != "" {
		params["expectedConfigRevision"] = e.Revision
	}
	raw, err := j.call(ctx, CronChange, params)
	if err != nil {
		return CronJob{}, err
	}
	return cronJobOf(CronChange, raw)
}

// payload is what sets the message of a job, which depends on what the job does.
func (j Cron) payload(ctx context.Context, id, message string) (map[string]any, error) {
	jobs, err := j.List(ctx)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		switch {
		case jobs[i].ID != id:
		case jobs[i].Kind == CronMessage:
			return map[string]any{"kind": agentTurn, "message": message}, nil
		case jobs[i].Kind == CronEvent:
			return map[string]any{"kind": systemEvent, "text": message}, nil
		default:
			return nil, errcode.New(errcode.Validation, "the cron job has no message to change").
				With(errcode.KeyField, "message")
		}
	}
	return nil, noCronJob(errCronGone)
}

// Remove removes a job for good.
func (j Cron) Remove(ctx context.Context, id string) error {
	raw, err := j.call(ctx, CronRemove, map[string]any{"id": id})
	if err != nil && cronRemoved.MatchString(errcode.From(err).Message) {
		return nil // its old sessions are still there, where they are seen
	}
	if err != nil {
		return err
	}
	var a struct {
		Removed *bool `json:"removed"`
	}
	if err := decodeResult(CronRemove.method(), raw, &a); err != nil {
		return unknownOutcome(err)
	}
	if a.Removed == nil {
		return unknownOutcome(badAnswer(nil, CronRemove.method(), "it does not say whether the job was removed"))
	}
	if !*a.Removed {
		return noCronJob(errCronGone)
	}
	return nil
}

// Run starts a job now, whether or not it is enabled.
func (j Cron) Run(ctx context.Context, id string) (CronStarted, error) {
	raw, err := j.call(ctx, CronRun, map[string]any{"id": id, "mode": "force"})
	if err != nil {
		return CronStarted{}, err
	}
	var a struct {
		Enqueued bool   `json:"enqueued"`
		Ran      *bool  `json:"ran"`
		Reason   string `json:"reason"`
	}
	if err := decodeResult(CronRun.method(), raw, &a); err != nil {
		return CronStarted{}, unknownOutcome(err)
	}
	if a.Ran == nil && !a.Enqueued {
		return CronStarted{}, unknownOutcome(
			badAnswer(nil, CronRun.method(), "it does not say whether the job started"))
	}
	return CronStarted{Started: a.Enqueued || *a.Ran, Reason: dialect.Clean(a.Reason)}, nil
}

// Runs reads the last ended runs of a job, the newest first; limit 0 means 20.
func (j Cron) Runs(ctx context.Context, id string, limit int) ([]CronRunEntry, error) {
	if limit = min(limit, MaxCronRuns); limit <= 0 {
		limit = 20
	}
	raw, err := j.call(ctx, CronRuns, map[string]any{"id": id, "limit": limit})
	if err != nil {
		return nil, err
	}
	var a struct {
		Entries []json.RawMessage `json:"entries"`
	}
	if err := decodeResult(CronRuns.method(), raw, &a); err != nil {
		return nil, err
	}
	runs := []CronRunEntry{}
	for _, one := range a.Entries {
		var row cronRunRow
		if json.Unmarshal(one, &row) == nil && len(runs) < limit {
			runs = append(runs, row.entry())
		}
	}
	return runs, nil
}

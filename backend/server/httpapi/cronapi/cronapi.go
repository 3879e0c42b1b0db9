// Package cronapi serves the cron jobs of gateways: what their agents do on a schedule.
package cronapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/sessionsapi"
	"agentflow/backend/server/httperr"
)

// Jobs are the cron jobs of a gateway. client.Cron fulfils it.
type Jobs interface {
	List(ctx context.Context) ([]client.CronJob, error)
	Add(ctx context.Context, e client.CronEntry) (client.CronJob, error)
	Change(ctx context.Context, e client.CronEdit) (client.CronJob, error)
	Remove(ctx context.Context, id string) error
	Run(ctx context.Context, id string) (client.CronStarted, error)
	Runs(ctx context.Context, id string, limit int) ([]client.CronRunEntry, error)
}

// Routes serve the cron jobs. They are the owner's alone, since auth grants them to nobody else.
type Routes struct {
	Jobs   func(gateway string) (Jobs, error)        // "" is the default one
	Price  func(llm.Model) (p llm.Price, known bool) // of a model
	Logger *slog.Logger
}

type cronList struct {
	Body sessionsapi.GatewayName `required:"false"`
}

type cronListed struct {
	Body struct {
		Jobs []client.CronJob `json:"jobs" doc:"At most 1000 jobs, also disabled ones."`
	}
}

type cronAdd struct {
	Body struct {
		sessionsapi.GatewayName
		Name     string          `json:"name" minLength:"1" maxLength:"200" doc:"Name, at most 200 characters."`
		AgentID  string          `json:"agentId" minLength:"1" maxLength:"200" doc:"Agent of the gateway that answers."`
		Message  string          `json:"message" minLength:"1" maxLength:"16384" doc:"What the agent is asked, at most 16,384 characters."`
		Schedule NewCronSchedule `json:"schedule" doc:"When it runs."`
		Enabled  *bool           `json:"enabled,omitempty" doc:"Run on schedule. Default: true."`
	}
}

type cronUpdate struct {
	Body struct {
		sessionsapi.GatewayName
		ID       string           `json:"id" minLength:"1" maxLength:"300" doc:"ID of the job."`
		Revision string           `json:"revision,omitempty" maxLength:"128" doc:"Revision of the job that you loaded. CONFLICT if it was changed since. Default: don't compare."`
		Name     *string          `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"New name, at most 200 characters. Default: unchanged."`
		Message  *string          `json:"message,omitempty" minLength:"1" maxLength:"16384" doc:"New message, at most 16,384 characters. Default: unchanged."`
		Schedule *NewCronSchedule `json:"schedule,omitempty" doc:"New schedule. Default: unchanged."`
		Enabled  *bool            `json:"enabled,omitempty" doc:"Run on schedule. Default: unchanged."`
	}
}

// NewCronSchedule is when a job is to run.
type NewCronSchedule struct {
	Kind     string    `json:"kind" enum:"at,every,cron" doc:"at: once. every: at intervals. cron: by a cron expression."`
	At       time.Time `json:"at,omitzero" doc:"Time of the only run. Needed for the kind at."`
	EveryMs  int64     `json:"everyMs,omitempty" minimum:"0" maximum:"315360000000" doc:"Milliseconds between runs, at least 1000 and at most ten years. Needed for the kind every."`
	Expr     string    `json:"expr,omitempty" maxLength:"200" doc:"Cron expression with five, six or seven parts. Needed for the kind cron."`
	TimeZone string    `json:"timeZone,omitempty" maxLength:"100" doc:"IANA time zone of the cron expression. Default: that of the gateway's computer."`
}

// shortest is the shortest interval, in milliseconds.
const shortest = 1000

// check returns the schedule, or what is missing in it.
func (s NewCronSchedule) check(now time.Time) (client.CronSchedule, error) {
	out := client.CronSchedule{Kind: s.Kind}
	wrong := func(field, format string, args ...any) (client.CronSchedule, error) {
		return out, errcode.New(errcode.Validation, format, args...).With(errcode.KeyField, "schedule."+field)
	}
	switch s.Kind {
	case client.CronAt:
		if out.At = s.At; !s.At.After(now) {
			return wrong("at", "schedule.at isn't in the future. Choose a later time")
		}
	case client.CronEvery:
		if out.EveryMs = s.EveryMs; s.EveryMs < shortest {
			return wrong("everyMs", "schedule.everyMs must be at least %d", shortest)
		}
	default:
		out.Expr, out.TimeZone = strings.Join(strings.Fields(s.Expr), " "), strings.TrimSpace(s.TimeZone)
		if n := len(strings.Fields(s.Expr)); n < 5 || n > 7 {
			return wrong("expr", "schedule.expr has %d parts. Write five to seven parts, such as 0 7 * * 1-5", n)
		}
	}
	return out, nil
}

type cronJob struct{ Body client.CronJob }

type cronID struct {
	Body struct {
		sessionsapi.GatewayName
		ID string `json:"id" minLength:"1" maxLength:"300" doc:"ID of the job."`
	}
}

type cronStarted struct{ Body client.CronStarted }

type cronRuns struct {
	Body struct {
		sessionsapi.GatewayName
		ID    string `json:"id" minLength:"1" maxLength:"300" doc:"ID of the job."`
		Limit int    `json:"limit,omitempty" minimum:"0" maximum:"200" doc:"Maximum number of runs, 0 to 200. Default: 20."`
	}
}

type cronRan struct {
	Body struct {
		Runs []CronRun `json:"runs" doc:"Ended runs, the newest first."`
	}
}

// CronRun is one ended run of a job, with what it cost.
type CronRun struct {
	client.CronRunEntry
	CostUSD float64 `json:"costUsd,omitempty" doc:"Cost in US dollars, if it is known."`
	Priced  bool    `json:"priced" doc:"The cost is known: the gateway tells the tokens, and the settings have a price of the model."`
}

// priced adds the cost of a run, where it is known.
func (r *Routes) priced(e client.CronRunEntry) CronRun {
	out := CronRun{CronRunEntry: e}
	if provider, _ := llm.Model(e.Model).Split(); provider == "" || e.TokensIn+e.TokensOut == 0 {
		return out // without a provider, it would get a price of the hub's default one
	}
	p, known := r.Price(llm.Model(e.Model))
	if out.Priced = known; known {
		out.CostUSD = p.Of(e.TokensIn, e.TokensOut)
	}
	return out
}

const failures = " GATEWAY_ERROR: the gateway doesn't offer it, rejected it or can't be reached."

// Register adds the routes to the API. A gateway's cron tells which of it is offered.
func (r *Routes) Register(api huma.API) {
	const tag = "gateway methods"
	route := func(path, id, text string) huma.Operation {
		return httperr.Route(http.MethodPost, "/api/gateway/cron/"+path, id, text+failures, tag)
	}
	huma.Register(api, route("list", "cronList", "List cron jobs\n"+
		"Calls the gateway's `cron.list`."), httperr.Handler(r.Logger, r.list))
	huma.Register(api, route("add", "cronAdd", "Add a cron job\n"+
		"Calls the gateway's `cron.add`: the agent answers the message in its own session. A job with the "+
		"schedule at is deleted by the gateway after its run."), httperr.Handler(r.Logger, r.add))
	huma.Register(api, route("update", "cronUpdate", "Change a cron job\n"+
		"Calls the gateway's `cron.update`. Fields that are absent don't change."), httperr.Handler(r.Logger, r.update))
	remove := route("remove", "cronRemove", "Delete a cron job\n"+
		"Calls the gateway's `cron.remove`. This can't be undone. NOT_FOUND: the gateway has no such job.")
	huma.Register(api, httperr.Status(http.StatusNoContent, remove), httperr.Handler(r.Logger, r.remove))
	huma.Register(api, route("run", "cronRun", "Run a cron job now\n"+
		"Calls the gateway's `cron.run`, also for a disabled job. Early gateways answer when the run has ended, "+
		"which can take minutes."), httperr.Handler(r.Logger, r.run))
	huma.Register(api, route("runs", "cronRuns", "List the last runs of a cron job\n"+
		"Calls the gateway's `cron.runs`."), httperr.Handler(r.Logger, r.runs))
}

// failed gives a gateway's failure its form. What the person can mend keeps its code.
func failed(err error) error {
	for _, code := range []errcode.Code{errcode.Validation, errcode.NotFound, errcode.Conflict} {
		if errcode.Is(err, code) {
			return err
		}
	}
	return httperr.Gateway(err)
}

func (r *Routes) list(ctx context.Context, in *cronList) (*cronListed, error) {
	jobs, err := r.Jobs(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	out := new(cronListed)
	if out.Body.Jobs, err = jobs.List(ctx); out.Body.Jobs == nil {
		out.Body.Jobs = []client.CronJob{}
	}
	return out, failed(err)
}

func (r *Routes) add(ctx context.Context, in *cronAdd) (*cronJob, error) {
	auth.Say(ctx, in.Body.Name+": "+in.Body.Message)
	e := client.CronEntry{
		Name: strings.TrimSpace(in.Body.Name), AgentID: in.Body.AgentID, Message: in.Body.Message,
		Enabled: in.Body.Enabled == nil || *in.Body.Enabled,
	}
	var err error
	if e.Schedule, err = in.Body.Schedule.check(time.Now()); err != nil {
		return nil, err
	}
	if err := notBlank("name", &in.Body.Name); err != nil {
		return nil, err
	}
	if err := notBlank("message", &in.Body.Message); err != nil {
		return nil, err
	}
	jobs, err := r.Jobs(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	job, err := jobs.Add(ctx, e)
	return &cronJob{job}, failed(err)
}

func notBlank(field string, text *string) error {
	if text == nil || strings.TrimSpace(*text) != "" {
		return nil
	}
	return errcode.New(errcode.Validation, "%s has only spaces. Write something", field).With(errcode.KeyField, field)
}

func (r *Routes) update(ctx context.Context, in *cronUpdate) (*cronJob, error) {
	b := &in.Body
	auth.Say(ctx, b.ID)
	e := client.CronEdit{ID: b.ID, Revision: b.Revision, Name: b.Name, Message: b.Message, Enabled: b.Enabled}
	if b.Name == nil && b.Message == nil && b.Enabled == nil && b.Schedule == nil {
		return nil, errcode.New(errcode.Validation, "nothing is to change. Send name, message, schedule or enabled")
	}
	if err := notBlank("name", b.Name); err != nil {
		return nil, err
	}
	if err := notBlank("message", b.Message); err != nil {
		return nil, err
	}
	if b.Schedule != nil {
		when, err := b.Schedule.check(time.Now())
		if err != nil {
			return nil, err
		}
		e.Schedule = &when
	}
	jobs, err := r.Jobs(b.Gateway)
	if err != nil {
		return nil, err
	}
	job, err := jobs.Change(ctx, e)
	return &cronJob{job}, failed(err)
}

func (r *Routes) remove(ctx context.Context, in *cronID) (*struct{}, error) {
	auth.Say(ctx, in.Body.ID)
	jobs, err := r.Jobs(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	return nil, failed(jobs.Remove(ctx, in.Body.ID))
}

func (r *Routes) run(ctx context.Context, in *cronID) (*cronStarted, error) {
	auth.Say(ctx, in.Body.ID)
	jobs, err := r.Jobs(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	started, err := jobs.Run(ctx, in.Body.ID)
	return &cronStarted{started}, failed(err)
}

func (r *Routes) runs(ctx context.Context, in *cronRuns) (*cronRan, error) {
	jobs, err := r.Jobs(in.Body.Gateway)
	if err != nil {
		return nil, err
	}
	out := new(cronRan)
	entries, err := jobs.Runs(ctx, in.Body.ID, in.Body.Limit)
	out.Body.Runs = make([]CronRun, len(entries))
	for i, e := range entries {
		out.Body.Runs[i] = r.priced(e)
	}
	return out, failed(err)
}

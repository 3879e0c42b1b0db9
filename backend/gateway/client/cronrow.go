package client

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/gateway/client/internal/dialect"
)

// What jobs do, in the gateway's words.
const (
	agentTurn   = "agentTurn"
	systemEvent = "systemEvent"
)

// cronRow is a job as gateways write it.
type cronRow struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	DisplayName    string       `json:"displayName"`
	DeclarationKey string       `json:"declarationKey"`
	AgentID        string       `json:"agentId"`
	RunsAs         string       `json:"effectiveAgentId"`
	Enabled        bool         `json:"enabled"`
	DeleteAfterRun bool         `json:"deleteAfterRun"`
	Revision       string       `json:"configRevision"`
	Schedule       cronWhen     `json:"schedule"`
	Payload        cronPayload  `json:"payload"`
	State          cronRowState `json:"state"`
}

type cronPayload struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Text    string `json:"text"`
}

type cronRowState struct {
	NextRunAt    wireTime `json:"nextRunAtMs"`
	RunningSince wireTime `json:"runningAtMs"`
	LastRunAt    wireTime `json:"lastRunAtMs"`
	LastStatus   string   `json:"lastRunStatus"`
	OldStatus    string   `json:"lastStatus"`
	LastError    string   `json:"lastError"`
}

type cronWhen struct {
	Kind     string   `json:"kind"`
	At       wireTime `json:"at"`
	EveryMs  float64  `json:"everyMs"`
	Expr     string   `json:"expr"`
	TimeZone string   `json:"tz"`
}

// longestEvery is the longest interval that is believed: a hundred years.
const longestEvery = 100 * 366 * 24 * 3600 * 1000

func (w cronWhen) schedule() CronSchedule {
	switch w.Kind {
	case CronAt:
		return CronSchedule{Kind: CronAt, At: w.At.Time}
	case CronEvery:
		return CronSchedule{Kind: CronEvery, EveryMs: int64(min(max(w.EveryMs, 0), longestEvery))}
	case CronExpr:
		return CronSchedule{Kind: CronExpr, Expr: dialect.Clean(w.Expr), TimeZone: dialect.Clean(w.TimeZone)}
	}
	return CronSchedule{Kind: CronOther}
}

// wire is the schedule as gateways read it.
func (s CronSchedule) wire() map[string]any {
	switch s.Kind {
	case CronAt:
		return map[string]any{"kind": CronAt, "at": s.At.UTC().Format(time.RFC3339)}
	case CronEvery:
		return map[string]any{"kind": CronEvery, "everyMs": s.EveryMs}
	}
	w := map[string]any{"kind": CronExpr, "expr": s.Expr}
	if s.TimeZone != "" {
		w["tz"] = s.TimeZone
	}
	return w
}

func (r cronRow) job() CronJob {
	j := CronJob{
		ID: r.ID, Name: dialect.Clean(firstOf(r.DisplayName, r.Name)), AgentID: firstOf(r.RunsAs, r.AgentID),
		Enabled: r.Enabled, DeletedAfter: r.DeleteAfterRun, Kind: CronOther,
		Schedule: r.Schedule.schedule(), Revision: r.Revision,
		Managed:   r.DeclarationKey != "" || r.Payload.Kind == "heartbeat",
		NextRunAt: r.State.NextRunAt.Time, RunningSince: r.State.RunningSince.Time, LastRunAt: r.State.LastRunAt.Time,
		LastStatus: cronStatus(firstOf(r.State.LastStatus, r.State.OldStatus)),
		LastError:  dialect.Clean(r.State.LastError),
	}
	switch r.Payload.Kind {
	case agentTurn:
		j.Kind, j.Message = CronMessage, r.Payload.Message
	case systemEvent:
		j.Kind, j.Message = CronEvent, r.Payload.Text
	}
	if len(j.Message) > MaxCronMessage {
		j.Message, j.MessageCut = cutText(j.Message, MaxCronMessage), true
	}
	return j
}

// cronJobOf reads the job in an answer to a change.
func cronJobOf(act CronAct, raw json.RawMessage) (CronJob, error) {
	var row cronRow
	if err := decodeResult(act.method(), raw, &row); err != nil {
		return CronJob{}, unknownOutcome(err)
	}
	if row.ID == "" {
		return CronJob{}, unknownOutcome(badAnswer(nil, act.method(), "it has no job"))
	}
	return row.job(), nil
}

// cronStatus is the result of a run, or "" for a word that isn't known.
func cronStatus(s string) string {
	switch s {
	case "ok", "error", "skipped":
		return s
	}
	return ""
}

// cutText returns at most n bytes of s, and no half character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

type cronRunRow struct {
	Ended      wireTime        `json:"ts"`
	At         wireTime        `json:"runAtMs"`
	DurationMs float64         `json:"durationMs"`
	Status     string          `json:"status"`
	Error      string          `json:"error"`
	Summary    string          `json:"summary"`
	SessionKey string          `json:"sessionKey"`
	Provider   string          `json:"provider"`
	Model      string          `json:"model"`
	Usage      json.RawMessage `json:"usage"`
}

// mostTokens is the largest number of tokens of a run that is believed.
const mostTokens = 1e12

func (r cronRunRow) entry() CronRunEntry {
	e := CronRunEntry{
		At: r.At.Time, DurationMs: int64(min(max(r.DurationMs, 0), longestEvery)), Status: cronStatus(r.Status),
		Error:   dialect.Clean(r.Error),
		Summary: dialect.Clean(r.Summary), SessionKey: r.SessionKey,
	}
	var used struct {
		In  float64 `json:"input_tokens"`
		Out float64 `json:"output_tokens"`
	}
	if json.Unmarshal(r.Usage, &used) == nil {
		e.TokensIn, e.TokensOut = int(min(max(used.In, 0), mostTokens)), int(min(max(used.Out, 0), mostTokens))
	}
	if r.Model != "" {
		e.Model = dialect.Clean(strings.TrimPrefix(r.Provider+"/"+r.Model, "/"))
	}
	if e.At.IsZero() {
		e.At = r.Ended.Time
	}
	return e
}

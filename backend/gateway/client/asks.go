package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

// AskKind is what a gateway asks a person for.
type AskKind string

// The kinds. Early gateways have only AskExec, and they can't list it.
const (
	AskExec     AskKind = "exec"     // approval of a command
	AskPlugin   AskKind = "plugin"   // approval of what a plugin wants to do
	AskQuestion AskKind = "question" // answers to questions of an agent
)

// askKind says how a kind is spoken of on the wire.
type askKind struct {
	kind                AskKind
	list, resolve       string // methods
	requested, resolved string // events
	scope               string
	listed              string // field of the list's answer; "" where the answer is the list
}

var askKinds = []askKind{
	{
		kind: AskExec, list: "exec.approval.list", resolve: "exec.approval.resolve",
		requested: "exec.approval.requested", resolved: "exec.approval.resolved", scope: dialect.ScopeApprovals,
	},
	{
		kind: AskPlugin, list: "plugin.approval.list", resolve: "plugin.approval.resolve",
		requested: "plugin.approval.requested", resolved: "plugin.approval.resolved", scope: dialect.ScopeApprovals,
	},
	{
		kind: AskQuestion, list: "question.list", resolve: "question.resolve", requested: "question.requested",
		resolved: "question.resolved", scope: dialect.ScopeQuestions, listed: "questions",
	},
}

// The decisions about an approval.
const (
	DecisionOnce   = "allow-once"
	DecisionAlways = "allow-always" // the gateway allows it from now on
	DecisionDeny   = "deny"
)

// Ask is an approval or a question that waits at a gateway.
type Ask struct {
	ID        string
	Kind      AskKind
	Agent     string
	Session   string
	Title     string          // of a plugin's approval
	Facts     json.RawMessage // an object: what the person decides about, such as the command and its folder
	Decisions []string        // that the gateway takes; of a question none
	Questions []AskedQuestion
	CreatedAt time.Time // by the gateway's clock, as ExpiresAt
	ExpiresAt time.Time
}

// AskedQuestion is one of the questions of an AskQuestion.
type AskedQuestion struct {
	ID      string // of its answer
	Header  string // a short title, or ""
	Text    string
	URL     string        // of the page that it is about, or ""
	Options []AskedOption // none: any words
	Multi   bool          // several options can be chosen
	Other   bool          // other words than the options are possible
	Secret  bool          // the answer is a secret, so it's given at the gateway
}

// AskedOption is an answer to choose.
type AskedOption struct {
	Label string
	About string // what it means, or ""
}

// AskEnd is the end of an Ask.
type AskEnd struct {
	ID       string
	Kind     AskKind
	Decision string // "" where it was not answered
	By       string // who answered, in the gateway's words; "" where it doesn't say
	Expired  bool
}

// Asks are what waits at a gateway.
type Asks struct {
	List     []Ask
	Listed   []AskKind // the kinds that List has all of
	Unlisted []AskKind // the kinds that the gateway asks for and can't list
	Denied   []AskKind // the kinds that this token may not see
}

// Asks lists what waits at the gateway, of all kinds that it has and that the token may see.
func (c *Client) Asks(ctx context.Context) (Asks, error) {
	var out Asks
	st := c.Status()
	for _, k := range askKinds {
		switch {
		case !st.Features.Has(k.resolve):
		case !dialect.HasScope(st.Scopes, k.scope):
			out.Denied = append(out.Denied, k.kind)
		case !st.Features.Has(k.list):
			out.Unlisted = append(out.Unlisted, k.kind)
		default:
			list, err := c.asksOf(ctx, k)
			if errcode.HasReason(err, errcode.ReasonNoScope) {
				out.Denied = append(out.Denied, k.kind)
				continue
			}
			if err != nil {
				return out, err
			}
			out.List, out.Listed = append(out.List, list...), append(out.Listed, k.kind)
		}
	}
	return out, nil
}

func (c *Client) asksOf(ctx context.Context, k askKind) ([]Ask, error) {
	raw, err := c.call(ctx, request{method: k.list, params: struct{}{}, timeout: c.timing.Call, scope: k.scope})
	if err != nil {
		return nil, err
	}
	if k.listed != "" {
		var boxed map[string]json.RawMessage
		if err := decodeResult(k.list, raw, &boxed); err != nil {
			return nil, err
		}
		raw = boxed[k.listed]
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, badAnswer(err, k.list, "it is not a list")
	}
	var out []Ask
	for _, row := range rows {
		if a, ok := readAsk(k, row); ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// ParseAsk reads the event of something that begins to wait or ends; ok is false for every other event.
func ParseAsk(e Event) (began *Ask, ended *AskEnd, ok bool) {
	for _, k := range askKinds {
		switch e.Name {
		case k.requested:
			a, ok := readAsk(k, e.Payload)
			return &a, nil, ok
		case k.resolved:
			end, ok := readAskEnd(k.kind, e.Payload)
			return nil, &end, ok
		}
	}
	return nil, nil, false
}

func readAskEnd(kind AskKind, raw json.RawMessage) (AskEnd, bool) {
	var p struct {
		ID         string `json:"id"`
		Decision   string `json:"decision"`
		ResolvedBy string `json:"resolvedBy"`
		Status     string `json:"status"`
	}
	if json.Unmarshal(raw, &p) != nil || p.ID == "" {
		return AskEnd{}, false
	}
	end := AskEnd{ID: p.ID, Kind: kind, Decision: p.Decision, By: dialect.Clean(p.ResolvedBy),
		Expired: p.Status == "expired"}
	switch p.Status {
	case "answered":
		end.Decision = DecisionOnce
	case "cancelled":
		end.Decision = DecisionDeny
	}
	return end, true
}

// AskAnswer is a person's answer. A question takes Answers, or DecisionDeny to skip it.
type AskAnswer struct {
	Decision string
	Answers  map[string][]string // by the ID of the question
}

// ReasonTooLate is the reason of an answer's CONFLICT: what was asked had ended before.
const ReasonTooLate = "too_late"

var tooLate = regexp.MustCompile(`unknown approval id|unknown or expired approval id|approval already resolved|` +
	`APPROVAL_NOT_FOUND|APPROVAL_ALREADY_RESOLVED|QUESTION_NOT_FOUND|QUESTION_ALREADY_TERMINAL`)

// DisplayName is how AgentFlow is called at gateways, which say by it who answered.
const DisplayName = dialect.DisplayName

// AnswerAsk sends an answer, once. The error is CONFLICT with ReasonTooLate if it had ended before. Without an answer
// from the gateway the reason is outcome_unknown, and the caller lists again.
func (c *Client) AnswerAsk(ctx context.Context, kind AskKind, id string, a AskAnswer) error {
	at := slices.IndexFunc(askKinds, func(k askKind) bool { return k.kind == kind })
	if at < 0 {
		return errcode.New(errcode.Validation, "a gateway asks for no %q", kind)
	}
	k, params := askKinds[at], map[string]any{"id": id, "decision": a.Decision}
	if kind == AskQuestion {
		params = map[string]any{"id": id, "answers": map[string]any{"answers": a.Answers}, "resolvedBy": DisplayName}
		if a.Decision == DecisionDeny {
			params = map[string]any{"id": id, "cancel": true, "resolvedBy": DisplayName}
		}
	}
	_, err := c.call(ctx, request{
		method: k.resolve, params: params, timeout: c.timing.Call, changes: true, scope: k.scope,
		able: func(f Features) bool { return f.Has(k.resolve) },
	})
	if w, ok := errors.AsType[*dialect.Error](err); ok && tooLate.MatchString(w.Message+" "+string(w.Details)) {
		return errcode.Wrap(errcode.Conflict, err, "somebody answered it elsewhere, or it has expired").
			With(errcode.KeyReason, ReasonTooLate)
	}
	return err
}

// askRow is one of a list, or a payload of an event.
type askRow struct {
	ID        string         `json:"id"`
	Request   map[string]any `json:"request"`
	AgentID   string         `json:"agentId"`
	Session   string         `json:"sessionKey"`
	CreatedAt wireTime       `json:"createdAtMs"`
	ExpiresAt wireTime       `json:"expiresAtMs"`
	Questions []struct {
		ID       string `json:"questionId"`
		Header   string `json:"header"`
		Question string `json:"question"`
		URL      string `json:"url"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
		MultiSelect bool            `json:"multiSelect"`
		IsOther     bool            `json:"isOther"`
		IsSecret    bool            `json:"isSecret"`
		SecretStore json.RawMessage `json:"secretStore"`
	} `json:"questions"`
}

func readAsk(k askKind, raw json.RawMessage) (Ask, bool) {
	var row askRow
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // a number is shown as the gateway wrote it
	if dec.Decode(&row) != nil || row.ID == "" {
		return Ask{}, false
	}
	a := Ask{
		ID: row.ID, Kind: k.kind, Agent: row.AgentID, Session: row.Session,
		CreatedAt: row.CreatedAt.Time, ExpiresAt: row.ExpiresAt.Time,
	}
	if k.kind == AskQuestion {
		for _, q := range row.Questions {
			asked := AskedQuestion{
				ID: q.ID, Header: q.Header, Text: q.Question, URL: q.URL, Multi: q.MultiSelect, Other: q.IsOther,
				Secret: q.IsSecret || len(q.SecretStore) > 0,
			}
			for _, o := range q.Options {
				asked.Options = append(asked.Options, AskedOption{Label: o.Label, About: o.Description})
			}
			a.Questions = append(a.Questions, asked)
		}
		return a, len(a.Questions) > 0
	}
	a.Agent, _ = row.Request["agentId"].(string)
	a.Session, _ = row.Request["sessionKey"].(string)
	a.Title, _ = row.Request["title"].(string)
	a.Decisions = decisionsOf(row.Request)
	facts, err := json.Marshal(factsOf(row.Request))
	a.Facts = facts
	return a, err == nil
}

// hidden are the parts of a request that stand elsewhere in the Ask, repeat others, or only route the answer.
var hidden = []string{
	"agentId", "sessionKey", "sessionId", "runId", "allowedDecisions", "unavailableDecisions", "commandSpans",
	"commandAnalysis",
	"commandPreview", "toolCallId", "turnSourceChannel", "turnSourceTo", "turnSourceAccountId", "turnSourceThreadId",
	"cronExecutionSource", "cronOperationBinding", "systemRunBinding", "systemRunBindingV1",
}

// factsOf leaves out what says nothing. What isn't known here stays: the person decides about all of it.
func factsOf(request map[string]any) map[string]any {
	out := map[string]any{}
	for name, value := range request {
		if value != nil && value != "" && !slices.Contains(hidden, name) {
			out[name] = value
		}
	}
	return out
}

// decisionsOf returns the decisions that the gateway takes. Early gateways don't list them, and take all three.
func decisionsOf(request map[string]any) []string {
	all := []string{DecisionOnce, DecisionAlways, DecisionDeny}
	listed, is := request["allowedDecisions"].([]any)
	if !is {
		if request["ask"] == "always" { // it would ask again all the same
			return []string{DecisionOnce, DecisionDeny}
		}
		return all
	}
	return slices.DeleteFunc(all, func(d string) bool { return d != DecisionDeny && !slices.Contains(listed, any(d)) })
}

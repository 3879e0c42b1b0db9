package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/inbox"
)

// asks shows in the inbox what one gateway asks a person, and sends the answers back. The gateway keeps it: after a
// restart, and whenever the link was lost, its list is read again.
type asks struct {
	fleet  *Fleet
	m      *member
	again  chan struct{} // the list must be read again
	denied atomic.Bool   // the token may not see something
	full   atomic.Bool   // more waits than is shown
}

var _ inbox.Answerer = (*asks)(nil)

func newAsks(f *Fleet, m *member) *asks { return &asks{fleet: f, m: m, again: make(chan struct{}, 1)} }

// read compares the inbox with the gateway's list. While the list can't be read, nothing can be answered.
func (a *asks) read(ctx context.Context) {
	if a.fleet.inbox == nil {
		return
	}
	found, err := a.m.client.Asks(ctx)
	if err != nil {
		if ctx.Err() == nil {
			a.log().WarnContext(ctx, "the gateway's approvals couldn't be read", slog.Any("error", err))
		}
		a.lost()
		return
	}
	if is := len(found.Denied) > 0; a.denied.Swap(is) != is {
		if is {
			a.log().WarnContext(ctx, "the token may not see what the gateway asks, so it doesn't appear in the inbox. "+
				"Give the token the scopes operator.approvals and operator.questions", slog.Any("kinds", found.Denied))
		}
		a.fleet.topic.Publish(struct{}{})
	}
	list := make([]inbox.Asked, 0, len(found.List))
	for i := range found.List {
		one := askedOf(&found.List[i])
		if one.At.ExpiresAt.Before(time.Now()) { // by our clock, which isn't the gateway's
			one.At.ExpiresAt = time.Time{}
		}
		list = append(list, one)
	}
	var kinds []inbox.Kind
	for _, k := range found.Listed {
		kinds = append(kinds, inbox.Kind(k))
	}
	a.tooMany(ctx, a.fleet.inbox.Listed(ctx, a.m.conf.Name, a, list, kinds))
}

func (a *asks) log() *slog.Logger {
	return a.fleet.log.With(slog.String("gateway", a.m.conf.Name))
}

// tooMany notes whether more waits than the inbox shows.
func (a *asks) tooMany(ctx context.Context, full error) {
	if !a.full.Swap(full != nil) && full != nil {
		a.log().WarnContext(ctx, "not everything that the gateway asks is shown", slog.Any("error", full))
	}
}

// hear takes one event of the gateway.
func (a *asks) hear(ctx context.Context, e client.Event) {
	if a.fleet.inbox == nil {
		return
	}
	if e.Resync {
		a.readAgain()
		return
	}
	began, end, is := client.ParseAsk(e)
	switch {
	case !is:
	case began != nil:
		one := askedOf(began)
		if !began.ExpiresAt.IsZero() && !began.CreatedAt.IsZero() { // the gateway's clock doesn't matter for how long
			one.At.ExpiresAt = time.Now().Add(began.ExpiresAt.Sub(began.CreatedAt)).UTC()
		}
		if err := a.fleet.inbox.Hear(a.m.conf.Name, a, one); err != nil {
			a.tooMany(ctx, err)
		}
	default:
		a.fleet.inbox.Over(ctx, a.m.conf.Name, inbox.Kind(end.Kind), end.ID, endOf(end))
	}
}

// Left implements inbox.Answerer.
func (a *asks) Left() {
	if a.full.Load() {
		a.readAgain()
	}
}

func (a *asks) readAgain() {
	select {
	case a.again <- struct{}{}:
	default: // it is to be read already
	}
}

// lost marks what the gateway asks: nothing is known about it.
func (a *asks) lost() {
	if a.fleet.inbox != nil {
		a.fleet.inbox.Lost(a)
	}
}

// end removes what the gateway asks, if the gateway was removed. When the hub ends, there is nothing to say.
func (a *asks) end() {
	select {
	case <-a.m.cancel:
		if a.fleet.inbox != nil {
			a.fleet.inbox.Removed(context.Background(), a)
		}
	default:
	}
}

var decisions = map[inbox.Choice]string{
	inbox.Once: client.DecisionOnce, inbox.Always: client.DecisionAlways, inbox.Deny: client.DecisionDeny,
}

// AnswerAsked implements inbox.Answerer.
func (a *asks) AnswerAsked(ctx context.Context, e inbox.Entry, key string, r inbox.Reply) error {
	answer := client.AskAnswer{Decision: decisions[r.Choice], Answers: r.Answers}
	err := a.m.client.AnswerAsk(ctx, client.AskKind(e.Gateway.Kind), key, answer)
	if err != nil && !errcode.Is(err, errcode.Conflict) {
		a.readAgain()
	}
	return err
}

func endOf(end *client.AskEnd) inbox.End {
	out := inbox.End{By: end.By, Ours: end.By == client.DisplayName || end.By == "" && end.Kind == client.AskQuestion}
	for choice, decision := range decisions {
		if decision == end.Decision {
			out.Choice = choice
		}
	}
	if end.By == "" && end.Kind != client.AskQuestion { // nobody did: it has expired, or its run was stopped
		out.Choice = ""
	}
	if end.Expired {
		out.Choice, out.Reason = "", inbox.ReasonTimedOut
	}
	return out
}

// Limits of what a gateway can put into the inbox. What is longer can't be shown whole.
const (
	maxAskedName   = 500
	maxAskedFields = 10
	maxAskedText   = 32 << 10 // of all questions
	shownOfTooMuch = 2000
)

func askedOf(a *client.Ask) inbox.Asked {
	out := inbox.Asked{Key: a.ID, AskedAt: a.CreatedAt, At: inbox.AtGateway{
		Kind: inbox.Kind(a.Kind), Session: beginning(a.Session, maxAskedName), Title: beginning(a.Title, maxAskedName),
		ExpiresAt: a.ExpiresAt, Choices: []inbox.Choice{},
	}}
	out.Question.Agent = beginning(a.Agent, maxAskedName)
	out.Question.Task = gatewayagent.TaskOf(a.Session)
	clear := len(a.Agent) <= maxAskedName && len(a.Session) <= maxAskedName && len(a.Title) <= maxAskedName
	if a.Kind == client.AskQuestion {
		out.At.Unclear = !clear || !askedFields(a, &out)
	} else {
		out.At.Unclear = !clear || !askedFacts(a, &out)
	}
	for _, choice := range []inbox.Choice{inbox.Once, inbox.Always, inbox.Deny} {
		if choice == inbox.Deny || !out.At.Unclear && offered(a, choice) {
			out.At.Choices = append(out.At.Choices, choice)
		}
	}
	return out
}

func offered(a *client.Ask, choice inbox.Choice) bool {
	if a.Kind == client.AskQuestion {
		secret := slices.ContainsFunc(a.Questions, func(q client.AskedQuestion) bool { return q.Secret })
		return choice == inbox.Once && !secret
	}
	return slices.Contains(a.Decisions, decisions[choice])
}

// askedFacts takes what an approval is about, and reports whether it can be shown whole.
func askedFacts(a *client.Ask, out *inbox.Asked) bool {
	var facts map[string]json.RawMessage
	if json.Unmarshal(a.Facts, &facts) != nil {
		return false
	}
	subject, tooled := "command", "exec"
	if a.Kind == client.AskPlugin {
		subject, tooled = "title", "plugin"
		var name string
		if json.Unmarshal(facts["toolName"], &name) == nil && name != "" {
			tooled = beginning(name, maxAskedName)
		}
	}
	out.Question.Tool = tooled
	var what string
	named := json.Unmarshal(facts[subject], &what) == nil && strings.TrimSpace(what) != ""
	if named && tool.Readable(a.Facts) == nil {
		out.Question.Arguments = a.Facts
		return true
	}
	short, err := json.Marshal(map[string]string{subject: beginning(what, shownOfTooMuch)})
	if err == nil {
		out.Question.Arguments = short
	}
	return false
}

// askedFields takes the questions, and reports whether they can be shown whole.
func askedFields(a *client.Ask, out *inbox.Asked) bool {
	size := 0
	var texts []string
	for i, q := range a.Questions {
		f := inbox.Field{ID: q.ID, Header: q.Header, Text: q.Text, URL: q.URL, Multi: q.Multi, Other: q.Other,
			Secret: q.Secret}
		size += len(f.ID) + len(f.Header) + len(f.Text) + len(f.URL)
		for _, o := range q.Options {
			f.Options = append(f.Options, inbox.Option{Label: o.Label, About: o.About})
			size += len(o.Label) + len(o.About)
		}
		if size > maxAskedText || i >= maxAskedFields {
			out.Question.Text = beginning(strings.Join(append(texts, q.Text), "\n"), shownOfTooMuch)
			out.At.Fields = nil
			return false
		}
		out.At.Fields = append(out.At.Fields, f)
		texts = append(texts, q.Text)
	}
	out.Question.Text = strings.Join(texts, "\n")
	return true
}

// beginning cuts a text that is too long to be shown.
func beginning(text string, limit int) string {
	if len(text) <= limit {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

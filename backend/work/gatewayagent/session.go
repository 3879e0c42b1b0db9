package gatewayagent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// doubt notes that something may have been missed.
func (r *run) doubt() {
	r.unsure, r.since = true, time.Now()
}

// standing follows the link: a lost one is waited for, and after it the session is read.
func (r *run) standing() error {
	up := r.worker.Link.Status().State == client.StateConnected
	switch {
	case up && r.down:
		r.down = false
		r.doubt()
		return r.log(r.errorf(errcode.Unavailable, "gateway_back",
			"the gateway %s is connected again: its session is read", r.worker.Gateway))
	case !up && !r.down:
		r.down, r.since = true, time.Now()
		return r.log(r.errorf(errcode.Unavailable, "gateway_waits",
			"the link to the gateway %s is lost. Its agent can go on there. AgentFlow waits for the link.",
			r.worker.Gateway))
	case up && !r.worker.Link.Status().Features.Events:
		r.unsure = true // its session must be read
	}
	return nil
}

// check reads the session if something may have been missed, and ends what was waited for too long.
func (r *run) check(ctx context.Context) (done bool, err error) {
	if !r.unsure && !r.down {
		return false, nil
	}
	if !r.down {
		if done, err = r.read(ctx); done || err != nil {
			return done, err
		}
	}
	lost := r.worker.Lost
	if lost <= 0 {
		lost = DefaultLost
	}
	switch quiet := time.Since(r.since) >= lost; {
	case quiet && r.down:
		return false, r.errorf(errcode.Unavailable, "gateway_lost",
			"the link to the gateway %s was lost while %s had the task, and didn't come back. "+
				"The task isn't sent again. See its session on the gateway before you retry it.",
			r.worker.Gateway, r.worker.Agent).With(errcode.KeyReason, worker.ReasonSent)
	case quiet && r.worker.Link.Status().Features.Events:
		return false, r.errorf(errcode.Unavailable, "gateway_no_answer",
			"the gateway %s no longer runs the task, and its session has no answer. "+
				"The task isn't sent again. See its session on the gateway before you retry it.",
			r.worker.Gateway).With(errcode.KeyReason, worker.ReasonSent)
	}
	return false, nil
}

// hear takes one event of the gateway.
func (r *run) hear(e client.Event) (done bool, err error) {
	if e.Resync {
		r.doubt()
		return false, nil
	}
	chat, is := client.ParseChatEvent(e)
	if !is || !strings.EqualFold(chat.SessionKey, r.key) || !r.worker.Attach && chat.RunID != "" && chat.RunID != r.id {
		return false, nil
	}
	r.since = time.Now()
	switch chat.State {
	case "final":
		r.ended = true
		return true, r.grow(chat.Text)
	case "aborted":
		return false, r.stopped()
	case "error":
		return false, r.failed(chat.Error)
	}
	return false, r.grow(chat.Text)
}

func (r *run) stopped() error {
	r.ended = true
	return r.errorf(errcode.Conflict, "gateway_stopped", "the task was stopped on the gateway %s", r.worker.Gateway).
		With(errcode.KeyReason, worker.ReasonSent)
}

// failed is what the gateway says why the run failed.
func (r *run) failed(said string) error {
	r.ended = true
	if said = strings.TrimSpace(said); said == "" {
		said = "it gave no reason"
	}
	return r.errorf(errcode.Gateway, "gateway_failed", "the agent %s failed on the gateway %s: %s", r.worker.Agent,
		r.worker.Gateway, said).With(task.KeySaid, said).With(errcode.KeyReason, worker.ReasonSent)
}

// rejected is why the gateway didn't take the job.
func (r *run) rejected(err error) error {
	e := errcode.From(err)
	return errcode.Wrap(e.Code, err, "the gateway %s didn't take the task: %s", r.worker.Gateway, e.Message).
		With(errcode.KeyReason, e.Reason()).With(errcode.KeyCause, "gateway_rejected").
		With(keyGateway, r.worker.Gateway).With(task.KeySaid, e.Message)
}

// grow tells what is new of the answer. A gateway sends all of it so far, and begins again after a tool.
func (r *run) grow(text string) error {
	more, goes := strings.CutPrefix(text, r.text)
	switch {
	case text == "" || strings.HasPrefix(r.text, text):
		return nil
	case !goes:
		more = "\n\n" + text
	}
	r.text = text
	return r.tell(worker.Update{Text: more})
}

// readLast is how many messages of the session are read.
const readLast = 200

// read reads the session: it shows the tools, and, if events may have been missed, looks for the answer.
func (r *run) read(ctx context.Context) (done bool, err error) {
	h, err := r.worker.Link.History(ctx, client.HistoryQuery{SessionKey: r.key, Limit: readLast})
	if err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return false, nil // the link's state reports a lost link; anything else is retried
	}
	answers, given := r.answers(h.Messages)
	if err := r.showTools(answers); err != nil || !r.unsure || !given || len(answers) == 0 {
		return false, err
	}
	last := answers[len(answers)-1]
	if last.Stopped {
		return false, r.stopped()
	}
	if last.Role != "assistant" || strings.TrimSpace(last.Text()) == "" || working(last) {
		return false, nil
	}
	s, _, err := r.session(ctx)
	if err != nil {
		return false, context.Cause(ctx)
	}
	if s.Running {
		r.since = time.Now()
		return false, nil
	}
	r.ended = true
	return true, r.grow(last.Text())
}

// answers returns what came after the job's message, and whether the message is there.
func (r *run) answers(all []client.Message) (after []client.Message, given bool) {
	want := strings.TrimSpace(r.job.Prompt)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == "user" && strings.TrimSpace(all[i].Text()) == want {
			return all[i+1:], true
		}
	}
	return nil, false
}

// working reports whether a tool of the message still runs.
func working(m client.Message) bool {
	for _, p := range m.Content {
		if p.Type == client.PartTool && !p.Done {
			return true
		}
	}
	return false
}

// maxShown limits the input and the output of a tool in a line.
const maxShown = 300

// showTools tells of the tools that weren't told of yet, as the session shows them.
func (r *run) showTools(answers []client.Message) error {
	n := 0
	for _, m := range answers {
		for _, p := range m.Content {
			if p.Type != client.PartTool {
				continue
			}
			n++
			if err := r.once(fmt.Sprintf("use %d", n), "uses "+oneLine(p.Name+" "+p.Input)); err != nil {
				return err
			}
			if !p.Done || r.shown[fmt.Sprintf("end %d", n)] {
				continue
			}
			r.tools = append(r.tools, used{p.Name, p.Failed})
			text := ""
			if p.Failed {
				text = oneLine(p.Name + " failed: " + p.Output)
			}
			if err := r.once(fmt.Sprintf("end %d", n), text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) once(key, line string) error {
	if r.shown[key] {
		return nil
	}
	r.shown[key] = true
	if line == "" {
		return nil
	}
	return r.tell(worker.Update{Log: line})
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	return text
}

// session returns the row of the job's session, and whether there is one.
func (r *run) session(ctx context.Context) (client.Session, bool, error) {
	list, err := r.worker.Link.SessionsList(ctx, client.SessionsQuery{})
	for i := range list {
		if strings.EqualFold(list[i].SessionKey, r.key) {
			return list[i], true, err
		}
	}
	return client.Session{}, false, err
}

const (
	usageTries = 3
	usageWait  = 300 * time.Millisecond
)

// spent returns what the session has cost, or nil where the gateway doesn't tell. It books a run shortly after its end.
func (r *run) spent(ctx context.Context) *task.Spent {
	for try := range usageTries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(usageWait):
			}
		}
		s, there, err := r.session(ctx)
		if err != nil || !there {
			return nil
		}
		if s.InputTokens+s.OutputTokens > 0 {
			return &task.Spent{
				TokensIn: int(s.InputTokens), TokensOut: int(s.OutputTokens), USD: s.CostUSD, Unpriced: s.CostUSD == 0,
			}
		}
	}
	return nil
}

// end returns the result of a run that has ended, with its tools and its cost.
func (r *run) end(ctx context.Context, failure error) (json.RawMessage, error) {
	if !r.ended || context.Cause(ctx) != nil {
		return nil, failure
	}
	if _, err := r.read(ctx); err != nil && failure == nil && context.Cause(ctx) == nil {
		return nil, err
	}
	spent := r.spent(ctx)
	if spent != nil {
		if err := r.tell(worker.Update{Spent: spent}); err != nil && failure == nil {
			return nil, err
		}
	}
	if failure != nil {
		return nil, failure
	}
	out := result{Text: r.text, Gateway: r.worker.Gateway, Session: r.key, Tools: r.tools}
	if spent != nil {
		out.TokensIn, out.TokensOut = spent.TokensIn, spent.TokensOut
		if !spent.Unpriced {
			out.CostUSD = &spent.USD
		}
	}
	return json.Marshal(out)
}

// result is what the task gets.
type result struct {
	Text      string   `json:"text"`
	Gateway   string   `json:"gateway"`
	Session   string   `json:"sessionKey"`
	TokensIn  int      `json:"tokensIn,omitempty"`
	TokensOut int      `json:"tokensOut,omitempty"`
	CostUSD   *float64 `json:"costUsd,omitempty"`
	Tools     []used   `json:"tools,omitempty"`
}

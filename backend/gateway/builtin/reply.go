package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
)

const (
	maxPromptLines = 60        // of the history that a model is shown
	maxPromptText  = 128 << 10 // bytes of it
	storeTimeout   = 10 * time.Second
)

// Causes of failed replies, beside those of the models.
const (
	causeStopped = "hub_stopped"
	causeTime    = "timeout"
	causeUnknown = "unknown_agent"
)

// States of a ChatEvent.
const (
	ChatDelta   = "delta"
	ChatFinal   = "final"
	ChatAborted = "aborted"
	ChatError   = "error"
)

// ChatEvent is one fact about a reply. Message holds all of the reply so far.
type ChatEvent struct {
	RunID        string           `json:"runId"`
	SessionKey   string           `json:"sessionKey"`
	AgentID      topology.AgentID `json:"agentId"`
	Seq          int              `json:"seq"` // within the run, from 1
	State        string           `json:"state"`
	Message      ChatLine         `json:"message"`
	ErrorMessage string           `json:"errorMessage,omitempty"`
}

// replier produces the replies.
type replier struct {
	lines   SessionStore
	models  Asker
	roster  *roster.Roster
	folders *folders
	timing  Timing
	out     *outlet
	runs    *queue
}

// work produces replies until ctx ends, and settles those that are still owed.
func (p *replier) work(ctx context.Context) {
	var replies sync.WaitGroup
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-p.runs.wake:
			for r := p.runs.next(); r != nil; r = p.runs.next() {
				replies.Go(func() {
					defer p.runs.done(r)
					p.reply(r)
				})
			}
		}
	}
	waiting := p.runs.close()
	replies.Wait()
	for _, r := range waiting {
		p.settle(r, outcome{err: errStopped})
	}
}

// outcome is what became of a reply.
type outcome struct {
	id    string // of the line to be; "" makes one
	text  string
	model llm.Model
	seq   int
	err   error
}

// telling streams a reply to everybody as it comes, in steps that a screen can show.
type telling struct {
	to  *replier
	run *run
	id  string

	mu   sync.Mutex
	text strings.Builder
	seq  int
	last time.Time
	due  *time.Timer // set while text waits to be told
	over bool
}

func (t *telling) delta(piece string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.WriteString(piece)
	switch wait := t.to.timing.Delta - time.Since(t.last); {
	case t.due != nil:
	case wait <= 0:
		t.tell()
	default: // the model may say nothing more for long
		t.due = time.AfterFunc(wait, t.tellRest)
	}
	return nil
}

// tellRest tells what came since the last step. A panic in it ends nothing but that.
func (t *telling) tellRest() {
	_ = safego.Call(t.run.ctx, t.to.out.log, "a step of a reply", func() error { // logged with its stack
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.due = nil; !t.over {
			t.tell()
		}
		return nil
	})
}

// tell tells all of the reply so far. The caller holds mu.
func (t *telling) tell() {
	t.last = time.Now()
	t.seq++
	line := Message{ID: t.id, Role: RoleAssistant, Text: t.text.String(), RunID: t.run.ask.RunID, At: t.last}.line()
	t.to.out.publish(EventChat, chatEvent(t.run, t.seq, ChatDelta, line))
}

func (t *telling) begun() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Len() > 0
}

// end returns what was said, and how many steps of it were told. There are no more.
func (t *telling) end() (text string, seq int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	if t.due != nil {
		t.due.Stop()
	}
	return t.text.String(), t.seq
}

// growing keeps of each reply that is on its way the latest event, which holds all of it so far.
func growing(kept map[string]Event, e Event) {
	var chat struct{ RunID, State string }
	if e.Name != EventChat || json.Unmarshal(e.Payload, &chat) != nil {
		return
	}
	if chat.State == ChatDelta {
		kept[chat.RunID] = e
	} else {
		delete(kept, chat.RunID)
	}
}

func chatEvent(r *run, seq int, state string, line ChatLine) ChatEvent {
	return ChatEvent{
		RunID:      r.ask.RunID,
		SessionKey: r.ask.SessionKey,
		AgentID:    r.ask.AgentID,
		Seq:        seq,
		State:      state,
		Message:    line,
	}
}

// reply produces the reply of a run, to its end.
func (p *replier) reply(r *run) {
	ctx, cancel := context.WithTimeoutCause(r.ctx, p.timing.Reply, errReplyTime)
	defer cancel()
	t := &telling{to: p, run: r, id: newID()}
	model, err := safego.Value(ctx, p.out.log, "a reply", func() (llm.Model, error) { return p.ask(ctx, r, t) })
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	text, seq := t.end()
	p.settle(r, outcome{id: t.id, text: text, model: model, seq: seq, err: err})
}

// ask asks the agent's model, and then its fallbacks until one answers.
func (p *replier) ask(ctx context.Context, r *run, t *telling) (llm.Model, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	agent, ok := p.roster.Applied().Agent(r.ask.AgentID)
	if !ok {
		return "", errcode.New(errcode.NotFound, "the agent %s is no longer in the team", r.ask.AgentID).
			With(errcode.KeyCause, causeUnknown).
			With("agent", string(r.ask.AgentID))
	}
	if agent.URL != "" {
		return "", errcode.New(errcode.Unavailable,
			"the agent %s runs at %s; this gateway talks only to agents that run here", agent.ID, agent.URL)
	}
	messages, err := p.prompt(ctx, r.ask)
	if err != nil {
		return "", err
	}
	req := llm.Request{
		Agent:       string(agent.ID),
		For:         "session:" + r.ask.SessionKey,
		System:      system(*agent, p.folders.prompt(agent)),
		Messages:    messages,
		Temperature: agent.Temperature,
	}
	if agent.MaxTokens != nil {
		req.MaxTokens = max(*agent.MaxTokens, 0)
	}
	var failed []error
	for _, m := range append([]string{agent.Model}, agent.Fallbacks...) {
		if m == "" && len(agent.Fallbacks) > 0 {
			continue
		}
		req.Model = llm.Model(m)
		answer, err := p.models.Stream(ctx, req, t.delta)
		if err == nil {
			if answer.Finish == llm.FinishLength {
				err = t.delta(cutOff)
			}
			return answer.Model, err
		}
		if failed = append(failed, err); ctx.Err() != nil || t.begun() {
			return req.Model, err
		}
	}
	return req.Model, allFailed(*agent, failed)
}

func allFailed(agent topology.Agent, failed []error) error {
	if len(failed) == 1 {
		return failed[0]
	}
	said := make([]string, 0, len(failed))
	for _, err := range failed {
		said = append(said, errcode.From(err).Message)
	}
	first := errcode.From(failed[0])
	return errcode.New(first.Code, "no model of the agent %s answered: %s", agent.ID, strings.Join(said, "; ")).
		With(errcode.KeyCause, errcode.CauseOf(first).Code)
}

// system tells the model who it is, with the texts of its workspace files last.
func system(a topology.Agent, files string) string {
	var b strings.Builder
	name := a.Name
	if name == "" {
		name = string(a.ID)
	}
	fmt.Fprintf(&b, "You are %s", name)
	if a.Role != "" {
		fmt.Fprintf(&b, ", the %s of a team", a.Role)
	}
	b.WriteString(".")
	for _, text := range []string{a.Description, a.Persona, files} {
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString("\n\n" + text)
		}
	}
	return b.String()
}

// prompt is the conversation that led to a message: what was answered before, oldest
// first, and the message itself.
func (p *replier) prompt(ctx context.Context, ask Message) ([]llm.Message, error) {
	history, err := p.lines.Messages(ctx, ask.SessionKey, maxPromptLines, 0)
	if err != nil {
		return nil, p.out.internal(err, "the history cannot be read")
	}
	answered := map[string]bool{}
	for _, m := range history {
		if m.Role == RoleAssistant && m.State != StateError && m.Text != "" {
			answered[m.RunID] = true
		}
	}
	out := []llm.Message{{Role: llm.RoleUser, Text: ask.Text}}
	size := len(ask.Text)
	for i := len(history) - 1; i >= 0; i-- {
		m := history[i]
		if !answered[m.RunID] || m.Text == "" || m.State == StateError || m.RunID == ask.RunID {
			continue
		}
		if size += len(m.Text); size > maxPromptText {
			break
		}
		out = append(out, llm.Message{Role: m.Role, Text: strings.TrimSuffix(m.Text, cutOff)})
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, nil
}

// settle stores what became of a reply, and then tells it.
func (p *replier) settle(r *run, o outcome) {
	if o.id == "" {
		o.id = newID()
	}
	m := Message{
		ID: o.id, SessionKey: r.ask.SessionKey, AgentID: r.ask.AgentID, Role: RoleAssistant, Text: o.text,
		RunID: r.ask.RunID, Model: string(o.model), At: time.Now().UTC(),
	}
	state, why := ChatFinal, ""
	switch {
	case o.err == nil:
	case errors.Is(o.err, errAborted):
		state, m.State = ChatAborted, StateAborted
	default:
		why, m.Cause = p.explain(r, o.err)
		state, m.State, m.Text = ChatError, StateError, strings.TrimSpace(o.text+"\n\n"+why)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	if _, _, err := p.lines.AppendMessage(ctx, m); err != nil {
		p.out.log.Error("localgateway: a reply could not be stored", "session", m.SessionKey, "run", m.RunID, "error",
			err)
		state, why = ChatError, "The reply could not be stored."
	}
	p.runs.keep(r)
	e := chatEvent(r, o.seq+1, state, m.line())
	e.ErrorMessage = why
	p.out.publish(EventChat, e)
	p.out.announce(m)
}

// explain tells a person why there is no reply.
func (p *replier) explain(r *run, err error) (string, *errcode.Cause) {
	switch {
	case errors.Is(err, errStopped):
		return "⚠ AgentFlow stopped before this reply was done. Send the message again.",
			&errcode.Cause{Code: causeStopped}
	case errors.Is(err, errReplyTime):
		return fmt.Sprintf("⚠ The reply took longer than %s and was stopped.", p.timing.Reply),
			&errcode.Cause{Code: causeTime}
	}
	e := errcode.From(err)
	p.out.log.Warn("localgateway: a reply failed", "session", r.ask.SessionKey, "run", r.ask.RunID, "code", e.Code,
		"error", err)
	return "⚠ " + sentence(e.Message), errcode.CauseOf(e)
}

// cutOff ends an answer that reached the token limit. The page says it in the person's language.
const cutOff = "\n\n⚠ The answer reached the token limit and is cut off."

// sentence makes an error one: with a capital, and an end.
func sentence(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	message = string(unicode.ToUpper(first)) + message[size:]
	if strings.ContainsAny(message[len(message)-1:], ".!?…") {
		return message
	}
	return message + "."
}

// markInterrupted closes the runs that the program owed when it last ended.
func (p *replier) markInterrupted(ctx context.Context) error {
	owed, err := p.lines.Unanswered(ctx)
	if err != nil {
		return p.out.internal(err, "the sessions cannot be read")
	}
	for _, m := range owed {
		p.settle(&run{ask: m}, outcome{err: errStopped})
	}
	return nil
}

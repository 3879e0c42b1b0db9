package inbox

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
)

// Kind is what a gateway asks for.
type Kind string

// The kinds.
const (
	Exec      Kind = "exec"     // approval of a command
	Plugin    Kind = "plugin"   // approval of what a plugin wants to do
	Questions Kind = "question" // answers to questions
)

// AtGateway is what an Entry has that a gateway asks. The gateway keeps it, and the inbox shows it: while it waits, it
// isn't saved here.
type AtGateway struct {
	Name      string    `json:"name" doc:"Name of the gateway."`
	Kind      Kind      `json:"kind" enum:"exec,plugin,question" doc:"exec: approval of a command. plugin: approval of what a plugin wants to do. question: answers to questions."`
	Session   string    `json:"session,omitempty" doc:"Key of the session on the gateway."`
	Title     string    `json:"title,omitempty" doc:"Title that the plugin gives."`
	Choices   []Choice  `json:"choices" nullable:"false" doc:"Decisions that the gateway takes. always: the gateway allows it from now on, and keeps this permission itself."`
	Fields    []Field   `json:"fields,omitempty" doc:"Questions to answer."`
	Unclear   bool      `json:"unclear,omitempty" doc:"It can't be shown whole, so it can only be denied."`
	Stale     bool      `json:"stale,omitempty" doc:"The link to the gateway is lost. It can't be answered until the gateway lists it again."`
	ExpiresAt time.Time `json:"expiresAt,omitzero" doc:"Time when the gateway gives up waiting. Absent: unknown."`
}

// Field is one question of a gateway's entry.
type Field struct {
	ID      string   `json:"id" doc:"Key of its answer."`
	Header  string   `json:"header,omitempty" doc:"Short title."`
	Text    string   `json:"text" doc:"Question in words."`
	URL     string   `json:"url,omitempty" doc:"Page that the question is about."`
	Options []Option `json:"options,omitempty" doc:"Answers to choose from. Absent: any words."`
	Multi   bool     `json:"multi,omitempty" doc:"Several options can be chosen."`
	Other   bool     `json:"other,omitempty" doc:"The answer can be other words than the options."`
	Secret  bool     `json:"secret,omitempty" doc:"The answer is a secret. It's given at the gateway, not here."`
}

// Option is an answer to choose.
type Option struct {
	Label string `json:"label" doc:"The answer."`
	About string `json:"about,omitempty" doc:"What it means."`
}

// Asked is an approval or a question as a gateway has it.
type Asked struct {
	Key      string // the gateway's name for it; unique within its kind
	At       AtGateway
	Question Question
	AskedAt  time.Time
}

// Answerer sends a person's answer to the gateway. CONFLICT means that the entry was over there. An error with the
// reason outcome_unknown means that the gateway may have got it.
type Answerer interface {
	AnswerAsked(ctx context.Context, e Entry, key string, r Reply) error
	// Left is called after an entry has left the inbox: there is room for another one. It must not block.
	Left()
}

// End says how an entry ended at its gateway.
type End struct {
	Choice Choice // "" where nobody answered
	By     string // who answered, in the gateway's words
	Ours   bool   // it may be the answer that is being sent from here
	Reason string // where nobody answered
}

// MaxOfGateway limits the entries of one gateway.
const MaxOfGateway = 100

// asked is the gateway's side of an open entry.
type asked struct {
	place string // gateway, kind and key
	key   string
	to    Answerer
	heard *End          // the gateway told of an end while an answer was being sent
	told  chan struct{} // closed with heard
	sent  bool          // an answer was sent, and the gateway didn't confirm it
}

func placeOf(gateway string, kind Kind, key string) string {
	return gateway + "\x00" + string(kind) + "\x00" + key
}

// Hear adds what a gateway asks. It returns UNAVAILABLE if too much of this gateway waits.
func (m *Machine) Hear(gateway string, to Answerer, a Asked) error {
	err := m.hear(gateway, to, a)
	m.tellGateways()
	return err
}

func (m *Machine) tellGateways() {
	m.changes.Publish(struct{}{})
	select {
	case m.wake <- struct{}{}:
	default: // one is waiting already
	}
}

func (m *Machine) hear(gateway string, to Answerer, a Asked) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	place := placeOf(gateway, a.At.Kind, a.Key)
	if w := m.outside[place]; w != nil {
		m.stale(w, false)
		w.asked.to = to
		return nil
	}
	if m.answeredAt(place) {
		return nil // what tells of it is from before the answer
	}
	n := 0
	for _, w := range m.outside {
		if w.Gateway.Name == gateway {
			n++
		}
	}
	if n >= MaxOfGateway {
		return errcode.New(errcode.Unavailable, "%d requests of the gateway %s wait for a person already", n, gateway)
	}
	at := a.At
	at.Name = gateway
	id := ID(ulid.Make().String())
	w := &open{
		Entry: Entry{
			ID: id, Question: a.Question, Gateway: &at, AskedAt: cmp.Or(a.AskedAt, time.Now().UTC()), State: Waiting,
		},
		done: make(chan struct{}), asked: &asked{place: place, key: a.Key, to: to, told: make(chan struct{})},
	}
	m.waiting[id], m.outside[place] = w, w
	return nil
}

// stale marks an entry, or takes the mark away. The caller holds mu.
func (m *Machine) stale(w *open, is bool) {
	if w.Gateway.Stale != is {
		at := *w.Gateway // which others read
		at.Stale = is
		w.Gateway = &at
	}
}

// Listed compares the entries of a gateway with what it lists: those that it has no more end, those that it has can be
// answered again. Kinds that aren't listed can't be compared, and can be answered again, too. It returns UNAVAILABLE if
// too much of this gateway waits.
func (m *Machine) Listed(ctx context.Context, gateway string, to Answerer, list []Asked, kinds []Kind) error {
	there := map[string]bool{}
	var full error
	for _, a := range list {
		there[placeOf(gateway, a.At.Kind, a.Key)] = true
		if err := m.hear(gateway, to, a); err != nil {
			full = err
		}
	}
	for _, w := range m.those(func(w *open) bool { return w.Gateway.Name == gateway && !there[w.asked.place] }) {
		switch {
		case slices.Contains(kinds, w.Gateway.Kind):
			m.overAt(ctx, w, End{Reason: ReasonElsewhere})
		case w.asked.to == to:
			m.mu.Lock()
			m.stale(w, false)
			m.mu.Unlock()
		}
	}
	m.tellGateways()
	return full
}

// those returns the chosen entries of gateways.
func (m *Machine) those(chosen func(w *open) bool) []*open {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*open
	for _, place := range slices.Sorted(maps.Keys(m.outside)) {
		if w := m.outside[place]; chosen(w) {
			out = append(out, w)
		}
	}
	return out
}

func of(to Answerer) func(w *open) bool { return func(w *open) bool { return w.asked.to == to } }

// Lost marks the entries of a link that is lost: nothing is known about them.
func (m *Machine) Lost(to Answerer) {
	list := m.those(of(to))
	m.mu.Lock()
	for _, w := range list {
		m.stale(w, true)
	}
	m.mu.Unlock()
	if len(list) > 0 {
		m.tellGateways()
	}
}

// Removed ends the entries of a gateway that was removed from the settings.
func (m *Machine) Removed(ctx context.Context, to Answerer) {
	for _, w := range m.those(of(to)) {
		m.overAt(ctx, w, End{Reason: ReasonRemoved})
	}
}

// Over ends an entry that has ended at its gateway.
func (m *Machine) Over(ctx context.Context, gateway string, kind Kind, key string, end End) {
	m.mu.Lock()
	w := m.outside[placeOf(gateway, kind, key)]
	m.mu.Unlock()
	if w != nil {
		m.overAt(ctx, w, end)
	}
}

// overAt ends an entry, or tells the answer that is being sent of its end.
func (m *Machine) overAt(ctx context.Context, w *open, end End) {
	m.mu.Lock()
	switch {
	case m.outside[w.asked.place] != w:
		m.mu.Unlock()
		return
	case w.ending:
		if w.asked.heard == nil {
			w.asked.heard = &end
			close(w.asked.told)
		}
		m.mu.Unlock()
		return
	}
	w.ending = true
	if end.Choice == "" && end.Reason == "" {
		end.Reason = ReasonElsewhere
		if at := w.Gateway.ExpiresAt; !at.IsZero() && time.Until(at) < soon {
			end.Reason = ReasonTimedOut
		}
	}
	if end.Reason == ReasonElsewhere && w.asked.sent {
		end.Reason = ReasonUnconfirmed
	}
	next := ended(w.Entry, end)
	m.mu.Unlock()
	m.settle(ctx, w, next)
}

// soon is how much earlier than announced a gateway may give up.
const soon = 2 * time.Second

func ended(e Entry, end End) Entry {
	e.State, e.Reason, e.EndedAt = Expired, cmp.Or(end.Reason, ReasonElsewhere), time.Now().UTC()
	skipped := e.Gateway.Kind == Questions && end.Choice == Deny && end.By == "" // maybe by the end of the agent's run
	if end.Choice != "" && !skipped {
		e.State, e.Choice, e.By, e.Reason = Answered, end.Choice, end.By, ""
	}
	return e
}

// settle saves the end of a gateway's entry, which only then leaves the inbox. The caller has claimed it with ending.
func (m *Machine) settle(ctx context.Context, w *open, next Entry) {
	at := *next.Gateway
	at.Stale = false
	next.Gateway = &at
	if err := m.o.Store.PutEntry(context.WithoutCancel(ctx), next); err != nil {
		m.o.Logger.ErrorContext(ctx, "couldn't save the end of a gateway's request",
			slog.String("gateway", at.Name), slog.Any("error", err))
	}
	m.mu.Lock()
	delete(m.waiting, next.ID)
	delete(m.outside, w.asked.place)
	if next.State == Answered {
		m.past = append(m.past, past{w.asked.place, time.Now()})
		m.past = m.past[max(0, len(m.past)-mostPast):]
	}
	w.Entry = next
	to := w.asked.to
	m.mu.Unlock()
	close(w.done)
	m.tellGateways()
	to.Left()
}

// claim makes the caller the only one who answers. The caller holds mu.
func (m *Machine) claim(w *open, r *Reply) error {
	at := w.Gateway
	switch {
	case m.outside[w.asked.place] != w:
		return over(w.Entry)
	case w.ending:
		return errcode.New(errcode.Conflict, "somebody is answering it right now").With(errcode.KeyReason, "answering")
	case at.Stale:
		return errcode.New(errcode.Gateway, "the link to the gateway %s is lost, so nothing was sent. "+
			"Answer again once it's connected", at.Name).With(errcode.KeyReason, errcode.ReasonLinkDown)
	case !slices.Contains(at.Choices, r.Choice):
		return errcode.New(errcode.Validation, "the gateway %s takes only %v here, not %q", at.Name, at.Choices,
			r.Choice).
			With(errcode.KeyField, "choice")
	}
	w.ending = true
	return nil
}

// replyAtGateway sends an answer to the gateway, once: of several people the first counts, whether they are here or at
// the gateway.
func (m *Machine) replyAtGateway(ctx context.Context, w *open, r Reply) (Entry, error) {
	m.mu.Lock()
	err := r.fit(w.Gateway)
	if err == nil {
		err = m.claim(w, &r)
	}
	e, to := w.Entry, w.asked.to
	m.mu.Unlock()
	if err != nil {
		return e, err
	}
	ctx = context.WithoutCancel(ctx) // who leaves the page has answered all the same
	err = to.AnswerAsked(ctx, e, w.asked.key, r)
	if errcode.Is(err, errcode.Conflict) { // the event that says who was first comes in a moment
		late := time.NewTimer(soon)
		defer late.Stop()
		select {
		case <-w.asked.told:
		case <-late.C:
		}
	}
	next := e
	next.State, next.Choice, next.By, next.EndedAt = Answered, r.Choice, r.By, time.Now().UTC()
	next.Word = wordOf(r)

	m.mu.Lock()
	heard := w.asked.heard
	ours := heard == nil || heard.Choice == r.Choice && heard.Ours
	unknown := errcode.HasReason(err, errcode.ReasonUnknown)
	switch {
	case err == nil && ours, unknown && heard != nil && ours:
		m.mu.Unlock()
		m.settle(ctx, w, next)
		return next, nil
	case heard != nil:
		next = ended(e, *heard)
	case errcode.Is(err, errcode.Conflict):
		next = ended(e, End{Reason: ReasonElsewhere})
	default: // it may still wait there
		w.ending = false
		w.asked.sent = w.asked.sent || unknown
		if unknown {
			m.stale(w, true)
		}
		next = w.Entry
		m.mu.Unlock()
		m.tellGateways()
		return next, err
	}
	m.mu.Unlock()
	m.settle(ctx, w, next)
	return next, over(next)
}

// longWait is the time until the next look if nothing can expire.
const longWait = time.Hour

// expireAtGateways ends the entries whose time is over, and returns how long none will be.
func (m *Machine) expireAtGateways(ctx context.Context) time.Duration {
	now, next := time.Now(), longWait
	m.mu.Lock()
	var late []*open
	for _, w := range m.outside {
		switch left := w.Gateway.ExpiresAt.Sub(now); {
		case w.Gateway.ExpiresAt.IsZero() || w.ending:
		case left <= 0:
			late = append(late, w)
		default:
			next = min(next, left)
		}
	}
	m.mu.Unlock()
	for _, w := range late {
		m.overAt(ctx, w, End{Reason: ReasonTimedOut})
	}
	return next
}

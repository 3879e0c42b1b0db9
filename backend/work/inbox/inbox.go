package inbox

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
)

// Query selects ended entries, newest first.
type Query struct {
	Before ID  // older than this one
	Limit  int // 1 to 200; 0 is 50
}

// Store saves entries and rules. When a method returns without an error, its effect is durable.
type Store interface {
	PutEntry(ctx context.Context, e Entry) error // new or changed
	PutAnswer(
		ctx context.Context,
		e Entry,
		rule *Rule,
	) error // an ended entry, and the rule that it creates or uses
	WaitingEntries(ctx context.Context) ([]Entry, error)              // oldest first
	EndedEntries(ctx context.Context, q Query) ([]Entry, error)       // newest first
	EntryByKey(ctx context.Context, agent, key string) (Entry, error) // NOT_FOUND
	Entry(ctx context.Context, id ID) (Entry, error)                  // NOT_FOUND
	Rules(ctx context.Context) ([]Rule, error)                        // oldest first
	DropRules(ctx context.Context, ids []string) error                // ignores unknown IDs
}

// Options configure a Machine.
type Options struct {
	Store  Store
	Logger *slog.Logger
	// Ground returns the ground of a question of an agent of the applied team; nil: unknown.
	Ground func(ctx context.Context, q Question) Ground
	// Over reports whether a task has ended, and with it its permissions; nil: unknown.
	Over func(ctx context.Context, task string) bool
	Gone time.Duration // silence after which a remote agent counts as gone; 0 is 90 s
}

// Machine is the inbox. Create it with New; Run expires questions whose askers are gone.
type Machine struct {
	o       Options
	changes event.Topic[struct{}]

	mu      sync.Mutex
	waiting map[ID]*open
	asking  map[string]int // questions being saved, by agent
	rules   []Rule

	outside map[string]*open // waiting entries of gateways, by gateway and key
	past    []past           // requests of gateways that were answered last, oldest first
	wake    chan struct{}    // an entry of a gateway may expire earlier than the others
}

// open is a waiting Entry.
type open struct {
	Entry
	done   chan struct{} // closed once Entry has ended
	ending bool          // its end is being saved
	seen   time.Time     // last request of a remote asker
	holds  int           // number of its open requests

	asked *asked // at a gateway; nil: by an agent of AgentFlow
}

// New loads the waiting entries. It expires those that were asked in an earlier hub process.
func New(ctx context.Context, o Options) (*Machine, error) {
	if o.Gone <= 0 {
		o.Gone = 90 * time.Second
	}
	m := &Machine{
		o: o, waiting: map[ID]*open{}, asking: map[string]int{}, outside: map[string]*open{},
		wake: make(chan struct{}, 1),
	}
	list, err := o.Store.WaitingEntries(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.Elsewhere {
			m.waiting[e.ID] = &open{Entry: e, done: make(chan struct{}), seen: time.Now()}
			continue
		}
		e.State, e.Reason, e.EndedAt = Expired, ReasonRestarted, time.Now().UTC()
		if err := o.Store.PutEntry(ctx, e); err != nil {
			return nil, err
		}
	}
	m.rules, err = o.Store.Rules(ctx)
	return m, err
}

// Subscribe signals each change; Waiting returns the current entries.
func (m *Machine) Subscribe(buffer int) *event.Subscription[struct{}] {
	return m.changes.Subscribe(buffer)
}

// Waiting lists the entries that wait for a person, oldest first.
func (m *Machine) Waiting() []Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Entry, 0, len(m.waiting))
	for _, w := range m.waiting {
		out = append(out, w.Entry)
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Ended lists the answered and expired entries, newest first.
func (m *Machine) Ended(ctx context.Context, q Query) ([]Entry, error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, 200)
	return m.o.Store.EndedEntries(ctx, q)
}

// Ask asks a person for an agent in the hub, and waits. A standing permission answers at once. If ctx ends, the
// question expires and Ask returns the cause.
func (m *Machine) Ask(ctx context.Context, q Question) (Entry, error) { return m.AskOn(ctx, q, nil) }

// AskOn is Ask with a known ground, for an agent that isn't in the applied team.
func (m *Machine) AskOn(ctx context.Context, q Question, on *Ground) (Entry, error) {
	w, err := m.add(ctx, q, on, "", false)
	if err != nil {
		return Entry{}, err
	}
	select {
	case <-w.done:
		return m.entry(w), nil
	case <-ctx.Done():
		m.expire(context.WithoutCancel(ctx), w, ReasonEnded)
		return m.entry(w), context.Cause(ctx)
	}
}

func (m *Machine) entry(w *open) Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return w.Entry
}

// Put adds a question of a remote agent. The same key is the same question, even after it has ended.
func (m *Machine) Put(ctx context.Context, q Question, key string) (Entry, error) {
	if key == "" || len(key) > 200 {
		return Entry{}, errcode.New(errcode.Validation, "a question needs a key of 1 to 200 bytes").
			With(errcode.KeyField, "key")
	}
	there, err := m.o.Store.EntryByKey(ctx, q.Agent, key)
	if err == nil || !errcode.Is(err, errcode.NotFound) {
		return there, err
	}
	w, err := m.add(ctx, q, nil, key, true)
	if err != nil {
		return Entry{}, err
	}
	return m.entry(w), nil
}

// add saves a question, which then waits unless a rule answers it.
func (m *Machine) add(ctx context.Context, q Question, on *Ground, key string, elsewhere bool) (*open, error) {
	q, err := q.check()
	if err != nil {
		return nil, err
	}
	w := &open{
		Entry: Entry{ID: ID(ulid.Make().String()), Question: q, Elsewhere: elsewhere, AskedAt: time.Now().UTC(), State: Waiting, Key: key},
		done:  make(chan struct{}), seen: time.Now(),
	}
	switch {
	case on != nil:
		w.Ground = *on
	case m.o.Ground != nil && q.Room == "":
		w.Ground = m.o.Ground(ctx, q)
	}
	if elsewhere && q.Folder != "" {
		w.Workspace = q.Folder
	}
	w.Offer = offer(&w.Entry)
	rule, err := m.ruled(ctx, &w.Entry)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	full := m.full(q.Agent)
	if full != nil && w.State == Waiting {
		m.mu.Unlock()
		return nil, full
	}
	m.asking[q.Agent]++
	m.mu.Unlock()
	err = m.o.Store.PutAnswer(ctx, w.Entry, rule)
	m.mu.Lock()
	if m.asking[q.Agent]--; m.asking[q.Agent] == 0 {
		delete(m.asking, q.Agent)
	}
	if err == nil && w.State == Waiting {
		m.waiting[w.ID] = w
	}
	m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if w.State != Waiting {
		close(w.done)
	}
	m.changes.Publish(struct{}{}) // also of what a rule answered: it is listed, with the uses of its rule
	return w, nil
}

// full returns why an agent can't ask more questions, or nil. The caller holds mu.
func (m *Machine) full(agent string) error {
	all, its := len(m.waiting)-len(m.outside), m.asking[agent]
	for _, n := range m.asking {
		all += n
	}
	for _, w := range m.waiting {
		if w.Agent == agent && w.asked == nil {
			its++
		}
	}
	switch {
	case its >= MaxOfAgent:
		return errcode.New(errcode.Unavailable, "%d questions of %s wait for a person already", its, agent)
	case all >= MaxWaiting:
		return errcode.New(errcode.Unavailable, "%d questions wait for a person already", all)
	}
	return nil
}

// Wait returns an entry of a remote agent once it has ended, or its current state when ctx ends. For any agent but
// the asker it returns NOT_FOUND.
func (m *Machine) Wait(ctx context.Context, agent string, id ID) (Entry, error) {
	m.mu.Lock()
	w := m.waiting[id]
	if w == nil || w.Agent != agent || w.asked != nil {
		m.mu.Unlock()
		e, err := m.o.Store.Entry(ctx, id)
		if err == nil && e.Agent != agent {
			err = errcode.New(errcode.NotFound, "%s did not ask the question %s", agent, id)
		}
		return e, err
	}
	w.holds++
	m.mu.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	w.holds--
	w.seen = time.Now()
	return w.Entry, nil
}

// Answer answers a question once: CONFLICT if it has ended. word goes to the agent. With Always, the permission is
// the narrowest one.
func (m *Machine) Answer(ctx context.Context, id ID, c Choice, word string) (Entry, error) {
	return m.Decide(ctx, id, c, word, nil)
}

// Decide is Answer with the standing permission to create, if the choice is Always.
func (m *Machine) Decide(ctx context.Context, id ID, c Choice, word string, standing *Standing) (Entry, error) {
	return m.Reply(ctx, id, Reply{Choice: c, Word: word, Standing: standing})
}

// Reply is Decide with all that a person can say.
func (m *Machine) Reply(ctx context.Context, id ID, r Reply) (Entry, error) {
	if err := r.check(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	w := m.waiting[id]
	m.mu.Unlock()
	if w == nil {
		e, err := m.o.Store.Entry(ctx, id)
		if err != nil {
			return e, err
		}
		return e, over(e)
	}
	if w.asked != nil {
		return m.replyAtGateway(ctx, w, r)
	}
	next := w.Entry
	next.State, next.Choice, next.Word, next.EndedAt = Answered, r.Choice, r.Word, time.Now().UTC()
	next.By = r.By
	var rule *Rule
	if r.Choice == Always {
		s := narrowest(&next)
		if r.Standing != nil {
			s = *r.Standing
		}
		var err error
		if rule, err = s.rule(&next, next.EndedAt); err != nil {
			return next, err
		}
	}
	return m.end(ctx, w, next, rule)
}

// end saves the end of an entry and wakes its asker. Only the first end succeeds.
func (m *Machine) end(ctx context.Context, w *open, next Entry, rule *Rule) (Entry, error) {
	m.mu.Lock()
	mine := m.waiting[next.ID] == w && !w.ending
	w.ending = w.ending || mine
	m.mu.Unlock()
	if !mine {
		return next, errcode.New(errcode.Conflict, "the question is not waiting any more").
			With(errcode.KeyReason, string(Answered))
	}
	err := m.o.Store.PutAnswer(ctx, next, rule)
	m.mu.Lock()
	w.ending = false
	if err != nil {
		m.mu.Unlock()
		return next, err
	}
	delete(m.waiting, next.ID)
	w.Entry = next
	if rule != nil {
		m.rules = append(m.rules, *rule)
	}
	m.mu.Unlock()
	close(w.done)
	m.changes.Publish(struct{}{})
	return next, nil
}

func (m *Machine) expire(ctx context.Context, w *open, reason string) {
	next := m.entry(w)
	next.State, next.Reason, next.EndedAt = Expired, reason, time.Now().UTC()
	if _, err := m.end(ctx, w, next, nil); err != nil && !errcode.Is(err, errcode.Conflict) {
		m.o.Logger.ErrorContext(ctx, "couldn't expire a question", slog.String("question", string(next.ID)),
			slog.Any("error", err))
	}
}

// Run expires the questions of remote agents that no longer poll, until ctx ends.
func (m *Machine) Run(ctx context.Context) error {
	tick := time.NewTicker(max(m.o.Gone/6, time.Millisecond))
	defer tick.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-m.wake:
			due.Reset(0)
		case <-due.C:
			due.Reset(m.expireAtGateways(ctx))
		case now := <-tick.C:
			for _, w := range m.left(now) {
				m.expire(ctx, w, ReasonGone)
			}
			m.prune(ctx, now)
		}
	}
}

// prune drops the standing permissions that have ended.
func (m *Machine) prune(ctx context.Context, now time.Time) {
	over := map[string]bool{} // tasks
	for _, r := range m.Rules() {
		if r.Until == UntilTask && m.o.Over != nil {
			over[r.Task] = over[r.Task] || m.o.Over(ctx, r.Task)
		}
	}
	_, err := m.dropRules(ctx, func(r *Rule) bool { return r.over(now) || r.Until == UntilTask && over[r.Task] })
	if err != nil && ctx.Err() == nil {
		m.o.Logger.ErrorContext(ctx, "couldn't drop ended standing permissions", slog.Any("error", err))
	}
}

func (m *Machine) left(now time.Time) []*open {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*open
	for _, w := range m.waiting {
		if w.Elsewhere && w.holds == 0 && now.Sub(w.seen) > m.o.Gone {
			out = append(out, w)
		}
	}
	return out
}

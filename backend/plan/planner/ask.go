package planner

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

// Models calls models and lists the available ones. *llm.Registry implements it.
type Models interface {
	meta.Model
	meta.Offers
}

var (
	errCanceled = errors.New("planner: a person canceled the request")
	errStopped  = errors.New("planner: the hub stops")
)

// Asked is a running call to the planner.
type Asked struct {
	Proposal   ProposalID `json:"proposal"`
	Model      llm.Model  `json:"model"`
	Since      time.Time  `json:"since"`
	Tries      int        `json:"tries" doc:"Number of answers that couldn't be used."`
	Characters int        `json:"characters" doc:"Length of the answer so far."`
}

// ask is one running request to the planner. It wraps the models to count the answer's characters.
type ask struct {
	machine *Machine
	plan    *kept
	of      ID
	id      ProposalID
	model   llm.Model
	since   time.Time
	cancel  context.CancelCauseFunc

	mu         sync.Mutex
	tries      int
	characters int
	told       time.Time
}

func (a *ask) asked() *Asked {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &Asked{Proposal: a.id, Model: a.model, Since: a.since, Tries: a.tries, Characters: a.characters}
}

// tellEvery is the minimum interval between events of a growing answer.
const tellEvery = 200 * time.Millisecond

// Stream implements meta.Model.
func (a *ask) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	a.mu.Lock()
	a.characters = 0
	a.mu.Unlock()
	return a.machine.o.Models.Stream(ctx, r, func(piece string) error {
		a.mu.Lock()
		a.characters += utf8.RuneCountInString(piece)
		tell := time.Since(a.told) >= tellEvery
		if tell {
			a.told = time.Now()
		}
		a.mu.Unlock()
		if tell {
			a.machine.changes.Publish(a.of)
		}
		return onDelta(piece)
	})
}

// CreateFromGoal creates a plan and asks the planner to decompose the goal. The plan stays empty until the proposal is
// accepted.
func (m *Machine) CreateFromGoal(ctx context.Context, name, goal, model string) (Summary, error) {
	chosen, err := m.check(ctx, "goal", goal, model)
	if err != nil {
		return Summary{}, err
	}
	if short(name) == "" {
		name = goal
	}
	id, err := m.create(ctx, Record{Name: name, Goal: goal}, nil)
	if err != nil {
		return Summary{}, err
	}
	if _, err := m.ask(ctx, id, goal, chosen); err != nil {
		return Summary{}, err
	}
	return m.Plan(id)
}

// Ask asks the planner to change the plan for a goal: for its tasks if it has none, otherwise for a patch. It returns
// at once; the answer is stored in the proposal.
func (s Proposals) Ask(ctx context.Context, id ID, request, model string) (Proposal, error) {
	m := s.machine
	chosen, err := m.check(ctx, "request", request, model)
	if err != nil {
		return Proposal{}, err
	}
	return m.ask(ctx, id, request, chosen)
}

func (m *Machine) check(ctx context.Context, field, text, model string) (llm.Model, error) {
	if short(text) == "" || len(text) > MaxGoal {
		return "", errcode.New(errcode.Validation, "%s must have 1 to %d bytes, not %d", field, MaxGoal, len(text)).
			With(errcode.KeyField, field)
	}
	return meta.Choose(ctx, m.o.Models, model, m.o.Getenv)
}

func (m *Machine) ask(ctx context.Context, id ID, request string, model llm.Model) (Proposal, error) {
	timeout, err := meta.Timeout(m.o.Getenv)
	if err != nil {
		return Proposal{}, err
	}
	k, err := m.hold(id)
	if err != nil {
		return Proposal{}, err
	}
	defer k.mu.Unlock()
	if k.asking != nil {
		return Proposal{}, errcode.New(errcode.Conflict, "the planner is already working on a request for this plan").
			With(errcode.KeyReason, ReasonAsking)
	}
	from, err := m.read(ctx, k)
	if err != nil {
		return Proposal{}, err
	}
	if !m.reserve() {
		return Proposal{}, errcode.New(errcode.Unavailable, "the planner is already working on %d requests", MaxAsks).
			With(errcode.KeyReason, ReasonAsking)
	}
	p := Proposal{
		ID: ProposalID(newID()), State: Asking, Request: request, Model: model, Protocol: meta.PlanPatch, At: now(),
	}
	if len(from.Tasks) == 0 {
		p.Protocol = meta.Decompose
	}
	question := meta.Request{Text: request, Plan: from, Conversation: k.conversation()}
	if err := m.put(ctx, k, Written{Record: k.record, Proposal: &p}); err != nil {
		m.release()
		return Proposal{}, err
	}
	asking, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	a := &ask{machine: m, plan: k, of: id, id: p.ID, model: model, since: p.At, cancel: cancel}
	k.asking = a
	m.changes.Publish(id)
	client := meta.New(meta.Options{
		Models:  a,
		Model:   model,
		Timeout: timeout,
		Record:  func(c meta.Call) { a.record(context.WithoutCancel(asking), c) },
	})
	m.wake <- func(stop context.Context) {
		defer cancel(nil)
		defer context.AfterFunc(stop, func() { cancel(errStopped) })()
		patch, err := safego.Value(asking, m.o.Logger, "a question to the planner", func() (*plan.Patch, error) { return put(asking, client, p.Protocol, question) })
		if cause := context.Cause(asking); cause != nil {
			err = cause
		}
		a.end(context.WithoutCancel(asking), patch, err)
	}
	return p, nil
}

func put(ctx context.Context, c *meta.Client, protocol meta.Protocol, w meta.Request) (*plan.Patch, error) {
	if protocol == meta.PlanPatch {
		return c.Patch(ctx, w)
	}
	answer, err := c.Decompose(ctx, w)
	if err != nil {
		return nil, err
	}
	return answer.Patch(), nil
}

func (m *Machine) reserve() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asks >= MaxAsks {
		return false
	}
	m.asks++
	return true
}

func (m *Machine) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asks--
}

// Run sends requests to the planner until ctx ends; running requests then fail.
func (m *Machine) Run(ctx context.Context) error {
	var asks errgroup.Group
	for {
		select {
		case put := <-m.wake:
			asks.Go(func() error {
				_ = safego.Call(ctx, m.o.Logger, "the end of a question to the planner", func() error {
					put(ctx)
					return nil
				})
				return nil
			})
		case <-ctx.Done():
			err := asks.Wait()
			m.changes.Close()
			return err
		}
	}
}

// record saves a call to the planner.
func (a *ask) record(ctx context.Context, c meta.Call) {
	a.mu.Lock()
	a.tries++
	a.mu.Unlock()
	k := a.plan
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.proposal(a.id)
	p.Calls++
	p.TokensIn += c.TokensIn
	p.TokensOut += c.TokensOut
	p.CostUSD += c.CostUSD
	p.Unpriced = p.Unpriced || !c.Priced && c.TokensIn+c.TokensOut > 0
	if err := a.machine.put(ctx, k, Written{Record: k.record, Proposal: &p, Call: &c, CallOf: a.id}); err != nil {
		a.machine.o.Logger.ErrorContext(ctx, "couldn't save a call to the planner", slog.Any("error", err))
	}
}

// end saves the result of the request.
func (a *ask) end(ctx context.Context, patch *plan.Patch, err error) {
	k := a.plan
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.proposal(a.id)
	switch {
	case err == nil && len(patch.Payload.Operations) == 0:
		p.State, p.EndedAt, p.Patch = Refused, now(), patch // nothing to accept, but its understanding can be read
	case err == nil:
		p.State, p.Patch, p.IDs = Waiting, patch, ids(patch)
	case errors.Is(err, errCanceled):
		p.State, p.EndedAt = Canceled, now()
	case errors.Is(err, errStopped):
		p.State, p.EndedAt, p.Failure = Failed, now(), restarted()
	default:
		p.State, p.EndedAt, p.Failure = Failed, now(), errcode.From(err)
	}
	k.asking = nil
	a.machine.release()
	if err := a.machine.put(ctx, k, Written{Record: k.record, Proposal: &p}); err != nil {
		a.machine.o.Logger.ErrorContext(ctx, "couldn't save an answer of the planner", slog.Any("error", err))
	}
}

func restarted() *errcode.Error {
	return errcode.New(errcode.Unavailable, "the hub ended before the answer came").
		With(errcode.KeyReason, ReasonRestarted)
}

// ids returns IDs for the tasks that a patch creates, so that the IDs stay the same whenever the patch is shown, and
// when it is accepted.
func ids(patch *plan.Patch) []plan.ID {
	var out []plan.ID
	for i := range patch.Payload.Operations {
		if patch.Payload.Operations[i].Op == plan.Create {
			out = append(out, plan.ID(newID()))
		}
	}
	return out
}

// proposal returns the proposal with this ID, which must exist.
func (k *kept) proposal(id ProposalID) Proposal {
	for _, p := range k.proposals {
		if p.ID == id {
			return p
		}
	}
	return Proposal{ID: id}
}

// conversation returns the earlier conversation about the plan.
func (k *kept) conversation() []plan.Message {
	var out []plan.Message
	for _, p := range k.proposals {
		if p.Request == "" {
			continue
		}
		out = append(out, plan.Message{Role: llm.RoleUser, Content: p.Request})
		if p.Patch != nil {
			out = append(
				out,
				plan.Message{
					Role:    llm.RoleAssistant,
					Content: "(" + string(p.State) + ") " + p.Patch.Payload.Understanding,
				},
			)
		}
	}
	return out
}

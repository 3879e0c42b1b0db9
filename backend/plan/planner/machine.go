package planner

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/plan"
)

// Options configure a Machine.
type Options struct {
	Store  Store
	Models Models
	Author string
	Getenv func(string) string
	Logger *slog.Logger
}

// Machine manages the plans. Create it with New; Run sends requests to the planner.
type Machine struct {
	o       Options
	changes event.Topic[ID]
	wake    chan func(stop context.Context) // requests to run; limited by MaxAsks

	making sync.Mutex // held while CreateFor finds or creates a plan

	mu    sync.Mutex
	plans map[ID]*kept
	asks  int // requests that run or wait
}

// kept is one plan. Its mutex is held from reading the head until the change is durable.
type kept struct {
	mu        sync.Mutex
	record    Record
	version   Version // the head; its plan is nil until it is loaded
	progress  map[plan.ID]Progress
	proposals []Proposal
	asking    *ask
}

// New loads the plans. Requests of an earlier hub process have failed.
func New(ctx context.Context, o Options) (*Machine, error) {
	m := &Machine{o: o, wake: make(chan func(context.Context), MaxAsks), plans: map[ID]*kept{}}
	records, err := o.Store.PlanRecords(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		k := &kept{record: r}
		if k.proposals, err = o.Store.Proposals(ctx, r.ID); err != nil {
			return nil, err
		}
		m.plans[r.ID] = k
		for _, p := range k.proposals {
			if p.State != Asking {
				continue
			}
			p.State, p.EndedAt, p.Failure = Failed, now(), restarted()
			if err := m.put(ctx, k, Written{Record: k.record, Proposal: &p}); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

func now() time.Time { return time.Now().UTC() }

func newID() string { return strings.ToLower(ulid.Make().String()) }

// Subscribe publishes the ID of each changed plan.
func (m *Machine) Subscribe(buffer int) *event.Subscription[ID] { return m.changes.Subscribe(buffer) }

// Summary is a plan in a list.
type Summary struct {
	Record
	Asking *Asked `json:"asking,omitempty" doc:"Question that the planner works on."`
}

// Plans lists the plans, most recently changed first.
func (m *Machine) Plans() []Summary {
	m.mu.Lock()
	all := make([]*kept, 0, len(m.plans))
	for _, k := range m.plans {
		all = append(all, k)
	}
	m.mu.Unlock()
	out := make([]Summary, 0, len(all))
	for _, k := range all {
		k.mu.Lock()
		if k.record.DeletedAt.IsZero() {
			out = append(out, k.summary())
		}
		k.mu.Unlock()
	}
	slices.SortFunc(out, func(a, b Summary) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
	})
	return out
}

// Plan returns the summary of a plan, or NOT_FOUND if it doesn't exist or is deleted.
func (m *Machine) Plan(id ID) (Summary, error) {
	k, err := m.hold(id)
	if err != nil {
		return Summary{}, err
	}
	defer k.mu.Unlock()
	return k.summary(), nil
}

func (k *kept) summary() Summary {
	s := Summary{Record: k.record}
	if k.asking != nil {
		s.Asking = k.asking.asked()
	}
	return s
}

// hold returns a plan and locks it.
func (m *Machine) hold(id ID) (*kept, error) {
	k, err := m.find(id)
	if err != nil {
		return nil, err
	}
	if !k.record.DeletedAt.IsZero() {
		k.mu.Unlock()
		return nil, missing(id)
	}
	return k, nil
}

// holdAt is hold for a change to a given version. It also loads the plan.
func (m *Machine) holdAt(ctx context.Context, id ID, version int64) (*kept, *plan.Plan, error) {
	k, err := m.hold(id)
	if err != nil {
		return nil, nil, err
	}
	if err = m.at(ctx, k, version); err == nil {
		var now *plan.Plan
		if now, err = m.read(ctx, k); err == nil {
			return k, now, nil
		}
	}
	k.mu.Unlock()
	return nil, nil, err
}

// find is hold including deleted plans.
func (m *Machine) find(id ID) (*kept, error) {
	m.mu.Lock()
	k := m.plans[id]
	m.mu.Unlock()
	if k == nil {
		return nil, missing(id)
	}
	k.mu.Lock()
	return k, nil
}

func missing(id ID) error { return errcode.New(errcode.NotFound, "there is no plan %s", id) }

// read loads what isn't in memory yet. The returned plan includes the progress.
func (m *Machine) read(ctx context.Context, k *kept) (*plan.Plan, error) {
	if k.progress == nil {
		progress, err := m.o.Store.PlanProgress(ctx, k.record.ID)
		if err != nil {
			return nil, err
		}
		k.progress = progress
	}
	if k.version.Plan == nil {
		v, err := m.o.Store.PlanVersion(ctx, k.record.ID, k.record.Head)
		if err != nil {
			return nil, err
		}
		k.version = v
	}
	return over(k.version.Plan, k.progress), nil
}

// over returns the plan with the reported statuses.
func over(p *plan.Plan, progress map[plan.ID]Progress) *plan.Plan {
	if len(progress) == 0 {
		return p
	}
	out := *p
	out.Tasks = slices.Clone(p.Tasks)
	for i := range out.Tasks {
		if at, ok := progress[out.Tasks[i].ID]; ok {
			out.Tasks[i].Status = at.Status
		}
	}
	return &out
}

// put saves and publishes a change.
func (m *Machine) put(ctx context.Context, k *kept, w Written) error {
	if w.Proposal != nil {
		list := with(k.proposals, *w.Proposal)
		w.Record.Waiting = 0
		for _, p := range list {
			if p.State == Waiting {
				w.Record.Waiting++
			}
		}
	}
	w.Record.Rev++
	if err := m.o.Store.PutPlan(ctx, w); err != nil {
		return err
	}
	k.record = w.Record
	if w.Version != nil {
		k.version = *w.Version
	}
	if w.Proposal != nil {
		k.proposals = with(k.proposals, *w.Proposal)
	}
	m.changes.Publish(w.Record.ID)
	return nil
}

// with returns the list with the proposal replaced or appended.
func with(list []Proposal, p Proposal) []Proposal {
	list = slices.Clone(list)
	for i := range list {
		if list[i].ID == p.ID {
			list[i] = p
			return list
		}
	}
	return append(list, p)
}

// canUndo reports whether the parent of the head is still stored.
func (k *kept) canUndo() bool {
	return k.version.Parent > 0 && k.version.Parent >= k.record.Last-KeepVersions
}

// counted sets the number of leaves and of completed leaves.
func (r *Record) counted(p *plan.Plan) {
	inner := map[plan.ID]bool{}
	for i := range p.NodeIndex {
		inner[p.NodeIndex[i].NodeID] = len(p.NodeIndex[i].Children) > 0
	}
	r.Tasks, r.Done = 0, 0
	for i := range p.Tasks {
		if inner[p.Tasks[i].ID] {
			continue
		}
		r.Tasks++
		if p.Tasks[i].Status == plan.Complete {
			r.Done++
		}
	}
}

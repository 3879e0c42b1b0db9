package rollout

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/base/safego"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

const (
	keptApplies  = 50
	applyTimeout = 15 * time.Minute
)

// errCanceled is the cause of an apply that a person stopped.
var errCanceled = errors.New("stopped before anything was sent")

// Machine runs applies. Methods may be called from anywhere.
type Machine struct {
	library  *library.Library
	alarms   Alarms
	gateways Gateways
	jobs     chan *job
	topic    event.Topic[Apply]

	// OnAlarm, if set before Run, is called when a gateway's alarm begins or ends.
	OnAlarm func(gateway string)
	// OnKept, if set before Run, is called when a config with that hash was kept, or found to be the one kept last.
	OnKept func(gateway, hash string)
	// OnFile, if set before Run, is called when a workspace file was kept.
	OnFile func(gateway string, newest library.FileID)

	journal journal // of running applies and rollbacks
	files   *fileHistory
	deleted deletedIDs

	mu      sync.Mutex
	applies []*job // the newest last
	offered offers // teams whose config was offered as a file, see meetInPlace
}

type job struct {
	apply  Apply // guarded by Machine.mu
	cancel context.CancelCauseFunc
	run    func(ctx context.Context, j *job) error
	ctx    context.Context
	begun  *begun // kept until it ends
	// replaced are the workspace files before it, once they were read. Only its own goroutine uses it.
	replaced []openclaw.KeptFile
	cut      bool // guarded by Machine.mu; the end of a hub came before its own
}

// New returns a Machine; its Run must be running for applies to start.
func New(library *library.Library, alarms Alarms, gateways Gateways) *Machine {
	return &Machine{library: library, alarms: alarms, gateways: gateways, jobs: make(chan *job, 16),
		files: &fileHistory{}, offered: offers{},
		deleted: deletedIDs{jsonFile[[]topology.AgentID]{of: map[string][]topology.AgentID{}}}}
}

// Run works the applies until ctx ends. One that is under way is stopped with it; if it
// was already sent, the next read tells what became of it.
func (m *Machine) Run(ctx context.Context) error {
	var group errgroup.Group
	defer func() { _ = group.Wait() }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case j := <-m.jobs:
			group.Go(func() error {
				m.work(ctx, j)
				return nil
			})
		}
	}
}

// Subscribe tells of every step of every apply; the reader closes the subscription.
func (m *Machine) Subscribe(buffer int) *event.Subscription[Apply] { return m.topic.Subscribe(buffer) }

// Applies returns the last ones, the oldest first.
func (m *Machine) Applies() []Apply {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Apply, 0, len(m.applies))
	for _, j := range m.applies {
		out = append(out, j.apply.copy())
	}
	return out
}

// Apply returns one of the last applies.
func (m *Machine) Apply(id ID) (Apply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.applies {
		if j.apply.ID == id {
			return j.apply.copy(), nil
		}
	}
	return Apply{}, errcode.New(errcode.NotFound, "there is no apply %s", id)
}

// Cancel stops an apply from which nothing has been sent yet.
func (m *Machine) Cancel(id ID) (Apply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.applies {
		if j.apply.ID != id {
			continue
		}
		if j.apply.State != Running {
			return j.apply.copy(), nil
		}
		if !j.apply.Cancellable {
			return Apply{}, errcode.New(errcode.Conflict,
				"the changes have been sent already: wait for the end, then undo the apply").
				With(errcode.KeyReason, ReasonTooLate)
		}
		j.cancel(errCanceled)
		return j.apply.copy(), nil
	}
	return Apply{}, errcode.New(errcode.NotFound, "there is no apply %s", id)
}

func (a Apply) copy() Apply {
	a.Steps = slices.Clone(a.Steps)
	return a
}

// start queues an apply, unless one runs on that gateway.
func (m *Machine) start(ctx context.Context, a Apply, b *begun, steps []openclaw.Step,
	run func(ctx context.Context, j *job) error) (Apply, error) {
	a.ID, a.State, a.StartedAt, a.Cancellable = ID(ulid.Make().String()), Running, time.Now(), true
	for _, s := range steps {
		a.Steps = append(a.Steps, Step{Name: s, State: "waiting"})
	}
	jobCtx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	j := &job{apply: a, cancel: cancel, ctx: jobCtx, run: run, begun: b}
	m.mu.Lock()
	for _, other := range m.applies {
		if other.apply.Gateway == a.Gateway && other.apply.State == Running {
			m.mu.Unlock()
			cancel(nil)
			return Apply{}, errcode.New(errcode.Conflict,
				"another apply is running on %s: wait for its end", a.Gateway).
				With(errcode.KeyReason, ReasonRunning)
		}
	}
	if err := m.remember(j, false); err != nil {
		m.mu.Unlock()
		cancel(nil)
		return Apply{}, err
	}
	select {
	case m.jobs <- j:
	default:
		_ = m.remember(j, true)
		m.mu.Unlock()
		cancel(nil)
		return Apply{}, errcode.New(errcode.Unavailable, "too many applies are waiting")
	}
	m.applies = append(m.applies, j)
	if len(m.applies) > keptApplies {
		m.applies = slices.Delete(m.applies, 0, len(m.applies)-keptApplies)
	}
	out := j.apply.copy()
	m.mu.Unlock()
	m.topic.Publish(out)
	return out, nil
}

func (m *Machine) work(ctx context.Context, j *job) {
	runCtx, stop := context.WithTimeout(j.ctx, applyTimeout)
	defer stop()
	defer context.AfterFunc(ctx, func() { j.cancel(context.Cause(ctx)) })()
	err := safego.Call(runCtx, nil, "an apply", func() error { return j.run(runCtx, j) })
	cut := err != nil && ctx.Err() != nil
	j.cancel(nil)
	m.update(j, func(a *Apply) {
		j.cut = cut // the next hub knows it as interrupted
		a.EndedAt, a.Cancellable, a.WaitUntil = time.Now(), false, time.Time{}
		switch {
		case err == nil:
			a.State = Done
		case errors.Is(context.Cause(runCtx), errCanceled):
			a.State = Canceled
		case errcode.HasReason(err, errcode.ReasonUnknown):
			a.State, a.Error = Unknown, errcode.From(err)
		default:
			a.State, a.Error = Failed, errcode.From(err)
		}
		for i := range a.Steps {
			switch {
			case a.State == Done && a.Steps[i].State == "waiting":
				a.Steps[i].State = "skipped"
			case a.State != Done && a.Steps[i].State == "running":
				a.Steps[i].State = "failed"
			}
		}
	})
}

func (m *Machine) update(j *job, change func(*Apply)) {
	m.mu.Lock()
	change(&j.apply)
	out := j.apply.copy()
	// If this fails, the file still has the apply with an earlier step.
	_ = m.remember(j, out.State != Running && !j.cut)
	m.mu.Unlock()
	m.topic.Publish(out)
}

// progress turns the facts of a push into the state that is shown.
func (m *Machine) progress(j *job) func(openclaw.Progress) {
	states := map[openclaw.ProgressState]string{
		openclaw.ProgressStarted: "running", openclaw.ProgressWaiting: "running", openclaw.ProgressDone: "done",
		openclaw.ProgressSkipped: "skipped", openclaw.ProgressFailed: "failed", openclaw.ProgressUnknown: "unknown",
	}
	return func(p openclaw.Progress) {
		m.update(j, func(a *Apply) {
			a.WaitUntil = time.Time{}
			if p.State == openclaw.ProgressWaiting {
				a.WaitUntil = time.Now().Add(time.Duration(p.RetryAfterMs) * time.Millisecond)
			}
			if p.Step != openclaw.StepCheck && p.Step != openclaw.StepSnapshot {
				a.Cancellable = p.State == openclaw.ProgressWaiting && p.Step == openclaw.StepApply &&
					len(a.Deleted) == 0
			}
			for i := range a.Steps {
				if a.Steps[i].Name == p.Step {
					a.Steps[i].State, a.Steps[i].Detail, a.Steps[i].ExpectedSeconds = states[p.State], p.Message, p.ExpectedSeconds
				}
			}
			if p.Step == openclaw.StepDelete && p.Agent != "" && p.State == openclaw.ProgressDone {
				a.Deleted = append(slices.Clone(a.Deleted), p.Agent)
				// If the file can't be written, only the next hub doesn't know it.
				_ = m.deleted.change(a.Gateway, []topology.AgentID{p.Agent}, nil)
			}
		})
	}
}

func (a *Apply) note(r openclaw.Result) {
	a.Restarted, a.Differences, a.Added, a.Files, a.Jobs = r.Restarted, r.Differences, r.Added, r.Files, r.Jobs
	for _, l := range r.Losses {
		if a.Kind == KindRollback && l.Reason == openclaw.LossSecret {
			a.SecretsLeft = append(a.SecretsLeft, strings.TrimPrefix(string(l.Agent)+"."+l.Field, "."))
		}
	}
	if len(r.Deleted) > 0 {
		a.Deleted = r.Deleted
	}
}

// keep stores a config before it is changed.
func (m *Machine) keep(j *job, gateway, cause string, d library.ID) func(context.Context, openclaw.Snapshot) error {
	return func(ctx context.Context, s openclaw.Snapshot) error {
		id, err := m.keepSnapshot(ctx, gateway, cause, d, s)
		if err != nil {
			return err
		}
		m.update(j, func(a *Apply) { a.Snapshot = id })
		j.replaced = s.Files
		return m.seen(ctx, gateway, m.files.keptSoFar(gateway), replaced(s.Files)...)
	}
}

func topologyOrEmpty(t *topology.Topology) *topology.Topology {
	if t == nil {
		return &topology.Topology{}
	}
	return t
}

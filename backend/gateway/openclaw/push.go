package openclaw

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// maxWaits is how often a push waits for a gateway that takes no more changes for
// now, and maxWait how long at a time.
const (
	maxWaits = 3
	maxWait  = 10 * time.Minute
	maxReads = 10 // after a restart the first readings may still meet a closing link or a starting gateway

	readPause = time.Second
)

// Push applies a draft safely: check, keep a snapshot, delete what only the gateway
// can delete, apply once, wait, read back and compare. It blocks; ctx stops it
// between steps. An apply is never sent twice, but for one that the gateway refused
// unread because of its rate limit.
//
// Errors are *errcode.Error: CONFLICT with reason stale_base and details.snapshot
// (Theirs) when the config is not the one of BaseHash; VALIDATION_ERROR with reason
// deletes_not_allowed; GATEWAY_ERROR with reason outcome_unknown when it could not be
// found out what became of the apply, or with reason verify_mismatch, then with a
// Result whose Differences say what is not as it was sent. After a deletion, details.deleted
// names what is gone already, and so does the Result.
func Push(ctx context.Context, gw Gateway, in PushInput) (Result, error) {
	p := pusher{gw: gw, plan: drawn(in.Base, in.Draft), baseHash: in.BaseHash, allowDelete: in.AllowDelete,
		note: in.Note, keep: in.KeepSnapshot, tell: in.Progress, files: in.Files, unreadJobs: in.UnreadJobs,
		recreated: in.Recreated}
	return p.run(ctx)
}

// RollbackFiles lists the workspace files that going back to a kept snapshot writes.
func RollbackFiles(current, to Snapshot, c Capabilities, files Files) ([]FileWrite, error) {
	now, err := current.Reading()
	if err != nil {
		return nil, err
	}
	old, err := to.Reading()
	if err != nil {
		return nil, err
	}
	return FileWrites(files, &now.Topology, keptInto(&old.Topology, to.Files, files), c), nil
}

// Rollback brings the config back to a kept snapshot, by the same steps and with the
// same errors as Push.
func Rollback(ctx context.Context, gw Gateway, in RollbackInput) (Result, error) {
	to, err := understand(in.To)
	if err != nil {
		return Result{}, err
	}
	p := pusher{gw: gw, plan: kept(to, in.Secrets), baseHash: in.BaseHash, allowDelete: in.AllowDelete,
		note: in.Note, keep: in.KeepSnapshot, tell: in.Progress, files: in.Files, team: &to.reading.Topology,
		jobs: in.To.Jobs, unreadJobs: true} // a rescue doesn't depend on the scheduler
	return p.run(ctx)
}

// pusher is one push on its way.
type pusher struct {
	gw          Gateway
	plan        planner
	baseHash    string
	allowDelete bool
	note        string
	keep        func(context.Context, Snapshot) error
	tell        func(Progress)
	step        Step
	waits       int
	res         Result
	files       []FileWrite        // to be written
	kept        []KeptFile         // as they were before
	team        *topology.Topology // of a rollback: the one to come back to
	jobs        []Job              // of a rollback: kept with the config
	recreated   []topology.AgentID // agents to be created again that the gateway may have deleted
	created     []topology.AgentID // of those the ones that it has created
	unreadJobs  bool               // it goes on where the jobs of deleted agents can't be listed
	written     []FileWrite
	accepted    bool // the gateway has the config
}

func (p *pusher) run(ctx context.Context) (Result, error) {
	res, err := p.steps(ctx)
	if err == nil {
		return res, nil
	}
	if len(p.written) > 0 && !p.accepted {
		if errcode.HasReason(err, errcode.ReasonUnknown) && p.step != StepFiles {
			err = say(errcode.From(err), "The workspace files were written before that").With("filesWritten",
				p.res.Files)
		} else {
			err = p.putBack(ctx, err)
		}
	}
	if len(p.created) > 0 && !p.accepted && !errcode.HasReason(err, errcode.ReasonUnknown) {
		err = p.discard(ctx, err)
	}
	e := errcode.From(err)
	if res.Outcome == "" {
		res = p.res
	}
	if len(p.res.Deleted) > 0 {
		e = e.With("deleted", p.res.Deleted)
	}
	p.progress(Progress{State: ProgressFailed, Message: e.Message})
	return res, e
}

func (p *pusher) steps(ctx context.Context) (Result, error) {
	p.begin(StepCheck)
	now, todo, err := p.check(ctx)
	if err != nil {
		return Result{}, err
	}
	if len(p.files) == 0 && !todo.changes(now) {
		return p.unchanged(now, todo), nil
	}
	p.done()
	p.begin(StepSnapshot)
	snap := now.snap
	snap.Files = p.kept
	if snap.Jobs, err = p.deletedJobs(ctx, todo.first); err != nil {
		return Result{}, err
	}
	back, jobs := p.back(now)
	if err := p.keepSnapshot(ctx, snap); err != nil {
		return Result{}, err
	}
	p.done()
	if err := p.writeFiles(ctx, false); err != nil {
		return Result{}, err
	}
	if len(todo.first) > 0 {
		p.begin(StepDelete)
		if now, todo, err = p.delete(ctx, now, todo); err != nil {
			return Result{}, err
		}
		p.done()
	}
	if now, err = p.create(ctx, now, todo); err != nil {
		return Result{}, err
	}
	res, err := p.apply(ctx, now, todo)
	if err != nil {
		return res, err
	}
	if err := p.reopen(ctx, back); err != nil {
		return res, err
	}
	if err := p.writeFiles(ctx, true); err != nil {
		res.Files = p.res.Files
		return res, filesLeft(err)
	}
	err = p.addJobs(ctx, jobs)
	res.Files, res.Jobs = p.res.Files, p.res.Jobs
	return res, err
}

// back are the agents that a rollback brings back, and their jobs that are to be added again.
func (p *pusher) back(now state) ([]topology.AgentID, []Job) {
	if p.team == nil {
		return nil, nil
	}
	agents := Missing(p.team, &now.reading.Topology)
	if len(now.reading.Implicit) == 0 { // a config that lost its roster takes the agents as they are
		p.recreated = agents
	}
	return agents, comeBack(&now.reading.Topology, p.team, p.jobs)
}

func (p *pusher) progress(f Progress) {
	if f.Step == "" {
		f.Step = p.step
	}
	if p.tell != nil {
		p.tell(f)
	}
}

func (p *pusher) begin(s Step) {
	p.step = s
	p.progress(Progress{State: ProgressStarted})
}

func (p *pusher) done() { p.progress(Progress{State: ProgressDone}) }

// changes reports whether the plan does anything to the gateway's config: by deleting agents first, or by an apply.
func (todo plan) changes(now state) bool { return len(todo.first) > 0 || !same(now.doc, todo.target) }

func same(a, b *docedit.Document) bool { return docedit.Equal(a.Root(), b.Root()) }

func (p *pusher) read(ctx context.Context) (state, error) {
	s, err := p.gw.Read(ctx)
	if err != nil {
		return state{}, err
	}
	return understand(s)
}

// check reads the config afresh and refuses what may not be done.
func (p *pusher) check(ctx context.Context) (state, plan, error) {
	now, err := p.read(ctx)
	if err != nil {
		return state{}, plan{}, err
	}
	if p.baseHash != "" && now.snap.Hash != p.baseHash {
		return state{}, plan{}, stale(now.snap, staleMessage)
	}
	todo, err := p.plan(now, p.gw.Capabilities())
	if err != nil {
		return state{}, plan{}, err
	}
	p.res.Losses = todo.losses
	if err := p.mayChange(now, todo); err != nil {
		return state{}, plan{}, err
	}
	if err := p.mayDelete(now, todo); err != nil {
		return state{}, plan{}, err
	}
	p.kept, err = p.checkFiles(ctx)
	return now, todo, err
}

func (p *pusher) mayDelete(now state, todo plan) error {
	for _, id := range todo.removed {
		if d := deletion(now, todo, p.gw.Capabilities(), id); !d.Possible {
			return errcode.New(errcode.Validation, "%s cannot be removed: %s", id, d.Reason).
				With(errcode.KeyField, "agents").With("agents", []topology.AgentID{id})
		}
	}
	if len(todo.removed) == 0 || p.allowDelete {
		return nil
	}
	return errcode.New(errcode.Validation,
		"this removes agents from the gateway: %v. Agree to their removal, or keep them in the team", todo.removed).
		With(errcode.KeyReason, ReasonDeletesNotAllowed).
		With("agents", todo.removed)
}

func (p *pusher) unchanged(now state, todo plan) Result {
	p.done()
	return Result{Outcome: OutcomeUnchanged, Hash: now.snap.Hash, Snapshot: now.snap,
		Topology: now.reading.Topology, Shape: now.reading.Shape,
		Verified: true, Losses: todo.losses}
}

func (p *pusher) keepSnapshot(ctx context.Context, s Snapshot) error {
	if p.keep == nil {
		return errcode.New(errcode.Internal, "there is no place to keep a snapshot in; nothing was sent")
	}
	if err := p.keep(ctx, s); err != nil {
		return errcode.Wrap(errcode.From(err).Code, err, "the snapshot could not be kept, so nothing was sent")
	}
	return ctx.Err()
}

// delete has the gateway delete agents, reads again, and makes a new plan. Any other
// change in the meantime came from somebody else and stops the push.
func (p *pusher) delete(ctx context.Context, before state, todo plan) (state, plan, error) {
	for _, id := range todo.first {
		p.progress(Progress{State: ProgressStarted, Agent: id})
		if err := p.deleteOne(ctx, id); err != nil {
			return state{}, plan{}, err
		}
		p.res.Deleted = append(p.res.Deleted, id)
		p.progress(Progress{State: ProgressDone, Agent: id})
	}
	if err := p.gw.WaitReady(ctx); err != nil {
		return state{}, plan{}, err
	}
	now, err := p.read(ctx)
	if err != nil {
		return state{}, plan{}, err
	}
	if !onlyDeleted(before, now, p.res.Deleted) {
		return state{}, plan{}, stale(
			now.snap,
			"somebody else changed the gateway's config while agents were being deleted; nothing more was written. Merge the two and apply again",
		)
	}
	next, err := p.plan(now, p.gw.Capabilities())
	if err == nil && len(next.first) > 0 {
		err = errcode.New(errcode.Gateway,
			"the gateway says it deleted %v but still has %v", p.res.Deleted, next.first).
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	return now, next, err
}

func (p *pusher) deleteOne(ctx context.Context, id topology.AgentID) error {
	return p.once(ctx, func() error { return p.gw.DeleteAgent(ctx, id) }, func() bool {
		now, err := p.read(ctx)
		return err == nil && gatewayconfig.ByID(now.reading.Topology.Agents)[id] == nil
	})
}

// once has the gateway make a change, and waits where it takes no more for now. A change whose answer was lost isn't
// made again: made reads whether it was made.
func (p *pusher) once(ctx context.Context, change func() error, made func() bool) error {
	for {
		again, err := p.waitIfLimited(ctx, change())
		if again {
			continue
		}
		if errcode.HasReason(err, errcode.ReasonUnknown) && p.gw.WaitReady(ctx) == nil && made() {
			return nil
		}
		return err
	}
}

// waitIfLimited waits where the gateway takes no more changes for now, and says
// whether to try again. The refused attempt was not executed.
func (p *pusher) waitIfLimited(ctx context.Context, err error) (again bool, _ error) {
	if err == nil || !errcode.HasReason(err, errcode.ReasonRateLimited) && !errcode.Is(err, errcode.RateLimited) {
		return false, err
	}
	wait := retryAfter(err)
	if p.waits++; p.waits > maxWaits || wait > maxWait {
		return false, err
	}
	p.progress(Progress{
		State:        ProgressWaiting,
		RetryAfterMs: wait.Milliseconds(),
		Message:      "the gateway takes no more changes for now",
	})
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-t.C:
		return true, nil
	}
}

func retryAfter(err error) time.Duration {
	const unsaid = 5000
	ms := int64(unsaid)
	switch v := errcode.From(err).Details[errcode.KeyRetryAfterMs].(type) {
	case int:
		ms = int64(v)
	case int64:
		ms = v
	case float64:
		ms = int64(min(v, float64(maxWait.Milliseconds()+1)))
	case time.Duration:
		ms = v.Milliseconds()
	}
	ms = min(ms, maxWait.Milliseconds()+1)
	return time.Duration(max(ms, 0)) * time.Millisecond
}

// onlyDeleted reports whether nothing but the deletions, and the links to what was
// deleted, sets two readings apart.
func onlyDeleted(before, now state, deleted []topology.AgentID) bool {
	left := moved(&before.reading.Topology, now).Clone()
	left.Agents = slices.DeleteFunc(left.Agents, func(a topology.Agent) bool { return slices.Contains(deleted, a.ID) })
	toDeleted := func(c topology.Connection) bool { return slices.Contains(deleted, c.TargetID) }
	for i := range left.Agents {
		left.Agents[i].Connections = slices.DeleteFunc(left.Agents[i].Connections, toDeleted)
	}
	there := now.reading.Topology.Clone()
	for i := range there.Agents {
		there.Agents[i].Connections = slices.DeleteFunc(there.Agents[i].Connections, toDeleted)
	}
	toNobody := func(b json.RawMessage) bool { return slices.Contains(deleted, topology.BoundTo(b)) }
	left.Bindings = slices.DeleteFunc(left.Bindings, toNobody)
	left.Messages = topology.WithoutAllowed(left.Messages, deleted)
	left.Broadcast = topology.WithoutBroadcast(left.Broadcast, deleted)
	there.Messages = topology.WithoutAllowed(there.Messages, deleted)
	there.Broadcast = topology.WithoutBroadcast(there.Broadcast, deleted)
	withoutDropped(left, there)
	diffs, _ := compare(left, there) // what the gateway filled in is left alone by the next plan
	return len(diffs) == 0
}

// withoutDropped takes the settings out of agents that the gateway no longer has: when OpenClaw writes its config, it
// drops those that it doesn't know.
func withoutDropped(left, there *topology.Topology) {
	for i := range left.Agents {
		a := &left.Agents[i]
		if now, ok := there.Agent(a.ID); ok {
			a.Extra = slices.DeleteFunc(a.Extra, func(f topology.Field) bool {
				_, has := now.Extra.Get(f.Key)
				return !has
			})
		}
	}
}

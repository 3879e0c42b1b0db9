package openclaw

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"agentflow/backend/base/errcode"
)

// apply sends the config once, finds out what became of it, waits, and compares.
func (p *pusher) apply(ctx context.Context, now state, todo plan) (Result, error) {
	if same(now.doc, todo.target) { // the deletions and files were all there was
		p.accepted = true
		p.step = StepApply
		p.progress(Progress{State: ProgressSkipped})
		return p.verify(ctx, todo)
	}
	raw, err := encode(todo.target, p.gw.Capabilities().ApplyFormat)
	if err != nil {
		return Result{}, err
	}
	p.begin(StepApply)
	out, err := p.send(ctx, raw, now.snap.Hash)
	if errcode.HasReason(err, errcode.ReasonUnknown) {
		return p.resolve(ctx, now, todo, err)
	}
	if err != nil {
		return Result{}, p.refused(ctx, now, err)
	}
	p.done()
	p.accepted = true
	p.res.Restarted = out.Restarts
	if err := p.wait(ctx, out.Restarts); err != nil {
		return Result{}, errcode.Wrap(errcode.From(err).Code, err,
			"the config was applied, but the gateway isn't back yet").
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	return p.verify(ctx, todo)
}

func (p *pusher) send(ctx context.Context, raw, hash string) (ApplyOutcome, error) {
	for {
		if err := ctx.Err(); err != nil {
			return ApplyOutcome{}, err
		}
		out, err := p.gw.Apply(ctx, raw, hash, p.note)
		again, err := p.waitIfLimited(ctx, err)
		if !again {
			return out, err
		}
	}
}

// refused tells a stale base from every other refusal: gateways say stale in many
// ways, so the hash is read again.
func (p *pusher) refused(ctx context.Context, sent state, err error) error {
	now, rerr := p.gw.Read(ctx)
	if rerr != nil {
		return err
	}
	if now.Hash != sent.snap.Hash {
		return stale(now, staleMessage)
	}
	if errcode.HasReason(err, errcode.ReasonStaleBase) { // stale, and back again since
		return stale(now, staleMessage)
	}
	return err
}

// resolve finds out what became of an apply whose answer was lost, or does not tell. It is
// never sent again.
func (p *pusher) resolve(ctx context.Context, sent state, todo plan, lost error) (Result, error) {
	p.progress(Progress{State: ProgressUnknown, Message: "the gateway's answer was lost; reading what it holds now"})
	if err := p.wait(ctx, true); err != nil {
		return Result{}, lost
	}
	p.begin(StepVerify)
	now, err := p.readBack(ctx)
	if err != nil {
		return Result{}, lost
	}
	want, err := Read(todo.target)
	if err != nil {
		return Result{}, err
	}
	diffs, _ := compare(moved(&want.Topology, now), &now.reading.Topology)
	switch {
	case len(diffs) == 0 && (now.snap.Hash != sent.snap.Hash || same(now.doc, todo.target)):
		p.progress(Progress{Step: StepApply, State: ProgressDone})
		p.accepted, p.res.Restarted = true, true
		res, err := p.finish(want, now)
		if err == nil && notActive.MatchString(lost.Error()) {
			err = errcode.Wrap(errcode.Gateway, lost,
				"the gateway saved the config but doesn't use it yet. Restart the gateway, or roll back").
				With(errcode.KeyReason, ReasonNotActive)
		}
		return res, err
	case now.snap.Hash == sent.snap.Hash || same(now.doc, sent.doc):
		p.progress(Progress{Step: StepApply, State: ProgressFailed})
		if answered, _ := errcode.From(lost).Details["answered"].(bool); answered {
			return Result{}, errcode.From(lost).With(errcode.KeyReason, errcode.ReasonRejected)
		}
		return Result{}, errcode.Wrap(errcode.Gateway, lost,
			"the connection was lost before the gateway received the config. Nothing was changed. Apply again").
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	p.progress(Progress{Step: StepApply, State: ProgressFailed})
	return Result{}, stale(
		now.snap,
		"the link was lost during the apply, and the gateway now holds neither the old config nor the new one. Merge the two and apply again",
	)
}

func (p *pusher) wait(ctx context.Context, restarts bool) error {
	p.step = StepWait
	f := Progress{State: ProgressStarted}
	if restarts {
		f.ExpectedSeconds = p.gw.Capabilities().RestartSeconds
	}
	p.progress(f)
	if err := p.gw.WaitReady(ctx); err != nil {
		return err
	}
	p.done()
	return nil
}

// notActive is what a gateway says that wrote a config and could not begin to use it.
var notActive = regexp.MustCompile(`persisted but was not applied`)

// readBack reads the config after an apply; a link that drops once more, and a gateway that
// is still starting, are waited for.
func (p *pusher) readBack(ctx context.Context) (state, error) {
	for try := 1; ; try++ {
		now, err := p.read(ctx)
		if err == nil || try == maxReads || !errcode.Is(err, errcode.Gateway) && !errcode.Is(err, errcode.Unavailable) {
			return now, err
		}
		if !errcode.HasReason(err, errcode.ReasonLinkDown) && !pause(ctx, time.Duration(try)*readPause) {
			return state{}, err
		}
		if werr := p.gw.WaitReady(ctx); werr != nil {
			return state{}, err
		}
	}
}

func (p *pusher) verify(ctx context.Context, todo plan) (Result, error) {
	p.begin(StepVerify)
	now, err := p.readBack(ctx)
	if err != nil {
		return Result{}, errcode.Wrap(errcode.From(err).Code, err,
			"the config was applied, but couldn't be read again").
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	want, err := Read(todo.target)
	if err != nil {
		return Result{}, err
	}
	return p.finish(want, now)
}

// finish compares what was read back with what was meant.
func (p *pusher) finish(want Reading, now state) (Result, error) {
	got := now.reading
	if len(want.Topology.Agents) == 0 && len(got.Implicit) > 0 { // meant without a roster, and read so
		want.Topology = got.Topology
	}
	diffs, added := compare(moved(&want.Topology, now), &got.Topology)
	r := p.res
	r.Outcome, r.Hash, r.Topology, r.Shape = OutcomeApplied, now.snap.Hash, got.Topology, got.Shape
	r.Snapshot = now.snap
	r.Differences, r.Added, r.Verified = diffs, added, len(diffs) == 0
	if !r.Verified {
		return r, errcode.New(errcode.Gateway, "the gateway accepted the config, but %s of it reads back differently (first: %s). Compare, then apply again or roll back", places(len(diffs)), diffs[0]).
			With(errcode.KeyReason, ReasonVerifyMismatch).
			With("differences", diffs)
	}
	p.done()
	return r, nil
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return strconv.Itoa(n) + " places"
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// String names the place for messages.
func (d Difference) String() string {
	switch {
	case d.Agent == "":
		return d.Field
	case d.Field == "":
		return "agent " + string(d.Agent)
	}
	return string(d.Agent) + "." + d.Field
}

package chatagent

import (
	"context"
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/llm"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// reply is an agent at its turn.
type reply struct {
	agent  *Agent
	turn   turns.Turn
	ctx    context.Context
	cancel context.CancelCauseFunc
	again  chan struct{} // the link is there again

	mu    sync.Mutex
	raw   []byte // what the model has said
	sent  int    // bytes of it, cleaned, that the room was shown
	state room.State
	next  *time.Timer // for a piece that waits
	whole bool        // the room has to be shown all of it
	ended bool
}

// newReply makes one; a.mu is held.
func (a *Agent) newReply(ctx context.Context, t turns.Turn) *reply {
	r := &reply{agent: a, turn: t, again: make(chan struct{}, 1), state: room.Thinking}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	return r
}

// run is the reply in its goroutine, where a panic would end the program: it ends the turn.
func (r *reply) run() {
	defer r.cancel(nil)
	err := safego.Call(r.ctx, r.agent.o.Logger, "a reply", func() error {
		r.toTheEnd()
		return nil
	})
	if err == nil {
		return
	}
	r.agent.mu.Lock()
	r.agent.done = r.turn.ID // not again: it would panic again
	r.agent.mu.Unlock()
	_ = safego.Call(r.ctx, r.agent.o.Logger, "the end of a reply", func() error {
		end := turns.End{Outcome: turns.Failed}
		end.Text, end.Cause = failed(err, "")
		return r.agent.tell(r.ctx, turns.Update{TurnID: r.turn.ID, End: &end})
	})
}

// toTheEnd thinks, and tells the outcome.
func (r *reply) toTheEnd() {
	end := r.think()
	r.mu.Lock()
	r.ended = true
	if r.next != nil {
		r.next.Stop()
	}
	r.mu.Unlock()
	for {
		if cause := context.Cause(r.ctx); cause != nil {
			if errors.Is(cause, errOver) { // only what it used counts
				end.Outcome, end.Text = turns.Stopped, ""
				_ = r.agent.tell(context.WithoutCancel(r.ctx), turns.Update{TurnID: r.turn.ID, End: &end})
			}
			return
		}
		err := r.agent.tell(r.ctx, turns.Update{TurnID: r.turn.ID, End: &end})
		if err == nil || !lost(err) {
			r.agent.mu.Lock()
			r.agent.done = r.turn.ID
			r.agent.mu.Unlock()
		}
		if err != nil && !lost(err) {
			return
		}
		// Sent does not mean received: the turn ends when the hub ends it. Until then the link
		// can break again and lose what was sent.
		select {
		case <-r.again:
		case <-r.ctx.Done():
			if err == nil {
				return
			}
		}
	}
}

// lost reports whether it helps to tell it again once there is a link.
func lost(err error) bool {
	return !errcode.Is(err, errcode.Conflict) && !errcode.Is(err, errcode.Validation)
}

// think asks the model, and says what came of it.
func (r *reply) think() turns.End {
	c := r.agent.o.Config
	r.show()
	if c.Delay > 0 {
		timer := time.NewTimer(min(c.Delay, MaxDelay))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.ctx.Done():
		}
	}
	if err := context.Cause(r.ctx); err != nil {
		return turns.End{Outcome: turns.Stopped}
	}
	req := r.agent.request(r.turn)
	a, err := safego.Value(r.ctx, r.agent.o.Logger, "a reply",
		func() (llm.Answer, error) { return r.agent.o.Responder.Respond(r.ctx, req, r.hear) })
	said := r.said(true)
	end := turns.End{
		Outcome:   turns.Answered,
		Text:      said,
		TokensIn:  int64(a.TokensIn),
		TokensOut: int64(a.TokensOut),
		CostUSD:   a.CostUSD,
		Priced:    a.Priced,
	}
	if a.TokensIn+a.TokensOut == 0 && (err == nil || said != "") {
		end.TokensIn, end.TokensOut = estimate(req, said)
	}
	switch {
	case err != nil:
		end.Outcome = turns.Failed
		end.Text, end.Cause = failed(err, said)
	case isSkip(said):
		end.Outcome, end.Text = turns.Skipped, ""
	case a.Finish == llm.FinishLength:
		_ = r.agent.tell(r.ctx, cutOff(r.turn, c.Name))
	}
	return end
}

// hear takes what comes from the mind.
func (r *reply) hear(t Update) error {
	if err := context.Cause(r.ctx); err != nil {
		return err
	}
	if t.Notice != "" {
		_ = r.agent.tell(r.ctx, turns.Update{TurnID: r.turn.ID, Notice: t.Notice, Cause: t.Cause}) // a room that is away is not told
	}
	r.mu.Lock()
	if t.Anew {
		r.raw, r.sent, r.whole = nil, 0, true
	}
	r.raw = append(r.raw, t.Text...)
	if len(r.raw) > room.MaxText && utf8.RuneCount(r.raw) > room.MaxText {
		r.mu.Unlock()
		return errcode.New(errcode.Validation,
			"its answer has more than %d characters, which is no message", room.MaxText).
			With(errcode.KeyCause, causeTooLong).
			With(turns.KeyCount, room.MaxText)
	}
	state := r.state
	switch {
	case t.State != "":
		state = t.State
	case t.Text != "":
		state = room.Answering
	}
	changed := state != r.state
	r.state = state
	waiting := r.next != nil
	if !waiting && !changed {
		r.next = time.AfterFunc(pieceEvery, r.showLater)
	}
	r.mu.Unlock()
	if changed {
		r.show()
	}
	return nil
}

// showLater is show in a timer, where a panic would end the program.
func (r *reply) showLater() {
	_ = safego.Call(r.ctx, r.agent.o.Logger, "showing a reply", func() error { // the next piece, or the end, shows it
		r.show()
		return nil
	})
}

// show shows the room what is new.
func (r *reply) show() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next != nil {
		r.next.Stop()
		r.next = nil
	}
	if r.ended {
		return
	}
	said := clean(r.agent.o.Config.Name, string(r.raw), false)
	n := turns.Update{TurnID: r.turn.ID, State: r.state, Whole: r.whole}
	if r.whole {
		r.sent = 0
	}
	n.Text = said[min(r.sent, len(said)):]
	if err := r.agent.tell(r.ctx, n); err == nil {
		r.sent, r.whole = len(said), false
	}
}

// rejoined shows all there is to a room that may have forgotten it.
func (r *reply) rejoined() {
	r.mu.Lock()
	r.whole = true
	r.mu.Unlock()
	select {
	case r.again <- struct{}{}:
	default:
	}
	time.AfterFunc(0, r.showLater) // in a timer, so that the caller does not wait for the link
}

func (r *reply) said(final bool) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return clean(r.agent.o.Config.Name, string(r.raw), final)
}

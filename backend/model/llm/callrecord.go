package llm

import (
	"context"
	"errors"
	"time"

	"agentflow/backend/base/errcode"
)

// CallRecord is one question to a model, with all its tries, and what came of it.
type CallRecord struct {
	At      time.Time
	Took    time.Duration
	Tries   int
	Request Request // as it was asked; Model names the provider
	Answer  Answer  // what there was of it, where it failed
	Failure *errcode.Error
}

// note passes a model call to the recorder, if there is one.
func (r *Registry) note(ctx context.Context, began time.Time, tries int, asked Request, a Answer, err error) {
	r.mu.RLock()
	record := r.record
	r.mu.RUnlock()
	if record == nil {
		return
	}
	x := CallRecord{At: began, Took: time.Since(began), Tries: tries, Request: asked, Answer: a}
	if a.Model != "" {
		x.Request.Model = a.Model
	}
	if err != nil {
		x.Failure = errcode.From(err)
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
			x.Failure = errcode.New(errcode.Unavailable, "the answer was stopped").
				With(errcode.KeyReason, ReasonStopped)
		}
	}
	record(x)
}

// ReasonStopped marks an exchange that the caller stopped.
const ReasonStopped = "stopped"

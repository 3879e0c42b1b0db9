package chatagent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/model/llm"
	"agentflow/backend/talk/turns"
)

type asked func()

func (a asked) Respond(_ context.Context, _ llm.Request, tell func(Update) error) (llm.Answer, error) {
	a()
	return llm.Answer{Finish: llm.FinishStop}, tell(Update{Text: "ready"})
}

// TestCH5_TheResponseDelayIsWaited before the model is asked; a stop meanwhile spares the question.
func TestCH5_TheResponseDelayIsWaited(t *testing.T) {
	for name, c := range map[string]struct {
		delay, waits time.Duration
		stop         bool
	}{"none": {0, 0, false}, "as the file says": {250 * time.Millisecond, 250 * time.Millisecond, false}, "no longer than people wait": {time.Hour, MaxDelay, false}, "stopped": {time.Second, 0, true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, times := time.Now(), []time.Duration(nil)
				a := New(Options{
					Room:      "dev",
					Config:    Config{Name: "Ann", Persona: "p", Delay: c.delay},
					Responder: asked(func() { times = append(times, time.Since(begun)) }),
				})
				r := a.newReply(t.Context(), turns.Turn{ID: "turn-1"})
				defer r.cancel(nil)
				if c.stop {
					r.cancel(errors.New("stopped by a person"))
				}
				end := r.think()
				switch {
				case c.stop:
					if end.Outcome != turns.Stopped || len(times) > 0 {
						t.Errorf("%+v, asked %v", end, times)
					}
				case end.Outcome != turns.Answered || end.Text != "ready" || len(times) != 1 || times[0] != c.waits:
					t.Errorf("%+v, asked after %v, want %v", end, times, c.waits)
				}
			})
		})
	}
}

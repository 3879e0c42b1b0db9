package planner_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan/planner"
	"agentflow/backend/store"
)

// panics is a model that panics when it is called.
type panics struct{}

func (panics) Offers(context.Context) []llm.Offer { return nil }

func (panics) Stream(context.Context, llm.Request, func(string) error) (llm.Answer, error) {
	panic("no")
}

// A panic in one planner request fails that request; the machine continues.
func TestTR5_APanicEndsOneQuestionToThePlanner(t *testing.T) {
	s, err := store.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- s.Run(ctx) }()
	machine, err := planner.New(
		t.Context(),
		planner.Options{
			Store:  store.Plans(s),
			Models: panics{},
			Getenv: func(string) string { return "" },
			Logger: slog.New(slog.DiscardHandler),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	go func() { ended <- machine.Run(running) }()
	for range 2 {
		made, err := machine.CreateFromGoal(t.Context(), "p", "a goal", "m/1")
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(time.Minute)
		for {
			whole, err := machine.Get(t.Context(), made.ID)
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("%v: %+v", err, whole.Proposals)
			}
			if p := whole.Proposals[0]; p.State == planner.Failed {
				if p.Failure == nil || p.Failure.Code != errcode.Internal {
					t.Errorf("%+v", p.Failure)
				}
				break
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

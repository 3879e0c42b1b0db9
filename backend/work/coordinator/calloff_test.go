package coordinator_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// CO-4: a silent remote agent is canceled at once, not only with the answer to its next report.
func TestCO4_ACancelReachesAnAgentElsewhere(t *testing.T) {
	a := startAgent(t)
	b := newBench(t, elsewhere("dev-1", a.URL, "DEV_SECRET"))
	sent := b.submit(task.CommandExecution, "sleep", "")
	<-a.came
	if err := b.Cancel(t.Context(), sent.ID); err != nil {
		t.Fatal(err)
	}
	if off := <-a.off; off != string(sent.ID)+" 1" {
		t.Errorf("canceled %q", off)
	}
	if got := b.ended(sent.ID); got.Status != task.Canceled || got.ErrorMessage != coordinator.ErrCancelled.Error() {
		t.Errorf("%+v", got)
	}
}

// A canceled job is canceled at its agent; a hub that stops leaves it running there.
func TestCO4_WhoStopsLeavesTheTaskWithItsAgent(t *testing.T) {
	stopped, cancelled, spent := errors.New("the hub stops"), errors.New("cancelled"), errors.New("over its budget")
	for _, why := range []error{cancelled, spent, stopped} {
		a, reports := startAgent(t), make(chan worker.Report, 1)
		r := &worker.Remote{
			HTTP:    a.Client(),
			URL:     a.URL,
			Secret:  "dev-secret-of-24-bytes-or-more",
			Reports: reports,
			Leave:   stopped,
		}
		ctx, end := context.WithCancelCause(t.Context())
		go func() {
			<-a.came
			if errors.Is(why, spent) {
				reports <- worker.Report{Status: worker.ReportInProgress, Result: json.RawMessage(`{"text":"more"}`)}
				return
			}
			end(why)
		}()
		_, err := r.Run(ctx,
			worker.Job{TaskID: "t/1", Type: "chat", Prompt: "p", Envelope: worker.JobEnvelope{Attempt: 2}},
			func(worker.Update) error { return spent })
		if !errors.Is(err, why) {
			t.Errorf("%v, want %v", err, why)
		}
		if errors.Is(why, stopped) {
			if len(a.off) != 0 {
				t.Errorf("a hub that stops canceled %q", <-a.off)
			}
		} else if off := <-a.off; off != "t/1 2" {
			t.Errorf("%v: canceled %q", why, off)
		}
		end(nil)
	}
}

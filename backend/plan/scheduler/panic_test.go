package scheduler

import (
	"context"
	"testing"

	"agentflow/backend/plan"
)

// A panic in one task fails that task; tasks that don't depend on it continue.
func TestTR5_APanicFailsOneTaskOfAPlan(t *testing.T) {
	p := tasks(t, "a", "b", "c<a")
	stands := map[plan.ID]plan.Status{}
	_, err := Run(t.Context(), Options{Plan: p, Parallel: 1,
		Work: func(_ context.Context, one plan.Task) (Result, error) {
			if one.ID == "a" {
				panic("no")
			}
			return Result{Status: plan.Complete}, nil
		},
		Changed: func(id plan.ID, to Result) error { stands[id] = to.Status; return nil },
	})
	if err != nil || stands["a"] != plan.Failed || stands["b"] != plan.Complete || stands["c"] == plan.Complete {
		t.Errorf("%v, %v", stands, err)
	}
}

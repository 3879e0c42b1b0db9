package rollout_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
)

// OC-4: what is seen while an apply runs isn't kept, and isn't reported as kept. So the next look keeps it, and a loss
// is an alarm. A config that was kept before the hub started is reported as kept, too.
func TestOC4_WhatIsSeenDuringAnApplyIsKeptAfterIt(t *testing.T) {
	t.Parallel()
	d := start(t)
	var mu sync.Mutex
	var told []string
	d.OnKept = func(_, hash string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, hash)
	}
	kept := func(hash string) bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(told, hash)
	}
	_, finish := d.held(true)
	few := openclaw.Snapshot{Hash: "few", Config: json.RawMessage(`{"gateway":{"mode":"local"}}`)}
	see := func() {
		t.Helper()
		if err := d.Saw(t.Context(), office, few, false); err != nil {
			t.Fatal(err)
		}
	}
	see()
	if kept("few") {
		t.Error("it was reported as kept while the apply ran")
	}
	if a := finish(); a.State != rollout.Done {
		t.Fatalf("the apply is %s: %+v", a.State, a.Error)
	}
	see()
	alarm, err := d.Alarm(t.Context(), office)
	if err != nil || alarm == nil || !kept("few") {
		t.Fatalf("alarm: %+v %v, reported as kept: %v", alarm, err, told)
	}
	mu.Lock()
	told = nil
	mu.Unlock()
	if see(); !kept("few") {
		t.Error("what is kept already isn't reported as kept")
	}
}

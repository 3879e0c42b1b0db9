//go:build linux

package planexec_test

import (
	"net/http"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
)

// A used-up budget pauses the plan; it continues with a larger one.
func TestME8_TheBudgetPausesThePlan(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"maxTokens": 1000}), nil)
	if w := s.worked(planner.Paused); w.Work.Failure.Reason() != planner.ReasonTokens || w.Work.Tokens < 1000 {
		t.Errorf("paused: %+v", w.Work)
	}
	s.refused(errcode.Forbidden, planner.ReasonTokens, s.path("resume"), m{})
	s.must(http.MethodPost, s.path("resume"), m{"maxTokens": 1_000_000}, nil)
	if w := s.worked(planner.Ended); w.Work.Tokens > 2*1010+8*120 {
		t.Errorf("the run that used the budget up is counted twice: %+v", w.Work)
	}
	s.merged()
}

// Each call about a task and each run of a worker is saved with its price, and counted in a budget in dollars. Use
// without a price stops a plan with such a budget.
func TestME8_WhatAPlanCostsIsCounted(t *testing.T) {
	s := build(t)
	s.must(http.MethodPost, s.path("run"), s.order(m{"maxUsd": 1}), nil)
	if w := s.worked(planner.Paused); w.Work.Failure.Reason() != planner.ReasonUnpriced {
		t.Fatalf("without prices: %+v", w.Work)
	}
	s.must(http.MethodPut, "/api/prices", m{"model": "stub/*", "input": 100, "output": 1000}, nil)   // 0.03 per call
	s.must(http.MethodPut, "/api/prices", m{"model": "codex-cli/*", "input": 1, "output": 100}, nil) // 0.002 per run
	s.refused(errcode.Forbidden, planner.ReasonUnpriced, s.path("resume"), m{})
	s.must(http.MethodPost, s.path("resume"), m{"maxUsd": 0.05}, nil)
	if w := s.worked(planner.Paused); w.Work.Failure.Reason() != planner.ReasonUSD || w.Work.USD < 0.05 {
		t.Fatalf("with a small budget: %+v", w.Work)
	}
	s.must(http.MethodPost, s.path("resume"), m{"maxUsd": 10}, nil)
	w := s.worked(planner.Ended)
	s.merged()
	var calls struct{ Calls []meta.Call }
	s.must(http.MethodGet, s.path("calls?task="+string(s.two)), nil, &calls)
	if n := len(calls.Calls); n != 3 || calls.Calls[0].Protocol != meta.NextAction || !calls.Calls[0].Priced || calls.Calls[0].CostUSD != 0.03 || calls.Calls[0].Answer == "" {
		t.Errorf("%d calls of two: %+v", n, calls.Calls)
	}
	if w.Work.USD < 5*0.03+2*0.002 || w.Work.USD > 6*0.03+2*0.002+1e-9 || w.Work.Unpriced { // the first calls had no price
		t.Errorf("spent: %+v", w.Work)
	}
}

// An attempt without reported use isn't free: a budget in dollars pauses the plan. The person then sets the cost of
// such an attempt, or accepts that it counts as zero.
func TestME8_ATryThatTellsNothingIsNotFree(t *testing.T) {
	s := build(t)
	s.touch("silent")
	s.must(http.MethodPut, "/api/prices", m{"model": "stub/*", "input": 100, "output": 1000}, nil) // 0.03 per call
	s.must(http.MethodPost, s.path("run"), s.order(m{"maxUsd": 1}), nil)
	w := s.worked(planner.Paused)
	if w.Work.Failure.Reason() != planner.ReasonUntold || w.Work.Untold != 1 || w.Work.USD != 0.03 || w.Work.Unpriced {
		t.Fatalf("after a try that tells nothing: %+v", w.Work)
	}
	s.refused(errcode.Forbidden, planner.ReasonUntold, s.path("resume"), m{})
	s.must(http.MethodPost, s.path("resume"), m{"tryUsd": 0.5}, nil) // also counts the earlier attempt
	if w = s.worked(planner.Paused); w.Work.Failure.Reason() != planner.ReasonUSD || w.Work.Untold != 0 || w.Work.USD < 1 || w.Work.USD > 1.2 {
		t.Fatalf("with a price for a try: %+v", w.Work)
	}
	s.must(http.MethodPost, s.path("resume"), m{"maxUsd": 10}, nil)
	if w = s.worked(planner.Ended); w.Work.USD < 2*0.5+6*0.03-1e-9 || w.Work.USD > 2*0.5+6*0.03+1e-9 || w.Work.Tokens != 6*120 {
		t.Errorf("spent: %+v", w.Work)
	}
	s.merged()
}

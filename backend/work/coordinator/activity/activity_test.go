package activity

import (
	"encoding/json"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/task"
)

// TestAPP4_WhoWorksWaitsOrHasFailed checks what the canvas shows of each agent.
func TestAPP4_WhoWorksWaitsOrHasFailed(t *testing.T) {
	b := New()
	waits := map[topology.AgentID]task.ID{"dev": "t-1"}
	is := func(when string, state AgentState, id task.ID, why string) {
		t.Helper()
		if got := b.Agents(waits); len(got) != 1 || got[0].Agent != "dev" || got[0].State != state || got[0].Task != id || got[0].Why != why {
			t.Errorf("%s it is %+v, want %s at %s", when, got, state, id)
		}
	}
	is("before it has done anything", AgentWaits, "t-1", "")
	one := &task.Task{ID: "t-1"}
	b.Began("dev", one, "pm")
	waits["dev"] = "t-2"
	is("at work, while another waits,", AgentRuns, "t-1", "")
	one.Status, one.Attempts = task.Pending, []task.Attempt{{Agent: "dev", Error: "cut"}}
	b.Ended("dev", "t-1", one)
	is("failed", AgentFailed, "t-1", "cut")
	waits["dev"] = "t-1"
	is("to be tried again", AgentWaits, "t-1", "cut")
	clear(waits)
	two := &task.Task{ID: "t-2", Status: task.Completed}
	b.Began("dev", two, "pm")
	b.Ended("dev", "t-2", two)
	is("done", AgentDone, "t-2", "")
	three := &task.Task{ID: "t-3", Status: task.Canceled, Attempts: []task.Attempt{{Agent: "dev", Error: "canceled"}}}
	b.Began("dev", three, "pm")
	b.Ended("dev", "t-3", three)
	is("canceled", AgentCanceled, "t-3", "canceled")
}

// An agent whose result goes on to a review has done its work, and the reviewer is seen as such.
func TestAPP4_WhoseWorkIsReviewedHasDoneIt(t *testing.T) {
	ended := time.Unix(1, 0)
	one := &task.Task{
		ID:       "t-1",
		Status:   task.InProgress,
		Review:   &task.Review{By: "dev", Result: json.RawMessage(`{}`)},
		Attempts: []task.Attempt{{Agent: "dev", EndedAt: ended}},
	}
	b := New()
	b.Began("dev", &task.Task{ID: "t-1"}, "")
	b.Ended("dev", "t-1", one)
	b.Began("qa", one, "")
	one.Attempts = append(one.Attempts, task.Attempt{Agent: "qa", Review: true})
	got := b.Agents(nil)
	if len(got) != 2 || got[0].State != AgentDone || got[0].Review || got[1].State != AgentRuns || !got[1].Review {
		t.Errorf("they are %+v", got)
	}
	again := New()
	one.Attempts[1].EndedAt = ended
	again.Recall([]task.Task{*one}, func(topology.AgentID) topology.AgentID { return "" })
	if got := again.Agents(nil); len(got) != 2 || got[0].Review || !got[1].Review {
		t.Errorf("after a restart they are %+v", got)
	}
}

// An agent whose permission was revoked during its attempt hasn't failed, also after a restart.
func TestTR1_AnAgentWhoseAttemptWasWithdrawnHasNotFailed(t *testing.T) {
	one := task.Task{ID: "t-1", Status: task.InProgress, Attempts: []task.Attempt{{
		Agent: "dev", EndedAt: time.Unix(1, 0), Error: "no longer allowed",
		Cause: &errcode.Cause{Code: trust.ReasonWaits},
	}}}
	b := New()
	b.Began("dev", &one, "pm")
	b.Ended("dev", "t-1", &one)
	if got := b.Agents(nil); len(got) != 0 {
		t.Errorf("after the revoke: %+v", got)
	}
	b.Recall([]task.Task{one}, func(topology.AgentID) topology.AgentID { return "" })
	if got := b.Agents(nil); len(got) != 0 {
		t.Errorf("after a restart: %+v", got)
	}
}

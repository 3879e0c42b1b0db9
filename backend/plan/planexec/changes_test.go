//go:build linux

package planexec_test

import (
	"net/http"
	"net/url"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/worktree"
	"agentflow/backend/work/inbox"
)

func (s *site) changes(task plan.ID) (out planexec.TaskChanges) {
	s.t.Helper()
	s.must(http.MethodGet, s.path("tasks/"+string(task)+"/changes"), nil, &out)
	return out
}

// ME-8: a task's changes are visible while it runs, while the merge waits for approval, and afterwards: the file
// before and after, and no other file of the computer.
func TestME8_WhatATaskChangesCanBeSeen(t *testing.T) {
	s := build(t)
	s.refused404("tasks/" + string(s.one) + "/changes")
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(m{"askMerges": true}), nil)
	s.atIt()
	s.until("what the worker says", func(w planner.Whole) bool { return w.Progress[s.one].Output != "" })
	if c := s.changes(s.one); !c.Live || c.Attempt != 1 {
		t.Errorf("while it is worked: %+v", c)
	}
	s.must(http.MethodPost, s.path("pause"), nil, nil)
	s.drop("hold")
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	s.answers("merge", `"one"`, inbox.Once)
	s.answers("merge", `"two"`, inbox.Once)
	s.worked(planner.Ended)
	s.merged()
	c := s.changes(s.one)
	if c.Live || len(c.Files) != 1 || c.Files[0] != (worktree.TouchedFile{Path: "one.txt", Kind: "added"}) {
		t.Fatalf("merged: %+v", c)
	}
	var sides worktree.Sides
	s.must(http.MethodGet, s.path("tasks/"+string(s.one)+"/file?path=one.txt"), nil, &sides)
	if sides.Before != "" || sides.After != "one" {
		t.Errorf("%+v", sides)
	}
	s.refused404("tasks/" + string(s.one) + "/file?path=" + url.QueryEscape("../../etc/passwd"))
	s.refused404("tasks/" + string(s.one) + "/changes?attempt=2")
}

func (s *site) refused404(path string) {
	s.t.Helper()
	if err := s.Call(s.t.Context(), http.MethodGet, s.path(path), nil, nil); !errcode.Is(err, errcode.NotFound) {
		s.t.Errorf("%s: %v", path, err)
	}
}

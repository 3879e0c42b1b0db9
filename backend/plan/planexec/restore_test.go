//go:build linux

package planexec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
)

// backup sends octets, or none, to the hub's data routes and returns the answer.
func (s *site) backup(method, path string, body []byte) []byte {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.hub.URL()+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header = s.Header()
	req.Header.Set("Content-Type", "application/octet-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("%s %s: %d %v %s", method, path, res.StatusCode, err, data)
	}
	return data
}

// A plan that ran when a backup was made is announced before the restore. After it the plan is paused, and
// nothing runs until a person resumes it, although it was canceled meanwhile in the database of before.
func TestTR2_F6_ARestoredPlanIsAnnouncedAndPaused(t *testing.T) {
	s := build(t)
	s.touch("hold")
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	pid := s.atIt()
	saved := s.backup(http.MethodGet, "/api/data/backup", nil)
	s.must(http.MethodPost, s.path("cancel"), nil, nil)
	s.gone(pid)
	var staged struct{ Waits struct{ Tasks, Plans int } }
	if err := json.Unmarshal(s.backup(http.MethodPost, "/api/data/staged", saved), &staged); err != nil || staged.Waits.Plans != 1 {
		t.Fatalf("staged: %+v %v", staged, err)
	}
	s.drop("hold")
	var told, size struct{ Round string }
	s.must(http.MethodPost, "/api/data/restore", nil, &told)
	for size.Round == "" || size.Round == told.Round {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := s.Call(ctx, http.MethodGet, "/api/data", nil, &size)
		cancel()
		if err != nil && !errcode.Is(err, errcode.Unavailable) { // its database is being exchanged
			t.Fatal(err)
		}
	}
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	if w.Work == nil || w.Work.State != planner.Paused || status(w, s.one) != plan.Pending {
		t.Fatalf("after the restore: %+v", w.Work)
	}
	<-time.After(time.Second) // enough for a worker to begin
	if _, err := os.Stat(filepath.Join(s.cli, "pid")); err == nil || s.git("ls-files") != "" {
		t.Error("a worker runs that nobody resumed")
	}
	s.must(http.MethodPost, s.path("resume"), m{}, nil)
	s.worked(planner.Ended)
	s.merged()
}

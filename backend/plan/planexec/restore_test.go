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
	"agentflow/backend/plan/planexec"
	"agentflow/backend/plan/planner"
)

// backup calls a data route with binary content and returns the answer.
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

// Staging a backup announces the plans that were running in it. After the restore they are paused until a
// person has seen their orders and runs them. The plan is canceled after the backup, so its state must come from the
// backup.
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
		if err != nil && !errcode.Is(err, errcode.Unavailable) { // while the database is replaced
			t.Fatal(err)
		}
	}
	var w planner.Whole
	s.must(http.MethodGet, "/api/plans/"+string(s.id), nil, &w)
	if w.Work == nil || w.Work.State != planner.Paused || status(w, s.one) != plan.Pending {
		t.Fatalf("after the restore: %+v", w.Work)
	}
	<-time.After(time.Second) // enough for a worker to start
	if _, err := os.Stat(filepath.Join(s.cli, "pid")); err == nil || s.git("ls-files") != "" {
		t.Error("a worker runs, and the plan was not resumed")
	}
	// What a backup says of programs doesn't run before the person has seen it.
	s.refused(errcode.Conflict, planexec.ReasonHeld, s.path("resume"), m{})
	changes := s.path("tasks/" + string(s.one) + "/changes")
	if err := s.Call(t.Context(), http.MethodGet, changes, nil, nil); !errcode.HasReason(err, planexec.ReasonHeld) {
		t.Errorf("the changes of a held run: %v", err)
	}
	s.must(http.MethodPost, s.path("run"), s.order(nil), nil)
	if w := s.worked(planner.Ended); w.Work.Held {
		t.Error("the run is held, although a person has given its order")
	}
	s.merged()
}

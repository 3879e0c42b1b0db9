package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/store/database"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

func (h *hub) octets(method, path string, body []byte) (int, []byte) {
	h.t.Helper()
	return h.send(method, path, "application/octet-stream", body)
}

// round waits until the hub answers after a restore, at the address it had. A call that
// falls into the change of the database is refused, or its connection ends.
func (h *hub) round(after string) {
	h.t.Helper()
	var size struct{ Round string }
	for size.Round == "" || size.Round == after {
		ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
		err := h.client.Call(ctx, http.MethodGet, "/api/data", nil, &size)
		cancel()
		if err != nil && !errcode.Is(err, errcode.Unavailable) {
			h.t.Fatal("GET /api/data:", err)
		}
	}
}

// APP-5: a backup of the running hub, a change, and the backup back in place: in the
// same process, at the same address, with the database of before kept.
func TestAPP5_ABackupIsRestoredWhileTheHubStays(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var d httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"template": "pair", "name": "夜勤"}, &d)
	status, backup := h.octets(http.MethodGet, "/api/data/backup", nil)
	if status != http.StatusOK || !bytes.HasPrefix(backup, []byte("SQLite format 3\x00")) {
		t.Fatalf("backup: %d, %d bytes", status, len(backup))
	}
	h.edit(string(d.ID), func(t *topology.Topology) { t.Agents[0].Name = "Changed" })
	var later httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"template": "hub", "name": "later"}, &later)

	if status, err := h.call(http.MethodPost, "/api/data/restore", nil, nil); status != http.StatusConflict || err.Reason() != "nothing_staged" {
		t.Errorf("restore of nothing: %d %v", status, err)
	}
	status, answer := h.octets(http.MethodPost, "/api/data/staged", []byte("no database"))
	var fail httpapi.ErrorBody
	if err := json.Unmarshal(answer, &fail); err != nil || status != http.StatusBadRequest || fail.Failure.Reason() != "no_database" {
		t.Errorf("rubbish: %d %s", status, answer)
	}
	status, answer = h.octets(http.MethodPost, "/api/data/staged", backup)
	var staged struct {
		Parts []struct {
			Kind  string
			Count int
		}
	}
	if err := json.Unmarshal(answer, &staged); err != nil || status != http.StatusOK || staged.Parts[0].Kind != "teams" || staged.Parts[0].Count != 2 {
		t.Fatalf("staged: %d %s", status, answer)
	}
	for range 2 { // and once more, from what was restored
		var told struct{ Aside, Round string }
		h.must(http.MethodPost, "/api/data/restore", nil, &told)
		h.round(told.Round)
		if got := h.team(string(d.ID)); got.Topology.Agents[0].Name == "Changed" {
			t.Error("the change is still there")
		}
		if status, err := h.call(http.MethodGet, "/api/teams/"+string(later.ID), nil, nil); status != http.StatusNotFound || !errcode.Is(err, errcode.NotFound) {
			t.Errorf("what was drawn later: %d %v", status, err)
		}
		if _, err := os.Stat(filepath.Join(h.dir, told.Aside)); err != nil {
			t.Errorf("the database of before: %v", err)
		}
		h.edit(string(d.ID), func(t *topology.Topology) { t.Agents[0].Name = "Changed" })
		if status, answer := h.octets(http.MethodPost, "/api/data/staged", backup); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	h.must(http.MethodDelete, "/api/data/staged", nil, nil)
	if left, _ := filepath.Glob(filepath.Join(h.dir, "backup-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A clean-up over the API on a real database: nothing is old enough yet, and what is
// asked too much is refused.
func TestAPP5_ACleanUpIsAskedOverTheAPI(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var took struct{ Versions, Snapshots int }
	h.must(http.MethodPost, "/api/data/clean-up/preview", map[string]any{"days": 30, "newest": 50}, &took)
	if took.Versions != 0 || took.Snapshots != 0 {
		t.Errorf("%+v of a new hub", took)
	}
	for _, body := range []map[string]any{{"days": 0, "newest": 50}, {"days": 30, "newest": 1}} {
		if status, err := h.call(http.MethodPost, "/api/data/clean-up", body, nil); status != http.StatusBadRequest {
			t.Errorf("%v: %d %v", body, status, err)
		}
	}
}

// TestTR2_F6_ARestoredBackupRunsNothingByItself: permissions and bindings are dropped, tasks
// wait to be resumed, and all of it is said before.
func TestTR2_F6_ARestoredBackupRunsNothingByItself(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	work := t.TempDir()
	h.applyTeam(shellTeam("Dev", work))
	h.trust()
	id := h.submit("command_execution", "touch ran", nil).TaskID
	h.decide(id, inbox.Always, "")
	h.over(id)
	held := h.submit("command_execution", "touch held", nil).TaskID
	for waits := 0; waits == 0; {
		var waiting struct{ Entries []inbox.Entry }
		h.must(http.MethodGet, "/api/inbox", nil, &waiting)
		waits = len(waiting.Entries)
	}
	_, backup := h.octets(http.MethodGet, "/api/data/backup", nil)
	h.must(http.MethodPost, "/tasks/"+held+"/cancel", nil, nil)
	status, answer := h.octets(http.MethodPost, "/api/data/staged", backup)
	var staged struct {
		Waits struct{ Permissions, Tasks, Plans, Bindings, Agents int }
		Parts []database.Holding
	}
	if err := json.Unmarshal(answer, &staged); err != nil || status != http.StatusOK || staged.Waits.Permissions != 1 || staged.Waits.Tasks != 1 || staged.Waits.Bindings != 1 || staged.Waits.Agents != 1 {
		t.Fatalf("staged: %d %s", status, answer)
	}
	parts := map[string]int64{}
	for _, p := range staged.Parts {
		parts[p.Kind] = p.Count
	}
	if parts["tasks"] != 2 || parts["questions"] != 2 || parts["permissions"] != 1 {
		t.Errorf("in it are %v", parts)
	}
	var told struct{ Round string }
	h.must(http.MethodPost, "/api/data/restore", nil, &told)
	h.round(told.Round)
	if r := h.rules(); len(r) > 0 {
		t.Errorf("permissions came with the backup: %+v", r)
	}
	var got task.Task
	h.must(http.MethodGet, "/tasks/"+held, nil, &got)
	if !got.Held || got.Status.Ended() {
		t.Errorf("the task is not held: %+v", got)
	}
	counts := func(running, paused int) {
		t.Helper()
		var list struct {
			Counts struct {
				Running int `json:"in_progress"`
				Held    int
			}
		}
		h.must(http.MethodGet, "/api/tasks", nil, &list)
		if list.Counts.Running != running || list.Counts.Held != paused {
			t.Errorf("the numbers of tasks are %+v, want %d running and %d held", list.Counts, running, paused)
		}
	}
	counts(0, 1)
	h.trust() // that ended with the restore, too
	h.must(http.MethodPost, "/tasks/"+held+"/resume", nil, nil)
	if status, err := h.call(http.MethodPost, "/tasks/"+held+"/resume", nil, nil); status != http.StatusConflict {
		t.Errorf("resumed twice: %d %v", status, err)
	}
	counts(1, 0)
	h.decide(held, inbox.Once, "")
	if got := h.over(held); got.Status != task.Completed || !exists(filepath.Join(work, "held")) {
		t.Errorf("resumed: %+v", got)
	}
}

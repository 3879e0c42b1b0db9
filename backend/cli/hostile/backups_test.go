package hostile

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// octets sends bytes, and returns the status and the answer.
func (w *world) octets(method, path string, body []byte) (int, []byte) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+ownersToken)
	req.Header.Set("Content-Type", "application/octet-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, data
}

// waiting returns what asks the owner about a task.
func (w *world) waiting(task string) (question string) {
	w.t.Helper()
	w.until("a question", func() bool {
		var in struct{ Entries []struct{ ID, Task string } }
		w.must(http.MethodGet, "/api/inbox", nil, &in)
		for _, q := range in.Entries {
			if q.Task == task {
				question = q.ID
			}
		}
		return question != ""
	})
	return question
}

// backupFor makes a backup on the computer of somebody who allowed everything. A permission covers a
// command; one more of it waits behind a task that asks, which is taken out of the database
// afterwards; a plan is at work. Statements are added last.
func backupFor(t *testing.T, victim *world, statements ...string) (backup []byte, task string) {
	t.Helper()
	w := newWorld(t)
	w.run()
	w.config(victim.fill(asking))
	w.trust()
	command := victim.fill("touch PWNED {{mark}}")
	task = w.submit(suspect, "command_execution", command)
	always := map[string]any{"choice": "always", "standing": map[string]any{"until": "revoked"}}
	w.must(http.MethodPost, "/api/inbox/"+w.waiting(task)+"/answer", always, nil)
	w.over(task)
	if status, said := w.over(w.submit(suspect, "command_execution", command)); status != "completed" {
		t.Fatal("what the permission covers is", status, said)
	}
	if err := os.Remove(victim.mark()); err != nil {
		t.Fatal(err)
	}
	blocks := w.submit(suspect, "command_execution", "id")
	w.waiting(blocks)
	task = w.submit(suspect, "command_execution", command)
	w.must(http.MethodPost, "/api/plans", map[string]any{"name": "Handy"}, nil)
	status, data := w.octets(http.MethodGet, "/api/data/backup", nil)
	if status != http.StatusOK {
		t.Fatalf("no backup: %d %s", status, data)
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	work := `{"folder":"` + victim.marks + `","worker":"codex-cli","command":"touch","parallel":1,"state":"working"}`
	for _, s := range append([]string{
		"DELETE FROM tasks WHERE id = '" + blocks + "'", "DELETE FROM questions WHERE waiting",
		"UPDATE plans SET body = json_set(body, '$.work', json('" + work + "'))", "PRAGMA journal_mode = DELETE",
	}, statements...) {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	return data, task
}

const asking = "agents:\n  suspect: {name: Helper, model: demo/echo, " +
	"workspace: \"{{marks}}\", tools: {allow: [shell, files]}}\n"

// TestTR1_F6_ABackupOfAStrangerDoesNothing: a permission, a waiting command that it covers, and a
// plan at work come with a backup. They are counted before the restore; after it none of them acts,
// also after a restart, until the owner allows the agent, resumes the task and answers its question.
func TestTR1_F6_ABackupOfAStrangerDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	backup, task := backupFor(t, w)
	w.run()
	w.config(w.fill(asking))
	w.trust() // the owner has the same team, and allowed it
	w.before = w.look()
	status, answer := w.octets(http.MethodPost, "/api/data/staged", backup)
	var staged struct {
		Waits struct{ Permissions, Tasks, Plans, Bindings int }
	}
	if err := json.Unmarshal(answer, &staged); err != nil || status != http.StatusOK {
		t.Fatalf("staged: %d %s", status, answer)
	}
	if got := staged.Waits; got.Permissions != 1 || got.Tasks != 1 || got.Plans != 1 || got.Bindings != 1 {
		t.Errorf("before the restore it says %+v", got)
	}
	w.nothing("it was staged")
	w.must(http.MethodPost, "/api/data/restore", nil, nil)
	w.until("the restored hub", func() bool {
		var got struct{ Agents []standing }
		err := w.ask(http.MethodGet, "/api/trust/local", nil, &got)
		return err == nil && len(got.Agents) == 1 && got.Agents[0].State == "asked"
	})
	stand := func(after, reason string) {
		t.Helper()
		var rules, plans json.RawMessage
		w.must(http.MethodGet, "/api/inbox/rules", nil, &rules)
		w.must(http.MethodGet, "/api/plans", nil, &plans)
		if strings.Contains(string(rules), suspect) {
			t.Errorf("after %s permissions are there: %s", after, rules)
		}
		if !strings.Contains(string(plans), `"paused"`) {
			t.Errorf("after %s the plan isn't paused: %s", after, plans)
		}
		if got := w.waits(task); got != reason {
			t.Errorf("after %s the task waits for %q, want %q", after, got, reason)
		}
		w.nothing(after)
	}
	stand("the restore", "restored")
	w.restart()
	stand("a restart", "restored")
	w.must(http.MethodPost, "/tasks/"+task+"/resume", nil, nil)
	stand("the task was resumed", "trust")
	w.trust()
	w.waiting(task) // the permission is gone
	if there(w.mark()) {
		t.Error("it ran unasked")
	}
	w.agree()
	runs(w, nil)
}

// TestTR1_F6_ABackupWithAProgramIsRefused: triggers and views would run within the database.
func TestTR1_F6_ABackupWithAProgramIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run()
	w.config("agents: {}\n")
	w.before = w.look()
	for what, statement := range map[string]string{
		"a trigger": "CREATE TRIGGER odd AFTER INSERT ON tasks BEGIN DELETE FROM questions; END",
		"a view":    "CREATE VIEW odd AS SELECT * FROM tasks",
	} {
		backup, _ := backupFor(t, w, statement)
		status, answer := w.octets(http.MethodPost, "/api/data/staged", backup)
		if status != http.StatusBadRequest || !strings.Contains(string(answer), `"reason":"program_inside"`) {
			t.Errorf("%s: %d %s", what, status, answer)
		}
		if err := w.ask(http.MethodPost, "/api/data/restore", nil, nil); reason(err) != "nothing_staged" {
			t.Errorf("%s: restored: %v", what, err)
		}
		w.nothing(what)
	}
	backup, _ := backupFor(t, w) // without them it is taken
	if status, answer := w.octets(http.MethodPost, "/api/data/staged", backup); status != http.StatusOK {
		t.Errorf("%d %s", status, answer)
	}
}

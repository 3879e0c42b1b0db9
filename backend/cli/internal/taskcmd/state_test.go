package taskcmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// A task that a person canceled has not failed.
func TestACanceledTaskHasNotFailed(t *testing.T) {
	if got := statusWord(task.Canceled); !reflect.DeepEqual(got, i18n.T("canceled")) {
		t.Errorf("canceled: %+v", got)
	}
	if got := statusWord(task.Failed); !reflect.DeepEqual(got, i18n.T("failed")) {
		t.Errorf("failed: %+v", got)
	}
}

// A task that waits for trust again isn't in progress, and its status in JSON stays as documented.
func TestTR1_ATaskThatWaitsAgainIsNotInProgress(t *testing.T) {
	waits := &coordinator.Waits{Reason: coordinator.WaitsForTrust}
	for _, c := range []struct {
		status task.Status
		waits  *coordinator.Waits
		want   string
	}{
		{task.InProgress, waits, "waiting"},
		{task.InProgress, nil, "in_progress"},
		{task.Pending, waits, "pending"},
	} {
		d := coordinator.Detail{Task: task.Task{Status: c.status}, Waits: c.waits}
		if got := standing(d); !reflect.DeepEqual(got, i18n.T(c.want)) {
			t.Errorf("%s, waits %v: %+v", c.status, c.waits, got)
		}
	}
	var out bytes.Buffer
	p := program{Shell: &shell.Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &out, Err: &out}}}}
	p.show(coordinator.Detail{Task: task.Task{ID: "t", Type: task.Chat, Status: task.InProgress}, Waits: waits})
	if !strings.HasPrefix(out.String(), "t  chat  waiting  0 %") {
		t.Errorf("task status prints %q", out.String())
	}
	text, err := json.Marshal(coordinator.Detail{Task: task.Task{Status: task.InProgress}, Waits: waits})
	if err != nil || !strings.Contains(string(text), `"status":"in_progress"`) {
		t.Errorf("JSON: %s %v", text, err)
	}
}

// A program gets one answer, that of the last attempt. A person at a terminal sees every attempt as it runs.
func TestFollow_PrintsTheAnswerOfTheLastAttempt(t *testing.T) {
	const tried = "attempt 1 failed: the model stopped\ntrying again: attempt 2, dev-1\nqa reviews the result\n"
	for _, c := range []struct {
		whole bool
		end   task.Event
		out   string
		errs  string
	}{
		{true, task.Event{Status: task.Completed, Result: []byte(`{"text":"Good."}`)}, "Good.\n", tried},
		{false, task.Event{Status: task.Completed, Result: []byte(`{"text":"Good."}`)}, "Bad, and\nGood.\n", tried},
		{true, task.Event{Status: task.Failed, ErrorMessage: "no more"}, "",
			tried + "agentflow: the task failed: no more\n"},
	} {
		var out, errs bytes.Buffer
		p := program{Shell: &shell.Shell{Screen: &term.Screen{Stdio: term.Stdio{Out: &out, Err: &errs}}}}
		f := &follower{program: p, whole: c.whole}
		c.end.Type = task.EventEnd
		for _, e := range []task.Event{
			{Type: task.EventStatus, Status: task.InProgress, Agent: "dev-1", Attempt: 1},
			{Type: task.EventDelta, Text: "Bad, and"},
			{Type: task.EventLog, Text: "attempt 1 failed: the model stopped"},
			{Type: task.EventStatus, Status: task.InProgress, Agent: "dev-1", Attempt: 2},
			{Type: task.EventDelta, Text: "Good."},
			{Type: task.EventStatus, Status: task.InProgress, Agent: "qa", Attempt: 3, Review: true},
			{Type: task.EventDelta, Text: "I agree."},
			c.end,
		} {
			data, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.event("", data); err != nil && !errors.Is(err, errEnd) {
				t.Fatal(err)
			}
		}
		err := f.outcome()
		done := c.end.Status == task.Completed
		if (err == nil) != done || out.String() != c.out || errs.String() != c.errs {
			t.Errorf("whole %v: %v, %q, %q", c.whole, err, out.String(), errs.String())
		}
	}
}

// A reader of Japanese reads why a task failed in Japanese, if its cause has a text and all that the text names.
func TestFollow_SaysTheCauseInTheReadersLanguage(t *testing.T) {
	key := &errcode.Cause{Code: "bad_key"}
	spent := &errcode.Cause{Code: "budget_seconds", Params: map[string]string{"used": "20"}} // the limit is missing
	var errs bytes.Buffer
	screen := &term.Screen{Stdio: term.Stdio{Out: io.Discard, Err: &errs}, Language: i18n.Japanese}
	p := program{Shell: &shell.Shell{Screen: screen}}
	f := &follower{program: p, whole: true}
	for _, e := range []task.Event{
		{Type: task.EventLog, Text: "attempt 1 failed: the key was refused", Cause: key},
		{Type: task.EventLog, Text: "attempt 2 failed: 20 seconds", Cause: spent},
		{Type: task.EventLog, Text: `uses get_weather {"city":"札幌"}`},
		{Type: task.EventLog, Text: "uses shell_exec"},
		{Type: task.EventLog, Text: "get_weather failed: a person denied this and replied: no"},
		{Type: task.EventLog, Text: "cp failed: no such file"},
		{Type: task.EventLog, Text: "it uses another line"},
		{
			Type: task.EventLog, Text: "qa did not accept the work of dev: no tests",
			Cause: task.Verdict(false, "qa", "dev", "no tests"),
		},
		{Type: task.EventEnd, Status: task.Failed, ErrorMessage: "the key was refused", Cause: key},
	} {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.event("", data); err != nil && !errors.Is(err, errEnd) {
			t.Fatal(err)
		}
	}
	_ = f.outcome()
	const refused = "モデルのプロバイダーがAPIキーを拒否しました。"
	want := "試行1が失敗しました: " + refused + "\n試行2が失敗しました: 20 seconds\n" +
		"get_weatherを使用 {\"city\":\"札幌\"}\nshell_execを使用\n" +
		"get_weatherを使用できませんでした: 確認した人が拒否しました。返信: no\n" +
		"cpを使用できませんでした: no such file\nit uses another line\n" +
		"qaがdevの結果を差し戻しました: no tests\nagentflow: タスクは失敗しました: " + refused + "\n"
	if errs.String() != want {
		t.Errorf("got %q, want %q", errs.String(), want)
	}
}

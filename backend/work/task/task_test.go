package task

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

func valid() Task {
	return Task{ID: "t", SessionID: "s", Type: Chat, Prompt: "hello"}
}

func TestCO3_ATaskThatCannotBeMeantIsRefused(t *testing.T) {
	for _, c := range []struct {
		field  string
		change func(*Task)
	}{
		{"sessionId", func(t *Task) { t.SessionID = "" }},
		{"sessionId", func(t *Task) { t.SessionID = strings.Repeat("x", 201) }},
		{"userPrompt", func(t *Task) { t.Prompt = "" }},
		{"userPrompt", func(t *Task) { t.Prompt = "\xff" }},
		{"userPrompt", func(t *Task) { t.Prompt = strings.Repeat("x", MaxPrompt+1) }},
		{"taskType", func(t *Task) { t.Type = "" }},
		{"taskType", func(t *Task) { t.Type = "CHAT" }},
		{"context", func(t *Task) { t.Context = json.RawMessage(`[]`) }},
		{"context", func(t *Task) { t.Context = json.RawMessage(`{"priority":"high"}`) }},
		{"context", func(t *Task) { t.Context = json.RawMessage(`{"priority":101}`) }},
		{"context", func(t *Task) { t.Context = json.RawMessage(`{"timeoutSec":-1}`) }},
	} {
		task := valid()
		c.change(&task)
		err := task.Validate()
		if e := errcode.From(err); err == nil || e.Code != errcode.Validation || e.Details[errcode.KeyField] != c.field {
			t.Errorf("%+v: %v, want a refusal of %s", task, err, c.field)
		}
	}
	task := valid()
	task.Context = json.RawMessage(`{"cwd":"/x","anything":[1],"agent":"dev-1"}`)
	if err := task.Validate(); err != nil {
		t.Error(err)
	}
}

// TestCO4_StatusOnlyMovesForward throws random steps at a task.
func TestCO4_StatusOnlyMovesForward(t *testing.T) {
	order := map[Status]int{Pending: 0, InProgress: 1, Completed: 2, Failed: 2}
	dice := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		task := Accepted(valid())
		events := []Event{task.First()}
		at := time.Unix(0, 0)
		for range 30 {
			at = at.Add(time.Second)
			s := Step{At: at}
			switch dice.IntN(8) {
			case 0:
				s.Start = "dev-1"
			case 1:
				s.Failed = "died"
			case 2:
				s.Progress = dice.Float64() * 150
			case 3, 4:
				s.Text = "piece"
			case 5:
				s.Log = "line"
			case 6:
				if dice.IntN(4) == 0 {
					s.Result = json.RawMessage(`{"a":1}`)
				}
			default:
				if dice.IntN(4) == 0 {
					s.Error = "no"
				}
			}
			next, more, err := Advance(task, s)
			if task.Status.Ended() {
				if !errcode.Is(err, errcode.Conflict) || len(more) > 0 {
					t.Fatalf("a task that has ended took %+v", s)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if order[next.Status] < order[task.Status] || next.Progress < task.Progress || next.Progress > 100 {
				t.Fatalf("%s %v became %s %v", task.Status, task.Progress, next.Status, next.Progress)
			}
			task = next
			events = append(events, more...)
		}
		for i, e := range events {
			if e.Seq != int64(i+1) || (e.Type == EventEnd) != (i == len(events)-1 && task.Status.Ended()) {
				t.Fatalf("event %d of %d: %+v", i, len(events), e)
			}
		}
		if (task.Result != nil) != (task.Status == Completed) || (task.ErrorMessage != "") != (task.Status == Failed) {
			t.Fatalf("%+v", task)
		}
	}
}

func TestAdvanceLeavesTheOldTaskAlone(t *testing.T) {
	task := Accepted(valid())
	one, _, _ := Advance(task, Step{Start: "a"})
	two, _, _ := Advance(one, Step{Failed: "x"})
	if one.Attempts[0].Error != "" || two.Attempts[0].Error != "x" || len(task.Attempts) != 0 {
		t.Errorf("%v %v %v", task.Attempts, one.Attempts, two.Attempts)
	}
	if _, _, err := Advance(task, Step{Result: json.RawMessage(`"text"`)}); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a result that isn't an object: %v", err)
	}
}

func TestASummaryIsShort(t *testing.T) {
	task := valid()
	task.Prompt = "\n  " + strings.Repeat("長", 400) + "\nrest"
	task.Context = json.RawMessage(`{"agent":"dev-1"}`)
	s := task.Summary()
	if n := len([]rune(s.Title)); n != 160 || s.Title[len(s.Title)-3:] != "…" || s.Agent != "dev-1" || s.Attempts != 0 || !s.StartedAt.IsZero() {
		t.Errorf("%d %+v", n, s)
	}
	task, _, _ = Advance(task, Step{Start: "dev-2", At: time.Unix(7, 0)})
	task, _, _ = Advance(task, Step{Error: strings.Repeat("x", 400)})
	if s := task.Summary(); s.Agent != "dev-2" || s.Attempts != 1 || len([]rune(s.ErrorMessage)) != 300 || s.StartedAt.Unix() != 7 {
		t.Errorf("%+v", s)
	}
}

// CO-3: a review isn't an attempt at the work, and neither is the work that it asks for.
func TestCO3_AReviewIsNoAttempt(t *testing.T) {
	task := valid()
	failed, review := Attempt{Agent: "dev-1", Error: "x"}, Attempt{Agent: "qa", Review: true}
	done := Attempt{Agent: "dev-1"}
	task.Attempts = []Attempt{done, review}
	if s := task.Summary(); s.Attempts != 1 || s.Rejections != 0 {
		t.Errorf("reviewed once: %+v", s)
	}
	task.Review = &Review{Refusals: []Refusal{{Reviewer: "qa"}}}
	task.Attempts = []Attempt{failed, done, review, done, review}
	if s := task.Summary(); s.Attempts != 2 || s.Rejections != 1 {
		t.Errorf("rejected once: %+v", s)
	}
}

// A reviewer's attempt is the last one, but the work is not the reviewer's.
func TestCO3_TheAgentOfATaskIsTheOneThatWorks(t *testing.T) {
	task := valid()
	task.Attempts = []Attempt{{Agent: "dev-1"}, {Agent: "qa", Review: true}}
	if got := task.Summary().Agent; got != "dev-1" {
		t.Errorf("it is %q", got)
	}
	task.Attempts = task.Attempts[1:]
	task.Context = json.RawMessage(`{"agent":"dev-2"}`)
	if got := task.Summary().Agent; got != "dev-2" {
		t.Errorf("without a first attempt it is %q", got)
	}
}

// TestCO3_WishesFollowTheContext checks that options are parsed once, and again when the context changes.
func TestCO3_WishesFollowTheContext(t *testing.T) {
	one := valid()
	one.Context = json.RawMessage(`{"agent":"a","priority":3}`)
	if err := one.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, context := range []string{"", `{"agent":"a","priority":3}`, `{"agent":"b","priority":4}`, `{}`} {
		want := Options{Agent: "a", Priority: 3}
		if context != "" {
			one.Context, want = json.RawMessage(context), Options{}
			if err := json.Unmarshal(one.Context, &want); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := one.Options(); err != nil || got != want {
			t.Errorf("of %s: %+v, %v, want %+v", one.Context, got, err, want)
		}
	}
	one.Context = nil
	if got, err := one.Options(); err != nil || got != (Options{}) {
		t.Errorf("of none: %+v, %v", got, err)
	}
}

// A list tells that a command failed, although its task is completed.
func TestCO4_TheSummaryTellsHowACommandEnded(t *testing.T) {
	for _, c := range []struct {
		kind   Type
		status Status
		result string
		code   int
		late   bool
	}{
		{CommandExecution, Completed, `{"command":"make","exitCode":3}`, 3, false},
		{CommandExecution, Completed, `{"command":"make","exitCode":-1,"timedOut":true}`, -1, true},
		{CommandExecution, Completed, `{"command":"make","exitCode":0}`, 0, false},
		{CommandExecution, Completed, `["of an agent elsewhere"]`, 0, false},
		{CommandExecution, Failed, ``, 0, false},
		{CommandExecution, InProgress, ``, 0, false},
		{Chat, Completed, `{"exitCode":3}`, 0, false},
	} {
		task := Task{Type: c.kind, Status: c.status, Result: json.RawMessage(c.result), Held: true}
		if s := task.Summary(); s.Held == c.status.Ended() {
			t.Errorf("%s: paused is %v", c.status, s.Held)
		}
		if s := task.Summary(); s.ExitCode != c.code || s.TimedOut != c.late {
			t.Errorf("%s %s %s: exit code %d, timed out %v", c.kind, c.status, c.result, s.ExitCode, s.TimedOut)
		}
	}
}

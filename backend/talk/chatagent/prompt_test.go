package chatagent

import (
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// CH-5: the model gets the persona, and no more of the history than the file permits.
func TestCH5_TheHistoryIsBounded(t *testing.T) {
	a := New(Options{Room: "dev", Config: Config{Name: "Ann", Persona: "You plan.", Role: "Planner", History: 3}})
	for i, line := range []string{"human: one", "Ben: two", "Ann: three", "human: four", "Ben: five", "human: too new"} {
		sender, text, _ := strings.Cut(line, ": ")
		a.Heard(room.Message{ID: int64(i + 1), Sender: sender, Text: text, Type: room.Chat})
	}
	a.Heard(room.Message{ID: 7, Sender: "Ben", Text: "Ben could not answer", Type: room.System})
	r := a.request(turns.Turn{ID: "turn-5", UpTo: 5})
	if len(r.Messages) != 2 || r.Messages[0].Role != llm.RoleAssistant || r.Messages[0].Text != "three" || r.Messages[1].Text != "human: four\n\nBen: five" {
		t.Fatalf("told %+v", r.Messages)
	}
	for _, want := range []string{"You plan.\n\n", "You are Ann (Planner)", "human, Ben", "SKIP"} {
		if !strings.Contains(r.System, want) {
			t.Errorf("%q is not in %q", want, r.System)
		}
	}
	last := a.request(turns.Turn{ID: "turn-3-last", UpTo: 3, WrapUp: true})
	if n := len(last.Messages); last.Messages[n-1].Role != llm.RoleUser || strings.Contains(last.System, "SKIP") || !strings.Contains(last.System, "sum up") {
		t.Errorf("told %+v, %q", last.Messages, last.System)
	}
	if alone := a.request(turns.Turn{}); len(alone.Messages) != 1 || alone.Messages[0].Role != llm.RoleUser {
		t.Errorf("without a history: %+v", alone.Messages)
	}
	for i := range 1000 {
		a.Heard(room.Message{ID: int64(i + 10), Sender: "human", Text: "x", Type: room.Chat})
	}
	if len(a.history) > 12 {
		t.Errorf("it keeps %d messages", len(a.history))
	}
}

// CH-12: a model reads which message its turn is for, if newer ones follow it.
func TestCH12_TheModelIsToldWhichMessageItsTurnIsFor(t *testing.T) {
	const long = maxQuote + 1
	toldFor := func(text string) string {
		return "Your turn is for this message from Ann:\n\n" + text +
			"\n\nThe messages after it are yours or for others."
	}
	for name, c := range map[string]struct {
		first, then, turn string
		want              string
	}{
		"the newest":     {"I am Ann", "human: @Ben go", "turn-2", "Ann: I am Ann\n\nhuman: @Ben go"},
		"an older one":   {"I am Ann", "human: @Ann go", "turn-1.2", toldFor("I am Ann")},
		"before its own": {"I am Ann", "Ben: I am Ben", "turn-1", toldFor("I am Ann")},
		"a long one": {
			strings.Repeat("長", long), "human: @Ann go", "turn-1", toldFor(strings.Repeat("長", maxQuote) + "…"),
		},
		"one that is gone": {"I am Ann", "Ben: I am Ben", "turn-0", "Go on."},
		"the end of it":    {"I am Ann", "human: @Ann go", "turn-1-last", "Sum up now and end the conversation."},
	} {
		a := New(Options{Room: "dev", Config: Config{Name: "Ben"}})
		a.Heard(room.Message{ID: 1, Sender: "Ann", Text: c.first, Type: room.Chat})
		sender, text, _ := strings.Cut(c.then, ": ")
		a.Heard(room.Message{ID: 2, Sender: sender, Text: text, Type: room.Chat})
		r := a.request(turns.Turn{ID: c.turn, UpTo: 2, WrapUp: strings.HasSuffix(c.turn, "-last")})
		if got := r.Messages[len(r.Messages)-1]; got.Role != llm.RoleUser || got.Text != c.want {
			t.Errorf("%s: the model reads %q", name, got.Text)
		}
	}
}

// CH-12: models read that a stopped answer isn't finished, their own and those of others.
func TestCH12_AStoppedAnswerIsToldAsUnfinished(t *testing.T) {
	for _, name := range []string{"Ann", "Ben"} {
		a := New(Options{Room: "dev", Config: Config{Name: name}})
		stopped := &errcode.Cause{Code: room.CauseStopped}
		a.Heard(room.Message{ID: 1, Sender: "Ann", Text: "Half", Type: room.Chat, Cause: stopped})
		a.Heard(room.Message{ID: 2, Sender: "human", Text: "Go on", Type: room.Chat})
		r := a.request(turns.Turn{ID: "turn-2", UpTo: 2})
		if len(r.Messages) == 0 || !strings.Contains(r.Messages[0].Text, "Half […]\n(A person stopped this") {
			t.Errorf("%s reads %+v", name, r.Messages)
		}
	}
}

// A call counts for the agent of the team, whose tasks count for it too, not for its name in the room.
func TestARoomsCallCountsForTheAgent(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{{Config{Name: "Ann", AgentID: "lead"}, "lead"}, {Config{Name: "Ann"}, "Ann"}} {
		r := New(Options{Room: "dev", Config: c.config}).request(turns.Turn{})
		if r.Agent != c.want || r.For != "room:dev" {
			t.Errorf("%+v: a call of %q for %q", c.config, r.Agent, r.For)
		}
	}
}

// What may still turn out to be nothing, or a name, is not shown; pieces only ever grow.
func TestCleanWords(t *testing.T) {
	for text, want := range map[string]string{
		"SKIP": "SKIP", "Ann: Hello": "Hello", "**Ann:** Hello": "Hello", "Ann：やあ": "やあ", "Skipping this": "Skipping this",
		"\n Annabel came \n": "Annabel came", "Hello Ann: you": "Hello Ann: you", "": "",
	} {
		shown := ""
		for i := range text + "." {
			piece := clean("Ann", text[:i], false)
			if !strings.HasPrefix(piece, shown) {
				t.Fatalf("%q: %q was shown, then %q", text, shown, piece)
			}
			shown = piece
		}
		got := clean("Ann", text, true)
		if got != want || !strings.HasPrefix(strings.TrimRight(shown, " \n"), strings.TrimRight(shown, " \n")) || isSkip(got) != (want == "SKIP" || want == "") {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if want == "SKIP" && shown != "" {
			t.Errorf("%q was shown", shown)
		}
	}
	for _, nothing := range []string{"skip", "SKIP.", "「SKIP」", "**SKIP**"} {
		if !isSkip(nothing) {
			t.Errorf("%q is an answer", nothing)
		}
	}
}

// CH-4: every field of the file counts.
func TestCH4_EveryFieldOfTheFileCounts(t *testing.T) {
	f, err := ReadFile([]byte(`
agents:
  - name: Planner
    model: gpt-5
    persona: |
      You plan.
    tools: [llm-code]
    temperature: 0
    max_tokens: 500
    options: {google_search: 1, nested: {a: [1, two]}}
    colour: red
  - {name: 調査役, model: ollama/qwen3, persona: x}
common_settings: {chat_history_limit: 7, response_delay_ms: 250}
`), "agents.yml")
	if err != nil || len(f.Agents) != 2 || len(f.Unknown) != 1 || f.Unknown[0].Line != 11 {
		t.Fatalf("%+v, %v", f, err)
	}
	a := f.Agents[0]
	if a.Name != "Planner" || a.Model != "gpt-5" || a.Persona != "You plan.\n" || len(a.Tools) != 1 || *a.Temperature != 0 || a.MaxTokens != 500 ||
		a.History != 7 || a.Delay != 250*time.Millisecond ||
		string(a.Options["google_search"]) != "1" ||
		string(a.Options["nested"]) != `{"a":[1,"two"]}` {
		t.Errorf("%+v", a)
	}
	if f.Agents[1].Temperature != nil || f.Agents[1].Name != "調査役" {
		t.Errorf("%+v", f.Agents[1])
	}
	_, err = ReadFile([]byte("agents:\n  - {name: \"a\\u200bb\", model: m, persona: p}\n"), "agents.yml")
	if e := errcode.From(err); e.Code != errcode.Validation || e.Details[errcode.KeyLine] != 2 || !strings.HasPrefix(e.Message, "agents.yml:2: ") {
		t.Errorf("a name that cannot be one: %v", err)
	}
}

// An agents.yml needs no persona: the agent is then told who it is and where, as the reference says.
func TestCH4_AnAgentWithoutAPersonaIsToldWhoItIs(t *testing.T) {
	file, err := ReadFile([]byte("agents:\n  - {name: Ann, model: demo/echo}\n"), "agents.yml")
	if err != nil {
		t.Fatal(err)
	}
	if got := system(file.Agents[0], "dev", nil, false); !strings.HasPrefix(got, "You are Ann, in the chat room dev.") {
		t.Error(got)
	}
}

package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

// The demo plays a Coordinator: it delegates a part of the task to each of up to three agents, and then puts their
// answers together, in the language of the task.
func TestTheDemoSplitsATask(t *testing.T) {
	offered := []Tool{{Name: "file_read"}, {Name: demoGive, Schema: json.RawMessage(
		`{"type":"object","properties":{"agent":{"type":"string","enum":["a","b","c","d"]},"task":{}}}`)}}
	for question, want := range map[string][2]string{
		"Build a shop": {"Your part of: Build a shop", "The results of the parts:"},
		"店を作って":        {"担当分：店を作って", "タスクを分けて依頼した結果："},
	} {
		ask := func(messages []Message) Answer {
			t.Helper()
			r := Request{Model: demoModel, Tools: offered, Messages: messages}
			a, err := demo{}.Stream(t.Context(), r, func(string) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		messages := []Message{{Role: RoleUser, Text: question}}
		a := ask(messages)
		if len(a.Calls) != 3 || a.Finish != FinishCalls {
			t.Fatalf("%+v", a)
		}
		messages = append(messages, Message{Role: RoleAssistant, Calls: a.Calls})
		for i, c := range a.Calls {
			var given struct{ Agent, Task string }
			err := json.Unmarshal([]byte(c.Arguments), &given)
			if err != nil || given.Agent != string(rune('a'+i)) || !strings.Contains(given.Task, want[0]) {
				t.Errorf("%+v, %v", given, err)
			}
			messages = append(messages, Message{Role: RoleTool, Call: c, Text: "part of " + given.Agent})
		}
		a = ask(messages)
		if len(a.Calls) != 0 || !strings.Contains(a.Text, want[1]) || !strings.Contains(a.Text, "**b**: part of b") {
			t.Errorf("%+v", a)
		}
	}
}

// Without the tool, and as a reviewer, the demo answers itself.
func TestTheDemoAnswersItself(t *testing.T) {
	for _, tools := range [][]Tool{nil, {{Name: "file_read"}}, {{Name: demoGive, Schema: json.RawMessage("1")}}} {
		r := Request{Model: demoModel, Tools: tools, Messages: []Message{{Role: RoleUser, Text: "Hello"}}}
		a, err := demo{}.Stream(t.Context(), r, func(string) error { return nil })
		if err != nil || len(a.Calls) > 0 {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

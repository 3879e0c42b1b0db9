package client

import (
	"encoding/json"
	"testing"
)

// What tools did comes under two families of names, in parts or in separate messages;
// it comes out as one part with the tool's input and output.
func TestGW9_ToolsAreEvenedOut(t *testing.T) {
	for name, raw := range map[string]string{
		"a separate message": `[{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"toolCall","id":"c1","name":"exec","arguments":{"command":"ls"}}]},
			{"role":"toolResult","toolCallId":"c1","toolName":"exec","isError":false,"content":[{"type":"text","text":"a.txt"}]}]`,
		"a part": `[{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"exec","input":{"command":"ls"}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a.txt"}]}]`,
	} {
		t.Run(name, func(t *testing.T) {
			var rows []messageRow
			if err := json.Unmarshal([]byte(raw), &rows); err != nil {
				t.Fatal(err)
			}
			got := history(rows)
			if len(got) != 1 || len(got[0].Content) != 2 || got[0].Text() != "I look." {
				t.Fatalf("history %+v", got)
			}
			if p := got[0].Content[1]; p.Type != PartTool || p.Name != "exec" || p.Input != `{"command":"ls"}` || p.Output != "a.txt" || p.Failed || !p.Done {
				t.Errorf("part %+v", p)
			}
		})
	}
}

// A result whose call is further back than what was asked for is not lost.
func TestGW9_AToolsResultWithoutItsCall(t *testing.T) {
	var rows []messageRow
	if err := json.Unmarshal([]byte(`[{"role":"toolResult","toolCallId":"c0","toolName":"exec","isError":true,"content":"no such file"}]`), &rows); err != nil {
		t.Fatal(err)
	}
	got := history(rows)
	if len(got) != 1 || len(got[0].Content) != 1 || got[0].Content[0].Output != "no such file" || !got[0].Content[0].Failed || got[0].Content[0].Name != "exec" {
		t.Fatalf("history %+v", got)
	}
}

// An answer that was stopped stays marked in the history, however its gateway marks it.
func TestGW5_AStoppedAnswerIsMarked(t *testing.T) {
	var rows []messageRow
	if err := json.Unmarshal([]byte(`[{"role":"assistant","content":"half","state":"aborted"},
		{"role":"assistant","content":[{"type":"text","text":"half"}],"openclawAbort":{"aborted":true,"origin":"rpc"}},
		{"role":"assistant","content":"whole","state":"","openclawAbort":{"aborted":false}},
		{"role":"assistant","content":"whole","state":{"aborted":true},"openclawAbort":true},
		{"role":"assistant","content":"whole"}]`), &rows); err != nil {
		t.Fatal(err)
	}
	for i, m := range history(rows) {
		if want := m.Text() == "half"; m.Stopped != want {
			t.Errorf("message %d: stopped %v, want %v", i, m.Stopped, want)
		}
	}
}

package client

import (
	"encoding/json"
	"slices"
	"strings"
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

// Rows as OpenClaw 2026.2.26 gave them after a stop.
func TestGW9_AStoppedAnswerIsThereOnce(t *testing.T) {
	const (
		asked  = `{"role":"user","content":[{"type":"text","text":"go"}]}`
		marked = `{"role":"assistant","content":[{"type":"text","text":"one two"}],"openclawAbort":{"aborted":true}}`
		model  = `{"role":"assistant","content":[{"type":"text","text":"one two three"}],"stopReason":"aborted"}`
		other  = `{"role":"assistant","content":[{"type":"text","text":"something else"}],"stopReason":"aborted"}`
		odd    = `{"role":"assistant","content":[{"type":"text","text":"one two"}],"stopReason":{"code":3}}`
		whole  = `{"role":"assistant","content":[{"type":"text","text":"one two"}],"stopReason":"stop"}`
	)
	for name, tc := range map[string]struct {
		rows []string
		want []string
	}{
		"the mark first":        {[]string{asked, marked, model}, []string{"one two three stopped"}},
		"the model first":       {[]string{asked, model, marked}, []string{"one two three stopped"}},
		"another answer":        {[]string{asked, marked, other}, []string{"one two stopped", "something else"}},
		"the same, but whole":   {[]string{asked, marked, whole}, []string{"one two stopped", "one two"}},
		"an odd reason":         {[]string{asked, marked, odd}, []string{"one two stopped", "one two"}},
		"a question in between": {[]string{marked, asked, model}, []string{"one two stopped", "one two three"}},
	} {
		var rows []messageRow
		if err := json.Unmarshal([]byte("["+strings.Join(tc.rows, ",")+"]"), &rows); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range history(rows) {
			if m.Role == "assistant" {
				text := m.Text()
				if m.Stopped {
					text += " stopped"
				}
				got = append(got, text)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What OpenClaw 2026.2.26 gave after the first message of a session was stopped: the answer with the mark of the stop,
// then the question, then the answer as the model gave it up.
func TestGW9_AStoppedFirstAnswerComesAfterItsQuestion(t *testing.T) {
	const (
		marked = `{"role":"assistant","content":[{"type":"text","text":"Echo: SLOW w3 w4"}],"timestamp":1796006191968,
			"stopReason":"stop","api":"openai-responses","provider":"openclaw","model":"gateway-injected",
			"idempotencyKey":"agentflow-K2LP:assistant",
			"openclawAbort":{"aborted":true,"origin":"rpc","runId":"agentflow-K2LP"}}`
		asked = `{"role":"user","content":[{"type":"text","text":"SLOW"}],"timestamp":1796006190408}`
		model = `{"role":"assistant","content":[{"type":"text","text":"Echo: SLOW w3 w4"}],
			"api":"openai-completions","provider":"fake","model":"fake-1","stopReason":"aborted",
			"timestamp":1796006190419,"errorMessage":"Request was aborted"}`
		later = `{"role":"user","content":[{"type":"text","text":"SLOW"}],"timestamp":1796006192000}`
	)
	const question, answer, stopped = "user: SLOW", "assistant: Echo: SLOW w3 w4", "assistant: Echo: SLOW w3 w4 stopped"
	for name, tc := range map[string]struct {
		rows []string
		want []string
	}{
		"as it was":                {[]string{marked, asked, model}, []string{question, stopped}},
		"two questions":            {[]string{marked, asked, asked, model}, []string{question, question, stopped}},
		"and what was said next":   {[]string{marked, asked, model, later}, []string{question, stopped, question}},
		"asked and stopped again":  {[]string{marked, later, model}, []string{stopped, question, answer}},
		"the question came before": {[]string{asked, marked, model}, []string{question, stopped}},
		"no model's answer":        {[]string{marked, asked}, []string{stopped, question}},
	} {
		var rows []messageRow
		if err := json.Unmarshal([]byte("["+strings.Join(tc.rows, ",")+"]"), &rows); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range history(rows) {
			text := m.Role + ": " + m.Text()
			if m.Stopped {
				text += " stopped"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

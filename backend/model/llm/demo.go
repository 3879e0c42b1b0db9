package llm

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"agentflow/backend/base/errcode"
)

const (
	demoName    = "demo"
	demoModel   = "echo"
	demoVerdict = `{"accepted": true}` // what task.Review asks a reviewer for
	demoGoOn    = "Go on."             // what a room asks an agent that spoke last
	demoSumUp   = "Sum up now and end the conversation."
	demoGive    = "delegate" // the tool by which a task is split
	maxParts    = 3          // agents that get a part of a task
	maxEcho     = 200        // characters of the question that are repeated
)

// demo answers without any model, and mentions that in every answer.
type demo struct{ pause time.Duration }

// Models implements Provider.
func (demo) Models(context.Context) ([]string, error) { return []string{demoModel}, nil }

// Stream implements Provider.
func (d demo) Stream(ctx context.Context, r Request, onDelta func(string) error) (Answer, error) {
	if r.Model != demoModel {
		return Answer{}, errcode.New(errcode.NotFound, "the demo has one model only: %s/%s", demoName, demoModel)
	}
	if calls := demoCalls(r); len(calls) > 0 {
		return Answer{Calls: calls, Finish: FinishCalls}, nil
	}
	text := demoAnswer(r.Messages)
	for _, word := range words(text) {
		select {
		case <-ctx.Done():
			return Answer{}, cut(ctx)
		case <-time.After(d.pause):
		}
		if err := onDelta(word); err != nil {
			return Answer{}, err
		}
	}
	return Answer{Text: text, Finish: FinishStop}, nil
}

// demoCalls splits a task among the first agents that it can be delegated to.
func demoCalls(r Request) []Call {
	i := slices.IndexFunc(r.Tools, func(t Tool) bool { return t.Name == demoGive })
	used := slices.ContainsFunc(r.Messages, func(m Message) bool { return m.Role == RoleTool })
	if i < 0 || len(r.Messages) == 0 || used {
		return nil
	}
	task := r.Messages[len(r.Messages)-1].Text
	var schema struct {
		Properties struct {
			Agent struct {
				Enum []string `json:"enum"`
			} `json:"agent"`
		} `json:"properties"`
	}
	if json.Unmarshal(r.Tools[i].Schema, &schema) != nil {
		return nil
	}
	part := "Your part of: " + task
	if isJapanese(task) {
		part = "担当分：" + task
	}
	agents := schema.Properties.Agent.Enum
	var calls []Call
	for n, agent := range agents[:min(len(agents), maxParts)] {
		arguments, _ := json.Marshal(map[string]string{"agent": agent, "task": part}) // can't fail for strings
		calls = append(calls, Call{ID: "demo-" + strconv.Itoa(n+1), Name: demoGive, Arguments: string(arguments)})
	}
	return calls
}

// demoSum puts the delegated parts together; "" if there are none.
func demoSum(messages []Message) string {
	var parts strings.Builder
	for _, m := range messages {
		var given struct{ Agent, Task string }
		if m.Role != RoleTool || m.Call.Name != demoGive || json.Unmarshal([]byte(m.Call.Arguments), &given) != nil {
			continue
		}
		if parts.Len() == 0 && isJapanese(given.Task) {
			parts.WriteString("これはデモの返答です。言語モデルにはつながっていません。タスクを分けて依頼した結果：\n")
		} else if parts.Len() == 0 {
			parts.WriteString("This is a demo answer; no language model is connected. The results of the parts:\n")
		}
		parts.WriteString("\n- **" + given.Agent + "**: " + strings.Join(strings.Fields(echo(m.Text)), " "))
	}
	return parts.String()
}

// echo is the beginning of a text.
func echo(text string) string {
	if runes := []rune(text); len(runes) > maxEcho {
		return string(runes[:maxEcho]) + "…"
	}
	return text
}

func demoAnswer(messages []Message) string {
	if sum := demoSum(messages); sum != "" {
		return sum
	}
	said := ""
	if len(messages) > 0 {
		said = strings.TrimSpace(messages[len(messages)-1].Text)
	}
	if strings.Contains(said, demoVerdict) { // a review of work: it has to be answered in this form
		return demoVerdict
	}
	if said == demoGoOn || said == demoSumUp { // nobody wrote that
		if slices.ContainsFunc(messages, func(m Message) bool { return isJapanese(m.Text) }) {
			return "これはデモの返答です。言語モデルにはつながっていないため、これ以上話せることはありません。"
		}
		return "This is a demo answer; no language model is connected, so I have nothing to add."
	}
	said = echo(said)
	if isJapanese(said) {
		return "これはデモの返答です。言語モデルにはつながっていません。受け取ったメッセージ：「" + said + "」"
	}
	return "This is a demo answer; no language model is connected. You wrote: “" + said + "”"
}

func isJapanese(s string) bool {
	return strings.ContainsFunc(s,
		func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
}

// words cuts text behind its spaces, and text without spaces behind punctuation or
// every few characters.
func words(text string) []string {
	var out []string
	start, runes := 0, 0
	for i, r := range text {
		runes++
		if end := i + len(string(r)); r == ' ' || unicode.Is(unicode.Po, r) && r > unicode.MaxLatin1 || runes >= 12 && r > unicode.MaxLatin1 {
			out = append(out, text[start:end])
			start, runes = end, 0
		}
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

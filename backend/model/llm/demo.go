package llm

import (
	"context"
	"slices"
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
	maxEcho     = 200 // characters of the question that are repeated
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

func demoAnswer(messages []Message) string {
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
	if runes := []rune(said); len(runes) > maxEcho {
		said = string(runes[:maxEcho]) + "…"
	}
	if isJapanese(said) {
		return "これはデモの返答です。言語モデルにはつながっていません。受け取ったメッセージ:「" + said + "」"
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

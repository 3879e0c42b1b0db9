// Package systemmsg says what the system messages of rooms tell, in the languages that people
// read. Its words are the page's, which shows the same messages.
package systemmsg

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// stored is the language in which messages are stored.
const stored = "en"

// ForReader returns the tongue of who reads another language than messages are stored in; nil, which
// tells each as it is stored, of everybody else.
func ForReader(language string) *Translator {
	if language == stored {
		return nil
	}
	return For(language)
}

// Translator tells system messages in one language.
type Translator struct {
	told map[string]phrase // by the code of a cause
	why  map[string]phrase // by the code of a failure
}

// Translation is what a message says in a language.
type Translation struct {
	Text string
	Own  string // the hub's own words, where they say more
}

const own, reasoned = "own", turns.CauseUnanswered + "_" + turns.KeyWhy

// lead matches the end of the hub's text that introduces what follows, which is shown separately.
var lead = regexp.MustCompile(`([.!?])\s+[^.!?]*:$`)

// Translate tells a message; as it is stored where there are no words for it, and by a nil Translator.
func (t *Translator) Translate(m room.Message) Translation {
	if t == nil || m.Type != room.System || m.Cause == nil {
		return Translation{Text: m.Text}
	}
	params := maps.Clone(m.Cause.Params)
	if params == nil {
		params = map[string]string{}
	}
	params[turns.KeyAgent] = cmp.Or(params[turns.KeyAgent], m.Sender)
	end := ownEnd(m)
	if m.Cause.Code == turns.CauseUnanswered {
		return t.unanswered(m.Text, params, end)
	}
	p, known := t.told[m.Cause.Code]
	if !known {
		return Translation{Text: m.Text}
	}
	if tool := params["tool"]; tool != "" {
		params["call"] = code(strings.TrimSuffix(tool+" "+params["arguments"], " "))
	}
	out := Translation{Text: p.say(params)}
	if end != "" {
		out.Text += "\n\n" + end
	}
	return out
}

// unanswered tells why an agent could not answer, and what had come of its answer.
func (t *Translator) unanswered(text string, params map[string]string, end string) Translation {
	out := Translation{Text: t.told[turns.CauseUnanswered].say(params), Own: text}
	if p, known := t.reason(params); known {
		out.Text = t.told[reasoned].say(
			map[string]string{turns.KeyAgent: params[turns.KeyAgent], "reason": p.say(params)},
		)
	}
	if end != "" {
		out.Text += "\n\n" + t.told[own].say(nil) + "\n\n" + end
		out.Own = lead.ReplaceAllString(strings.TrimSpace(strings.TrimSuffix(text, end)), "$1")
	}
	return out
}

// Failure says why something failed; as text says it where there are no words for the cause, or not all that they need,
// and by a nil Translator.
func (t *Translator) Failure(c *errcode.Cause, text string) string {
	if t == nil || c == nil {
		return text
	}
	p, known := t.finest(c.Code, c.Params)
	for _, part := range p {
		known = known && (part.param == "" || c.Params[part.param] != "")
	}
	if !known {
		return text
	}
	return p.say(c.Params)
}

func (t *Translator) reason(params map[string]string) (phrase, bool) {
	return t.finest(params[turns.KeyWhy], params)
}

// finest is the phrase for a failure that says most of its params.
func (t *Translator) finest(why string, params map[string]string) (phrase, bool) {
	finer := []string{params["unit"]}
	for _, param := range []string{"said", "to"} {
		if params[param] != "" {
			finer = append(finer, param)
		}
	}
	for _, f := range finer {
		if p, known := t.why[why+"_"+f]; known {
			return p, true
		}
	}
	p, known := t.why[why]
	return p, known
}

// ownEnd is the end of a text that is no words of the hub's.
func ownEnd(m room.Message) string {
	text := []rune(m.Text)
	if n, err := strconv.Atoi(m.Cause.Params[room.KeyOwn]); err == nil && n > 0 && n < len(text) {
		return string(text[len(text)-n:])
	}
	return ""
}

// code is a text that Markdown shows as it is, whatever stands in it.
func code(text string) string {
	longest := 0
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '`' }) {
		longest = max(longest, len(run))
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// Text implements room.Translator.
func (t *Translator) Text(m room.Message) string { return t.Translate(m).Text }

// Causes implements room.Translator: the codes of messages that may contain the word only
// in translation.
func (t *Translator) Causes(word string) []string {
	word = strings.ToLower(word)
	codes := map[string]bool{}
	for name, p := range t.told {
		if p.mayHold(word) {
			if name == own || name == reasoned {
				name = turns.CauseUnanswered
			}
			codes[name] = true
		}
	}
	for _, p := range t.why {
		if codes[turns.CauseUnanswered] {
			break
		}
		codes[turns.CauseUnanswered] = p.mayHold(word)
	}
	maps.DeleteFunc(codes, func(_ string, may bool) bool { return !may })
	return slices.Sorted(maps.Keys(codes))
}

package chatagent

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentflow/backend/model/llm"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

const (
	skip       = "SKIP"
	unfinished = " […]\n(A person stopped this message here. It isn't finished.)"
	maxTold    = 256 << 10 // bytes of the history that a model gets
	maxQuote   = 300       // characters of the message that a turn is for
	tokenBytes = 4         // of a token, where nobody counts them
)

// request is what the model is asked.
func (a *Agent) request(t turns.Turn) llm.Request {
	c := a.o.Config
	a.mu.Lock()
	lines := a.lines(t.UpTo)
	a.mu.Unlock()
	r := llm.Request{
		Agent: cmp.Or(c.AgentID, c.Name), For: "room:" + a.o.Room,
		Model: c.Model, System: system(c, a.o.Room, others(lines, c.Name), t.WrapUp),
		Temperature: c.Temperature, MaxTokens: c.MaxTokens, Options: c.Options,
	}
	for _, m := range lines {
		text := m.Text
		if m.Stopped() {
			text += unfinished
		}
		one := llm.Message{Role: llm.RoleUser, Text: m.Sender + ": " + text}
		if m.Sender == c.Name {
			one = llm.Message{Role: llm.RoleAssistant, Text: text}
		}
		if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == one.Role {
			r.Messages[n-1].Text += "\n\n" + one.Text
			continue
		}
		r.Messages = append(r.Messages, one)
	}
	ask := ""
	switch n := len(r.Messages); {
	case t.WrapUp:
		ask = "Sum up now and end the conversation."
	case n > 0 && lines[len(lines)-1].ID > t.Trigger():
		ask = purpose(lines, t.Trigger())
	}
	if n := len(r.Messages); ask == "" && (n == 0 || r.Messages[n-1].Role == llm.RoleAssistant) {
		ask = "Go on."
	}
	if ask != "" {
		r.Messages = append(r.Messages, llm.Message{Role: llm.RoleUser, Text: ask})
	}
	return r
}

// purpose names the message that a turn is for, where newer ones follow it: a model would answer the last one, which
// is the agent's own or for others. It is "" if that message isn't among the lines.
func purpose(lines []room.Message, trigger int64) string {
	i := slices.IndexFunc(lines, func(m room.Message) bool { return m.ID == trigger })
	if i < 0 {
		return ""
	}
	quote := []rune(lines[i].Text)
	if len(quote) > maxQuote {
		quote = append(quote[:maxQuote], '…')
	}
	return "Your turn is for this message from " + lines[i].Sender + ":\n\n" + string(quote) +
		"\n\nThe messages after it are yours or for others."
}

// lines returns the messages for the model, oldest first; a.mu is locked.
func (a *Agent) lines(upTo int64) []room.Message {
	var out []room.Message
	bytes := 0
	for _, m := range slices.Backward(a.history) {
		if m.Type != room.Chat || m.ID > upTo {
			continue
		}
		bytes += len(m.Text)
		if len(out) == a.o.Config.History || bytes > maxTold && len(out) > 0 {
			break
		}
		out = append(out, m)
	}
	slices.Reverse(out)
	return out
}

func others(lines []room.Message, own string) []string {
	var names []string
	for _, m := range lines {
		if m.Sender != own && !slices.Contains(names, m.Sender) {
			names = append(names, m.Sender)
		}
	}
	return names
}

// system is the persona, and what an agent has to know of rooms.
func system(c Config, roomName string, names []string, wrapUp bool) string {
	var b strings.Builder
	if p := strings.TrimSpace(c.Persona); p != "" {
		b.WriteString(p + "\n\n")
	}
	b.WriteString("You are " + c.Name)
	if c.Role != "" {
		b.WriteString(" (" + c.Role + ")")
	}
	b.WriteString(", in the chat room " + roomName + ".")
	if len(names) > 0 {
		b.WriteString(" Others who speak there: " + strings.Join(names, ", ") + ".")
	}
	b.WriteString(
		" Each message of theirs begins with its sender's name. Write your own next message only, without a name before it, in the language of the conversation. To speak to somebody, write @ and the name.",
	)
	if wrapUp {
		b.WriteString(" The conversation ends now: sum up in short what was found and decided, and ask nothing.")
	} else {
		b.WriteString(" If you have nothing to add, answer with the one word " + skip + ".")
	}
	return b.String()
}

// clean is what of a model's words belongs into the room. Until they are final, what may
// still turn out to be a name or the word for nothing is kept back.
func clean(name, text string, final bool) string {
	text = strings.TrimLeft(text, " \t\r\n")
	if !final && (begins(skip, strings.TrimRight(text, " .。\r\n")) || begins(name+":", text) || begins(name+"：", text) || begins("**"+name+":**", text)) {
		return ""
	}
	for _, prefix := range []string{"**" + name + ":**", "**" + name + "**:", name + ":", name + "："} {
		if len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
			text = strings.TrimLeft(text[len(prefix):], " \t\r\n")
			break
		}
	}
	if final {
		text = strings.TrimRight(text, " \t\r\n")
	}
	return text
}

// begins reports whether a word begins with text, whatever the case of its letters.
func begins(word, text string) bool {
	return len(text) <= len(word) && strings.EqualFold(word[:len(text)], text)
}

// isSkip reports whether an agent has nothing to say.
func isSkip(text string) bool {
	return text == "" || strings.EqualFold(strings.Trim(text, " .。!！*`\"'「」[]()\r\n"), skip)
}

// estimate counts tokens where the provider does not.
func estimate(r llm.Request, said string) (in, out int64) {
	in = int64(len(r.System))
	for _, m := range r.Messages {
		in += int64(len(m.Text))
	}
	return in/tokenBytes + 1, int64(utf8.RuneCountInString(said)+tokenBytes-1) / tokenBytes
}

package room

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentflow/backend/base/errcode"
)

// Type says what a message is.
type Type string

// The types of messages (CH-2).
const (
	Chat    Type = "chat"
	Command Type = "command"
	System  Type = "system"
)

// The limits, in characters.
const (
	MaxText     = 65536
	MaxName     = 100
	maxClientID = 200
)

// Message is one line of a room, as it is stored and sent (the seed's ChatMessage with
// its id). Ids ascend in a room, and for everybody in the same order.
type Message struct {
	ID        int64  `json:"id"`
	Room      string `json:"room"`
	Sender    string `json:"sender"`
	Text      string `json:"message" doc:"Text of the message."`
	Timestamp string `json:"timestamp" doc:"Time in ISO 8601, from the sender or else the hub."`
	Type      Type   `json:"type" enum:"chat,command,system"`
	ClientID  string `json:"clientMessageId,omitempty" doc:"ID that the sender chose. A repeated ID of the same sender is stored once."`
	// Cause says in a word what a system message tells, for who reads another language than
	// that of the text. Of the other messages only an answer that was stopped has one.
	Cause *errcode.Cause `json:"cause,omitempty" doc:"What a system message says, for other languages. A chat message with the code answer_stopped is the written part of a reply that was stopped."`
}

// CauseStopped marks a chat message that is the written part of a stopped answer.
const CauseStopped = "answer_stopped"

// Stopped reports whether the message is the written part of an answer that was stopped. Nobody replies to it.
func (m Message) Stopped() bool {
	return m.Type == Chat && m.Cause != nil && m.Cause.Code == CauseStopped
}

// KeyOwn is the param of a Cause that says how many characters at the end of the text are
// no words of the hub's: what a tool gave, or what had come of an answer.
const KeyOwn = "own"

// Draft is a message that is not stored yet. A Draft with the Room, Sender and ClientID
// of a stored message is that message.
type Draft struct {
	Room      string         `json:"room"`
	Sender    string         `json:"sender"`
	Text      string         `json:"message"`
	Timestamp string         `json:"timestamp,omitempty"` // empty: the hub's clock
	Type      Type           `json:"type,omitempty"`      // empty: chat
	ClientID  string         `json:"clientMessageId,omitempty"`
	Cause     *errcode.Cause `json:"cause,omitempty"` // of a system message, or CauseStopped
}

// MarshalLine writes the message as compact JSON that leaves <, > and & as they are.
func (m Message) MarshalLine() ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

func invalid(field, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Validation, format, args...).With(errcode.KeyField, field)
}

// check makes d fit to be stored, or says what is wrong with it.
func (d Draft) check(now time.Time) (Draft, error) {
	var err error
	if d.Room, err = Name("room", d.Room); err != nil {
		return d, err
	}
	if d.Sender, err = Name("sender", d.Sender); err != nil {
		return d, err
	}
	if d.Type == "" {
		d.Type = Chat
	}
	if !slices.Contains([]Type{Chat, Command, System}, d.Type) {
		return d, invalid("type", "type is %q: it can be chat, command or system", shorten(string(d.Type)))
	}
	if err := checkText(d.Text); err != nil {
		return d, err
	}
	if utf8.RuneCountInString(d.ClientID) > maxClientID || strings.ContainsFunc(d.ClientID, unicode.IsControl) || !utf8.ValidString(d.ClientID) {
		return d, invalid("clientMessageId", "clientMessageId has at most %d characters, none of them a control character", maxClientID)
	}
	if d.Cause != nil {
		if d.Type != System && (d.Type != Chat || d.Cause.Code != CauseStopped) {
			return d, invalid("cause", "a %s message has no cause: only a system message has", d.Type)
		}
		if err := d.Cause.Check(); err != nil {
			return d, err
		}
	}
	d.Timestamp, err = timestamp(d.Timestamp, now)
	return d, err
}

func checkText(text string) error {
	switch {
	case !utf8.ValidString(text):
		return invalid("message", "message is not valid UTF-8")
	case strings.TrimSpace(text) == "":
		return invalid("message", "message is empty")
	case len(text) > MaxText && utf8.RuneCountInString(text) > MaxText:
		return invalid("message", "message has %d characters, at most %d are possible: send it in parts",
			utf8.RuneCountInString(text), MaxText)
	case strings.ContainsRune(text, 0):
		return invalid("message", "message holds the character U+0000")
	}
	return nil
}

// timestamp is the sender's, in UTC, or now.
func timestamp(given string, now time.Time) (string, error) {
	if given == "" {
		return now.UTC().Format("2006-01-02T15:04:05.000Z"), nil
	}
	at, err := time.Parse(time.RFC3339, given)
	if err != nil || len(given) > 40 {
		return "", invalid("timestamp", "timestamp is %q: write it as ISO 8601, like 2026-11-21T09:30:00Z",
			shorten(given))
	}
	if strings.HasSuffix(given, "Z") {
		return given, nil
	}
	return at.UTC().Format(time.RFC3339Nano), nil
}

// HubName is the sender of what the hub itself says in a room.
const HubName = "AgentFlow"

// PersonName is the sender of a person whose name isn't known.
const PersonName = "human"

// Name returns the name of a room or sender in the form it is kept in, or says why it
// cannot be one. Two names that look the same are the same: they are composed (NFC), and
// characters that cannot be seen, or that turn the direction of a line, are refused.
func Name(field, name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", invalid(field, "%s is not valid UTF-8", field)
	}
	name = norm.NFC.String(name)
	switch {
	case name == "":
		return "", invalid(field, "%s is empty", field)
	case utf8.RuneCountInString(name) > MaxName:
		return "", invalid(field, "%s has more than %d characters", field, MaxName)
	case strings.TrimSpace(name) != name:
		return "", invalid(field, "%s begins or ends with a space", field)
	}
	for _, r := range name {
		if hidden(r) {
			return "", invalid(field, "%s holds the character U+%04X, which cannot be seen", field, r)
		}
	}
	return name, nil
}

// hidden characters make two names look alike, or one look like another. The joiners of
// emoji and of some scripts are none of them.
func hidden(r rune) bool {
	switch r {
	case '\u200b', '\u2060', '\ufeff', '\u2028', '\u2029', '\ufffd', '\u00ad', '\u3164', '\u115f', '\u1160', '\uffa0':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) ||
		unicode.Is(unicode.Noncharacter_Code_Point, r) || r >= 0xe0000 && r <= 0xe007f
}

func shorten(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}

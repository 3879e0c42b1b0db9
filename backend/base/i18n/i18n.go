// Package i18n makes the command line speak the person's language. The English text
// stands where it is printed and is the key; the tables of this package hold the
// Japanese by it. What machines read (JSON, exit codes, the lines that scripts wait for)
// is English always.
package i18n

import (
	"fmt"
	"strings"
)

// Language is what the command line speaks.
type Language string

// The languages.
const (
	English  Language = "en"
	Japanese Language = "ja"
)

// Of is the person's language: AGENTFLOW_LANG, else the first of LC_ALL, LC_MESSAGES and
// LANG that is set. What is not Japanese is English.
func Of(env func(string) string) Language {
	switch l := Language(env("AGENTFLOW_LANG")); l {
	case English, Japanese:
		return l
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := env(name); v != "" {
			if strings.HasPrefix(v, string(Japanese)) {
				return Japanese
			}
			return English
		}
	}
	return English
}

// Text is a text that has yet to be said in somebody's language. As a Stringer it is
// English, so that it can stand in an error for machines as well.
type Text struct {
	format string
	args   []any
}

// T returns the text of a format and its arguments, which may be texts themselves.
func T(format string, args ...any) Text { return Text{format, args} }

func (t Text) String() string { return fmt.Sprintf(t.format, t.args...) }

// Sprintf is fmt.Sprintf in the language: the format by its entry, and so every argument
// that is a Text or an error. Strings are data and stay as they are.
func (l Language) Sprintf(format string, args ...any) string {
	if l != Japanese {
		return fmt.Sprintf(format, args...)
	}
	said := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case Text:
			said[i] = l.Sprintf(a.format, a.args...)
		case error:
			said[i] = l.Finished(a.Error())
		default:
			said[i] = a
		}
	}
	text := strings.TrimRight(format, "\n")
	if ja, ok := japanese[text]; ok {
		format = ja + format[len(text):]
	}
	return fmt.Sprintf(format, said...)
}

// Finished is a text that comes from elsewhere with its arguments in it: an error of
// another package, cobra's words, an answer of the hub. Without an entry it stays.
func (l Language) Finished(text string) string {
	if l != Japanese || text == "" {
		return text
	}
	if said, ok := find(text, everything()); ok {
		return said
	}
	return text
}

// Failure is Finished for the message of an error. One without an entry is told by its
// reason or code, followed by the message as it is.
func (l Language) Failure(code, reason, message string) string {
	said := l.Finished(message)
	if l != Japanese || said != message {
		return said
	}
	for _, key := range []string{reason, code} {
		if format, ok := byReason[key]; ok {
			return fmt.Sprintf(format, message)
		}
	}
	return message
}

// Known reports whether a format has its entry.
func Known(format string) bool {
	_, ok := japanese[format]
	return ok
}

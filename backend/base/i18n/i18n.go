// Package i18n translates the texts of the command line. The English text in the code is the key; the tables of this
// package have its Japanese translation. Output for programs (JSON, exit codes, lines that scripts wait for) is
// always English.
package i18n

import (
	"fmt"
	"strings"
)

// Language is the language of the command line.
type Language string

// The languages.
const (
	English  Language = "en"
	Japanese Language = "ja"
)

// Of returns the language of the environment: AGENTFLOW_LANG, or the first of LC_ALL, LC_MESSAGES and LANG that is set.
// Any language except Japanese is English.
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

// Text is a text that isn't translated yet. String returns it in English, so it also fits in errors for programs.
type Text struct {
	format string
	args   []any
}

// T returns a Text of a format and its arguments, which can be Texts, too.
func T(format string, args ...any) Text { return Text{format, args} }

// Finished is a text that already contains its arguments, and that Sprintf translates.
type Finished string

// Join returns the texts as one list.
func Join(texts ...Text) Text {
	switch len(texts) {
	case 0:
		return Text{}
	case 1:
		return texts[0]
	}
	return T("%s; %s", texts[0], Join(texts[1:]...))
}

func (t Text) String() string { return fmt.Sprintf(t.format, t.args...) }

// Sprintf is fmt.Sprintf with a translated format. It translates arguments that are a Text, Finished or an error, but
// no strings.
func (l Language) Sprintf(format string, args ...any) string {
	if l != Japanese {
		return fmt.Sprintf(format, args...)
	}
	said := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case Text:
			said[i] = l.Sprintf(a.format, a.args...)
		case Finished:
			said[i] = l.Finished(string(a))
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

// Finished translates a text that already contains its arguments, such as an error of another package, a text of cobra
// or an answer of the hub. It returns a text without a translation unchanged.
func (l Language) Finished(text string) string {
	if l != Japanese || text == "" {
		return text
	}
	if said, ok := find(text, everything()); ok {
		return said
	}
	return text
}

// Failure is Finished for the message of an error. Without a translation it returns the text for the reason or the
// code, followed by the message.
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

// Known reports whether a format has a translation.
func Known(format string) bool {
	_, ok := japanese[format]
	return ok
}

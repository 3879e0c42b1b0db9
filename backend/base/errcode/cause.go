package errcode

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Cause says in a word why something did not come about, so that a page can tell it in any
// language. The English text beside it says the same, and more.
type Cause struct {
	Code   string            `json:"code" doc:"Stable code of the reason. New codes can come: show the text for an unknown one."`
	Params map[string]string `json:"params,omitempty" doc:"Values for the text of the reason. Several agents are separated by commas."`
}

// MaxParam bounds a param of a Cause, in characters.
const MaxParam = 300

// CauseOf reads a cause from an error: its details.cause, or else its reason, or else its code
// in small letters, with all other details that can be said. nil of nil.
func CauseOf(err error) *Cause {
	e := From(err)
	if e == nil {
		return nil
	}
	c := &Cause{Code: strings.ToLower(string(e.Code))}
	if r := e.Reason(); r != "" {
		c.Code = r
	}
	if w, _ := e.Details[KeyCause].(string); w != "" {
		c.Code = w
	}
	for key, value := range e.Details {
		if key == KeyCause || key == KeyReason {
			continue
		}
		text := ""
		switch v := value.(type) {
		case []string:
			text = strings.Join(v, ",")
		case string, int, int64, float64:
			text = fmt.Sprint(v)
		}
		if text == "" {
			continue
		}
		if c.Params == nil {
			c.Params = map[string]string{}
		}
		c.Params[key] = short(text)
	}
	return c
}

// short is a text that fits into a param.
func short(text string) string {
	if utf8.RuneCountInString(text) <= MaxParam {
		return text
	}
	return string([]rune(text)[:MaxParam-1]) + "…"
}

// About returns a copy of c that says one more thing that it is about.
func (c *Cause) About(key, text string) *Cause {
	out := &Cause{Code: c.Code, Params: map[string]string{key: short(text)}}
	for k, v := range c.Params {
		if k != key {
			out.Params[k] = v
		}
	}
	return out
}

const maxParams = 16

var causeWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// Check says what is wrong with a cause that came from elsewhere.
func (c *Cause) Check() error {
	wrong := func(format string, args ...any) error {
		return New(Validation, format, args...).With(KeyField, "cause")
	}
	if !causeWord.MatchString(c.Code) {
		return wrong("the code of cause is 1 to 64 letters, digits and underscores, the first a letter")
	}
	if len(c.Params) > maxParams {
		return wrong("cause has %d params, at most %d are possible", len(c.Params), maxParams)
	}
	for key, value := range c.Params {
		if !causeWord.MatchString(key) {
			return wrong("the name of a param of cause is 1 to 64 letters, digits and underscores, the first a letter")
		}
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > MaxParam || strings.ContainsRune(value, 0) {
			return wrong("the param %s of cause has at most %d characters, none of them U+0000", key, MaxParam)
		}
	}
	return nil
}

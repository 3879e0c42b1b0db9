// Package term is the command line's side of the screen: what goes to standard output,
// what to standard error, in words or as JSON, and how an error becomes an exit code.
package term

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	xterm "golang.org/x/term"
	"golang.org/x/text/width"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/talk/systemmsg"
)

// Stdio is where a command reads and writes.
type Stdio struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Screen prints for people, in their language, or, with JSON set, for machines, which get
// English whatever the language is.
type Screen struct {
	Stdio
	JSON     bool
	Language i18n.Language

	color  bool
	errTTY bool
	outTTY bool
	inTTY  bool
	failed error // of the first write to Out
}

// NewScreen finds out what is a terminal; env is os.Getenv but in tests.
func NewScreen(s Stdio, env func(string) string) *Screen {
	sc := &Screen{Stdio: s, Language: i18n.Of(env), errTTY: isTerminal(s.Err), inTTY: isTerminal(s.In)}
	sc.outTTY = isTerminal(s.Out)
	sc.color = sc.outTTY && env("NO_COLOR") == "" && env("TERM") != "dumb"
	return sc
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

func (s *Screen) language() i18n.Language {
	if s.JSON {
		return i18n.English
	}
	return s.Language
}

// Say is fmt.Sprintf in the language of the person.
func (s *Screen) Say(format string, args ...any) string {
	return s.language().Sprintf(format, args...)
}

// Words is a text that was finished elsewhere, in the language of the person.
func (s *Screen) Words(text string) string { return s.language().Finished(text) }

// Why is the reason of a failure, in the language of the person: of its text or of its cause, if one is translated.
func (s *Screen) Why(text string, cause *errcode.Cause) string {
	if said := s.Words(text); said != text || s.language() != i18n.Japanese {
		return said
	}
	return systemmsg.ForReader(string(i18n.Japanese)).Failure(cause, text)
}

// Print writes words to standard output; with JSON it writes nothing.
func (s *Screen) Print(format string, args ...any) {
	if !s.JSON {
		s.write(s.Say(format, args...))
	}
}

// Raw writes bytes to standard output as they are.
func (s *Screen) Raw(data []byte) { s.write(string(data)) }

// Shown writes a text of somebody else to standard output: as it is for a file or a program, and on a
// terminal with a mark where something is that nobody sees, or that would steer the terminal.
func (s *Screen) Shown(data []byte) {
	if s.outTTY {
		data = []byte(Marked(string(data)))
	}
	s.Raw(data)
}

// Object writes one JSON object in one line to standard output, if JSON is asked for.
func (s *Screen) Object(v any) error {
	if !s.JSON {
		return nil
	}
	return s.Line(v)
}

// Line writes one JSON object in one line to standard output in any case.
func (s *Screen) Line(v any) error {
	text, err := oneLineJSON(v)
	s.write(text)
	return err
}

// NoteObject writes one JSON object in one line to standard error, for a command whose
// standard output is a document.
func (s *Screen) NoteObject(v any) error {
	text, err := oneLineJSON(v)
	_, _ = io.WriteString(s.Err, text) // nobody can be told that telling failed
	return err
}

func oneLineJSON(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", errcode.Wrap(errcode.Internal, err, "couldn't write the result as JSON")
	}
	return b.String(), nil
}

func (s *Screen) write(text string) {
	if _, err := io.WriteString(s.Out, text); err != nil && s.failed == nil {
		s.failed = errcode.Wrap(errcode.Unavailable, err, "couldn't write to standard output")
	}
}

// Failed returns why standard output could not be written, or nil.
func (s *Screen) Failed() error { return s.failed }

// Note writes one remark to standard error.
func (s *Screen) Note(format string, args ...any) {
	_, _ = io.WriteString(s.Err, s.Say(format, args...)+"\n") // nobody can be told that telling failed
}

// Progress writes one line to standard error if a person is looking.
func (s *Screen) Progress(format string, args ...any) {
	if s.errTTY && !s.JSON {
		s.Note(format, args...)
	}
}

// The colors of Paint.
const (
	Green  = "32"
	Red    = "31"
	Yellow = "33"
	Bold   = "1"
)

// Paint colors text where standard output shows colors.
func (s *Screen) Paint(color, text string) string {
	if !s.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// Clean makes text from elsewhere fit for a terminal: line breaks and tabs stay, other control
// characters, which could steer it, do not. What turns the direction of a text, or has no width, is
// shown by its code, such as ⟨U+202E⟩.
func Clean(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case unicode.IsControl(r):
		case unicode.Is(unicode.Bidi_Control, r) || r == 0x200B || r == 0x2060 || r == 0xFEFF:
			fmt.Fprintf(&b, "⟨%U⟩", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// OneLine is Clean in one line of at most limit letters.
func OneLine(text string, limit int) string {
	text = strings.Join(strings.Fields(Clean(text)), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// Pad fills a text up to so many cells of a terminal; a Japanese letter takes two.
func Pad(text string, cells int) string {
	for _, r := range text {
		cells--
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			cells--
		}
	}
	return text + strings.Repeat(" ", max(cells, 0))
}

// Streams reports whether a person reads standard output while it is written.
func (s *Screen) Streams() bool { return s.outTTY }

// CanAsk reports whether a person is there to answer.
func (s *Screen) CanAsk() bool { return s.inTTY && !s.JSON }

// Ask puts a question and returns whether the answer was yes; nothing is a no.
func (s *Screen) Ask(ctx context.Context, question i18n.Text) (bool, error) {
	_, _ = io.WriteString(s.Err, s.Say("%s [y/N] ", question))
	type answer struct {
		line string
		err  error
	}
	got := make(chan answer, 1)
	go func() { // a read of a terminal cannot be stopped: it ends with the line or the process
		line, err := bufio.NewReader(s.In).ReadString('\n')
		got <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		s.Note("")
		return false, context.Cause(ctx)
	case a := <-got:
		if a.err != nil && !errors.Is(a.err, io.EOF) {
			return false, errcode.Wrap(errcode.Unavailable, a.err, "couldn't read the answer")
		}
		switch strings.ToLower(strings.TrimSpace(a.line)) {
		case "y", "yes", "はい":
			return true, nil
		}
		return false, nil
	}
}

package term

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
)

func screen(in io.Reader) (*Screen, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return NewScreen(Stdio{In: in, Out: &out, Err: &errs}, func(string) string { return "" }), &out, &errs
}

// GW-6: the exit code of every error.
func TestGW6_ExitCodes(t *testing.T) {
	reason := func(code errcode.Code, reason string) error {
		return errcode.New(code, "x").With(errcode.KeyReason, reason)
	}
	cases := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{ExitError(1), 1},
		{errors.New("x"), 1},
		{errcode.New(errcode.Internal, "x"), 1},
		{errcode.New(errcode.Unavailable, "x"), 1},
		{errcode.New(errcode.RateLimited, "x"), 1},
		{reason(errcode.Gateway, errcode.ReasonRejected), 1},
		{reason(errcode.Gateway, errcode.ReasonUnknown), 1},
		{reason(errcode.Timeout, ReasonNoReply), 1},
		{errcode.New(errcode.Validation, "x"), 2},
		{&UsageError{Err: errors.New("x")}, 2},
		{errcode.New(errcode.Unauthorized, "x"), 3},
		{errcode.New(errcode.Forbidden, "x"), 3},
		{reason(errcode.Gateway, errcode.ReasonBadToken), 3},
		{reason(errcode.Gateway, errcode.ReasonPairing), 3},
		{reason(errcode.Gateway, errcode.ReasonNoScope), 3},
		{errcode.New(errcode.NotFound, "x"), 4},
		{errcode.New(errcode.Conflict, "x"), 5},
		{reason(errcode.Gateway, errcode.ReasonLinkDown), 6},
		{errcode.New(errcode.Timeout, "x"), 6},
		{fmt.Errorf("x: %w", context.Canceled), 130},
		{fmt.Errorf("x: %w", errcode.New(errcode.NotFound, "x")), 4},
	}
	for _, c := range cases {
		if got := Code(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

func TestGW6_FailSaysItOnceAndNamesThePlace(t *testing.T) {
	err := errcode.New(errcode.Validation, "it is\nwrong\x1b[31m").
		With(errcode.KeyFile, "team.yaml").
		With(errcode.KeyLine, 7)
	s, out, errs := screen(nil)
	if code := s.Fail(err); code != 2 || out.Len() > 0 {
		t.Fatalf("code %d, standard output %q", code, out)
	}
	if got, want := errs.String(), "agentflow: team.yaml:7: it is wrong[31m\n"; got != want {
		t.Fatalf("said %q, want %q", got, want)
	}
	s, out, errs = screen(nil)
	s.JSON = true
	s.Fail(err)
	var got struct{ Error errcode.Error }
	if json.Unmarshal(out.Bytes(), &got) != nil || got.Error.Code != errcode.Validation || Number(got.Error.Details[errcode.KeyLine]) != 7 || errs.Len() > 0 {
		t.Fatalf("JSON %s, standard error %q", out, errs)
	}
}

func TestCleanTakesControlOfNobodysTerminal(t *testing.T) {
	if got := Clean("a\x1b[2Jb\u009b1m\tc\n\rd\u0007"); got != "a[2Jb1m\tc\nd" {
		t.Errorf("Clean = %q", got)
	}
	if got := OneLine("a\n b   c", 4); got != "a b…" {
		t.Errorf("OneLine = %q", got)
	}
}

func TestColorOnlyWhereItShows(t *testing.T) {
	s, _, _ := screen(nil)
	if got := s.Paint(Red, "x"); got != "x" {
		t.Errorf("no terminal: %q", got)
	}
	s.color = true
	if got := s.Paint(Red, "x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("terminal: %q", got)
	}
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err == nil {
		defer func() { _ = tty.Close() }()
		if NewScreen(Stdio{Out: tty}, func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }).color {
			t.Error("NO_COLOR was not honoured")
		}
	}
}

func TestAsk(t *testing.T) {
	for line, want := range map[string]bool{"y\n": true, "YES\n": true, "はい\n": true, "\n": false, "n\n": false, "": false, "yes please\n": false} {
		s, _, errs := screen(strings.NewReader(line))
		got, err := s.Ask(t.Context(), i18n.T("Really?"))
		if err != nil || got != want || !strings.Contains(errs.String(), "Really? [y/N]") {
			t.Errorf("%q: %v, %v, asked %q", line, got, err, errs)
		}
	}
}

func TestAskIsInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	r, w := io.Pipe()
	s, _, _ := screen(r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if yes, err := s.Ask(ctx, i18n.T("Really?")); yes || Code(err) != Interrupted {
		t.Fatalf("%v, %v", yes, err)
	}
	_ = w.Close()
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFaultFullStandardOutput(t *testing.T) {
	s := NewScreen(Stdio{Out: full{}, Err: io.Discard}, func(string) string { return "" })
	s.Print("x")
	if Code(s.Failed()) != Failed {
		t.Fatalf("got %v", s.Failed())
	}
}

// TestTR2_F19_TextThatTurnsItsDirectionIsMarked: a name reads as it is.
func TestTR2_F19_TextThatTurnsItsDirectionIsMarked(t *testing.T) {
	if got := Clean("a\u202Egnp.exe\u2066\u200B 日本語 👨\u200D👩"); got != "a⟨U+202E⟩gnp.exe⟨U+2066⟩⟨U+200B⟩ 日本語 👨\u200D👩" {
		t.Errorf("Clean = %q", got)
	}
}

// TestTR2_F5_WhatNobodySeesIsMarked: the page marks the same.
func TestTR2_F5_WhatNobodySeesIsMarked(t *testing.T) {
	data, err := os.ReadFile("testdata/marks.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Text, Marked string }
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		if got := Marked(c.Text); got != c.Marked {
			t.Errorf("Marked(%q) = %q, want %q", c.Text, got, c.Marked)
		}
	}
}

// A name that turns the direction of a line doesn't reach the terminal, and reaches a file as it is.
func TestShown_MarksWhatNobodySeesOnATerminal(t *testing.T) {
	const text = "name: \u202Egnp\x1b[31m\n"
	for terminal, want := range map[bool]string{true: "name: ⟨U+202E⟩gnp⟨U+001B⟩[31m\n", false: text} {
		s, out, _ := screen(nil)
		s.outTTY = terminal
		s.Shown([]byte(text))
		if out.String() != want {
			t.Errorf("terminal %v: %q", terminal, out.String())
		}
	}
}

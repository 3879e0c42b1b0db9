package metaagent

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/taskfile"
)

// person returns a terminal where somebody types, and that somebody's keyboard.
func person(t *testing.T) (tty, keyboard *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return tty, keyboard
}

// ask returns what a person at a terminal is shown of a request, and whether a "y" allows it.
func ask(t *testing.T, p codecli.Permission, lang string) (shown string, allowed bool) {
	t.Helper()
	tty, keyboard := person(t)
	if _, err := keyboard.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	screen := term.NewScreen(term.Stdio{In: tty, Err: &errs}, func(name string) string {
		return map[string]string{"AGENTFLOW_LANG": lang}[name]
	})
	permit := Permit(&shell.Shell{Screen: screen}, taskfile.PermissionsAsk)
	allowed, err := permit(t.Context(), p)
	if allowed && err != nil {
		t.Errorf("allowed, with %v", err)
	}
	return errs.String(), allowed
}

// The title is the worker's own: what it is going to do stands in the other keys.
func TestTR2_F5_TheTerminalShowsEveryKeyOfAWorkersRequest(t *testing.T) {
	p := codecli.Permission{
		Kind:  codecli.Codex,
		Title: "Look at the files\u202e\x1b[2J" + strings.Repeat("-", 300) + "end of title",
		Does:  "execute",
		Paths: []string{"/home/me/.ssh"},
		Input: []byte(
			`{"command":"ls && x` + strings.Repeat(" ", 400) + `; touch y","cwd":"/","env":{"LD_PRELOAD":"/tmp/x.so"}}`,
		),
	}
	for lang, question := range map[string]string{"en": "Allow this? [y/N]", "ja": "これを許可しますか？ [y/N]"} {
		shown, allowed := ask(t, p, lang)
		if !allowed {
			t.Errorf("%s: a yes doesn't allow it", lang)
		}
		for _, part := range []string{
			`"title": "Look at the files⟨U+202E⟩\u001b[2J`, "end of title", `"does": "execute"`, `"/home/me/.ssh"`,
			`"command": "ls && x␣×400; touch y"`, `"cwd": "/"`, `"LD_PRELOAD": "/tmp/x.so"`,
		} {
			if !strings.Contains(shown, part) {
				t.Errorf("%s: %s is not shown in:\n%s", lang, part, shown)
			}
		}
		if at := strings.Index(shown, question); at < strings.Index(shown, "LD_PRELOAD") {
			t.Errorf("%s: the question stands before the end, or nowhere:\n%s", lang, shown)
		}
	}
}

func TestTR2_F5_TheTerminalRefusesWhatItCantShowWhole(t *testing.T) {
	for name, p := range map[string]codecli.Permission{
		"a number with too many digits": {Input: []byte(`{"mode":9007199254740993}`)},
		"a key twice":                   {Input: []byte(`{"command":"ls","command":"rm"}`)},
		"no UTF-8":                      {Title: "\xff"},
		"70 kB":                         {Input: []byte(`{"command":"` + strings.Repeat("x", 70_000) + `"}`)},
		"no JSON":                       {Input: []byte(`{"command":`)},
	} {
		p.Kind = codecli.Codex
		shown, allowed := ask(t, p, "en")
		if allowed || strings.Contains(shown, "[y/N]") || !strings.Contains(shown, "codex-cli didn't get permission: ") {
			t.Errorf("%s: allowed %v, and the person sees:\n%.500s", name, allowed, shown)
		}
	}
}

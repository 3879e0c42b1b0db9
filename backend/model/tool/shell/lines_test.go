//go:build !windows

package shell

import (
	"strings"
	"testing"
)

// What a command prints is passed on while it runs, in whole lines, and how it ended is all that is left to tell.
func TestFollow_PassesOnWholeLines(t *testing.T) {
	s, _ := newShell(t)
	var said []string
	r, err := s.Follow(t.Context(), Args{Command: "printf 'se'; printf 'cret\nnext'; printf ' line' >&2; exit 3"},
		func(lines string) { said = append(said, lines) })
	if err != nil || strings.Join(said, "|") != "secret\n|next\n| line\n" || r.Rest() != "exit code 3\n" {
		t.Errorf("%q %q, %v", said, r.Rest(), err)
	}
}

// A long output isn't passed on whole. Then its head and tail come at the end.
func TestFollow_EndsWithALongOutput(t *testing.T) {
	s, _ := newShell(t)
	said := 0
	r, err := s.Follow(t.Context(), Args{Command: "yes | head -c 1000000"}, func(lines string) { said += len(lines) })
	if err != nil || said > maxKept || !strings.Contains(r.Rest(), "bytes left out") {
		t.Errorf("%d %.40q, %v", said, r.Rest(), err)
	}
}

package span

import (
	"testing"

	"gopkg.in/yaml.v3"
)

// A value is found by bytes, behind characters of several bytes and every kind of line break.
func TestPos_FindsTheByte(t *testing.T) {
	for _, src := range []string{
		"a: 1\nb: X\n", "a: 1\r\nb: X\r\n", "a: 1\rb: X\r", "\ufeffa: 1\nb: X", "あ: 日本語 # ✓\nい: X\n",
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(src), &doc); err != nil {
			t.Fatal(err)
		}
		s := New([]byte(src))
		at := s.Pos(doc.Content[0].Content[3])
		if s.Bad || s.Peek(at) != 'X' {
			t.Errorf("%q: found %q at %d, bad %v", src, s.Peek(at), at, s.Bad)
		}
		if start, end := s.LineStart(at), s.LineEnd(at); end != at+1 || start >= at || s.LineStart(start) != start {
			t.Errorf("%q: the line is %d to %d", src, start, end)
		}
	}
}

// A node that isn't of the text marks the result as useless.
func TestPos_RejectsANodeFromElsewhere(t *testing.T) {
	s := New([]byte("a: 1\n"))
	if s.Pos(&yaml.Node{Line: 9, Column: 1}); !s.Bad {
		t.Error("line 9 of one was found")
	}
}

// Outside the text there is nothing, and the last line needs no break.
func TestPeekAndNextLine(t *testing.T) {
	s := New([]byte("a\r\nb"))
	if s.Peek(-1) != 0 || s.Peek(4) != 0 || s.NextLine(1) != 3 || s.NextLine(4) != 4 {
		t.Errorf("%d %d %d %d", s.Peek(-1), s.Peek(4), s.NextLine(1), s.NextLine(4))
	}
}

// Package span finds the byte ranges of values in a YAML text.
package span

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Spans finds the ranges of values in a text. The parser returns only where a value begins (line and column, in
// characters); its end follows from the value. Bad is set if the text isn't as expected; results are invalid then.
type Spans struct {
	Src    []byte
	starts []int // byte at which each line begins
	ascii  bool
	Bad    bool

	// The last position, because positions are mostly looked up in order.
	line, col, at int
}

// New returns the Spans of src.
func New(src []byte) *Spans {
	s := &Spans{Src: src, ascii: true}
	first := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		first = 3
	}
	s.starts = append(s.starts, first)
	for i := first; i < len(src); {
		n := breakLen(src, i)
		if src[i] >= utf8.RuneSelf {
			s.ascii = false
		}
		if n == 0 {
			i++
			continue
		}
		i += n
		s.starts = append(s.starts, i)
	}
	return s
}

// breakLen returns the length of the line break at i, or 0 if there is none. YAML 1.1 has several line breaks.
func breakLen(src []byte, i int) int {
	switch src[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(src) && src[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if i+1 < len(src) && src[i+1] == 0x85 {
			return 2
		}
	case 0xe2:
		if i+2 < len(src) && src[i+1] == 0x80 && (src[i+2] == 0xa8 || src[i+2] == 0xa9) {
			return 3
		}
	}
	return 0
}

// Pos returns the offset of a node.
func (s *Spans) Pos(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(s.starts) || n.Column < 1 {
		s.Bad = true
		return 0
	}
	if s.ascii {
		return min(s.starts[n.Line-1]+n.Column-1, len(s.Src))
	}
	if n.Line != s.line || n.Column < s.col {
		s.line, s.col, s.at = n.Line, 1, s.starts[n.Line-1]
	}
	for s.col < n.Column && s.at < len(s.Src) {
		_, size := utf8.DecodeRune(s.Src[s.at:])
		s.at += size
		s.col++
	}
	return s.at
}

// Peek returns a byte, or 0 outside the text.
func (s *Spans) Peek(i int) byte {
	if i >= 0 && i < len(s.Src) {
		return s.Src[i]
	}
	return 0
}

// LineEnd returns the end of the line that contains i, without the line break.
func (s *Spans) LineEnd(i int) int {
	for i < len(s.Src) && breakLen(s.Src, i) == 0 {
		i++
	}
	return i
}

// NextLine returns the start of the line after the one that ends at end.
func (s *Spans) NextLine(end int) int {
	if end >= len(s.Src) {
		return len(s.Src)
	}
	return end + breakLen(s.Src, end)
}

// LineStart returns where the line that holds i begins.
func (s *Spans) LineStart(i int) int {
	for i > s.starts[0] && s.Src[i-1] != '\n' && s.Src[i-1] != '\r' {
		i--
	}
	return i
}

// IsBlank reports a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// Skip passes white space, line breaks and comments.
func (s *Spans) Skip(i int) int {
	for i < len(s.Src) {
		switch c := s.Src[i]; {
		case IsBlank(c) || c == '\n' || c == '\r':
			i++
		case c == '#':
			i = s.LineEnd(i)
		default:
			return i
		}
	}
	return i
}

// Content returns where a value begins behind its anchor and tag, and where those end.
func (s *Spans) Content(n *yaml.Node, i int) (at, propsEnd int) {
	propsEnd = i
	for at = i; s.Peek(at) == '&' || s.Peek(at) == '!'; at = s.Skip(at) {
		for at < len(s.Src) && !bytes.ContainsRune([]byte(" \t\r\n,[]{}"), rune(s.Src[at])) {
			at++
		}
		propsEnd = at
	}
	return at, propsEnd
}

// HasProps reports whether a value has an anchor or a tag in front of it.
func HasProps(n *yaml.Node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

// Span returns where a value stands, anchor and tag included. outer is the column
// (from 0) of the block it stands in, -1 at the top.
func (s *Spans) Span(n *yaml.Node, outer int) (start, end int) {
	start = s.Pos(n)
	at, propsEnd := start, start
	if HasProps(n) {
		at, propsEnd = s.Content(n, start)
	}
	switch {
	case n.Kind == yaml.AliasNode:
		end = start + 1 + len(n.Value)
		s.Bad = s.Bad || s.Peek(start) != '*'
	case n.Kind == yaml.ScalarNode:
		end = s.scalarEnd(n, at, propsEnd, outer)
	case n.Style&yaml.FlowStyle != 0:
		end = s.flowEnd(n, at)
	case len(n.Content) == 0:
		s.Bad, end = true, start
	default:
		_, end = s.Span(n.Content[len(n.Content)-1], s.Column(n))
	}
	if end > len(s.Src) || end < start {
		s.Bad, end = true, start
	}
	return start, end
}

// Column is where the keys or dashes of a block stand, from 0.
func (s *Spans) Column(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Column - 1
	}
	if !HasProps(n) {
		return n.Column - 1
	}
	at, _ := s.Content(n, s.Pos(n))
	return utf8.RuneCount(s.Src[s.LineStart(at):at])
}

func (s *Spans) scalarEnd(n *yaml.Node, at, propsEnd, outer int) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return s.quoteEnd(at, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return s.quoteEnd(at, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, end := s.Block(n, at, outer)
		return end
	case n.Value == "":
		return propsEnd
	}
	return s.plainEnd(n.Value, at)
}

func (s *Spans) quoteEnd(at int, quote byte) int {
	if s.Peek(at) != quote {
		s.Bad = true
		return at
	}
	for i := at + 1; i < len(s.Src); i++ {
		switch {
		case quote == '"' && s.Src[i] == '\\':
			i++
		case s.Src[i] != quote:
		case quote == '\'' && s.Peek(i+1) == '\'':
			i++
		default:
			return i + 1
		}
	}
	s.Bad = true
	return at
}

// plainEnd follows a plain text as far as its value goes: folding turns line breaks
// into spaces, and nothing else.
func (s *Spans) plainEnd(value string, at int) int {
	i := at
	for j := 0; j < len(value); {
		if c := value[j]; c == ' ' || c == '\n' || c == '\t' {
			for j < len(value) && (value[j] == ' ' || value[j] == '\n' || value[j] == '\t') {
				j++
			}
			for i < len(s.Src) && (IsBlank(s.Src[i]) || s.Src[i] == '\n' || s.Src[i] == '\r') {
				i++
			}
			continue
		}
		if s.Peek(i) != value[j] {
			s.Bad = true
			return at
		}
		i, j = i+1, j+1
	}
	return i
}

// Block returns where the header (such as |-) of a block text ends, and where the
// text ends: at the end of its last line, without the break.
func (s *Spans) Block(n *yaml.Node, at, outer int) (header, end int) {
	header = at
	if c := s.Peek(at); c != '|' && c != '>' {
		s.Bad = true
		return at, at
	}
	for header < len(s.Src) && strings.IndexByte("|>+-0123456789", s.Src[header]) >= 0 {
		header++
	}
	end = s.LineEnd(header)
	body := strings.TrimRight(n.Value, "\n")
	keep := bytes.IndexByte(s.Src[at:header], '+') >= 0
	if body == "" {
		return header, s.blankLines(end, keep)
	}
	if n.Style&yaml.LiteralStyle != 0 {
		for range strings.Count(body, "\n") + 1 {
			end = s.LineEnd(s.NextLine(end))
		}
		return header, s.blankLines(end, keep)
	}
	for next := s.NextLine(end); next < len(s.Src); {
		stop := s.LineEnd(next)
		line := string(s.Src[next:stop])
		text := strings.TrimLeft(line, " ")
		if text != "" && len(line)-len(text) <= outer {
			break
		}
		if text != "" {
			end = stop
		}
		if next = s.NextLine(stop); stop >= len(s.Src) {
			break
		}
	}
	return header, s.blankLines(end, keep)
}

// blankLines includes the blank lines that follow, where they belong to the text.
func (s *Spans) blankLines(end int, keep bool) int {
	for keep && end < len(s.Src) {
		next := s.NextLine(end)
		stop := s.LineEnd(next)
		if next >= len(s.Src) || strings.TrimLeft(string(s.Src[next:stop]), " ") != "" {
			break
		}
		end = stop
	}
	return end
}

// flowEnd finds the bracket that closes a flow map or list.
func (s *Spans) flowEnd(n *yaml.Node, at int) int {
	open := s.Peek(at)
	i := at + 1
	if len(n.Content) > 0 {
		_, i = s.Span(n.Content[len(n.Content)-1], -1)
	}
	if open != '{' && open != '[' { // a pair without brackets, as in [a: b]
		return i
	}
	if i < at+1 {
		i = at + 1
	}
	for i = s.Skip(i); s.Peek(i) == ',' || s.Peek(i) == ':' || s.Peek(i) == '?'; i = s.Skip(i + 1) {
	}
	if c := s.Peek(i); c != open+2 { // } is { + 2, and ] is [ + 2
		s.Bad = true
		return at
	}
	return i + 1
}

package yamldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// spans finds where values stand in the text. The parser tells only where each
// begins (line and column, in characters); where it ends follows from its value.
// bad is set when the text is not what was expected; nothing found then counts.
type spans struct {
	src    []byte
	starts []int // of each line, in bytes
	ascii  bool
	bad    bool

	// The last place looked up: places are mostly asked for in order.
	line, col, at int
}

func newSpans(src []byte) *spans {
	s := &spans{src: src, ascii: true}
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

// breakLen returns how long the line break at i is, 0 for none. YAML 1.1 has more
// line breaks than most.
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

// pos returns the byte at which a node begins.
func (s *spans) pos(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(s.starts) || n.Column < 1 {
		s.bad = true
		return 0
	}
	if s.ascii {
		return min(s.starts[n.Line-1]+n.Column-1, len(s.src))
	}
	if n.Line != s.line || n.Column < s.col {
		s.line, s.col, s.at = n.Line, 1, s.starts[n.Line-1]
	}
	for s.col < n.Column && s.at < len(s.src) {
		_, size := utf8.DecodeRune(s.src[s.at:])
		s.at += size
		s.col++
	}
	return s.at
}

func (s *spans) peek(i int) byte {
	if i >= 0 && i < len(s.src) {
		return s.src[i]
	}
	return 0
}

// lineEnd returns where the line that holds i ends, without its break.
func (s *spans) lineEnd(i int) int {
	for i < len(s.src) && breakLen(s.src, i) == 0 {
		i++
	}
	return i
}

// nextLine returns where the line after the one that ends at end begins.
func (s *spans) nextLine(end int) int {
	if end >= len(s.src) {
		return len(s.src)
	}
	return end + breakLen(s.src, end)
}

// lineStart returns where the line that holds i begins.
func (s *spans) lineStart(i int) int {
	for i > s.starts[0] && s.src[i-1] != '\n' && s.src[i-1] != '\r' {
		i--
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skip passes white space, line breaks and comments.
func (s *spans) skip(i int) int {
	for i < len(s.src) {
		switch c := s.src[i]; {
		case isBlank(c) || c == '\n' || c == '\r':
			i++
		case c == '#':
			i = s.lineEnd(i)
		default:
			return i
		}
	}
	return i
}

// content returns where a value begins behind its anchor and tag, and where those end.
func (s *spans) content(n *yaml.Node, i int) (at, propsEnd int) {
	propsEnd = i
	for at = i; s.peek(at) == '&' || s.peek(at) == '!'; at = s.skip(at) {
		for at < len(s.src) && !bytes.ContainsRune([]byte(" \t\r\n,[]{}"), rune(s.src[at])) {
			at++
		}
		propsEnd = at
	}
	return at, propsEnd
}

func hasProps(n *yaml.Node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

// span returns where a value stands, anchor and tag included. outer is the column
// (from 0) of the block it stands in, -1 at the top.
func (s *spans) span(n *yaml.Node, outer int) (start, end int) {
	start = s.pos(n)
	at, propsEnd := start, start
	if hasProps(n) {
		at, propsEnd = s.content(n, start)
	}
	switch {
	case n.Kind == yaml.AliasNode:
		end = start + 1 + len(n.Value)
		s.bad = s.bad || s.peek(start) != '*'
	case n.Kind == yaml.ScalarNode:
		end = s.scalarEnd(n, at, propsEnd, outer)
	case n.Style&yaml.FlowStyle != 0:
		end = s.flowEnd(n, at)
	case len(n.Content) == 0:
		s.bad, end = true, start
	default:
		_, end = s.span(n.Content[len(n.Content)-1], s.column(n))
	}
	if end > len(s.src) || end < start {
		s.bad, end = true, start
	}
	return start, end
}

// column is where the keys or dashes of a block stand, from 0.
func (s *spans) column(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Column - 1
	}
	if !hasProps(n) {
		return n.Column - 1
	}
	at, _ := s.content(n, s.pos(n))
	return utf8.RuneCount(s.src[s.lineStart(at):at])
}

func (s *spans) scalarEnd(n *yaml.Node, at, propsEnd, outer int) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return s.quoteEnd(at, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return s.quoteEnd(at, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, end := s.block(n, at, outer)
		return end
	case n.Value == "":
		return propsEnd
	}
	return s.plainEnd(n.Value, at)
}

func (s *spans) quoteEnd(at int, quote byte) int {
	if s.peek(at) != quote {
		s.bad = true
		return at
	}
	for i := at + 1; i < len(s.src); i++ {
		switch {
		case quote == '"' && s.src[i] == '\\':
			i++
		case s.src[i] != quote:
		case quote == '\'' && s.peek(i+1) == '\'':
			i++
		default:
			return i + 1
		}
	}
	s.bad = true
	return at
}

// plainEnd follows a plain text as far as its value goes: folding turns line breaks
// into spaces, and nothing else.
func (s *spans) plainEnd(value string, at int) int {
	i := at
	for j := 0; j < len(value); {
		if c := value[j]; c == ' ' || c == '\n' || c == '\t' {
			for j < len(value) && (value[j] == ' ' || value[j] == '\n' || value[j] == '\t') {
				j++
			}
			for i < len(s.src) && (isBlank(s.src[i]) || s.src[i] == '\n' || s.src[i] == '\r') {
				i++
			}
			continue
		}
		if s.peek(i) != value[j] {
			s.bad = true
			return at
		}
		i, j = i+1, j+1
	}
	return i
}

// block returns where the header (such as |-) of a block text ends, and where the
// text ends: at the end of its last line, without the break.
func (s *spans) block(n *yaml.Node, at, outer int) (header, end int) {
	header = at
	if c := s.peek(at); c != '|' && c != '>' {
		s.bad = true
		return at, at
	}
	for header < len(s.src) && strings.IndexByte("|>+-0123456789", s.src[header]) >= 0 {
		header++
	}
	end = s.lineEnd(header)
	body := strings.TrimRight(n.Value, "\n")
	keep := bytes.IndexByte(s.src[at:header], '+') >= 0
	if body == "" {
		return header, s.blankLines(end, keep)
	}
	if n.Style&yaml.LiteralStyle != 0 {
		for range strings.Count(body, "\n") + 1 {
			end = s.lineEnd(s.nextLine(end))
		}
		return header, s.blankLines(end, keep)
	}
	for next := s.nextLine(end); next < len(s.src); {
		stop := s.lineEnd(next)
		line := string(s.src[next:stop])
		text := strings.TrimLeft(line, " ")
		if text != "" && len(line)-len(text) <= outer {
			break
		}
		if text != "" {
			end = stop
		}
		if next = s.nextLine(stop); stop >= len(s.src) {
			break
		}
	}
	return header, s.blankLines(end, keep)
}

// blankLines includes the blank lines that follow, where they belong to the text.
func (s *spans) blankLines(end int, keep bool) int {
	for keep && end < len(s.src) {
		next := s.nextLine(end)
		stop := s.lineEnd(next)
		if next >= len(s.src) || strings.TrimLeft(string(s.src[next:stop]), " ") != "" {
			break
		}
		end = stop
	}
	return end
}

// flowEnd finds the bracket that closes a flow map or list.
func (s *spans) flowEnd(n *yaml.Node, at int) int {
	open := s.peek(at)
	i := at + 1
	if len(n.Content) > 0 {
		_, i = s.span(n.Content[len(n.Content)-1], -1)
	}
	if open != '{' && open != '[' { // a pair without brackets, as in [a: b]
		return i
	}
	if i < at+1 {
		i = at + 1
	}
	for i = s.skip(i); s.peek(i) == ',' || s.peek(i) == ':' || s.peek(i) == '?'; i = s.skip(i + 1) {
	}
	if c := s.peek(i); c != open+2 { // } is { + 2, and ] is [ + 2
		s.bad = true
		return at
	}
	return i + 1
}

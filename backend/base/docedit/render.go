package docedit

import (
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/scalar"
	"agentflow/backend/base/docedit/internal/span"
)

// rendered is the text of a value: what stands behind its colon or dash, and the
// lines below, each with the line break before it.
type rendered struct{ inline, below string }

// replace writes v where n stands.
func (s *splicer) replace(n, v *yaml.Node, at slot) {
	v = s.keepStyle(n, v)
	r := s.render(v, at)
	a, b, c, d := s.places(n, at)
	if s.Bad {
		return
	}
	if at.after >= 0 && !at.flow && r.inline == "" {
		for a > at.after && span.IsBlank(s.Src[a-1]) {
			a--
		}
	}
	if at.after >= 0 && a == at.after && r.inline != "" {
		r.inline = " " + r.inline
	}
	if d == len(s.Src) && r.below != "" && endsInBlock(v) {
		r.below += s.nl
	}
	if c == b {
		s.cut(a, d, r.inline+r.below)
		return
	}
	s.cut(a, b, r.inline)
	s.cut(c, d, r.below)
}

// places returns where a value stands: a to b behind the colon or dash, and c to d
// below that line. Without lines below, c and d are the end of the line.
func (s *splicer) places(n *yaml.Node, at slot) (a, b, c, d int) {
	start, end := s.Span(n, at.outer)
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "" && end == start && at.after >= 0:
		a, b = at.after, at.after
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && !at.flow:
		content, _ := s.Content(n, start)
		header, _ := s.Block(n, content, at.outer)
		return start, header, s.LineEnd(header), end
	case n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && at.after >= 0:
		return s.blockPlaces(n, start, end, at)
	default:
		a, b = start, end
	}
	if at.flow {
		return a, b, b, b
	}
	c = s.LineEnd(b)
	return a, b, c, c
}

func (s *splicer) blockPlaces(n *yaml.Node, start, end int, at slot) (a, b, c, d int) {
	a, b = at.after, at.after
	inner, props := s.Content(n, start)
	if span.HasProps(n) {
		a, b = start, props
	}
	line := s.LineEnd(b)
	if inner < line { // - key: value, on the dash's line
		if s.isBlockText(n) {
			return inner, end, end, end
		}
		stop := s.LineEnd(end)
		return inner, end, stop, stop
	}
	return a, b, line, s.LineEnd(end)
}

// keepStyle gives a new text the quotes or the block of the one it replaces.
func (s *splicer) keepStyle(n, v *yaml.Node) *yaml.Node {
	if n.Kind != yaml.ScalarNode || v.Kind != yaml.ScalarNode || v.Style&scalarStyles != 0 || v.Tag != tagString {
		return v
	}
	c := *v
	c.Style |= n.Style & scalarStyles
	if n.Style&yaml.FoldedStyle != 0 {
		c.Style = c.Style&^yaml.FoldedStyle | yaml.LiteralStyle
	}
	return &c
}

func (s *splicer) render(v *yaml.Node, at slot) rendered {
	if at.flow {
		return rendered{inline: s.flowText([]*yaml.Node{v})}
	}
	if v.Kind == yaml.ScalarNode {
		if wantsBlock(v) {
			return s.blockText(v.Value, at)
		}
		return rendered{inline: s.plainText(v)}
	}
	if v.Kind == yaml.AliasNode || v.Style&yaml.FlowStyle != 0 || len(v.Content) == 0 {
		return rendered{inline: s.flowText([]*yaml.Node{v})}
	}
	text, err := encodeYAML(v, s.step)
	if err != nil {
		s.Bad = true
		return rendered{}
	}
	col := at.outer + s.step
	switch {
	case at.outer < 0:
		col = 0
	case at.item:
		col = at.outer + 2
	case v.Kind == yaml.SequenceNode && s.flat:
		col = at.outer
	}
	first, rest := "", s.indent(strings.TrimSuffix(string(text), "\n"), col)
	if at.item || at.after < 0 {
		first, rest, _ = strings.Cut(rest[len(s.nl):], s.nl)
		first = strings.TrimLeft(first, " ")
		if rest != "" {
			rest = s.nl + rest
		}
	}
	return rendered{first, rest}
}

// indent puts a line break before every line and indents it by col columns.
func (s *splicer) indent(text string, col int) string {
	var b strings.Builder
	prefix := strings.Repeat(" ", col)
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(s.nl)
		if line != "" {
			b.WriteString(prefix)
			b.WriteString(line)
		}
	}
	return b.String()
}

// wantsBlock reports whether a text is written as a block (|).
func wantsBlock(v *yaml.Node) bool {
	return v.Tag == tagString && v.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 &&
		(strings.Contains(v.Value, "\n") || v.Style&yaml.LiteralStyle != 0) && scalar.FitsLiteral(v.Value)
}

// endsInBlock reports whether the last thing written is a block that needs a line
// break behind it.
func endsInBlock(v *yaml.Node) bool {
	for v.Kind != yaml.ScalarNode && v.Kind != yaml.AliasNode && v.Style&yaml.FlowStyle == 0 && len(v.Content) > 0 {
		v = v.Content[len(v.Content)-1]
	}
	return v.Kind == yaml.ScalarNode && strings.HasSuffix(v.Value, "\n")
}

func (s *splicer) blockText(text string, at slot) rendered {
	body := strings.TrimRight(text, "\n")
	header := "|"
	switch trailing := len(text) - len(body); {
	case trailing == 0:
		header = "|-"
	case trailing > 1:
		header = "|+"
	}
	col := max(at.outer, 0) + s.step
	if at.item {
		col = at.outer + 2
	}
	below := s.indent(body, col)
	for n := len(text) - len(body); n > 1; n-- {
		below += s.nl
	}
	return rendered{header, below}
}

// plainText writes a single value in one line, outside of brackets.
func (s *splicer) plainText(v *yaml.Node) string {
	c := *v
	c.HeadComment, c.LineComment, c.FootComment, c.Anchor = "", "", "", ""
	c.Style = s.lineStyle(v)
	text, err := encodeYAML(Map(KV("k", &c)), s.step)
	out, ok := strings.CutPrefix(string(text), "k: ")
	if err != nil || !ok {
		if c.Tag == tagNull {
			return "null"
		}
		s.Bad = true
	}
	return strings.TrimSuffix(out, "\n")
}

// lineStyle avoids the styles that take more than one line.
func (s *splicer) lineStyle(v *yaml.Node) yaml.Style {
	style := v.Style &^ (yaml.LiteralStyle | yaml.FoldedStyle)
	if strings.Contains(v.Value, "\n") || scalar.NeedsEscapes(v.Value) {
		return style&^scalarStyles | yaml.DoubleQuotedStyle
	}
	return style
}

// flowText writes a value, or a key and a value, as they stand between brackets.
func (s *splicer) flowText(nodes []*yaml.Node) string {
	box := List(true, s.oneLine(nodes[0]))
	if len(nodes) == 2 {
		box = Flow(Map(Entry{Key: s.oneLine(nodes[0]), Value: s.oneLine(nodes[1])}))
	}
	text, err := encodeYAML(box, s.step)
	if err != nil || len(text) < 3 || strings.Count(string(text), "\n") != 1 {
		s.Bad = true
		return ""
	}
	return string(text[1 : len(text)-2])
}

func (s *splicer) oneLine(v *yaml.Node) *yaml.Node {
	c := *v
	c.HeadComment, c.LineComment, c.FootComment = "", "", ""
	if v.Kind == yaml.ScalarNode {
		c.Style = s.lineStyle(v)
		return &c
	}
	c.Style |= yaml.FlowStyle
	c.Content = make([]*yaml.Node, len(v.Content))
	for i, child := range v.Content {
		c.Content[i] = s.oneLine(child)
	}
	return &c
}

// entry writes a new entry of a block that stands at column col.
func (s *splicer) entry(v []*yaml.Node, col int) string {
	at := slot{item: len(v) == 1, outer: col, after: 0}
	value := s.render(v[len(v)-1], at)
	lead := "-"
	if len(v) == 2 {
		lead = s.flowText(v[:1]) + ":"
	}
	if value.inline != "" {
		lead += " "
	}
	return lead + value.inline + value.below
}

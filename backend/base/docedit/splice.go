package docedit

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/span"
)

// splicer turns the edits into changes of the text.
type splicer struct {
	*span.Spans
	e    *Editor
	nl   string // the document's line break
	step int    // its indentation
	flat bool   // lists stand at the column of their key
	cuts []cut
}

// cut replaces the bytes from a to b.
type cut struct {
	a, b int
	text string
}

// slot is where a value stands.
type slot struct {
	flow  bool // inside {} or []
	item  bool // of a list
	outer int  // column of the block it stands in, from 0; -1 at the top
	after int  // the byte behind the colon or dash; -1 at the top
}

func newSplicer(e *Editor) *splicer {
	s := &splicer{Spans: span.New(e.doc.src), e: e, nl: "\n"}
	if i := bytes.IndexByte(e.doc.src, '\n'); i > 0 && e.doc.src[i-1] == '\r' {
		s.nl = "\r\n"
	}
	s.habits(e.doc.root, -1)
	if s.step == 0 {
		s.step = 2
	}
	return s
}

// habits finds out how the document indents, from its first nested block and its
// first list in a map. It reports whether it knows both.
func (s *splicer) habits(n *yaml.Node, outer int) bool {
	if n.Style&yaml.FlowStyle != 0 || len(n.Content) == 0 {
		return false
	}
	if n.Kind == yaml.SequenceNode {
		return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return s.habits(c, -1) })
	}
	if n.Kind != yaml.MappingNode {
		return false
	}
	col := n.Content[0].Column - 1
	if outer >= 0 {
		s.indents(col - outer)
	}
	for i := 1; i < len(n.Content); i += 2 {
		c := n.Content[i]
		list := c.Kind == yaml.SequenceNode && c.Style&yaml.FlowStyle == 0 && len(c.Content) > 0
		if list {
			s.flat = c.Column-1 == col
			s.indents(c.Column - 1 - col)
		}
		if list && s.step > 0 || s.habits(c, col) {
			return true
		}
	}
	return false
}

func (s *splicer) indents(by int) {
	if s.step == 0 && by > 0 {
		s.step = min(by, 8)
	}
}

// text returns the new text; false where the old one is not understood.
func (s *splicer) text() ([]byte, bool) {
	s.walk(s.e.doc.root, slot{outer: -1, after: -1})
	if s.Bad {
		return nil, false
	}
	slices.SortStableFunc(s.cuts, func(x, y cut) int {
		if x.a != y.a {
			return x.a - y.a
		}
		return x.b - y.b
	})
	var out bytes.Buffer
	at := 0
	for _, c := range s.cuts {
		if c.a < at || c.b < c.a || c.b > len(s.Src) {
			return nil, false
		}
		out.Write(s.Src[at:c.a])
		out.WriteString(c.text)
		at = c.b
	}
	out.Write(s.Src[at:])
	return out.Bytes(), true
}

func (s *splicer) cut(a, b int, text string) { s.cuts = append(s.cuts, cut{a, b, text}) }

// walk visits what stays and writes what changes.
func (s *splicer) walk(n *yaml.Node, at slot) {
	if s.Bad {
		return
	}
	if r, ok := s.e.replaced[n]; ok {
		s.replace(n, r, at)
		return
	}
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		return
	}
	flow := at.flow || n.Style&yaml.FlowStyle != 0
	if b := s.e.boxes[n]; b != nil && s.emptied(n, b) {
		f := *s.e.Final(n)
		f.HeadComment, f.FootComment = "", "" // they are outside of the replaced text and stay
		if !at.flow {
			f.Style = s.style(n, &f)
		}
		s.replace(n, &f, at)
		return
	}
	s.children(n, flow) // before the entries around them: where both add at one place, the inner comes first
	if b := s.e.boxes[n]; b != nil && flow {
		s.flowBox(n, b)
	} else if b != nil {
		s.blockBox(n, b)
	}
}

// emptied reports whether nothing of the map or list stays.
func (s *splicer) emptied(n *yaml.Node, b *box) bool {
	return len(b.removed)*width(n) == len(n.Content)
}

// style says how a map or list that was empty, or was emptied, is written.
func (s *splicer) style(n, f *yaml.Node) yaml.Style {
	if len(f.Content) == 0 {
		return yaml.FlowStyle
	}
	if n.Kind == yaml.MappingNode || Resolve(f.Content[0]).Kind != yaml.ScalarNode {
		return n.Style &^ yaml.FlowStyle
	}
	return n.Style
}

func (s *splicer) children(n *yaml.Node, flow bool) {
	w, b := width(n), s.e.boxes[n]
	for i := 0; i*w < len(n.Content); i++ {
		if b != nil && b.removed[i] || !s.e.touches(n.Content[(i+1)*w-1]) {
			continue
		}
		at := slot{flow: flow, item: w == 1, outer: -1, after: -1}
		if !flow {
			at.outer = s.Column(n)
			at.after = s.after(n, i)
		} else if w == 2 {
			at.after = s.after(n, i)
		}
		s.walk(n.Content[(i+1)*w-1], at)
	}
}

// touches reports whether anything in a value changes.
func (e *Editor) touches(n *yaml.Node) bool {
	if _, ok := e.replaced[n]; ok || e.boxes[n] != nil {
		return true
	}
	return slices.ContainsFunc(n.Content, e.touches)
}

// after returns the byte behind the colon or the dash of an entry.
func (s *splicer) after(n *yaml.Node, i int) int {
	if n.Kind == yaml.SequenceNode {
		return s.dash(n, i) + 1
	}
	_, end := s.Span(n.Content[2*i], -1)
	for span.IsBlank(s.Peek(end)) {
		end++
	}
	if s.Peek(end) != ':' {
		s.Bad = true
	}
	return end + 1
}

// dash returns where the dash of a list's item stands.
func (s *splicer) dash(n *yaml.Node, i int) int {
	at, _ := s.Content(n, s.Pos(n))
	if i > 0 {
		at = s.Skip(s.entryEnd(n, i-1))
	}
	if s.Peek(at) != '-' {
		s.Bad = true
	}
	return at
}

// entryStart returns where an entry of a block begins.
func (s *splicer) entryStart(n *yaml.Node, i int) int {
	if n.Kind == yaml.SequenceNode {
		return s.dash(n, i)
	}
	return s.Pos(n.Content[2*i])
}

// entryEnd returns where an entry of a block ends: at the end of its last line,
// with the comments below it that are indented deeper than the block.
func (s *splicer) entryEnd(n *yaml.Node, i int) int {
	w, col := width(n), s.Column(n)
	_, end := s.Span(n.Content[(i+1)*w-1], col)
	if s.isBlockText(n.Content[(i+1)*w-1]) {
		return end
	}
	end = s.LineEnd(end)
	for next := s.NextLine(end); next < len(s.Src); {
		stop := s.LineEnd(next)
		line := string(s.Src[next:stop])
		text := strings.TrimLeft(line, " \t")
		if text != "" && (text[0] != '#' || len(line)-len(text) <= col) {
			break
		}
		if text != "" {
			end = stop
		}
		next = s.NextLine(stop)
	}
	return end
}

// isBlockText reports whether a value ends in a block text, which ends its own line.
func (s *splicer) isBlockText(n *yaml.Node) bool {
	for n.Kind != yaml.AliasNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// blockBox removes and adds entries of a block.
func (s *splicer) blockBox(n *yaml.Node, b *box) {
	w := width(n)
	count := len(n.Content) / w
	first := 0
	for b.removed[first] {
		first++
	}
	s.removeBlock(n, b, first, count)
	prefix := strings.Repeat(" ", s.Column(n))
	last := -1 // the last entry that stays, before the place of insertion
	for i := 0; i <= count; i++ {
		for j, v := range chunk(b.appendAdded(nil, i, i == count), w) {
			if last < 0 {
				text := s.entry(v, s.Column(n))
				s.cut(s.entryStart(n, first), s.entryStart(n, first), text+s.nl+prefix)
				continue
			}
			at := s.entryEnd(n, last)
			text := s.nl + prefix + s.entry(v, s.Column(n))
			if at == len(s.Src) && i == count && j == len(b.added)-1 && endsInBlock(v[w-1]) {
				text += s.nl
			}
			s.cut(at, at, text)
		}
		if i < count && !b.removed[i] {
			last = i
		}
	}
}

func chunk(nodes []*yaml.Node, w int) [][]*yaml.Node { return slices.Collect(slices.Chunk(nodes, w)) }

// removeBlock takes whole lines; where the first entry shares its line with a dash
// before it, the next one moves up there.
func (s *splicer) removeBlock(n *yaml.Node, b *box, first, count int) {
	i := 0
	if start := s.entryStart(n, 0); first > 0 && strings.Trim(string(s.Src[s.LineStart(start):start]), " ") != "" {
		s.cut(start, s.entryStart(n, first), "")
		i = first
	}
	for ; i < count; i++ {
		if !b.removed[i] {
			continue
		}
		from := s.LineStart(s.entryStart(n, i))
		s.cut(from, s.NextLine(s.entryEnd(n, i)), "")
	}
}

// flowBox removes and adds entries between brackets.
func (s *splicer) flowBox(n *yaml.Node, b *box) {
	w := width(n)
	count := len(n.Content) / w
	start := func(i int) int { return s.Pos(n.Content[i*w]) }
	end := func(i int) int {
		_, e := s.Span(n.Content[(i+1)*w-1], -1)
		return e
	}
	kept := count - 1
	for b.removed[kept] {
		kept--
	}
	for i := range kept {
		if b.removed[i] {
			s.cut(start(i), start(i+1), "")
		}
	}
	last := -1
	for i := 0; i <= count; i++ {
		for _, v := range chunk(b.appendAdded(nil, i, i == count), w) {
			text := s.flowText(v)
			if last >= 0 {
				s.cut(end(last), end(last), ", "+text)
			} else {
				first := 0
				for b.removed[first] {
					first++
				}
				s.cut(start(first), start(first), text+", ")
			}
		}
		if i < count && !b.removed[i] {
			last = i
		}
	}
	if kept < count-1 {
		s.cut(end(kept), end(count-1), "")
	}
}

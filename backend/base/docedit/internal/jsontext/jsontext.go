// Package jsontext writes edits into a JSON or JSON5 text and leaves every other byte
// as it was: comments, spaces, quotes and the spelling of numbers.
package jsontext

import (
	"bytes"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
)

// Edits say what changes. The nodes are those of the text as it was.
type Edits interface {
	// Replaced returns what stands in the place of a value.
	Replaced(n *yaml.Node) (*yaml.Node, bool)
	// Entries returns what an edited map or list holds afterwards, in order.
	Entries(n *yaml.Node) ([]Entry, bool)
}

// Entry is one entry of an edited map or list: the one that stood at Was, or, where
// that is negative, a new one. Key is nil in a list.
type Entry struct {
	Was        int
	Key, Value *yaml.Node
}

// Splice returns the text with the edits. It does not prove it right: the caller reads
// it again. The error is that of reading src.
func Splice(src []byte, root *yaml.Node, o jsonnode.Options, e Edits) ([]byte, error) {
	places, err := jsonnode.Places(src, o)
	if err != nil {
		return nil, err
	}
	s := &splicer{src: src, edits: e, places: places, touched: map[*yaml.Node]bool{}, habits: habitsOf(src)}
	s.mark(root)
	end := places[0]
	text := s.value(root, "")
	return append(append(append([]byte(nil), src[:end.From]...), text...), src[end.To:]...), nil
}

type splicer struct {
	src     []byte
	edits   Edits
	places  []jsonnode.Place
	next    int // of the places, which stand in the order of the nodes
	touched map[*yaml.Node]bool
	habits
}

// mark finds the values in which something changes.
func (s *splicer) mark(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		_, hit := s.edits.Replaced(n)
		return hit
	}
	_, hit := s.edits.Replaced(n)
	if !hit {
		_, hit = s.edits.Entries(n)
	}
	for _, c := range n.Content {
		if s.mark(c) {
			hit = true
		}
	}
	if hit {
		s.touched[n] = true
	}
	return hit
}

// value returns the text of a value after the edits. Line is the white space in front of
// the line it begins in.
func (s *splicer) value(n *yaml.Node, line string) []byte {
	at := s.places[s.next]
	was := s.src[at.From:at.To]
	if v, ok := s.edits.Replaced(n); ok {
		s.skip(n)
		return s.render(v, s.styleOf(was), line)
	}
	if !s.touched[n] {
		s.skip(n)
		return was
	}
	s.next++
	return s.box(n, at, line)
}

func (s *splicer) skip(n *yaml.Node) {
	s.next++
	for _, c := range n.Content {
		s.skip(c)
	}
}

// part is one entry as it stands: lead, body, after, a comma, tail.
type part struct {
	lead  []byte // white space and comments in front of it
	body  []byte // with the edits inside
	after []byte // between the value and its comma
	comma bool
	tail  []byte // a comment behind it, on the same line
}

// box writes a map or list, in which something changes, part by part.
func (s *splicer) box(n *yaml.Node, at jsonnode.Place, line string) []byte {
	parts, rest := s.parts(n, at)
	entries, edited := s.edits.Entries(n)
	if !edited {
		entries = make([]Entry, len(parts))
		for i := range entries {
			entries[i].Was = i
		}
	}
	if len(entries) == 0 {
		return []byte{s.src[at.From], s.src[at.To-1]}
	}
	look := s.lookOf(parts, rest, line)
	trailing := len(parts) > 0 && parts[len(parts)-1].comma
	out := []byte{s.src[at.From]}
	for k, e := range entries {
		p := part{lead: look.lead(k)}
		if e.Was >= 0 {
			p = parts[e.Was]
			p.lead = look.moved(p.lead, e.Was, k)
		} else {
			p.body = s.fresh(e, look)
		}
		out = append(append(append(out, p.lead...), p.body...), p.after...)
		if k < len(entries)-1 || trailing {
			out = append(out, ',')
		}
		out = append(out, p.tail...)
	}
	return append(append(out, look.rest...), s.src[at.To-1])
}

// parts reads the entries of a map or list. Rest is what stands before its end.
func (s *splicer) parts(n *yaml.Node, at jsonnode.Place) (parts []part, rest []byte) {
	w := 1
	if n.Kind == yaml.MappingNode {
		w = 2
	}
	from := at.From + 1
	for i := 0; i < len(n.Content); i += w {
		start := s.places[s.next].From
		p := part{lead: s.src[from:start]}
		inside := indentAt(s.src, start)
		if w == 2 {
			s.next++
			p.body = append(p.body, s.src[start:s.places[s.next].From]...)
		}
		end := s.places[s.next].To
		p.body = append(p.body, s.value(n.Content[i+w-1], inside)...)
		comma := skip(s.src, end)
		from = end
		if s.src[comma] == ',' {
			p.after, p.comma, from = s.src[end:comma], true, comma+1
		}
		p.tail = remark(s.src[from : at.To-1])
		from += len(p.tail)
		parts = append(parts, p)
	}
	return parts, s.src[from : at.To-1]
}

// skip returns where white space and comments end.
func skip(src []byte, at int) int {
	for at < len(src) {
		switch c := src[at]; {
		case c == '/' && at+1 < len(src) && src[at+1] == '/':
			at = stop(src, at, "\n")
		case c == '/' && at+1 < len(src) && src[at+1] == '*':
			at = stop(src, at+2, "*/")
		case c == ',' || c == '}' || c == ']':
			return at
		default:
			at++
		}
	}
	return len(src) - 1
}

func stop(src []byte, at int, end string) int {
	if i := bytes.Index(src[at:], []byte(end)); i >= 0 {
		return at + i + len(end)
	}
	return len(src)
}

// remark returns the comment that ends the line, with the blanks before it, if there is one.
func remark(text []byte) []byte {
	end := bytes.IndexByte(text, '\n')
	if end < 0 {
		return nil
	}
	line := bytes.TrimRight(text[:end], " \t\r")
	blank := len(line) - len(bytes.TrimLeft(line, " \t"))
	switch said := line[blank:]; {
	case bytes.HasPrefix(said, []byte("//")):
		return line
	case bytes.HasPrefix(said, []byte("/*")) && bytes.Index(said, []byte("*/")) == len(said)-2:
		return line
	}
	return nil
}

// indentAt returns the white space in front of the line of a byte.
func indentAt(src []byte, at int) string {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// Package jsonnode reads JSON and JSON5 into the nodes of the YAML library: keys keep
// their order, numbers their digits, and every value knows its line.
package jsonnode

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Options say what is taken.
type Options struct {
	Five      bool // JSON5: comments, trailing commas, single quotes, bare keys
	MaxDepth  int
	MaxValues int
}

// SyntaxError tells what is wrong in which line, and what to do.
type SyntaxError struct {
	Line    int
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Parse reads a text, which must be UTF-8. Doubled keys are left to the caller. It
// reports whether there were comments. The error is a *SyntaxError.
func Parse(src []byte, o Options) (root *yaml.Node, comments bool, err error) {
	p := jsonParser{src: src, Options: o, line: 1}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.pos, p.start = 3, 3
	}
	root, err = p.document()
	return root, p.comments, err
}

// Place is where a value or a key stands: the bytes from From up to To.
type Place struct{ From, To int }

// Places returns where everything in a text stands, in the order in which it begins: the
// order of the nodes that Parse makes, each before what is in it, keys before values.
func Places(src []byte, o Options) ([]Place, error) {
	places := []Place{}
	p := jsonParser{src: src, Options: o, line: 1, places: &places}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.pos = 3
	}
	_, err := p.document()
	return places, err
}

// jsonParser is a recursive descent over the text.
type jsonParser struct {
	Options
	src      []byte
	pos      int
	line     int
	start    int // of the line
	depth    int
	count    int
	comments bool
	places   *[]Place // nil: they are not noted
}

// begin notes where something begins, for end to note where it ends.
func (p *jsonParser) begin() int {
	if p.places == nil {
		return 0
	}
	*p.places = append(*p.places, Place{From: p.pos})
	return len(*p.places) - 1
}

func (p *jsonParser) end(begun int) {
	if p.places != nil {
		(*p.places)[begun].To = p.pos
	}
}

func (p *jsonParser) document() (*yaml.Node, error) {
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.pos >= len(p.src) {
		return nil, p.fail("the document is empty. It must hold an object")
	}
	root, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.pos < len(p.src) {
		return nil, p.fail("something stands behind the end of the document. Keep one document in a file")
	}
	return root, nil
}

func (p *jsonParser) fail(format string, args ...any) error {
	return &SyntaxError{p.line, fmt.Sprintf(format, args...)}
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func (p *jsonParser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *jsonParser) newline() { p.line++; p.start = p.pos }

// space skips white space and, in JSON5, comments.
func (p *jsonParser) space() error {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '\n':
			p.pos++
			p.newline()
		case c == ' ' || c == '\t' || c == '\r':
			p.pos++
		case p.Five && c == '/':
			if err := p.comment(); err != nil {
				return err
			}
		case p.Five && (c == '\v' || c == '\f'):
			p.pos++
		case p.Five && c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p.src[p.pos:])
			if !isSpace5(r) {
				return nil
			}
			p.pos += size
		default:
			return nil
		}
	}
	return nil
}

func isSpace5(r rune) bool { return unicode.IsSpace(r) || r == 0xfeff || r == 0x2028 || r == 0x2029 }

func (p *jsonParser) comment() error {
	rest := string(p.src[p.pos:min(len(p.src), p.pos+2)])
	p.comments = true
	switch rest {
	case "//":
		for p.pos < len(p.src) && p.src[p.pos] != '\n' {
			p.pos++
		}
		return nil
	case "/*":
		for p.pos += 2; p.pos < len(p.src); p.pos++ {
			if p.src[p.pos] == '\n' {
				p.line++
				p.start = p.pos + 1
			}
			if p.src[p.pos] == '*' && p.pos+1 < len(p.src) && p.src[p.pos+1] == '/' {
				p.pos += 2
				return nil
			}
		}
		return p.fail("a comment /* is never closed. Close it with */")
	}
	return p.fail("a single / means nothing here. Comments begin with // or /*")
}

func (p *jsonParser) node(kind yaml.Kind, tag string) *yaml.Node {
	return &yaml.Node{Kind: kind, Tag: tag, Line: p.line, Column: p.pos - p.start + 1}
}

func (p *jsonParser) value() (*yaml.Node, error) {
	if p.count++; p.count > p.MaxValues {
		return nil, p.fail("the document has more than %d values. Write less", p.MaxValues)
	}
	begun := p.begin()
	defer p.end(begun)
	switch c := p.peek(); {
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.array)
	case c == '"' || p.Five && c == '\'':
		n := p.node(yaml.ScalarNode, "!!str")
		n.Style = yaml.DoubleQuotedStyle
		s, err := p.text()
		n.Value = s
		return n, err
	case c == 0 && p.pos >= len(p.src):
		return nil, p.fail("the document ends too early. Close what is open")
	}
	return p.word()
}

func (p *jsonParser) nested(read func() (*yaml.Node, error)) (*yaml.Node, error) {
	if p.depth++; p.depth > p.MaxDepth {
		return nil, p.fail("values are nested more than %d deep. Flatten them", p.MaxDepth)
	}
	defer func() { p.depth-- }()
	return read()
}

func (p *jsonParser) object() (*yaml.Node, error) {
	n := p.node(yaml.MappingNode, "!!map")
	n.Style = yaml.FlowStyle
	err := p.list('}', func() error {
		k, err := p.key()
		if err != nil {
			return err
		}
		if err := p.space(); err != nil {
			return err
		}
		if p.peek() != ':' {
			return p.fail("a colon is missing after the key %q", clip(k.Value))
		}
		p.pos++
		if err := p.space(); err != nil {
			return err
		}
		v, err := p.value()
		n.Content = append(n.Content, k, v)
		return err
	})
	return n, err
}

func (p *jsonParser) array() (*yaml.Node, error) {
	n := p.node(yaml.SequenceNode, "!!seq")
	n.Style = yaml.FlowStyle
	err := p.list(']', func() error {
		v, err := p.value()
		n.Content = append(n.Content, v)
		return err
	})
	return n, err
}

// list reads what stands between a bracket and its end, parted by commas.
func (p *jsonParser) list(end byte, item func() error) error {
	opened := p.line
	p.pos++
	for first := true; ; first = false {
		if err := p.space(); err != nil {
			return err
		}
		if p.peek() == end && (first || p.Five) {
			p.pos++
			return nil
		}
		if p.pos >= len(p.src) {
			return p.fail("the bracket opened in line %d is never closed. Add the missing %q", opened, string(end))
		}
		if err := item(); err != nil {
			return err
		}
		if err := p.space(); err != nil {
			return err
		}
		if c := p.peek(); c == end {
			p.pos++
			return nil
		} else if c != ',' {
			return p.fail("a comma or %q is missing here", string(end))
		}
		p.pos++
	}
}

func (p *jsonParser) key() (*yaml.Node, error) {
	n := p.node(yaml.ScalarNode, "!!str")
	begun := p.begin()
	defer p.end(begun)
	c := p.peek()
	if c == '"' || p.Five && c == '\'' {
		n.Style = yaml.DoubleQuotedStyle
		s, err := p.text()
		n.Value = s
		return n, err
	}
	if p.Five {
		if n.Value = p.identifier(); n.Value != "" {
			return n, nil
		}
	}
	return nil, p.fail("a key in double quotes is expected here")
}

func (p *jsonParser) identifier() string {
	from := p.pos
	for p.pos < len(p.src) {
		r, size := utf8.DecodeRune(p.src[p.pos:])
		if r != '_' && r != '$' && !unicode.IsLetter(r) && !(p.pos > from && (unicode.IsDigit(r) || unicode.IsMark(r))) {
			break
		}
		p.pos += size
	}
	return string(p.src[from:p.pos])
}

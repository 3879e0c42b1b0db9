package yamldoc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"agentflow/backend/errcode"
)

// FromJSON reads JSON. Keys keep their order and numbers their digits. Errors are
// as Parse's.
func FromJSON(src []byte, file string) (*Document, error) { return parseJSON(src, file, false) }

// FromJSON5 reads JSON5: comments, trailing commas, single quotes, bare keys. Keys
// keep their order; comments do not survive an edit, see HasComments.
func FromJSON5(src []byte, file string) (*Document, error) { return parseJSON(src, file, true) }

func parseJSON(src []byte, file string, five bool) (*Document, error) {
	if err := checkText(src, file); err != nil {
		return nil, err
	}
	p := jsonParser{src: src, file: file, five: five, line: 1}
	if strings.HasPrefix(string(src[:min(len(src), 3)]), "\ufeff") {
		p.pos = 3
	}
	root, err := p.document()
	if err != nil {
		return nil, err
	}
	return &Document{file: file, lang: JSON, src: src, root: root, comments: p.comments}, nil
}

// jsonParser is a recursive descent over the text; five lets it take JSON5.
type jsonParser struct {
	src      []byte
	file     string
	pos      int
	line     int
	start    int // of the line
	depth    int
	count    int
	five     bool
	comments bool
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

func (p *jsonParser) fail(format string, args ...any) *errcode.Error {
	return fail(p.file, p.line, format, args...)
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
		case p.five && c == '/':
			if err := p.comment(); err != nil {
				return err
			}
		case p.five && (c == '\v' || c == '\f'):
			p.pos++
		case p.five && c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p.src[p.pos:])
			if !unicode.IsSpace(r) && r != 0xfeff && r != 0x2028 && r != 0x2029 {
				return nil
			}
			p.pos += size
		default:
			return nil
		}
	}
	return nil
}

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
	if p.count++; p.count > MaxExpanded {
		return nil, p.fail("the document has more than %d values. Write less", MaxExpanded)
	}
	switch c := p.peek(); {
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.array)
	case c == '"' || p.five && c == '\'':
		n := p.node(yaml.ScalarNode, tagString)
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
	if p.depth++; p.depth > MaxDepth {
		return nil, p.fail("values are nested more than %d deep. Flatten them", MaxDepth)
	}
	defer func() { p.depth-- }()
	return read()
}

func (p *jsonParser) object() (*yaml.Node, error) {
	n := p.node(yaml.MappingNode, tagMap)
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
	if err != nil {
		return nil, err
	}
	c := checker{file: p.file}
	return n, c.keys(n)
}

func (p *jsonParser) array() (*yaml.Node, error) {
	n := p.node(yaml.SequenceNode, tagSeq)
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
		if p.peek() == end && (first || p.five) {
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
	n := p.node(yaml.ScalarNode, tagString)
	c := p.peek()
	if c == '"' || p.five && c == '\'' {
		n.Style = yaml.DoubleQuotedStyle
		s, err := p.text()
		n.Value = s
		return n, err
	}
	if p.five {
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

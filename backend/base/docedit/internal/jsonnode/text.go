package jsonnode

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// text reads a string in quotes.
func (p *jsonParser) text() (string, error) {
	quote := p.src[p.pos]
	p.pos++
	from := p.pos
	for p.pos < len(p.src) { // most strings hold no escapes
		c := p.src[p.pos]
		if c == quote {
			p.pos++
			return string(p.src[from : p.pos-1]), nil
		}
		if c == '\\' || c < 0x20 {
			break
		}
		p.pos++
	}
	var b strings.Builder
	b.Write(p.src[from:p.pos])
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == quote:
			p.pos++
			return b.String(), nil
		case c == '\\':
			p.pos++
			if err := p.escape(&b); err != nil {
				return "", err
			}
		case c == '\n' || c < 0x20 && !(p.Five && c == '\t'):
			return "", p.fail(
				"a line break or control character stands inside a text. Write it as an escape, such as \\n, and close the quotes",
			)
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return "", p.fail("a text is never closed. Add the missing quote")
}

var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) escape(b *strings.Builder) error {
	c := p.peek()
	p.pos++
	if r, ok := simpleEscapes[c]; ok {
		b.WriteByte(r)
		return nil
	}
	if c == 'u' {
		r, err := p.unicodeEscape()
		b.WriteRune(r)
		return err
	}
	if p.Five {
		return p.escape5(c, b)
	}
	return p.fail("the escape \\%s does not exist in JSON. Write \\\\ for a backslash", string(rune(c)))
}

func (p *jsonParser) unicodeEscape() (rune, error) {
	r, err := p.hex(4)
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if string(p.src[p.pos:min(len(p.src), p.pos+2)]) == `\u` {
		p.pos += 2
		second, err := p.hex(4)
		if err != nil {
			return 0, err
		}
		if both := utf16.DecodeRune(r, second); both != utf8.RuneError {
			return both, nil
		}
	}
	return 0, p.fail("half a character: the escape \\u%04x needs its second half. Write both, or the character itself",
		r)
}

func (p *jsonParser) hex(digits int) (rune, error) {
	if p.pos+digits > len(p.src) {
		return 0, p.fail("an escape is cut off")
	}
	v, err := strconv.ParseUint(string(p.src[p.pos:p.pos+digits]), 16, 32)
	if err != nil {
		return 0, p.fail("an escape needs %d hexadecimal digits", digits)
	}
	p.pos += digits
	return rune(v), nil
}

// escape5 handles what only JSON5 knows.
func (p *jsonParser) escape5(c byte, b *strings.Builder) error {
	switch c {
	case 'v':
		b.WriteByte('\v')
	case '0':
		b.WriteByte(0)
	case 'x':
		r, err := p.hex(2)
		if err != nil {
			return err
		}
		b.WriteRune(r)
	case '\r':
		if p.peek() == '\n' {
			p.pos++
		}
		p.newline()
	case '\n':
		p.newline()
	default:
		p.pos--
		r, size := utf8.DecodeRune(p.src[p.pos:])
		p.pos += size
		b.WriteRune(r)
	}
	return nil
}

// word reads a number, true, false or null.
func (p *jsonParser) word() (*yaml.Node, error) {
	n := p.node(yaml.ScalarNode, "")
	from := p.pos
	for p.pos < len(p.src) && !strings.ContainsRune(" \t\r\n,:]}[{\"'/", rune(p.src[p.pos])) {
		p.pos++
	}
	n.Value = string(p.src[from:p.pos])
	switch n.Value {
	case "true", "false":
		n.Tag = "!!bool"
		return n, nil
	case "null":
		n.Tag = "!!null"
		return n, nil
	}
	if isNumber(n.Value) {
		n.Tag = "!!int"
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
		return n, nil
	}
	if p.Five && p.number5(n) {
		return n, nil
	}
	p.pos = from
	return nil, p.fail("%q is not a value here. Texts need quotes", clip(n.Value))
}

// number5 takes the numbers that only JSON5 knows, and writes them as JSON does.
func (p *jsonParser) number5(n *yaml.Node) bool {
	s := strings.TrimPrefix(n.Value, "+")
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		v, err := strconv.ParseUint(hex, 16, 64)
		n.Tag, n.Value = "!!int", sign+strconv.FormatUint(v, 10)
		return err == nil
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	if before, after, ok := strings.Cut(s, "."); ok && (after == "" || after[0] == 'e' || after[0] == 'E') {
		s = before + ".0" + after
	}
	if !isNumber(sign + s) {
		return false
	}
	n.Tag, n.Value = "!!float", sign+s
	if !strings.ContainsAny(s, ".eE") {
		n.Tag = "!!int"
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

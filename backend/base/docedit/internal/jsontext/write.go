package jsontext

import (
	"bytes"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
)

// habits describe the formatting of a text.
type habits struct {
	nl    string // line break
	step  string // indentation of one level; "" if the text is one line
	space string // after colons, and after commas within a line
}

func habitsOf(src []byte) habits {
	h := habits{nl: "\n", step: Indent(src)}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		h.nl = "\r\n"
	}
	if i := bytes.IndexByte(src, ':'); h.step != "" || i >= 0 && i+1 < len(src) && src[i+1] == ' ' {
		h.space = " "
	}
	return h
}

// Indent returns the indentation of one level, or "" if no bracket has entries on separate lines.
func Indent(src []byte) string {
	for at := range src {
		if src[at] != '\n' {
			continue
		}
		above := bytes.TrimRight(src[:at], " \t\r")
		if !bytes.HasSuffix(above, []byte("{")) && !bytes.HasSuffix(above, []byte("[")) {
			continue
		}
		next := src[at+1:]
		lead := string(next[:len(next)-len(bytes.TrimLeft(next, " \t"))])
		if step, deeper := strings.CutPrefix(lead, indentAt(src, len(above))); deeper && step != "" {
			return step
		}
	}
	return ""
}

// look describes the formatting of one map or list.
type look struct {
	first, between []byte // text before the first entry, and before each other one
	rest           []byte // text before the closing bracket
	line           string // indentation of the entries, or of the bracket if all is on one line
	lines          bool   // every entry is on a separate line
	bare           bool   // keys have no quotes
}

func (s *splicer) lookOf(parts []part, rest []byte, line string) look {
	if len(parts) == 0 {
		if s.step == "" {
			return look{between: []byte(s.space), line: line}
		}
		lead := []byte(s.nl + line + s.step)
		return look{first: lead, between: lead, rest: []byte(s.nl + line), line: line + s.step, lines: true}
	}
	l := look{first: parts[0].lead, between: []byte(s.space), rest: rest, line: line}
	key := parts[0].body[0]
	l.bare = key != '"' && key != '\''
	if at := bytes.LastIndexByte(l.first, '\n'); at >= 0 && len(bytes.TrimSpace(l.first[at:])) == 0 {
		l.lines, l.line = true, string(l.first[at+1:])
		l.between = []byte(s.nl + l.line)
	}
	if len(bytes.TrimSpace(l.first)) > 0 { // a comment belongs to the entry below it
		l.first = l.between
		if !l.lines {
			l.first = nil
		}
	}
	return l
}

// lead is what stands in front of a new entry at place k.
func (l look) lead(k int) []byte {
	if k == 0 {
		return l.first
	}
	return l.between
}

// moved is what stands in front of an entry that stood at place was and now stands at k.
func (l look) moved(lead []byte, was, k int) []byte {
	if (was == 0) == (k == 0) || len(bytes.TrimSpace(lead)) > 0 {
		return lead
	}
	return l.lead(k)
}

// fresh writes a new entry.
func (s *splicer) fresh(e Entry, l look) []byte {
	var out []byte
	if e.Key != nil {
		if l.bare && bareKey(e.Key.Value) {
			out = append(out, e.Key.Value...)
		} else {
			out = jsonnode.Append(out, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.Key.Value}, "")
		}
		out = append(append(out, ':'), s.space...)
	}
	return append(out, s.render(e.Value, style{lines: l.lines, bare: l.bare && e.Key != nil}, l.line)...)
}

// style is how a value is written.
type style struct {
	lines  bool // maps and lists take a line for each entry
	bare   bool
	single bool // texts in single quotes
}

// styleOf keeps the style of a value for the one that replaces it.
func (s *splicer) styleOf(was []byte) style {
	box := len(was) > 2 && (was[0] == '{' || was[0] == '[')
	return style{lines: s.step != "" && (!box || bytes.IndexByte(was, '\n') >= 0), single: was[0] == '\''}
}

// render writes a value. Line is the white space in front of the line it begins in.
func (s *splicer) render(v *yaml.Node, st style, line string) []byte {
	v = jsonnode.Resolve(v)
	if v == nil || v.Kind == yaml.ScalarNode {
		text := jsonnode.Append(nil, v, "")
		if st.single && text[0] == '"' {
			return singleQuoted(text)
		}
		return text
	}
	ends, w := "{}", 2
	if v.Kind == yaml.SequenceNode {
		ends, w = "[]", 1
	}
	if len(v.Content) == 0 {
		return []byte(ends)
	}
	lead, between, last, inside := "", s.space, "", line
	if st.lines {
		inside = line + s.step
		lead, between, last = s.nl+inside, s.nl+inside, s.nl+line
	}
	out := append([]byte(ends[:1]), lead...)
	for i := 0; i < len(v.Content); i += w {
		if i > 0 {
			out = append(append(out, ','), between...)
		}
		e := Entry{Value: v.Content[i+w-1]}
		if w == 2 {
			e.Key = v.Content[i]
		}
		out = append(out, s.fresh(e, look{line: inside, lines: st.lines, bare: st.bare})...)
	}
	return append(append(out, last...), ends[1])
}

// singleQuoted turns a text in double quotes into one in single quotes.
func singleQuoted(text []byte) []byte {
	inner := strings.NewReplacer(`\\`, `\\`, `\"`, `"`, `'`, `\'`).Replace(string(text[1 : len(text)-1]))
	return []byte("'" + inner + "'")
}

// bareKey reports whether JSON5 takes a key without quotes.
func bareKey(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

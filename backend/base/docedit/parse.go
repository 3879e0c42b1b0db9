package docedit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
	"agentflow/backend/base/errcode"
)

// What a document may be at most. They keep a hostile file from taking the machine.
const (
	MaxBytes    = 10 << 20
	MaxDepth    = 64
	MaxExpanded = 1_000_000 // values, with every alias counted as what it stands for
	MaxAliased  = 32 << 20  // bytes of text that aliases stand for, each counted
)

// Values of details.reason of a text that can't be read.
const (
	ReasonNotYAML = "not_yaml" // details.said has the parser's words
	ReasonNotJSON = "not_json" // likewise
	ReasonNotUTF8 = "not_utf8"
	ReasonSecond  = "second_document"
)

const keySaid = "said"

// Parse reads YAML text. file names it in messages and may be empty. Errors are
// VALIDATION_ERROR with details.line (and details.file). An empty text is a document
// without a root. The text must not be changed afterwards.
func Parse(src []byte, file string) (*Document, error) {
	if err := checkText(src, file); err != nil {
		return nil, err
	}
	root, err := parseNodes(src, file)
	if err != nil {
		return nil, err
	}
	c := checker{file: file}
	if root != nil {
		if err := c.check(root); err != nil {
			return nil, err
		}
	}
	return &Document{file: file, lang: YAML, src: src, root: root, aliased: c.sizes != nil}, nil
}

// FromJSON reads JSON. Keys keep their order and numbers their digits. Errors are
// as Parse's.
func FromJSON(src []byte, file string) (*Document, error) { return parseJSON(src, file, false) }

// FromJSON5 reads JSON5: comments, trailing commas, single quotes, bare keys.
func FromJSON5(src []byte, file string) (*Document, error) { return parseJSON(src, file, true) }

func parseJSON(src []byte, file string, five bool) (*Document, error) {
	if err := checkText(src, file); err != nil {
		return nil, err
	}
	root, comments, err := jsonnode.Parse(src, jsonOptions(five))
	if wrong, ok := errors.AsType[*jsonnode.SyntaxError](err); ok {
		return nil, fail(file, wrong.Line, "%s", wrong.Message).With(errcode.KeyReason, ReasonNotJSON).
			With(keySaid, wrong.Message)
	}
	if err != nil {
		return nil, err
	}
	c := checker{file: file}
	if err := c.check(root); err != nil {
		return nil, err
	}
	return &Document{file: file, lang: JSON, five: five, src: src, root: root, comments: comments}, nil
}

func jsonOptions(five bool) jsonnode.Options {
	return jsonnode.Options{Five: five, MaxDepth: MaxDepth, MaxValues: MaxExpanded}
}

func checkText(src []byte, file string) error {
	if len(src) > MaxBytes {
		return fail(file, 0, "the document has %d bytes, and the limit is %d. Split it, or remove what you don't need",
			len(src), MaxBytes)
	}
	if utf8.Valid(src) {
		return nil
	}
	at := invalidAt(src)
	return fail(file, lineOf(src, at), "byte %d (0x%02x) is not UTF-8. Save the file as UTF-8", at, src[at]).
		With("offset", at).With(errcode.KeyReason, ReasonNotUTF8)
}

func invalidAt(src []byte) int {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(src)
}

// parseNodes runs the YAML parser. The parser has no size limit, but refuses
// nesting beyond 10,000 levels before its stack grows large.
func parseNodes(src []byte, file string) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fail(file, 0,
				"this YAML cannot be read: the parser gave up (%v). Simplify it or write it anew", p)
		}
	}()
	var doc yaml.Node
	if err := decode(src, file, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if r := doc.Content[0]; !isNull(r) || r.Value != "" || r.Anchor != "" || r.Style&yaml.TaggedStyle != 0 {
		return r, nil
	}
	return nil, nil
}

// decode reads the only document. Looking for a second one also finds what stands
// behind the first by mistake, which the library's shorter way passes over.
func decode(src []byte, file string, doc *yaml.Node) error {
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return syntaxError(src, file, err)
	}
	var more yaml.Node
	if err := d.Decode(&more); err == nil {
		return fail(file, more.Line, "a second document starts here. Keep one document per file").
			With(errcode.KeyReason, ReasonSecond)
	} else if !errors.Is(err, io.EOF) {
		return syntaxError(src, file, err)
	}
	return nil
}

var yamlLine = regexp.MustCompile(`line (\d+): ?`)

const parserSays = "did not find expected"

func syntaxError(src []byte, file string, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = strings.Replace(msg, m[0], "", 1)
		if strings.HasPrefix(msg, parserSays) {
			line++ // the library counts these lines from 0, and says nothing of the first
		}
	} else if strings.HasPrefix(msg, parserSays) {
		line = 1
	} else if at := bytes.IndexFunc(src, isControl); at >= 0 && strings.Contains(msg, "control") {
		line = lineOf(src, at)
	}
	return fail(file, line, "this is not YAML: %s. Check indentation, quotes and colons here and in the line before",
		msg).With(errcode.KeyReason, ReasonNotYAML).With(keySaid, msg)
}

func isControl(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// lineOf counts the lines up to a byte, from 1.
func lineOf(src []byte, at int) int { return bytes.Count(src[:min(at, len(src))], []byte{'\n'}) + 1 }

// fail builds the error of every refusal here.
func fail(file string, line int, format string, args ...any) *errcode.Error {
	place := ""
	switch {
	case file != "" && line > 0:
		place = fmt.Sprintf("%s:%d: ", file, line)
	case file != "":
		place = file + ": "
	case line > 0:
		place = fmt.Sprintf("line %d: ", line)
	}
	e := errcode.New(errcode.Validation, "%s%s", place, fmt.Sprintf(format, args...))
	if file != "" {
		e = e.With(errcode.KeyFile, file)
	}
	if line > 0 {
		e = e.With(errcode.KeyLine, line)
	}
	return e
}

// Fail returns a VALIDATION_ERROR that names the place of a node in the document.
func (d *Document) Fail(n *yaml.Node, format string, args ...any) *errcode.Error {
	line := 0
	if n != nil {
		line = n.Line
	}
	return fail(d.file, line, format, args...)
}

// size is what a value amounts to once its aliases are expanded.
type size struct{ nodes, height, bytes int }

// checker refuses what parses but would hurt: doubled keys, deep nesting, alias bombs.
type checker struct {
	file  string
	sizes map[*yaml.Node]size // of anchored values; nil until there is one. height -1: being measured
	bytes int                 // that all aliases stand for
}

func (c *checker) check(root *yaml.Node) error {
	s, err := c.measure(root)
	if err != nil {
		return err
	}
	if s.height > MaxDepth {
		return fail(c.file, deepLine(root), "values are nested more than %d deep. Flatten them", MaxDepth)
	}
	return nil
}

func (c *checker) measure(n *yaml.Node) (size, error) {
	if n.Kind == yaml.AliasNode {
		return c.alias(n)
	}
	if n.Anchor == "" {
		return c.inside(n)
	}
	if c.sizes == nil {
		c.sizes = map[*yaml.Node]size{}
	}
	c.sizes[n] = size{height: -1}
	s, err := c.inside(n)
	if err == nil {
		s.bytes = c.weigh(n)
	}
	c.sizes[n] = s
	return s, err
}

// weigh counts the text of a value, with every alias counted as what it stands for.
func (c *checker) weigh(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode {
		return c.sizes[n.Alias].bytes
	}
	total := len(n.Value)
	for _, child := range n.Content {
		total += c.weigh(child)
	}
	return total
}

// inside measures a value with all that is in it.
func (c *checker) inside(n *yaml.Node) (size, error) {
	s := size{nodes: 1}
	if n.Kind == yaml.ScalarNode {
		return s, nil
	}
	nested := nested(n.Content)
	if n.Kind == yaml.MappingNode {
		if err := c.keys(n); err != nil {
			return s, err
		}
	}
	s.nodes += len(n.Content) - nested
	for _, child := range n.Content {
		if nested == 0 {
			break
		}
		if simple(child) {
			continue
		}
		nested--
		cs, err := c.measure(child)
		if err != nil {
			return s, err
		}
		s.nodes += cs.nodes
		s.height = max(s.height, cs.height)
		if s.nodes > MaxExpanded {
			return s, c.tooMany(child)
		}
	}
	if s.nodes > MaxExpanded {
		return s, c.tooMany(n)
	}
	s.height++
	return s, nil
}

// nested counts the values that have more to measure. It does nothing else, so that the
// processor fetches many of them at once: they lie far apart, and waiting for one after
// the other takes most of the time of a check.
func nested(values []*yaml.Node) (count int) {
	for _, n := range values {
		if !simple(n) {
			count++
		}
	}
	return count
}

func simple(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Anchor == "" }

func (c *checker) tooMany(n *yaml.Node) error {
	return fail(c.file, n.Line,
		"the document has more than %d values once its aliases are expanded. Write less, or use fewer aliases",
		MaxExpanded)
}

func (c *checker) alias(n *yaml.Node) (size, error) {
	s := c.sizes[n.Alias]
	if s.height == -1 {
		return s, fail(c.file, n.Line, "the alias *%s stands inside the value it names. Write the value out", n.Value)
	}
	if c.bytes += s.bytes; c.bytes > MaxAliased {
		return s, fail(c.file, n.Line,
			"the document has more than 32 MiB of text once its aliases are expanded. Write less, or use fewer aliases")
	}
	return s, nil
}

// fewKeys is up to where comparing each key with each is cheaper than a map.
const fewKeys = 12

func (c *checker) keys(n *yaml.Node) error {
	var seen map[string]*yaml.Node
	if len(n.Content) > 2*fewKeys {
		seen = make(map[string]*yaml.Node, len(n.Content)/2)
	}
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode {
			return fail(c.file, k.Line, "a key must be plain text, not a list, a map or an alias. Write it as text")
		}
		if seen == nil {
			for j := 0; j < i; j += 2 {
				if n.Content[j].Value == k.Value {
					return c.double(n.Content[j], k)
				}
			}
			continue
		}
		if first := seen[k.Value]; first != nil {
			return c.double(first, k)
		}
		seen[k.Value] = k
	}
	return nil
}

func (c *checker) double(first, second *yaml.Node) error {
	return fail(c.file, second.Line, "the key %q stands twice: in line %d and in line %d. Remove one of them", clip(second.Value), first.Line, second.Line).
		With("firstLine", first.Line)
}

// deepLine finds where the nesting gets too deep.
func deepLine(root *yaml.Node) int {
	line := root.Line
	var walk func(n *yaml.Node, depth int) bool
	walk = func(n *yaml.Node, depth int) bool {
		if n.Kind == yaml.ScalarNode {
			return false
		}
		line = n.Line
		if depth > MaxDepth {
			return true
		}
		for _, c := range n.Content {
			if walk(c, depth+1) {
				return true
			}
		}
		return false
	}
	walk(root, 1)
	return line
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

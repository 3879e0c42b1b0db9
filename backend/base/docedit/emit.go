package docedit

import (
	"bytes"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
	"agentflow/backend/base/docedit/internal/scalar"
	"agentflow/backend/base/errcode"
)

// FromValue makes a document out of a value.
func FromValue(root *yaml.Node, lang Language, file string) (*Document, error) {
	if lang == JSON {
		return FromJSON(AppendJSON(nil, root, "  "), file)
	}
	text, err := encodeYAML(root, 2)
	if err != nil {
		return nil, err
	}
	return Parse(text, file)
}

// JSON returns the document as JSON, indented by two spaces, keys in their order.
// Aliases and merges are written out.
func (d *Document) JSON() []byte {
	if d.root == nil {
		return []byte("null\n")
	}
	return append(AppendJSON(nil, d.root, "  "), '\n')
}

// YAML returns the document as YAML; a YAML document as it stands.
func (d *Document) YAML() ([]byte, error) {
	if d.lang == YAML || d.root == nil {
		return d.src, nil
	}
	return encodeYAML(plain(d.root), 2)
}

// plain copies a value without the styles of JSON.
func plain(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		c.Content = append(c.Content, plain(child))
	}
	if n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		c.Style = yaml.FlowStyle
	}
	return c
}

func encodeYAML(n *yaml.Node, indent int) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = nil, errcode.Wrap(errcode.Internal, fmt.Errorf("yaml: %v", p),
				"a value cannot be written as YAML")
		}
	}()
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(indent)
	var astral standIns
	written := safe(n, false)
	astral.replaceIn(written)
	if err := e.Encode(written); err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "a value cannot be written as YAML")
	}
	if err := e.Close(); err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "a value cannot be written as YAML")
	}
	return astral.restore(b.Bytes()), nil
}

// safe copies a value so that every text has a style that can carry it.
func safe(n *yaml.Node, flow bool) *yaml.Node {
	c := *n
	if n.Kind == yaml.ScalarNode {
		c.Style = safeStyle(n)
		if flow && n.Tag == tagNull && n.Value == "" {
			c.Value = "null" // the library would write it as an empty text
		}
		return &c
	}
	flow = flow || n.Style&yaml.FlowStyle != 0
	if n.Kind != yaml.AliasNode && len(n.Content) == 0 {
		c.Style |= yaml.FlowStyle
	}
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = safe(child, flow)
	}
	return &c
}

const scalarStyles = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func safeStyle(n *yaml.Node) yaml.Style {
	keep := n.Style &^ scalarStyles
	if n.Tag != tagString {
		return n.Style
	}
	switch {
	case scalar.NeedsEscapes(n.Value) || n.Style&yaml.DoubleQuotedStyle != 0:
		return keep | yaml.DoubleQuotedStyle
	case !strings.Contains(n.Value, "\n"):
		if n.Style&yaml.FoldedStyle != 0 || n.Style&yaml.LiteralStyle != 0 && !scalar.FitsLiteral(n.Value) {
			return keep
		}
		return n.Style
	case scalar.FitsLiteral(n.Value):
		return keep | yaml.LiteralStyle
	}
	return keep | yaml.DoubleQuotedStyle
}

// AppendJSON appends a value as JSON: in one line where indent is empty.
func AppendJSON(b []byte, n *yaml.Node, indent string) []byte { return jsonnode.Append(b, n, indent) }

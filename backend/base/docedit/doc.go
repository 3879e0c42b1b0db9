// Package docedit holds a YAML or JSON document that can be edited in place: an
// edit of one value leaves every other byte as it was. It is pure.
//
// If an edit can't be proved right byte by byte (the new text is parsed again and
// compared with the intended value), the smallest enclosing value of a YAML document is
// rewritten and the rest is left alone; for a JSON document, the whole text is rewritten,
// with the same order of keys and the same indentation.
package docedit

import (
	"gopkg.in/yaml.v3"
)

// Language is how a document is written.
type Language string

// The languages.
const (
	YAML Language = "yaml"
	JSON Language = "json"
)

// Document is a parsed text. It is immutable: an edit gives a new one.
type Document struct {
	file     string
	lang     Language
	five     bool // JSON5
	src      []byte
	root     *yaml.Node // nil for an empty document
	aliased  bool       // there are anchors
	comments bool       // JSON5 only: there were comments
}

// Language says how the document is written.
func (d *Document) Language() Language { return d.lang }

// File returns the name the caller gave, for messages.
func (d *Document) File() string { return d.file }

// Bytes returns the text. The caller must not change it.
func (d *Document) Bytes() []byte { return d.src }

// Root returns the document's value, or nil if it is empty. The nodes must not be
// changed; see Edit.
func (d *Document) Root() *yaml.Node { return d.root }

// HasComments reports whether the text holds comments.
func (d *Document) HasComments() bool {
	if d.lang == JSON {
		return d.comments
	}
	return d.root != nil && hasComments(d.root)
}

func hasComments(n *yaml.Node) bool {
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		return true
	}
	for _, c := range n.Content {
		if hasComments(c) {
			return true
		}
	}
	return false
}

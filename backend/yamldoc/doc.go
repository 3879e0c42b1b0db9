// Package yamldoc holds a YAML or JSON document that can be edited in place: an
// edit of one value leaves every other byte as it was. It is pure.
package yamldoc

import (
	"gopkg.in/yaml.v3"
)

// Language is how a document is written.
type Language string

// The languages. JSON5 is read only; what comes out of it is JSON.
const (
	YAML  Language = "yaml"
	JSON  Language = "json"
	JSON5 Language = "json5"
)

// Document is a parsed text. It is immutable: an edit gives a new one.
type Document struct {
	file string
	lang Language
	src  []byte
	root *yaml.Node // nil for an empty document
}

// Language says how the document is written.
func (d *Document) Language() Language { return d.lang }

// File returns the name the caller gave, for messages.
func (d *Document) File() string { return d.file }

// Bytes returns the text. The caller must not change it.
func (d *Document) Bytes() []byte { return d.src }

// Root returns the document's value, or nil where it is empty. Nobody may change
// the nodes; see Edit.
func (d *Document) Root() *yaml.Node { return d.root }

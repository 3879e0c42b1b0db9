package jsontext

import (
	"testing"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
)

// edits replace one value and add or remove entries of one map.
type edits struct {
	at, with *yaml.Node
	box      *yaml.Node
	entries  []Entry
}

func (e edits) Replaced(n *yaml.Node) (*yaml.Node, bool) { return e.with, n == e.at }
func (e edits) Entries(n *yaml.Node) ([]Entry, bool)     { return e.entries, n == e.box }

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// Only what is edited changes. Comments, spaces, quotes and numbers beside it stay, and new entries look
// like their neighbors.
func TestSplice_LeavesTheRestAsItWas(t *testing.T) {
	const src = "{\r\n  // why\r\n  a: 1.50, // one\r\n  'b': {\"x\" : 'y'}\r\n}\r\n"
	o := jsonnode.Options{Five: true, MaxDepth: 9, MaxValues: 99}
	added := Entry{Was: -1, Key: scalar("!!str", "c"), Value: scalar("!!bool", "true")}
	for _, c := range []struct {
		edit func(root *yaml.Node) edits
		want string
	}{
		{func(*yaml.Node) edits { return edits{} }, src},
		{
			func(root *yaml.Node) edits { return edits{at: root.Content[3].Content[1], with: scalar("!!str", "z")} },
			"{\r\n  // why\r\n  a: 1.50, // one\r\n  'b': {\"x\" : 'z'}\r\n}\r\n",
		},
		{
			func(root *yaml.Node) edits { return edits{box: root, entries: []Entry{{Was: 0}, added, {Was: 1}}} },
			"{\r\n  // why\r\n  a: 1.50, // one\r\n  c: true,\r\n  'b': {\"x\" : 'y'}\r\n}\r\n",
		},
		{
			func(root *yaml.Node) edits { return edits{box: root, entries: []Entry{{Was: 1}}} },
			"{\r\n  'b': {\"x\" : 'y'}\r\n}\r\n",
		},
	} {
		root, _, err := jsonnode.Parse([]byte(src), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Splice([]byte(src), root, o, c.edit(root))
		if err != nil || string(got) != c.want {
			t.Errorf("%q, want\n%q: %v", got, c.want, err)
		}
	}
}

// The step is that of the first bracket whose content has lines.
func TestIndent(t *testing.T) {
	for src, want := range map[string]string{
		"{\n  \"a\": 1\n}": "  ", "{\n\t\"a\": [\n\t\t1]}": "\t", `{"a": 1}`: "", "{\"a\": {\n    \"b\": 1}}": "    ",
	} {
		if got := Indent([]byte(src)); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

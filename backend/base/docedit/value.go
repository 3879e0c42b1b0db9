package docedit

import (
	"iter"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
)

const (
	tagString = "!!str"
	tagInt    = "!!int"
	tagFloat  = "!!float"
	tagBool   = "!!bool"
	tagNull   = "!!null"
	tagMap    = "!!map"
	tagSeq    = "!!seq"
	tagMerge  = "!!merge"
)

// Entry is one key of a map with its value. Value may be an alias.
type Entry = jsonnode.Entry

// Resolve follows an alias to the value it stands for.
func Resolve(n *yaml.Node) *yaml.Node { return jsonnode.Resolve(n) }

// Entries lists a map's keys in order: its own, then those that come by a merge.
func Entries(m *yaml.Node) []Entry { return jsonnode.Entries(m) }

// All visits a map's keys and values as Entries lists them, without making a list.
func All(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] { return jsonnode.All(m) }

// Equal reports whether two values say the same. The order of keys does not count;
// styles, comments and anchors do not either.
func Equal(a, b *yaml.Node) bool { return jsonnode.Equal(a, b) }

// IsMap reports whether the value is a map; an alias counts as what it stands for.
func IsMap(n *yaml.Node) bool { n = Resolve(n); return n != nil && n.Kind == yaml.MappingNode }

// IsList reports whether the value is a list.
func IsList(n *yaml.Node) bool { n = Resolve(n); return n != nil && n.Kind == yaml.SequenceNode }

// IsNull reports whether there is no value: absent, empty or null.
func IsNull(n *yaml.Node) bool { n = Resolve(n); return n == nil || isNull(n) }

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == tagNull }

// Text returns the value if it is text.
func Text(n *yaml.Node) (string, bool) {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag != tagString {
		return "", false
	}
	return n.Value, true
}

// Scalar returns any single value that is not null as it is written, such as 7 or true.
func Scalar(n *yaml.Node) (string, bool) {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == tagNull {
		return "", false
	}
	return n.Value, true
}

// Float returns the value if it is a finite number.
func Float(n *yaml.Node) (float64, bool) {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag != tagFloat && n.Tag != tagInt {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
	return f, err == nil && f-f == 0
}

// Int returns the value if it is a whole number.
func Int(n *yaml.Node) (int, bool) {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag != tagInt {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 0)
	return int(i), err == nil
}

// Get returns the value of a key, or nil. Keys that come by a merge (<<) count.
func Get(m *yaml.Node, key string) *yaml.Node {
	m = Resolve(m)
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	merged := false
	for i := 0; i < len(m.Content); i += 2 {
		if k := m.Content[i]; k.Value == key && k.Tag != tagMerge {
			return m.Content[i+1]
		} else if k.Tag == tagMerge {
			merged = true
		}
	}
	if merged {
		for _, e := range Entries(m) {
			if e.Key.Value == key {
				return e.Value
			}
		}
	}
	return nil
}

// Items lists the values of a list; nil where n is none.
func Items(n *yaml.Node) []*yaml.Node {
	n = Resolve(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// String makes a text value.
func String(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tagString, Value: s} }

// Block makes a text that YAML writes as a block (|).
func Block(s string) *yaml.Node {
	n := String(s)
	n.Style = yaml.LiteralStyle
	return n
}

// Number makes a number.
func Number(f float64) *yaml.Node {
	if f == float64(int64(f)) && f < 1e15 && f > -1e15 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tagInt, Value: strconv.FormatInt(int64(f), 10)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tagFloat, Value: strconv.FormatFloat(f, 'g', -1, 64)}
}

// Bool makes true or false.
func Bool(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tagBool, Value: strconv.FormatBool(b)}
}

// Map makes a map out of keys and values in turn.
func Map(entries ...Entry) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: tagMap}
	for _, e := range entries {
		n.Content = append(n.Content, e.Key, e.Value)
	}
	return n
}

// KV makes an entry of a map.
func KV(key string, value *yaml.Node) Entry { return Entry{Key: String(key), Value: value} }

// List makes a list. Flow says whether YAML writes it in one line.
func List(flow bool, items ...*yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: tagSeq, Content: items}
	if flow {
		n.Style = yaml.FlowStyle
	}
	return n
}

// Strings makes a list of texts in one line.
func Strings(items []string) *yaml.Node {
	n := List(true)
	for _, s := range items {
		n.Content = append(n.Content, String(s))
	}
	return n
}

// Flow makes a map or list be written in one line.
func Flow(n *yaml.Node) *yaml.Node {
	n.Style |= yaml.FlowStyle
	return n
}

// expand copies a value with every alias and merge written out, without anchors.
func expand(n *yaml.Node) *yaml.Node {
	n = Resolve(n)
	c := *n
	c.Anchor, c.Content, c.Line, c.Column = "", nil, 0, 0
	if n.Kind == yaml.MappingNode {
		for _, e := range Entries(n) {
			k := *e.Key
			k.Anchor, k.Line, k.Column = "", 0, 0
			c.Content = append(c.Content, &k, expand(e.Value))
		}
		return &c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, expand(child))
	}
	return &c
}

// FromRaw makes a value out of JSON.
func FromRaw(raw []byte) (*yaml.Node, error) {
	d, err := FromJSON(raw, "")
	if err != nil {
		return nil, err
	}
	return Copy(d.root), nil
}

// Copy returns a separate value, without place, style, comments and anchors.
func Copy(n *yaml.Node) *yaml.Node { return plain(expand(n)) }

// Same is Equal for values that come from different languages: a number is the same
// however it is written.
func Same(a, b *yaml.Node) bool {
	if Equal(a, b) {
		return true
	}
	if IsNull(a) || IsNull(b) {
		return IsNull(a) && IsNull(b)
	}
	x, errX := FromRaw(AppendJSON(nil, a, ""))
	y, errY := FromRaw(AppendJSON(nil, b, ""))
	return errX == nil && errY == nil && Equal(x, y)
}

package yamldoc

import (
	"iter"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
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

// Resolve follows an alias to the value it stands for.
func Resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

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

// Entry is one key of a map with its value. Value may be an alias.
type Entry struct{ Key, Value *yaml.Node }

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

// All visits a map's keys and values as Entries lists them, without making a list.
func All(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		m := Resolve(m)
		if m == nil || m.Kind != yaml.MappingNode {
			return
		}
		if hasMerge(m) {
			for _, e := range Entries(m) {
				if !yield(e.Key, e.Value) {
					return
				}
			}
			return
		}
		for i := 0; i < len(m.Content); i += 2 {
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
	}
}

// Entries lists a map's keys in order: its own, then those that come by a merge.
func Entries(m *yaml.Node) []Entry {
	m = Resolve(m)
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	out := make([]Entry, 0, len(m.Content)/2)
	merged := false
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Tag == tagMerge {
			merged = true
			continue
		}
		out = append(out, Entry{m.Content[i], m.Content[i+1]})
	}
	if merged {
		out = appendMerged(out, m)
	}
	return out
}

// appendMerged adds what << brings in and the map does not say itself.
func appendMerged(out []Entry, m *yaml.Node) []Entry {
	have := make(map[string]bool, len(out))
	for _, e := range out {
		have[e.Key.Value] = true
	}
	add := func(from *yaml.Node) {
		for _, e := range Entries(from) {
			if !have[e.Key.Value] {
				have[e.Key.Value] = true
				out = append(out, e)
			}
		}
	}
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Tag != tagMerge {
			continue
		}
		from := Resolve(m.Content[i+1])
		if from.Kind == yaml.SequenceNode {
			for _, c := range from.Content {
				add(c)
			}
			continue
		}
		add(from)
	}
	return out
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
func KV(key string, value *yaml.Node) Entry { return Entry{String(key), value} }

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

// Equal reports whether two values say the same. The order of keys does not count;
// styles, comments and anchors do not either.
func Equal(a, b *yaml.Node) bool {
	a, b = Resolve(a), Resolve(b)
	if a == nil || b == nil {
		return IsNull(a) && IsNull(b)
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return sameScalar(a, b)
	case yaml.SequenceNode:
		if len(a.Content) != len(b.Content) {
			return false
		}
		for i := range a.Content {
			if !Equal(a.Content[i], b.Content[i]) {
				return false
			}
		}
		return true
	}
	return equalMaps(Entries(a), Entries(b))
}

func equalMaps(ea, eb []Entry) bool {
	if len(ea) != len(eb) {
		return false
	}
	var byKey map[string]*yaml.Node
	for i, e := range ea {
		if eb[i].Key.Value == e.Key.Value {
			if !Equal(e.Value, eb[i].Value) {
				return false
			}
			continue
		}
		if byKey == nil {
			byKey = make(map[string]*yaml.Node, len(eb))
			for _, o := range eb {
				byKey[o.Key.Value] = o.Value
			}
		}
		v, ok := byKey[e.Key.Value]
		if !ok || !Equal(e.Value, v) {
			return false
		}
	}
	return true
}

func sameScalar(a, b *yaml.Node) bool {
	ta, tb := a.ShortTag(), b.ShortTag()
	if ta == tagNull && tb == tagNull {
		return true
	}
	return ta == tb && a.Value == b.Value
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

// Copy returns a value of its own, without place, style, comments and anchors.
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

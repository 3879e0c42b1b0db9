package jsonnode

import (
	"iter"

	"gopkg.in/yaml.v3"
)

const (
	tagBool  = "!!bool"
	tagFloat = "!!float"
	tagInt   = "!!int"
	tagNull  = "!!null"
	tagMerge = "!!merge"
)

// Resolve follows an alias to the value it stands for.
func Resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// Entry is one key of a map with its value. Value may be an alias.
type Entry struct{ Key, Value *yaml.Node }

// All visits a map's keys and values as Entries lists them, without making a list.
func All(m *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		m := Resolve(m)
		if m == nil || m.Kind != yaml.MappingNode {
			return
		}
		own := 0
		for i := 0; i < len(m.Content); i += 2 {
			if m.Content[i].Tag == tagMerge {
				continue
			}
			own++
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
		if own == len(m.Content)/2 {
			return
		}
		for _, e := range Entries(m)[own:] {
			if !yield(e.Key, e.Value) {
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
		out = Merged(out, m)
	}
	return out
}

// Merged adds to out what << brings into a map and out does not have.
func Merged(out []Entry, m *yaml.Node) []Entry {
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

// HasMerge reports whether a map has a key <<.
func HasMerge(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag == tagMerge {
			return true
		}
	}
	return false
}

// Equal reports whether two values say the same. The order of keys does not count;
// styles, comments and anchors do not either.
func Equal(a, b *yaml.Node) bool {
	a, b = Resolve(a), Resolve(b)
	if a == nil || b == nil {
		return isNull(a) && isNull(b)
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return SameScalar(a, b)
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

// SameScalar reports whether two single values say the same.
func SameScalar(a, b *yaml.Node) bool {
	ta, tb := a.ShortTag(), b.ShortTag()
	if ta == tagNull && tb == tagNull {
		return true
	}
	return ta == tb && a.Value == b.Value
}

func isNull(n *yaml.Node) bool { return n == nil || n.Kind == yaml.ScalarNode && n.Tag == tagNull }

package ordered

import (
	"cmp"
	"slices"
)

// Set is a list of things with keys. Of those with the same key only the first is
// looked at. The zero Set is empty.
type Set[K comparable, T any] struct {
	Items []T
	Keys  []K
	idx   *index[K]
}

// NewSet returns the items with their keys.
func NewSet[K comparable, T any](items []T, key func(*T) K) Set[K, T] {
	keys := make([]K, len(items))
	for i := range items {
		keys[i] = key(&items[i])
	}
	return SetOf(items, keys)
}

// SetOf returns the items with the given keys.
func SetOf[K comparable, T any](items []T, keys []K) Set[K, T] {
	return Set[K, T]{items, keys, &index[K]{keys: keys}}
}

// NewSetLike is NewSet for items that mostly have the keys of other in the same order:
// if so, both share one index.
func NewSetLike[K comparable, T any](other Set[K, T], items []T, key func(*T) K) Set[K, T] {
	alike := len(items) == len(other.Keys)
	for i := 0; alike && i < len(items); i++ {
		alike = key(&items[i]) == other.Keys[i]
	}
	if !alike {
		return NewSet(items, key)
	}
	return Set[K, T]{items, other.Keys, other.idx}
}

// Get returns the item, or nil.
func (s Set[K, T]) Get(k K) *T {
	if i, ok := s.idx.get(k); ok {
		return &s.Items[i]
	}
	return nil
}

// Has reports whether there is an item of the key.
func (s Set[K, T]) Has(k K) bool {
	_, ok := s.idx.get(k)
	return ok
}

// Missing reports whether some key of s is not in other.
func (s Set[K, T]) Missing(other Set[K, T]) bool {
	if s.idx == other.idx {
		return false
	}
	for i, k := range s.Keys {
		if _, ok := other.find(k, i); !ok {
			return true
		}
	}
	return false
}

// find returns where the key stands first. Most lists that are compared stand in the
// same order, so it looks at the hint before it asks the index.
func (s Set[K, T]) find(k K, hint int) (int, bool) {
	if hint < len(s.Keys) && s.Keys[hint] == k && s.idx.unique() {
		return hint, true
	}
	return s.idx.get(k)
}

// Compare calls visit for every key: those of next in their order, then the removed
// ones. Nil stands for a missing item. It reports whether next has the order that
// applying the changes produces: first what stays, in the order of base, then what
// is new.
func Compare[K comparable, T any](base, next Set[K, T], visit func(k K, before, after *T)) (natural bool) {
	if base.idx == next.idx && base.idx.unique() {
		for i, k := range base.Keys {
			visit(k, &base.Items[i], &next.Items[i])
		}
		return true
	}
	for i, k := range next.Keys {
		if at, _ := next.find(k, i); at != i {
			continue
		}
		if at, ok := base.find(k, i); ok {
			visit(k, &base.Items[at], &next.Items[i])
		} else {
			visit(k, nil, &next.Items[i])
		}
	}
	natural = true
	i := 0
	for j, k := range base.Keys {
		if _, stays := next.find(k, i); stays {
			natural = natural && i < len(next.Keys) && next.Keys[i] == k
			i++
		} else if at, _ := base.find(k, j); at == j {
			visit(k, &base.Items[j], nil)
		}
	}
	for ; i < len(next.Keys); i++ {
		natural = natural && !base.Has(next.Keys[i])
	}
	return natural
}

// Merge returns all keys of mine and theirs: in mine's order with what only
// theirs has behind its neighbour there, or the other way round if only theirs put
// into another order what base had. Keys that one side removed are among them.
func Merge[K comparable](base, mine, theirs []K) []K {
	bi := Index(base)
	main, other := mine, theirs
	if reordered(bi, theirs) && !reordered(bi, mine) {
		main, other = theirs, mine
	}
	inMain := Index(main)
	var first []K
	behind := map[K][]K{}
	var anchor *K
	seen := map[K]bool{}
	for i, k := range other {
		if _, ok := inMain[k]; ok {
			anchor = &other[i]
		} else if seen[k] {
			continue
		} else if anchor == nil {
			first = append(first, k)
		} else {
			behind[*anchor] = append(behind[*anchor], k)
		}
		seen[k] = true
	}
	out := slices.Clone(first)
	for i, k := range main {
		if inMain[k] == i {
			out = append(append(out, k), behind[k]...)
		}
	}
	return out
}

func reordered[K comparable](base map[K]int, side []K) bool {
	last := -1
	for _, k := range side {
		if i, ok := base[k]; ok {
			if i < last {
				return true
			}
			last = i
		}
	}
	return false
}

// Sort puts the items, whose keys are given, into an order; those that it does not
// name come last, as they stood.
func Sort[T any, K comparable](items []T, keys, order []K) {
	rank := Index(order)
	at := make([]int, len(items))
	for i := range at {
		at[i] = i
		if _, ok := rank[keys[i]]; !ok {
			rank[keys[i]] = len(order) + i
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return rank[keys[i]] - rank[keys[j]] })
	sorted := make([]T, len(items))
	for i, from := range at {
		sorted[i] = items[from]
	}
	copy(items, sorted)
}

// Differing returns the keys that only one of both has, or that hold another value in
// next, sorted.
func Differing[K cmp.Ordered, V comparable](base, next map[K]V) []K {
	var keys []K
	both := 0
	for k, v := range next {
		was, ok := base[k]
		if ok {
			both++
		}
		if !ok || was != v {
			keys = append(keys, k)
		}
	}
	if both < len(base) {
		for k := range base {
			if _, ok := next[k]; !ok {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

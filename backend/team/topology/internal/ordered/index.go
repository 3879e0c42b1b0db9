package ordered

import (
	"hash/maphash"
	"math/bits"
)

// Index maps each key to where it stands first.
func Index[K comparable](keys []K) map[K]int {
	m := make(map[K]int, len(keys))
	for i, k := range keys {
		if _, ok := m[k]; !ok {
			m[k] = i
		}
	}
	return m
}

// index finds keys. Building the map is the most expensive part of comparing two lists, and
// most comparisons don't need it: they only check that all keys differ. Nil has no keys.
type index[K comparable] struct {
	keys  []K
	at    map[K]int // made when first asked for
	alone verdict
}

type verdict uint8

const (
	unknown verdict = iota
	yes
	no
)

// get returns where a key stands first.
func (x *index[K]) get(k K) (int, bool) {
	if x == nil {
		return 0, false
	}
	i, ok := x.mapped()[k]
	return i, ok
}

// unique reports whether no key occurs twice.
func (x *index[K]) unique() bool {
	if x == nil {
		return true
	}
	if x.alone == unknown {
		x.alone = no
		if x.at == nil && allApart(x.keys) || len(x.keys) == len(x.mapped()) {
			x.alone = yes
		}
	}
	return x.alone == yes
}

func (x *index[K]) mapped() map[K]int {
	if x.at == nil {
		x.at = Index(x.keys)
	}
	return x.at
}

var seed = maphash.MakeSeed()

// allApart reports whether the hashes of all keys differ, which shows that the keys do.
// That some hashes are the same shows nothing.
func allApart[K comparable](keys []K) bool {
	table := make([]uint32, 1<<bits.Len(uint(2*len(keys))))
	for _, k := range keys {
		h := maphash.Comparable(seed, k)
		tag := uint32(h>>32) | 1 // 0 is an empty place
		at := int(h) & (len(table) - 1)
		for ; table[at] != 0; at = (at + 1) & (len(table) - 1) {
			if table[at] == tag {
				return false
			}
		}
		table[at] = tag
	}
	return true
}

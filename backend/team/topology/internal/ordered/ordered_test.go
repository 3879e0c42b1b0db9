package ordered

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// GW-7: unknown fields survive in their order, byte for byte.
func TestObjectGW7(t *testing.T) {
	for _, raw := range []string{`{}`, `{"z":1.0,"a":{"c":[1,2],"b":null},"ü\"":"x"}`, `{"n":123456789012345678901234567890}`} {
		var o Object
		if err := json.Unmarshal([]byte(raw), &o); err != nil {
			t.Fatal(err)
		}
		back, err := o.MarshalJSON()
		if err != nil || string(back) != raw {
			t.Errorf("%s became %s, %v", raw, back, err)
		}
	}
	for _, raw := range []string{`[]`, `1`, `{`, `{"a":}`, `{1:2}`} {
		var o Object
		if err := o.UnmarshalJSON([]byte(raw)); err == nil {
			t.Errorf("%s was taken for an object: %v", raw, o)
		}
	}
	null := Object{{Key: "x"}}
	if err := null.UnmarshalJSON([]byte("null")); err != nil || null != nil {
		t.Errorf("null: %v, %v", null, err)
	}
	if back, _ := (Object{{Key: "x"}}).MarshalJSON(); string(back) != `{"x":null}` {
		t.Errorf("%s", back)
	}
}

func TestObjectDiff(t *testing.T) {
	obj := func(raw string) (o Object) {
		if err := json.Unmarshal([]byte(raw), &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	for _, c := range []struct{ base, next, want string }{
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ""},
		{`{"a":1}`, `{"a":2,"b":null}`, "a:1>2 b:>null"},
		{`{"a":null}`, `{}`, "a:null>"},
		{`{"a":{"x":1,"y":2}}`, `{"a":{ "y":2, "x":1 }}`, ""},
		{`{"a":null}`, `{"a":0}`, "a:null>0"},
	} {
		var got []string
		obj(c.next).Diff(obj(c.base), func(k string, before, after json.RawMessage) {
			got = append(got, fmt.Sprintf("%s:%s>%s", k, before, after))
		})
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s → %s: %q, want %q", c.base, c.next, s, c.want)
		}
		if same := obj(c.base).Equal(obj(c.next)); same != (c.want == "") {
			t.Errorf("%s → %s: equal %v", c.base, c.next, same)
		}
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ base, mine, theirs, want string }{
		{"abc", "abc", "abc", "abc"},
		{"abc", "axbc", "abyc", "axbyc"},
		{"abc", "cba", "abcx", "cxba"},
		{"abc", "abcx", "cba", "cxba"},
		{"abc", "bac", "cab", "bac"},
		{"", "ab", "cb", "cab"},
		{"ab", "b", "xab", "xab"},
		{"", "aa", "bb", "ba"},
	} {
		got := string(Merge([]rune(c.base), []rune(c.mine), []rune(c.theirs)))
		if c.base == "ab" { // what mine removed is among them
			if !strings.Contains(got, "x") || !strings.Contains(got, "a") || !strings.Contains(got, "b") || len(got) != 3 {
				t.Errorf("%+v: %q", c, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestCompare(t *testing.T) {
	set := func(s string) Set[rune, rune] {
		return NewSet([]rune(s), func(r *rune) rune { return *r })
	}
	for _, c := range []struct {
		base, next, want string
		natural          bool
	}{
		{"abc", "abc", "=a=b=c", true},
		{"abc", "acd", "=a=c+d-b", true},
		{"abc", "adc", "=a+d=c-b", false},
		{"abc", "bac", "=b=a=c", false},
		{"aab", "bba", "=b=a", false},
		{"", "xx", "+x", true},
		{"xyx", "", "-x-y", true},
	} {
		got := ""
		natural := Compare(set(c.base), set(c.next), func(k rune, before, after *rune) {
			switch {
			case before == nil:
				got += "+"
			case after == nil:
				got += "-"
			default:
				got += "="
			}
			got += string(k)
		})
		if got != c.want || natural != c.natural {
			t.Errorf("%s → %s: %s %v", c.base, c.next, got, natural)
		}
	}
}

// A set that shares the index of another one finds its own items, also where the keys
// are doubled or stand otherwise.
func TestNewSetLike(t *testing.T) {
	type item struct{ key, value rune }
	items := func(keys string, add rune) (list []item) {
		for i, k := range keys {
			list = append(list, item{k, add + rune(i)})
		}
		return list
	}
	key := func(i *item) rune { return i.key }
	for _, c := range [][2]string{{"abc", "abc"}, {"aba", "aba"}, {"abc", "acb"}, {"abc", "ab"}, {"ab", "abc"}, {"", ""}, {"", "a"}} {
		other := NewSet(items(c[0], 0), key)
		like, plain := NewSetLike(other, items(c[1], 100), key), NewSet(items(c[1], 100), key)
		if !reflect.DeepEqual(like, plain) {
			t.Errorf("%v: %v, want %v", c, like, plain)
		}
	}
}

func TestSort(t *testing.T) {
	items := []string{"a", "b", "c", "d"}
	Sort(items, slices.Clone(items), []string{"d", "x", "b"})
	if !slices.Equal(items, []string{"d", "b", "a", "c"}) {
		t.Error(items)
	}
}

func TestDiffering(t *testing.T) {
	type m = map[string]float64
	for _, c := range []struct {
		base, next m
		want       []string
	}{
		{nil, nil, nil},
		{m{"a": 1, "b": 2}, m{"b": 2, "a": 1}, nil},
		{nil, m{"b": 1, "a": 1}, []string{"a", "b"}},
		{m{"b": 1, "a": 1}, nil, []string{"a", "b"}},
		{m{"a": 1, "b": 1, "c": 1}, m{"d": 1, "c": 1, "b": 2}, []string{"a", "b", "d"}},
	} {
		if got := Differing(c.base, c.next); !slices.Equal(got, c.want) {
			t.Errorf("%v → %v: %q, want %q", c.base, c.next, got, c.want)
		}
	}
}

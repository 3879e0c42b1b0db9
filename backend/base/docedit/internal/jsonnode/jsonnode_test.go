package jsonnode

import (
	"errors"
	"testing"

	"gopkg.in/yaml.v3"
)

var strict, five = Options{MaxDepth: 5, MaxValues: 20}, Options{Five: true, MaxDepth: 5, MaxValues: 20}

// Keys keep their order, numbers their digits, and every value has its line.
func TestParse_KeepsOrderDigitsAndLines(t *testing.T) {
	root, comments, err := Parse([]byte("{\"z\": 1.500,\n \"a\": [true, null],\n // why\n b: 'x',}"), five)
	if err != nil || !comments {
		t.Fatal(comments, err)
	}
	all := Entries(root)
	if len(all) != 3 || all[0].Key.Value != "z" || all[0].Value.Value != "1.500" || all[2].Key.Value != "b" ||
		all[2].Value.Line != 4 {
		t.Errorf("%+v", all)
	}
}

// What isn't JSON, too deep or too large is rejected with its line. JSON5 has more than JSON.
func TestParse_RejectsWithTheLine(t *testing.T) {
	for src, line := range map[string]int{
		"": 1, "{\n\"a\": }": 2, "{}\n{}": 2, "[[[[[[1]]]]]]": 1, "{\"a\":\"\n\"}": 1,
		"[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]": 1,
	} {
		_, _, err := Parse([]byte(src), strict)
		var e *SyntaxError
		if !errors.As(err, &e) || e.Line != line {
			t.Errorf("%q: %v, want line %d", src, err, line)
		}
	}
	for _, src := range []string{"{a: 1}", "[1,]", "{'a': 1}", "[1] // x"} {
		if _, _, err := Parse([]byte(src), strict); err == nil {
			t.Errorf("%q is JSON", src)
		}
		if _, _, err := Parse([]byte(src), five); err != nil {
			t.Errorf("%q isn't JSON5: %v", src, err)
		}
	}
}

// Each place is the text of its node, in the order of the nodes.
func TestPlaces_AreTheTextsOfTheNodes(t *testing.T) {
	src := `{"a": [1, "x"], "b": null}`
	places, err := Places([]byte(src), strict)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{src, `"a"`, `[1, "x"]`, "1", `"x"`, `"b"`, "null"}
	if len(places) != len(want) {
		t.Fatalf("%d places, want %d", len(places), len(want))
	}
	for i, p := range places {
		if got := src[p.From:p.To]; got != want[i] {
			t.Errorf("place %d is %s, want %s", i, got, want[i])
		}
	}
}

// The order of keys doesn't count, and a merged key counts once.
func TestEqual(t *testing.T) {
	node := func(src string) *yaml.Node {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(src), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Content[0]
	}
	merged := "m: &m {a: 1, b: 2}\nx: {<<: *m, b: 3}"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"{a: 1, b: 2}", "{b: 2, a: 1}", true}, {"{a: 1}", "{a: '1'}", false}, {"[1, 2]", "[2, 1]", false},
		{"null", "~", true},
		{"{a: 1, b: 2}", "{a: 1}", false}, {"x", "[x]", false},
	} {
		if got := Equal(node(c.a), node(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
	if x := Entries(node(merged))[1].Value; !Equal(x, node("{b: 3, a: 1}")) || !HasMerge(x) {
		t.Error("a merged map isn't what it says")
	}
}

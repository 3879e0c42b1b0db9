package docedit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
)

// FuzzYAMLDoc: no text makes the parser panic, what parses can be written as JSON,
// an unedited document is its own bytes, and every edit ends as exactly what was
// meant (Apply compares) or is refused.
func FuzzYAMLDoc(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i, s := range sections(raw) {
			if i%3 != 1 && filepath.Base(file) != jsonTable {
				f.Add([]byte(unescape(s.text)), []byte{byte(i), 1, 2, 3, 5, 8, 13, 21, 34})
			}
		}
	}
	f.Fuzz(func(t *testing.T, text, choices []byte) {
		if len(text) > 4096 {
			return
		}
		d, err := Parse(text, "")
		if err != nil || d.Root() == nil {
			return
		}
		if !json.Valid(d.JSON()) {
			t.Fatalf("not JSON: %s", d.JSON())
		}
		same, err := d.Edit().Apply()
		if err != nil || !bytes.Equal(same.Bytes(), text) {
			t.Fatal("unedited, but changed")
		}
		e := d.Edit()
		randomEdits(e, d.Root(), &choices)
		want := e.Final(d.Root())
		out, err := e.Apply()
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		if out.Root() == nil && !IsNull(want) || out.Root() != nil && !Equal(expand(want), expand(out.Root())) && !d.aliased {
			t.Fatalf("%q became %q", text, out.Bytes())
		}
	})
}

func next(choices *[]byte) int {
	if len(*choices) == 0 {
		return 0
	}
	c := (*choices)[0]
	*choices = (*choices)[1:]
	return int(c)
}

var fuzzValues = []func() *yaml.Node{
	func() *yaml.Node { return String("x") },
	func() *yaml.Node { return String("a: b # c, [d]") },
	func() *yaml.Node { return String("one\n two\n\nthree\n") },
	func() *yaml.Node { return String(" lead\r\n\u2028end ") },
	func() *yaml.Node { return Number(1.5) },
	func() *yaml.Node { return Map() },
	func() *yaml.Node {
		return Map(KV("k", String("v\nw")), KV("null", List(false, String("1"), Map(KV("", Bool(true))))))
	},
	func() *yaml.Node { return Strings([]string{"a", "- b", ""}) },
	func() *yaml.Node { return Block("single") },
}

// randomEdits walks the value and edits it here and there.
func randomEdits(e *Editor, n *yaml.Node, choices *[]byte) {
	if len(*choices) == 0 {
		return
	}
	value := fuzzValues[next(choices)%len(fuzzValues)]()
	switch next(choices) % 7 {
	case 0:
		e.Replace(n, value)
		return
	case 1, 2:
		if n.Kind == yaml.MappingNode {
			e.Set(n, "new", value)
		} else if n.Kind == yaml.SequenceNode {
			e.Insert(n, next(choices)%(len(n.Content)+1), value)
		}
	case 3, 4:
		if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
			e.Remove(n, n.Content[next(choices)%(len(n.Content)/2)*2].Value)
		} else if n.Kind == yaml.SequenceNode && len(n.Content) > 0 {
			e.RemoveItem(n, next(choices)%len(n.Content))
		}
	}
	for i := width(n) - 1; i < len(n.Content); i += width(n) {
		if b := e.boxes[n]; b == nil || !b.removed[i/width(n)] {
			randomEdits(e, n.Content[i], choices)
		}
	}
}

const jsonTable = "json.txtar"

// FuzzJSONEdit: an unedited document is its own bytes, every edit ends as exactly what
// was meant, and an edit of one value leaves every byte around it as it was.
func FuzzJSONEdit(f *testing.F) {
	raw, err := os.ReadFile("testdata/" + jsonTable)
	if err != nil {
		f.Fatal(err)
	}
	for i, s := range sections(raw) {
		if i%3 != 1 {
			f.Add([]byte(unescape(s.text)), []byte{byte(i), 1, 2, 3, 5, 8, 13, 21, 34})
		}
	}
	f.Fuzz(func(t *testing.T, text, choices []byte) {
		d, err := FromJSON5(text, "")
		if len(text) > 4096 || err != nil {
			return
		}
		e := d.Edit()
		if same, err := e.Apply(); err != nil || !bytes.Equal(same.Bytes(), text) {
			t.Fatal("unedited, but changed")
		}
		randomEdits(e, d.Root(), &choices)
		out, err := e.Apply()
		if err != nil || !Equal(e.Final(d.Root()), out.Root()) || out.Language() != JSON {
			t.Fatalf("%q became %v, %v", text, out, err)
		}
		one := d.Edit()
		leaf, place := lastLeaf(t, d)
		one.Replace(leaf, String("another"))
		if out, err = one.Apply(); err != nil {
			t.Fatal(err)
		}
		before, after := text[:place.From], text[place.To:]
		if got := out.Bytes(); !bytes.HasPrefix(got, before) || !bytes.HasSuffix(got, after) || len(got) > len(before)+len(after)+len(`"another"`) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// lastLeaf returns the last value that holds no others, and where it stands.
func lastLeaf(t *testing.T, d *Document) (*yaml.Node, jsonnode.Place) {
	places, err := jsonnode.Places(d.src, jsonOptions(d.five))
	if err != nil {
		t.Fatal(err)
	}
	n := d.Root()
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n, places[len(places)-1]
}

// FuzzJSON: no text makes the JSON reader panic, it takes what Go's takes, and what
// it writes reads the same.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,"x\u00e9\ud83d\ude00",null,true,{}]}`, "// c\n{a:'b',}", `[0x1F,+.5,-Infinity]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if five, err := FromJSON5(text, ""); err == nil {
			if again, err := FromJSON(five.JSON(), ""); err != nil || !Equal(five.Root(), again.Root()) {
				t.Fatalf("%q %v", text, err)
			}
		}
		d, err := FromJSON(text, "")
		if err != nil {
			return
		}
		if !json.Valid(bytes.TrimPrefix(text, []byte("\ufeff"))) {
			t.Fatalf("took %q", text)
		}
		again, err := FromJSON(d.JSON(), "")
		if err != nil || !Equal(d.Root(), again.Root()) {
			t.Fatalf("%q %v", text, err)
		}
		if _, err := d.YAML(); err != nil {
			t.Fatal(err)
		}
	})
}

package docedit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/errcode"
)

// TestFaultYAMLRefusals: everything that is refused names the line and what to do.
func TestFaultYAMLRefusals(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'h'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+p+", ", 9) + "*" + p + "]\n"
	}
	for name, tc := range map[string]struct {
		text string
		line int
		want string
	}{
		"syntax":          {"a: 1\nb: [1\n", 2, "not YAML"},
		"double key":      {"a: 1\nb: 2\na: 3\n", 3, "line 1 and in line 3"},
		"double, many":    {strings.Repeat("", 1) + manyKeys(40) + "k7: 1\n", 41, "line 8 and in line 41"},
		"deep":            {deep, 1, "nested"},
		"very deep":       {strings.Repeat("[", 200_000), 0, "depth"},
		"bomb":            {bomb, 0, "aliases"},
		"cycle":           {"a: &a\n  b: *a\n", 2, "inside"},
		"two documents":   {"a: 1\n---\nb: 2\n", 2, "second document"},
		"not UTF-8":       {"a: 1\nb: \xff\n", 2, "byte 8 (0xff)"},
		"UTF-16":          {"\xff\xfea\x00", 1, "byte 0"},
		"control":         {"a: 1\nb: \x01\n", 2, "control"},
		"key of a list":   {"? [a]\n: 1\n", 1, "plain text"},
		"left over":       {"{a: 1}\n}", 2, "not YAML"},
		"dedented":        {"  a: 1\nb: 2\n", 2, "not YAML"},
		"unknown anchor":  {"a: *nobody\n", 0, "anchor"},
		"too big":         {strings.Repeat("# 345678\n", MaxBytes/8), 0, "the limit is"},
		"tab as indent":   {"a:\n\tb: 1\n", 2, "not YAML"},
		"unclosed quotes": {"a: \"x\n", 0, "not YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text), "team.yaml")
			wantRefusal(t, err, tc.line, tc.want)
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + Number(float64(i)).Value + ": 1\n")
	}
	return b.String()
}

func wantRefusal(t *testing.T, err error, line int, want string) {
	t.Helper()
	if !errcode.Is(err, errcode.Validation) {
		t.Fatalf("not a refusal: %v", err)
	}
	e := errcode.From(err)
	if !strings.Contains(e.Message, want) || !strings.HasPrefix(e.Message, "team.") || e.Details[errcode.KeyFile] == nil {
		t.Errorf("message %q lacks %q", e.Message, want)
	}
	if got, _ := e.Details[errcode.KeyLine].(int); line > 0 && got != line {
		t.Errorf("line %d, want %d: %s", got, line, e.Message)
	}
}

func TestFaultJSONRefusals(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		line int
		want string
	}{
		"empty":          {"", 1, "empty"},
		"comment":        {"{\n// x\n}", 2, "key in double quotes"},
		"trailing comma": {"{\"a\": 1,\n}", 2, "key in double quotes"},
		"double key":     {"{\"a\": 1,\n\"a\": 2}", 2, "line 1 and in line 2"},
		"unclosed":       {"{\n\"a\": [1,\n2", 3, "comma or"},
		"behind":         {"{}\n{}", 2, "behind the end"},
		"half character": {"[\"\\ud83d\"]", 1, "half a character"},
		"escape":         {`["\q"]`, 1, "escape"},
		"line break":     {"[\"a\nb\"]", 1, "line break"},
		"bare word":      {"[yes]", 1, "not a value"},
		"number":         {"[01]", 1, "not a value"},
		"deep":           {strings.Repeat("[", 100), 1, "nested"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FromJSON([]byte(tc.text), "team.json")
			wantRefusal(t, err, tc.line, tc.want)
		})
	}
}

func TestJSONKeepsOrderAndDigits(t *testing.T) {
	const text = `{"z": 12345678901234567890, "a": 1.50, "s": "\ud83d\ude00\u00e9/<>", "n": null, "o": {}, "l": []}`
	d, err := FromJSON([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"z\": 12345678901234567890,\n  \"a\": 1.50,\n  \"s\": \"😀é/<>\",\n  \"n\": null,\n  \"o\": {},\n  \"l\": []\n}\n"
	if got := string(d.JSON()); got != want {
		t.Errorf("got %s", got)
	}
	e := d.Edit()
	e.Set(d.Root(), "a", Number(2))
	out, err := e.Apply()
	if err != nil || string(out.Bytes()) != strings.Replace(text, "1.50", "2", 1) {
		t.Errorf("%s %v", out.Bytes(), err)
	}
}

func TestJSON5KeepsOrder(t *testing.T) {
	const text = "// team\n{\n  z: 'it''s' , /* b */ $a: [1, .5, +2, 0x10, 5.,], \"q\": 'say \"x\"\\\n y\\x41',\n}\n"
	d, err := FromJSON5([]byte(strings.Replace(text, "'it''s'", `'it\'s'`, 1)), "")
	if err != nil {
		t.Fatal(err)
	}
	if !d.HasComments() {
		t.Error("comments not seen")
	}
	if got := string(AppendJSON(nil, d.Root(), "")); got != `{"z":"it's","$a":[1,0.5,2,16,5.0],"q":"say \"x\" yA"}` {
		t.Error(got)
	}
}

// TestEditsStaySplices: editing many places of a real-looking file never needs to
// rewrite anything, or its comments would move.
func TestEditsStaySplices(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sections(raw) {
			d, err := Parse([]byte(unescape(s.text)), "")
			if err != nil || d.root == nil || d.aliased {
				continue
			}
			visit(d.root, func(n *yaml.Node) {
				if n.Kind != yaml.ScalarNode {
					return
				}
				e := d.Edit()
				e.Replace(n, String("changed: #1"))
				if e.splice() == nil {
					t.Errorf("%s: %q in line %d cannot be spliced", s.name, n.Value, n.Line)
				}
			})
		}
	}
}

func visit(n *yaml.Node, f func(*yaml.Node)) {
	w := width(n)
	for i, c := range n.Content {
		if w == 1 || i%2 == 1 {
			f(c)
		}
		visit(c, f)
	}
}

// TestFaultHostileTextsTakeLittleTime: nothing of 2 MB takes the parser and one edit long.
func TestFaultHostileTextsTakeLittleTime(t *testing.T) {
	for name, text := range map[string]string{
		"one line":  "{" + strings.Repeat("k: [a, {b: c}], ", 1)[:0] + oneLine(60_000) + "}",
		"comments":  strings.Repeat("# x\n", 500_000) + "a: 1\n",
		"blanks":    "a: |\n" + strings.Repeat("\n", 1_000_000) + "b: 1\n",
		"long text": "a: " + strings.Repeat("é ", 500_000) + "\nb: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			d, err := Parse([]byte(text), "")
			if err != nil {
				t.Fatal(err)
			}
			e := d.Edit()
			last := d.Root().Content[len(d.Root().Content)-1]
			e.Replace(last, String("x"))
			if _, err := e.Apply(); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func oneLine(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("ké" + Number(float64(i)).Value + ": [a, {b: c}], ")
	}
	return b.String()
}

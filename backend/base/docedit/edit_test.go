package docedit

import (
	"gopkg.in/yaml.v3"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEditTables: every file in testdata holds a document (in), edits, and the text
// that must come out, byte for byte. \r and $ stand for a carriage return and for
// the end of a text without a line break.
func TestEditTables(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := sections(raw)
		for i := 0; i+2 < len(parts); i += 3 {
			in, edits, want := parts[i], parts[i+1], parts[i+2]
			t.Run(in.name, func(t *testing.T) {
				read := Parse
				if language, _, named := strings.Cut(in.name, ":"); named && language == "json" {
					read = FromJSON
				} else if named && language == "json5" {
					read = FromJSON5
				}
				d, err := read([]byte(unescape(in.text)), "")
				if err != nil {
					t.Fatal(err)
				}
				e := d.Edit()
				for line := range strings.SplitSeq(strings.TrimSpace(edits.text), "\n") {
					edit(t, d, e, line)
				}
				out, err := e.Apply()
				if err != nil {
					t.Fatal(err)
				}
				if got := string(out.Bytes()); got != unescape(want.text) {
					t.Errorf("got\n%s\nwant\n%s", got, unescape(want.text))
				}
			})
		}
	}
}

type section struct{ name, text string }

// sections splits the txtar form: a line "-- name --" begins each.
func sections(raw []byte) (out []section) {
	for line := range strings.SplitAfterSeq(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(name, " --\n") {
			out = append(out, section{name: strings.TrimSuffix(name, " --\n")})
		} else if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	return out
}

func unescape(s string) string {
	s = strings.ReplaceAll(s, `\r`, "\r")
	return strings.TrimSuffix(s, "$\n")
}

// edit runs one line: set|del|add|ins PATH [VALUE]. The value is YAML.
func edit(t *testing.T, d *Document, e *Editor, line string) {
	t.Helper()
	op, rest, _ := strings.Cut(line, " ")
	path, value, _ := strings.Cut(rest, " ")
	parent := d.root
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		parent = child(t, parent, step)
	}
	last := steps[len(steps)-1]
	index, _ := strconv.Atoi(last)
	switch op {
	case "set":
		if IsList(parent) {
			e.Replace(Items(parent)[index], parseValue(t, value))
			return
		}
		e.Set(parent, last, parseValue(t, value))
	case "del":
		if IsList(parent) {
			e.RemoveItem(parent, index)
			return
		}
		if !e.Remove(parent, last) {
			t.Fatalf("no %s", path)
		}
	case "add":
		e.Append(child(t, parent, last), parseValue(t, value))
	case "ins":
		e.Insert(parent, index, parseValue(t, value))
	default:
		t.Fatalf("unknown edit %q", line)
	}
}

func child(t *testing.T, n *yaml.Node, step string) *yaml.Node {
	t.Helper()
	if i, err := strconv.Atoi(step); err == nil && IsList(n) {
		return Items(n)[i]
	}
	c := Get(n, step)
	if c == nil {
		t.Fatalf("no %q", step)
	}
	return c
}

func parseValue(t *testing.T, text string) *yaml.Node {
	t.Helper()
	d, err := Parse([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var clear func(n *yaml.Node) *yaml.Node
	clear = func(n *yaml.Node) *yaml.Node {
		c := *n
		c.Line, c.Column = 0, 0
		if strings.HasPrefix(text, "\"") {
			c.Style = 0
		}
		c.Content = nil
		for _, x := range n.Content {
			c.Content = append(c.Content, clear(x))
		}
		return &c
	}
	return clear(d.root)
}

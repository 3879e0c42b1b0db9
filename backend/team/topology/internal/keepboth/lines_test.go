package keepboth_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/topology/internal/keepboth"
)

// both keeps both sides of a text; base is nil where it isn't known.
func both(t *testing.T, base any, mine, theirs string) string {
	t.Helper()
	raw := func(v any) json.RawMessage {
		if v == nil {
			return nil
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var out string
	if err := json.Unmarshal(keepboth.Join("persona", raw(base), raw(mine), raw(theirs)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestJoin_TextsLineByLine(t *testing.T) {
	const shared = "# Soul\n\nBe kind.\n\nBe brief.\n"
	for name, c := range map[string]struct {
		base               any
		mine, theirs, want string
	}{
		"both appended": {shared, shared + "Mine.\n", shared + "Theirs.\n", shared + "Mine.\nTheirs.\n"},
		"base unknown":  {nil, shared + "Mine.\n", shared + "Theirs.\n", shared + "Mine.\nTheirs.\n"},
		"base empty":    {"", shared + "Mine.\n", shared + "Theirs.\n", shared + "Mine.\nTheirs.\n"},
		"Japanese": {
			"# 魂\n親切に。\n", "# 魂\n親切に。\n私の行。\n", "# 魂\nとても親切に。\n",
			"# 魂\nとても親切に。\n私の行。\n",
		},
		"Japanese, new": {
			nil, "# 魂\n親切に。\n私の行。\n", "# 魂\n親切に。\n相手の行。\n",
			"# 魂\n親切に。\n私の行。\n相手の行。\n",
		},
		"the same place":  {"a\nb\nc\n", "a\nB1\nc\n", "a\nB2\nc\n", "a\nB1\nB2\nc\n"},
		"several lines":   {"a\nb\nc\nd\n", "a\nB1\nd\n", "a\nb\nC2\nC3\nd\n", "a\nB1\nC2\nC3\nd\n"},
		"two places":      {"a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"},
		"added alike":     {"a\n", "a\nx\ny\nz\n", "a\nx\ny\nw\n", "a\nx\ny\nz\nw\n"},
		"moved alike":     {"a\nb\nc\n", "b\nc\na\nx\n", "b\na\nc\n", "b\nc\na\nx\n"},
		"another order":   {nil, "a\nb\n", "b\na\n", "a\nb\n"},
		"deleted by mine": {"a\nb\nc\n", "a\nc\nx\n", "a\nB\nc\n", "a\nB\nc\nx\n"},
		"by theirs":       {"a\nb\nc\n", "a\nB\nc\n", "a\nc\nx\n", "a\nB\nc\nx\n"},
		"left as it was":  {"a\nb\nc\n", "a\nc\n", "a\nb\nc\nx\n", "a\nc\nx\n"},
		"paragraphs":      {"a\n", "a\n\n## M\nm\n", "a\n\n## T\nt\n", "a\n\n## M\nm\n\n## T\nt\n"},
		"no common line":  {nil, "a\n", "b\n", "a\n\nb\n"},
		"fences":          {"a\n", "a\n```\nm\n```\n", "a\n```\nt\n```\n", "a\n```\nm\nt\n```\n"},
		"two fences": {"a\nb\n", "a\nb\n```\nm\n```\n",
			"```\nt\n```\na\nb\n", "```\nt\n```\na\nb\n```\nm\n```\n"},
		"CRLF":           {nil, "a\r\nm\r\n", "a\r\nt\r\n", "a\r\nm\r\nt\r\n"},
		"CRLF in mine":   {"a\n", "a\r\nm\r\n", "a\nt\n", "a\r\nm\r\nt\r\n"},
		"CRLF in theirs": {"a\n", "a\nm\n", "a\r\nt\r\n", "a\nm\nt\n"},
		"no line end":    {"a", "a\nm", "a\nt", "a\nm\nt"},
		"mine took it":   {"a\n", "a\nm", "a\nt\n", "a\nm\nt"},
		"theirs took it": {"a\n", "a\nm\n", "a\nt", "a\nm\nt"},
		"mine put it":    {"a", "a\nm\n", "a\nt", "a\nm\nt\n"},
		"a diff":         {"--- a\n", "--- a\n+++ m\n", "--- a\n@@ t\n", "--- a\n+++ m\n@@ t\n"},
		"a block": {nil, "<!-- x begin -->\none\n<!-- x end -->\nm\n", "a\n<!-- x begin -->\ntwo\n<!-- x end -->\n",
			"a\n<!-- x begin -->\none\ntwo\n<!-- x end -->\nm\n"},
	} {
		if got := both(t, c.base, c.mine, c.theirs); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// edited returns lines with some taken out, some put in, and some moved.
func edited(r *rand.Rand, lines []string, side string) (out []string) {
	for i, line := range lines {
		for range r.IntN(3) * r.IntN(2) {
			out = append(out, fmt.Sprintf("%s%d", side, i), "")
		}
		switch r.IntN(6) {
		case 0: // taken out
		case 1:
			out = append(out, fmt.Sprintf("new %d", r.IntN(4))) // maybe the same in both
		default:
			out = append(out, line)
		}
	}
	if len(out) > 2 && r.IntN(3) == 0 {
		i, j := r.IntN(len(out)), r.IntN(len(out))
		out[i], out[j] = out[j], out[i]
	}
	return append(out, side)
}

func count(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}

// Each line that a side wrote is in the result, and no line that both have is there more often than a side has it.
func TestJoin_NoLineIsLostOrDoubled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var lines []string
		for i := range r.IntN(12) {
			lines = append(lines, fmt.Sprintf("base %d", i), "")
		}
		mine, theirs := edited(r, lines, "m"), edited(r, lines, "t")
		text := func(l []string) string { return strings.Join(l, "\n") + "\n" }
		for _, base := range []any{nil, text(lines)} {
			got := strings.Split(both(t, base, text(mine), text(theirs)), "\n")
			for _, l := range slices.Concat(mine, theirs) {
				m, th, now := count(mine, l), count(theirs, l), count(got, l)
				wasThere := base != nil && slices.Contains(lines, l)
				if now == 0 && !(wasThere && (m == 0 || th == 0)) {
					t.Fatalf("%q is lost\nbase %q\nmine %q\ntheirs %q\ngot %q", l, lines, mine, theirs, got)
				}
				// Written at two places, a new line stands at both.
				if most := max(m, th); l != "" && now > most && !(base != nil && !wasThere && now <= m+th) {
					t.Fatalf("%q is there %d times\nbase %q\nmine %q\ntheirs %q\ngot %q",
						l, now, lines, mine, theirs, got)
				}
			}
		}
	}
}

// A file of 1 MiB has a million lines at most.
func TestJoin_LongTexts(t *testing.T) {
	same := strings.Repeat("\n", 500_000)
	if got := both(t, same, same+"m\n", same+"t\n"); got != same+"m\n\nt\n" {
		t.Errorf("%d bytes", len(got))
	}
}

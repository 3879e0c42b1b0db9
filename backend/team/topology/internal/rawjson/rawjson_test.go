package rawjson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The short ways write what json.Marshal writes.
func TestShortWays(t *testing.T) {
	for _, s := range []string{"", "a", "Agent 7 ~", "a\"b", `a\b`, "<b>&", "\n", "\x7f", "\x00", "日本", "\u2028", "\xff", "a'b/c"} {
		if got, want := Of(s), marshal(t, s); string(got) != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -2, 0.1, 1e-6, 9e-7, -1e-9, 1e20, 1e21, -1e22, 123456.75, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want := marshal(t, struct {
			X float64 `json:"x"`
			Y float64 `json:"y"`
		}{f, -f})
		if got := Point(f, -f); string(got) != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	if got := Point(math.NaN(), 0); got != nil {
		t.Errorf("a place that is no number: %s", got)
	}
	if got := Point(0, math.Inf(1)); got != nil {
		t.Errorf("an endless place: %s", got)
	}
}

// A Writer writes what Of writes, and what it wrote stays as it was.
func TestWriter(t *testing.T) {
	var w Writer
	var got []json.RawMessage
	var want []string
	for i := range 2000 {
		s := strings.Repeat("x", i%90) + string(rune('a'+i%26))
		got, want = append(got, In(&w, s), In(&w, i), In(nil, s)), append(want, string(Of(s)), string(Of(i)), string(Of(s)))
	}
	for i := range got {
		if string(got[i]) != want[i] {
			t.Fatalf("%d: %s, want %s", i, got[i], want[i])
		}
		if cap(got[i]) > len(got[i]) && i%3 == 0 {
			t.Fatalf("%d: appending to %s would write over the next value", i, got[i])
		}
	}
}

func marshal(t *testing.T, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

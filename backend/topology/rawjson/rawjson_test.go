package rawjson

import (
	"encoding/json"
	"math"
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

func marshal(t *testing.T, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

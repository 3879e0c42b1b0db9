package rawjson

import (
	"math"
	"testing"
)

func TestOf(t *testing.T) {
	if got := string(Of([]string{"a", "日本"})); got != `["a","日本"]` {
		t.Errorf("got %s", got)
	}
	if got := Of(math.Inf(1)); got != nil {
		t.Errorf("a number without end: %s", got)
	}
}

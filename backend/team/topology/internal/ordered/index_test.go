package ordered

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Unique says what the map says, whether or not the map was made before, and also where
// two hashes are the same.
func TestUnique(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		keys := make([]string, random.IntN(400))
		for i := range keys {
			keys[i] = fmt.Sprint(random.IntN(40 * (len(keys) + 1)))
		}
		want := len(Index(keys)) == len(keys)
		fresh, asked := &index[string]{keys: keys}, &index[string]{keys: keys}
		asked.get("1")
		if fresh.unique() != want || asked.unique() != want || !want && allApart(keys) {
			t.Fatalf("%q: unique %v %v, want %v", keys, fresh.unique(), asked.unique(), want)
		}
		for i, k := range keys {
			if at, ok := fresh.get(k); !ok || keys[at] != k || at > i {
				t.Fatalf("%q stands at %d, %v", k, at, ok)
			}
		}
	}
	var none Set[string, int]
	if none.Has("") || none.Get("") != nil || !Compare(none, none, func(string, *int, *int) { t.Error("a change of nothing") }) {
		t.Error("the zero Set is not empty")
	}
	doubtful := &index[int]{keys: []int{1, 2}, at: map[int]int{1: 0, 2: 1}}
	if !doubtful.unique() {
		t.Error("where hashes show nothing, the map decides")
	}
}

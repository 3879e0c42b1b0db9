package topology

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The page lists the same kinds in the same order.
func TestThePageKnowsTheKinds(t *testing.T) {
	page, err := os.ReadFile("../../../frontend/src/topology/kinds.ts")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`KINDS = \[([^\]]*)\]`).FindSubmatch(page)
	if list == nil {
		t.Fatal("kinds.ts has no list KINDS")
	}
	var got, want []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllSubmatch(list[1], -1) {
		got = append(got, string(m[1]))
	}
	for _, k := range Kinds() {
		want = append(want, string(k.Kind))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the page has the kinds %q, topology.Kinds has %q", got, want)
	}
}

// A kind that permits nothing would be a line without a meaning, and one that nobody knows permits nothing.
func TestKindsPermitSomething(t *testing.T) {
	for _, k := range Kinds() {
		if !k.Delegates && !k.Talks && !k.Reviews || KindOf(k.Kind) != k {
			t.Errorf("%+v", k)
		}
	}
	if got := KindOf("telepathy"); got != (KindInfo{Kind: "telepathy"}) {
		t.Errorf("an unknown kind permits something: %+v", got)
	}
}

package topology

import "testing"

// A kind that permits nothing would be a line without a meaning, and one that nobody knows permits nothing.
func TestKindsPermitSomething(t *testing.T) {
	for _, k := range Kinds() {
		if k.Name == "" || !k.Delegates && !k.Talks && !k.Reviews || KindOf(k.Kind) != k {
			t.Errorf("%+v", k)
		}
	}
	if got := KindOf("telepathy"); got != (KindInfo{Kind: "telepathy"}) {
		t.Errorf("an unknown kind permits something: %+v", got)
	}
}

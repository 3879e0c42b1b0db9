package library_test

import (
	"encoding/json"
	"testing"

	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// OC-3: an edit by a page that rounds numbers leaves those of the bindings as the gateway's config has them.
func TestOC3_AnEditKeepsTheDigitsOfBindings(t *testing.T) {
	l, _, d := start(t)
	edit := func(cause library.Cause, binding string) string {
		t.Helper()
		next := team("a")
		next.Bindings = topology.Bindings{json.RawMessage(binding)}
		_, v, _, err := l.Save(t.Context(), d.ID, "", library.Step{Topology: next, Cause: cause, Label: "edit.binding"})
		if err != nil {
			t.Fatal(err)
		}
		return string(v.Topology.Bindings[0])
	}
	const exact, rounded = `{"x":12345678901234567890}`, `{"x":12345678901234567000}`
	edit(library.MergedIn, exact)
	if got := edit(library.Edited, rounded); got != exact {
		t.Errorf("the page changed it to %s", got)
	}
	if got := edit(library.MergedIn, rounded); got != rounded {
		t.Errorf("the gateway has %s, not %s", rounded, got)
	}
}

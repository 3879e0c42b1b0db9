package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told formats a difference.
func told(list []Change) string {
	var out []string
	for _, c := range list {
		text := string(c.ID)
		for _, k := range []struct {
			is   bool
			sign string
		}{{c.Added, "+"}, {c.Removed, "-"}, {c.Moved, ">"}} {
			if k.is {
				text = k.sign + text
			}
		}
		for _, f := range c.Fields {
			text += fmt.Sprintf(" %s:%v=%v", f.Name, f.Before, f.After)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestME9_TheDifferenceOfTwoPlansIsTold(t *testing.T) {
	n := 0
	fresh := func() ID { n++; return ID(fmt.Sprintf("n%d", n)) }
	apply := func(p *Plan, ops string) *Plan {
		t.Helper()
		patch, err := ReadPatch(
			[]byte(`{"type":"plan_patch","version":1,"payload":{"understanding":"","operations":[`+ops+`]}}`),
			"p",
		)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Apply(patch, fresh)
		if err != nil {
			t.Fatal(err)
		}
		return got.Plan
	}
	base := apply(
		New(),
		`{"op":"create","temp_id":"a","title":"A"},{"op":"create","temp_id":"b","title":"B"},{"op":"create","temp_id":"c","title":"C","dependencies":["a"]},{"op":"create","temp_id":"d","title":"D","parent_id":"c"}`,
	)
	for _, c := range []struct{ name, ops, want string }{
		{"nothing", ``, ``},
		{"a field", `{"op":"update","task_id":"n1","title":"AA"}`, `n1 title:A=AA`},
		{"the same again", `{"op":"update","task_id":"n1","title":"A"}`, ``},
		{"one of three to the front", `{"op":"move","task_id":"n3","position":{"index":0}}`, `>n3`},
		{"one of three to the end", `{"op":"move","task_id":"n1","position":{"index":2}}`, `>n1`},
		{"below another", `{"op":"move","task_id":"n2","parent_id":"n1"}`, `>n2`},
		{"gone, with the reference to it", `{"op":"delete","task_id":"n1"}`, `n3 dependencies:[n1]=[]; -n1`},
		{"gone, and its child in its place", `{"op":"delete","task_id":"n3"}`, `>n4; -n3`},
		{"new, in the order of the tree", `{"op":"create","temp_id":"x","title":"X","position":{"before":"n1"}}`, `+n5`},
	} {
		if got := told(base.Diff(apply(base, c.ops))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := base.Order(); !slices.Equal(got, []ID{"n1", "n2", "n3", "n4"}) {
		t.Errorf("the order is %v", got)
	}
}

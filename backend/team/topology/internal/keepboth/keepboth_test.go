package keepboth_test

import (
	"encoding/json"
	"testing"

	"agentflow/backend/team/topology/internal/keepboth"
)

func TestJoin(t *testing.T) {
	for _, c := range []struct{ name, field, base, mine, theirs, want string }{
		{"lists", "fallbacks", `["a","b"]`, `["a","b","c"]`, `["a","b","d"]`, `["a","b","c","d"]`},
		{"what one side took away stays, what both took away goes", "fallbacks", `["a","b","z"]`, `["b","c"]`, `["a","d"]`, `["b","c","a","d"]`},
		{"a list that was not there", "fallbacks", ``, `["c"]`, `["d"]`, `["c","d"]`},
		{"a list that one side emptied", "fallbacks", `["a"]`, ``, `["a","b"]`, ``},
		{"texts", "persona", `"Plan."`, `"Plan well."`, `"Plan. Write."`, `"Plan well.\n\nPlan. Write."`},
		{"a text that holds the other", "persona", `""`, `"Plan. Write."`, `"Plan."`, `"Plan. Write."`},
		{"tools", "tools", `{"profile":"min","allow":["a"]}`, `{"profile":"min","allow":["a","b"],"deny":["x"]}`, `{"profile":"full","allow":["a","c"],"deny":["y"]}`,
			`{"profile":"full","allow":["a","b","c"],"deny":["x","y"]}`},
		{"tools of two new profiles", "tools", `{"profile":"min"}`, `{"profile":"a"}`, `{"profile":"b"}`, ``},
		{"a name is one", "name", `"a"`, `"b"`, `"c"`, ``},
		{"a model is one", "model", ``, `"b"`, `"c"`, ``},
		{"not what the field holds", "fallbacks", ``, `"b"`, `["c"]`, ``},
	} {
		raw := func(s string) json.RawMessage {
			if s == "" {
				return nil
			}
			return json.RawMessage(s)
		}
		if got := string(keepboth.Join(c.field, raw(c.base), raw(c.mine), raw(c.theirs))); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

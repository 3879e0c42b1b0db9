package roomtest

import (
	"reflect"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// A system message keeps its cause, wherever it is read; others have none.
func causes(t *testing.T, s room.Store) {
	why := &errcode.Cause{Code: "limit_turns", Params: map[string]string{"n": "5", "agent": "部屋 '\"%\\"}}
	told := message("a", "AgentFlow", "five turns in a row")
	told.Type, told.ClientID, told.Cause = room.System, "k", why
	bare := message("a", "AgentFlow", "turns of an older agent")
	bare.Type, bare.Cause = room.System, &errcode.Cause{Code: "tool_used"}
	add(t, s, message("a", "x", "before"), told, bare)
	want := []*errcode.Cause{nil, why, bare.Cause}
	for i, m := range read(t, s, room.Range{Room: "a", Limit: 50}) {
		if !reflect.DeepEqual(m.Cause, want[i]) {
			t.Errorf("%q came back with %+v, want %+v", m.Text, m.Cause, want[i])
		}
	}
	again := told
	again.Cause = nil
	if m := add(t, s, again)[0]; !m.Duplicate || !reflect.DeepEqual(m.Cause, why) {
		t.Errorf("posted again it is %+v with %+v", m.Message, m.Cause)
	}
	find(t, s, room.Query{Text: "five"}) // what is new can be searched for now
	found, err := s.SearchMessages(t.Context(), room.Query{Text: "five", Limit: 5})
	must(t, err)
	if len(found) != 1 || !reflect.DeepEqual(found[0].Cause, why) {
		t.Errorf("found %+v", found)
	}
	for name, c := range map[string]struct {
		q    room.Query
		want string
	}{
		"one cause":              {room.Query{Causes: []string{"tool_used"}}, bare.Text},
		"either cause":           {room.Query{Causes: []string{"tool_used", "limit_turns"}}, bare.Text + " " + told.Text},
		"a word and a cause":     {room.Query{Text: "turns five", Causes: []string{"tool_used", "limit_turns"}}, told.Text},
		"in another room":        {room.Query{Room: "b", Causes: []string{"tool_used"}}, ""},
		"no part of a cause":     {room.Query{Causes: []string{"limit"}}, ""},
		"no wildcards in causes": {room.Query{Causes: []string{"tool%", "toolXused"}}, ""},
	} {
		if got := find(t, s, c.q); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

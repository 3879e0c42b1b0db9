package questions

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/dbtest"
	"agentflow/backend/work/inbox"
)

func open(t *testing.T) Inbox {
	t.Helper()
	db := dbtest.Open(t)
	return Inbox{Read: db, Write: dbtest.Write(db), Found: dbtest.Found, Classify: dbtest.Classify}
}

func entry(id, agent, key string, state inbox.State) inbox.Entry {
	e := inbox.Entry{ID: inbox.ID(id), State: state, Key: key}
	e.Agent = agent
	return e
}

// An answer moves its question from those that wait to those that have ended. The list of these has pages.
func TestPutAnswer_EndsAQuestion(t *testing.T) {
	s := open(t)
	for _, id := range []string{"1", "2", "3"} {
		if err := s.PutEntry(t.Context(), entry(id, "a", "key "+id, inbox.Waiting)); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"1", "2"} {
		rule := &inbox.Rule{ID: "one", Tool: id}
		if err := s.PutAnswer(t.Context(), entry(id, "a", "key "+id, inbox.Answered), rule); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.WaitingEntries(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != "3" || list[0].Key != "key 3" {
		t.Errorf("they wait: %+v, %v", list, err)
	}
	list, err = s.EndedEntries(t.Context(), inbox.Query{Limit: 1})
	if err != nil || len(list) != 1 || list[0].ID != "2" {
		t.Errorf("the first page: %+v, %v", list, err)
	}
	list, err = s.EndedEntries(t.Context(), inbox.Query{Limit: 5, Before: "2"})
	if err != nil || len(list) != 1 || list[0].ID != "1" {
		t.Errorf("the second page: %+v, %v", list, err)
	}
	rules, err := s.Rules(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Tool != "2" {
		t.Errorf("the rule, given and used: %+v, %v", rules, err)
	}
}

// A key finds the question of its agent only. Questions without a key are each their own.
func TestEntryByKey_IsOfOneAgent(t *testing.T) {
	s := open(t)
	for id, e := range map[string]inbox.Entry{
		"1": entry("1", "a", "k", inbox.Waiting), "2": entry("2", "b", "k", inbox.Waiting),
		"3": entry("3", "a", "", inbox.Waiting), "4": entry("4", "a", "", inbox.Waiting),
	} {
		if err := s.PutEntry(t.Context(), e); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
	}
	if e, err := s.EntryByKey(t.Context(), "b", "k"); err != nil || e.ID != "2" {
		t.Errorf("%+v, %v", e, err)
	}
	for agent, key := range map[string]string{"a": "", "c": "k"} {
		if _, err := s.EntryByKey(t.Context(), agent, key); !errcode.Is(err, errcode.NotFound) {
			t.Errorf("%q of %s: %v", key, agent, err)
		}
	}
	if err := s.PutEntry(t.Context(), entry("5", "a", "k", inbox.Waiting)); err == nil {
		t.Error("two questions have the key of one agent")
	}
}

// A backup that is restored loses its permissions, and those of an older schema are counted, too.
func TestDropAllRules_CountsThem(t *testing.T) {
	s := open(t)
	for _, id := range []string{"x", "y"} {
		if err := s.PutAnswer(t.Context(), entry(id, "a", id, inbox.Answered), &inbox.Rule{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := OldRules(s.Read); err != nil || n != 0 {
		t.Errorf("%d old ones, %v", n, err)
	}
	dbtest.Exec(t, s.Read, "CREATE TABLE tool_rules (agent text)", "INSERT INTO tool_rules VALUES ('a'), ('b'), ('c')")
	if n, err := OldRules(s.Read); err != nil || n != 3 {
		t.Errorf("%d old ones, %v, want 3", n, err)
	}
	if n, err := DropAllRules(s.Read); err != nil || n != 2 {
		t.Errorf("%d were dropped, %v, want 2", n, err)
	}
	if rules, err := s.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("left: %+v, %v", rules, err)
	}
}

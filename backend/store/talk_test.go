package store_test

import (
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/work/inbox"
)

// A room keeps its agents although the key of their team had another name before.
func TestCH12_CastsFromBeforeTheKeyWasRenamed(t *testing.T) {
	dir := t.TempDir()
	makeSchema2(t, dir, `UPDATE room_setups SET body = REPLACE(body, '"team":"d"', '"drawing":"d"')`)
	setups, err := open(t, dir).Rooms().Turns().Setups(t.Context())
	if err != nil || len(setups) != 1 || setups[0].Cast == nil || setups[0].Cast.Team != "d" {
		t.Errorf("the setups are %+v, %v", setups, err)
	}
}

// What is kept of a room's conversation beside its messages, in any database.
func keepsTurns(t *testing.T, s *store.Store) {
	t.Helper()
	rooms, kept := s.Rooms(), s.Rooms().Turns()
	first := []room.Append{
		{Message: room.Message{Room: "設計", Sender: "s", Text: "x", Timestamp: "2026-11-21T09:00:00Z", Type: room.Chat}},
	}
	if err := rooms.AppendMessages(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	policy := turns.DefaultPolicy(true)
	setup := turns.Setup{Room: "設計", Policy: &policy, Cast: &turns.Cast{Team: "d", Agents: []string{"a"}}}
	record := turns.Record{
		Room:  "設計",
		Name:  "Ann",
		Heard: 1,
		Usage: turns.Usage{Turns: 1, TokensIn: 1 << 40, TokensOut: 2, CostUSD: 0.0125, Unpriced: 3},

		Removed: true, AgentID: "ann", Model: "demo/echo",
	}
	for range 2 { // what is there already is changed
		setup.Paused = !setup.Paused
		record.Turns++
		if err := kept.PutSetup(t.Context(), setup); err != nil {
			t.Fatal(err)
		}
		if err := kept.PutRecords(t.Context(), []turns.Record{record}); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.PutSetup(t.Context(), turns.Setup{Room: "never made"}); err != nil {
		t.Fatal(err)
	}
	setups, err := kept.Setups(t.Context())
	if err != nil || len(setups) != 1 || setups[0].Paused || *setups[0].Policy != policy || setups[0].Cast.Agents[0] != "a" {
		t.Errorf("the setups are %+v, %v", setups, err)
	}
	records, err := kept.Records(t.Context())
	if err != nil || len(records) != 1 || records[0] != record {
		t.Errorf("the records are %+v, %v", records, err)
	}
	if err := rooms.DeleteRoom(t.Context(), "設計"); err != nil {
		t.Fatal(err)
	}
	setups, _ = kept.Setups(t.Context())
	records, err = kept.Records(t.Context())
	if err != nil || len(setups)+len(records) != 0 {
		t.Errorf("of a deleted room there are %+v, %+v, %v", setups, records, err)
	}
}

// The inbox, in any database.
func keepsQuestions(t *testing.T, s *store.Store) {
	t.Helper()
	kept := store.Inbox(s)
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	e := inbox.Entry{
		ID:       "1",
		Question: inbox.Question{Agent: "Ann", Tool: "shell", Room: "設計", Arguments: []byte(`{"a":"\u0001"}`)},
		AskedAt:  at,
		State:    inbox.Waiting,
		Key:      "k",
	}
	if err := kept.PutEntry(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if list, err := kept.WaitingEntries(t.Context()); err != nil || len(list) != 1 || list[0].Agent != "Ann" || string(list[0].Arguments) != `{"a":"\u0001"}` {
		t.Errorf("waiting are %+v, %v", list, err)
	}
	if same, err := kept.EntryByKey(t.Context(), "Ann", "k"); err != nil || same.ID != "1" {
		t.Errorf("by its key: %+v, %v", same, err)
	}
	e.State, e.Choice, e.EndedAt = inbox.Answered, inbox.Always, at.Add(time.Minute)
	if err := kept.PutAnswer(t.Context(), e, &inbox.Rule{ID: "r", Agent: "Ann", Tool: "shell", Since: at}); err != nil {
		t.Fatal(err)
	}
	ended, err := kept.EndedEntries(t.Context(), inbox.Query{Limit: 5})
	if err != nil || len(ended) != 1 || ended[0].Choice != inbox.Always || !ended[0].EndedAt.Equal(e.EndedAt) {
		t.Errorf("ended are %+v, %v", ended, err)
	}
	if rules, err := kept.Rules(t.Context()); err != nil || len(rules) != 1 || rules[0].Tool != "shell" {
		t.Errorf("the rules are %+v, %v", rules, err)
	}
	if err := kept.PutAnswer(t.Context(), e, &inbox.Rule{ID: "r", Agent: "Ann", Tool: "shell", Since: at, Uses: 2}); err != nil {
		t.Fatal(err)
	}
	if rules, err := kept.Rules(t.Context()); err != nil || len(rules) != 1 || rules[0].Uses != 2 {
		t.Errorf("a rule that was used: %+v, %v", rules, err)
	}
	for range 2 {
		if err := kept.DropRules(t.Context(), []string{"r"}); err != nil {
			t.Error(err)
		}
	}
	if rules, err := kept.Rules(t.Context()); err != nil || len(rules) != 0 {
		t.Errorf("the rules that are left are %+v, %v", rules, err)
	}
	if _, err := kept.Entry(t.Context(), "2"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an entry that is not there: %v", err)
	}
}

func TestCH11_FloorsAndQuestionsAreKept(t *testing.T) {
	t.Run("turns", func(t *testing.T) { keepsTurns(t, open(t, t.TempDir())) })
	t.Run("inbox", func(t *testing.T) { keepsQuestions(t, open(t, t.TempDir())) })
}

// Package roomtest is the suite that every room.Store passes.
package roomtest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// Open opens the Store at a place, and closes it at the end of t. A place is an empty
// folder, or a database of that name.
type Open func(t *testing.T, place string) room.Store

// RunStoreSuite shows that a Store does what its interface says.
func RunStoreSuite(t *testing.T, open Open) {
	tests := map[string]func(t *testing.T, s room.Store){
		"order and ranges": orderAndRanges, "client ids": clientIDs, "every character": everyCharacter, "whole or not": largeBatch,
		"search": search, "search finds what is new and not what is gone": searchFollows, "pruning": pruning, "causes": causes, "a clock that was wrong": wrongClock,
		"rooms": rooms, "presences": presences, "readers beside the writer": readersBeside,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t, t.TempDir())) })
	}
	t.Run("reopened", func(t *testing.T) { reopened(t, open) })
}

var start = time.Date(2026, 11, 21, 9, 0, 0, 123_000_000, time.UTC)

func message(room1, sender, text string) room.Append {
	return room.Append{
		Message: room.Message{Room: room1, Sender: sender, Text: text, Timestamp: "2026-11-21T09:00:00.123Z", Type: room.Chat},
		At:      start,
	}
}

func add(t *testing.T, s room.Store, batch ...room.Append) []room.Append {
	t.Helper()
	must(t, s.AppendMessages(t.Context(), batch))
	return batch
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s room.Store, r room.Range) []room.Message {
	t.Helper()
	list, err := s.RoomMessages(t.Context(), r)
	must(t, err)
	return list
}

func texts(list []room.Message) string {
	var out []string
	for _, m := range list {
		out = append(out, m.Text)
	}
	return strings.Join(out, " ")
}

func orderAndRanges(t *testing.T, s room.Store) {
	if id, err := s.LastMessageID(t.Context()); err != nil || id != 0 {
		t.Fatalf("an empty store has the id %d, %v", id, err)
	}
	for i := range 3 {
		batch := add(t, s, message("a", "x", fmt.Sprint(3*i)), message("b", "x", "other"), message("a", "y", fmt.Sprint(3*i+1)), message("a", "y", fmt.Sprint(3*i+2)))
		for j, m := range batch {
			if want := int64(4*i + j + 1); m.ID != want || m.Duplicate {
				t.Fatalf("message %d of batch %d has the id %d (%v), want %d", j, i, m.ID, m.Duplicate, want)
			}
		}
	}
	for name, c := range map[string]struct {
		r    room.Range
		want string
	}{
		"newest":          {room.Range{Room: "a", Limit: 3}, "6 7 8"},
		"before":          {room.Range{Room: "a", Before: 9, Limit: 2}, "4 5"},
		"oldest":          {room.Range{Room: "a", Oldest: true, Limit: 2}, "0 1"},
		"after":           {room.Range{Room: "a", After: 3, Oldest: true, Limit: 2}, "2 3"},
		"newest after":    {room.Range{Room: "a", After: 3, Limit: 2}, "7 8"},
		"between":         {room.Range{Room: "a", After: 1, Before: 5, Oldest: true, Limit: 9}, "1 2"},
		"behind the last": {room.Range{Room: "a", After: 99, Oldest: true, Limit: 9}, ""},
		"no room":         {room.Range{Room: "c", Limit: 9}, ""},
	} {
		if got := texts(read(t, s, c.r)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if id, err := s.LastMessageID(t.Context()); err != nil || id != 12 {
		t.Errorf("last id %d, %v", id, err)
	}
}

func clientIDs(t *testing.T, s room.Store) {
	one := message("a", "x", "first")
	one.ClientID = "k"
	first := add(t, s, one)[0]
	again := one
	again.Text = "second try"
	fresh := message("a", "x", "fresh")
	fresh.ClientID = "k2"
	batch := add(t, s, again, fresh, fresh, message("a", "x", "no id"), message("a", "x", "no id"))
	if !batch[0].Duplicate || batch[0].ID != first.ID || batch[0].Text != "first" {
		t.Errorf("the same id again gave %+v", batch[0])
	}
	if batch[1].Duplicate || !batch[2].Duplicate || batch[1].ID != batch[2].ID || batch[2].ClientID != "k2" {
		t.Errorf("twice in a batch gave %+v and %+v", batch[1], batch[2])
	}
	if batch[3].ID != batch[1].ID+1 || batch[4].ID != batch[1].ID+2 {
		t.Errorf("no id is no double, and a double leaves no gap: %+v %+v", batch[3], batch[4])
	}
	other, elsewhere := one, one
	other.Sender, elsewhere.Room = "y", "b"
	for _, m := range add(t, s, other, elsewhere) {
		if m.Duplicate {
			t.Errorf("another sender or room was taken for a double: %+v", m)
		}
	}
	if got := texts(read(t, s, room.Range{Room: "a", Limit: 50})); got != "first fresh no id no id first" {
		t.Errorf("stored %q", got)
	}
}

func everyCharacter(t *testing.T, s room.Store) {
	all := []string{
		"<script>alert(1)</script> & \"quoted\" 'single' `code` \\ / %_ --; DROP TABLE messages",
		"日本語 が゙ 👩‍👩‍👧 \u202eabc\u202c",
		"\x01\x1b[31m\x7f\r\n\t\u2028\ufeff",
		strings.Repeat("長", room.MaxText),
		"\U0010ffff",
		" leading and trailing \n",
	}
	var batch []room.Append
	for _, text := range all {
		m := message("部屋 '\"%", "プログラマーAgent", text)
		m.Type, m.ClientID, m.Timestamp = room.System, "c "+fmt.Sprint(len(batch)), "2026-11-21T09:00:00Z"
		batch = append(batch, m)
	}
	add(t, s, batch...)
	got := read(t, s, room.Range{Room: "部屋 '\"%", Limit: 50})
	if len(got) != len(all) {
		t.Fatalf("%d of %d", len(got), len(all))
	}
	for i, m := range got {
		if m != batch[i].Message {
			t.Errorf("stored %.80q, came back %.80q", fmt.Sprint(batch[i].Message), fmt.Sprint(m))
		}
	}
}

func largeBatch(t *testing.T, s room.Store) {
	var batch []room.Append
	for i := range 1000 {
		batch = append(batch, message("a", "x", fmt.Sprint(i)))
	}
	add(t, s, batch...)
	if got := read(t, s, room.Range{Room: "a", Oldest: true, Limit: 2000}); len(got) != 1000 || got[999].Text != "999" || got[999].ID != 1000 {
		t.Fatalf("%d came back", len(got))
	}
}

func find(t *testing.T, s room.Store, q room.Query) string {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = s.IndexMessages(t.Context())
		must(t, err)
	}
	if q.Limit == 0 {
		q.Limit = 50
	}
	list, err := s.SearchMessages(t.Context(), q)
	must(t, err)
	return texts(list)
}

func search(t *testing.T, s room.Store) {
	add(t, s, message("a", "x", "Deploy-failed"), message("a", "y", "設計書を書く"), message("b", "x", "deploy-again"), message("a", "x", "100%_sure"), message("a", "x", "say\"hi\""))
	for name, c := range map[string]struct {
		q    room.Query
		want string
	}{
		"part of a word, any case":               {room.Query{Text: "EPLOY"}, "deploy-again Deploy-failed"},
		"one room":                               {room.Query{Text: "deploy", Room: "a"}, "Deploy-failed"},
		"two words":                              {room.Query{Text: "deploy fail"}, "Deploy-failed"},
		"three letters of a text without spaces": {room.Query{Text: "計書を"}, "設計書を書く"},
		"two letters":                            {room.Query{Text: "設計"}, "設計書を書く"},
		"short and long":                         {room.Query{Text: "ag deploy"}, "deploy-again"},
		"no wildcards":                           {room.Query{Text: "%_"}, "100%_sure"},
		"no wildcard":                            {room.Query{Text: "_f"}, ""},
		"quotes":                                 {room.Query{Text: "\"hi\""}, "say\"hi\""},
		"words of the index's language":          {room.Query{Text: "deploy NEAR OR"}, ""},
		"before":                                 {room.Query{Text: "deploy", Before: 3}, "Deploy-failed"},
		"limit":                                  {room.Query{Text: "deploy", Limit: 1}, "deploy-again"},
	} {
		if got := find(t, s, c.q); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func searchFollows(t *testing.T, s room.Store) {
	for i := range 450 { // more than are indexed at once
		add(t, s, message("a", "x", fmt.Sprintf("needle-%d", i)))
	}
	if got := find(t, s, room.Query{Text: "needle", Limit: 2}); got != "needle-449 needle-448" {
		t.Errorf("found %q", got)
	}
	add(t, s, message("a", "x", "needle-new"))
	if got := find(t, s, room.Query{Text: "needle", Limit: 2}); got != "needle-new needle-449" {
		t.Errorf("after another message found %q", got)
	}
	add(t, s, message("a", "x", "needle-not-indexed"))
	remove(t, s, room.Pruning{Room: "a", Keep: 1})
	add(t, s, message("a", "x", "needle-last"))
	if got := find(t, s, room.Query{Text: "needle"}); got != "needle-last needle-not-indexed" {
		t.Errorf("after deletion found %q", got)
	}
}

func remove(t *testing.T, s room.Store, p room.Pruning) int {
	t.Helper()
	cuts, err := s.Prunable(t.Context(), p)
	must(t, err)
	total := 0
	for _, cut := range cuts {
		for n := 1; n > 0; total += n {
			n, err = s.DeleteMessages(t.Context(), cut)
			must(t, err)
		}
	}
	return total
}

func aged(room1, text string, hours int) room.Append {
	m := message(room1, "x", text)
	m.At = start.Add(time.Duration(hours) * time.Hour)
	return m
}

func pruning(t *testing.T, s room.Store) {
	add(t, s, aged("a", "a0", 0), aged("b", "b1", 1), aged("a", "a2", 2), aged("b", "b3", 3), aged("a", "a4", 4))
	if n := remove(t, s, room.Pruning{Before: start.Add(90 * time.Minute)}); n != 2 {
		t.Errorf("by age %d went", n)
	}
	if n := remove(t, s, room.Pruning{Room: "a", Keep: 1}); n != 1 {
		t.Errorf("by number %d went", n)
	}
	add(t, s, message("c", "x", strings.Repeat("長", 100)), message("c", "x", strings.Repeat("長", 100)))
	if n := remove(t, s, room.Pruning{MaxBytes: 400}); n != 3 {
		t.Errorf("by size %d went", n)
	}
	if got := len(read(t, s, room.Range{Room: "c", Limit: 9})); got != 1 {
		t.Errorf("%d stayed", got)
	}
	if n := remove(t, s, room.Pruning{Before: start.Add(1000 * time.Hour)}); n != 1 {
		t.Errorf("all that was left: %d", n)
	}
	if next := add(t, s, message("a", "x", "next"))[0]; next.ID != 8 {
		t.Errorf("after all were deleted the next id is %d", next.ID)
	}
}

func wrongClock(t *testing.T, s room.Store) {
	add(t, s, aged("a", "0", 0), aged("a", "jump", 24), aged("a", "1", 1), aged("b", "back", -24), aged("b", "2", 2))
	if n := remove(t, s, room.Pruning{Before: start.Add(90 * time.Minute)}); n != 2 {
		t.Errorf("%d went", n)
	}
	if got := texts(read(t, s, room.Range{Room: "a", Limit: 9})) + ", " + texts(read(t, s, room.Range{Room: "b", Limit: 9})); got != "jump 1, 2" {
		t.Errorf("what stayed: %q", got)
	}
}

func rooms(t *testing.T, s room.Store) {
	must(t, s.CreateRoom(t.Context(), "empty", start))
	if err := s.CreateRoom(t.Context(), "empty", start); !errcode.Is(err, errcode.Conflict) {
		t.Errorf("a second room of that name gave %v", err)
	}
	add(t, s, message("b", "x", "one"), message("a", "x", "two"), message("b", "x", "three"))
	list, err := s.Rooms(t.Context())
	must(t, err)
	got := ""
	for _, r := range list {
		got += r.Name
		if r.Last != nil {
			got += ":" + r.Last.Text
		}
		got += " "
		if !r.CreatedAt.Equal(start) {
			t.Errorf("%s was made at %v", r.Name, r.CreatedAt)
		}
	}
	if got != "a:two b:three empty " {
		t.Errorf("rooms %q", got)
	}
	must(t, s.PutPresences(t.Context(), []room.Presence{{Room: "b", Name: "x", State: room.Online, LastSeen: start}}))
	must(t, s.DeleteRoom(t.Context(), "b"))
	list, err = s.Rooms(t.Context())
	must(t, err)
	left, err := s.Presences(t.Context())
	must(t, err)
	if len(list) != 2 || len(left) != 0 || len(read(t, s, room.Range{Room: "b", Limit: 9})) != 0 {
		t.Errorf("left of a deleted room: %+v, %+v", list, left)
	}
	if m := add(t, s, message("b", "x", "anew"))[0]; m.ID != 4 {
		t.Errorf("the next id is %d", m.ID)
	}
	if list, err = s.Rooms(t.Context()); err != nil || len(list) != 3 {
		t.Errorf("the room was not made again: %+v, %v", list, err)
	}
}

func presences(t *testing.T, s room.Store) {
	must(t, s.PutPresences(t.Context(), []room.Presence{
		{Room: "b", Name: "x", State: room.Online, LastSeen: start}, {Room: "a", Name: "人", State: room.Thinking, LastSeen: start},
	}))
	must(t, s.PutPresences(t.Context(), []room.Presence{{Room: "b", Name: "x", State: room.Offline, LastSeen: start.Add(time.Nanosecond)}}))
	list, err := s.Presences(t.Context())
	must(t, err)
	if len(list) != 2 || list[0].Name != "人" || list[1].State != room.Offline || !list[1].LastSeen.Equal(start.Add(time.Nanosecond)) {
		t.Errorf("presences %+v", list)
	}
}

// readersBeside reads while it is written: what is read is whole batches, in order.
func readersBeside(t *testing.T, s room.Store) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for i := range 50 {
			batch := []room.Append{
				message("a", "x", fmt.Sprint(i)),
				message("a", "x", fmt.Sprint(i)),
				message("a", "x", fmt.Sprint(i)),
			}
			if err := s.AppendMessages(t.Context(), batch); err != nil {
				t.Error(err)
			}
		}
	})
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		list, err := s.RoomMessages(t.Context(), room.Range{Room: "a", Oldest: true, Limit: 500})
		must(t, err)
		if len(list)%3 != 0 {
			t.Errorf("%d messages were seen, which is not a number of whole batches", len(list))
		}
		for i, m := range list {
			if m.ID != int64(i+1) {
				t.Fatalf("message %d has the id %d", i, m.ID)
			}
		}
	}
	wg.Wait()
}

func reopened(t *testing.T, open Open) {
	place := t.TempDir()
	one := message("a", "x", "kept")
	one.ClientID = "k"
	t.Run("write", func(t *testing.T) {
		s := open(t, place)
		add(t, s, one, message("a", "x", "newest"))
		must(t, s.DeleteRoom(t.Context(), "none"))
		add(t, s, message("gone", "x", "gone"))
		must(t, s.DeleteRoom(t.Context(), "gone"))
	})
	t.Run("read", func(t *testing.T) {
		s := open(t, place)
		if id, err := s.LastMessageID(t.Context()); err != nil || id != 3 {
			t.Errorf("last id %d, %v", id, err)
		}
		batch := add(t, s, one, message("a", "x", "next"))
		if !batch[0].Duplicate || batch[0].ID != 1 || batch[1].ID != 4 {
			t.Errorf("after it was opened again: %+v", batch)
		}
		if got := texts(read(t, s, room.Range{Room: "a", Limit: 9})); got != "kept newest next" {
			t.Errorf("came back %q", got)
		}
	})
}

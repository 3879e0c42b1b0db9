package readstate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
)

func open(t *testing.T, path string) *Store {
	t.Helper()
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	d.now = func() time.Time { at = at.Add(time.Second); return at }
	return d
}

func put(t *testing.T, d *Store, conversation string, read, draft *string) {
	t.Helper()
	if err := d.Put(Change{Conversation: conversation, Read: read, Draft: draft}); err != nil {
		t.Fatal(err)
	}
}

func TestAPP4_WhatWasReadAndBegunIsThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.json")
	d := open(t, path)
	read, draft, none := "41", "未送信の下書き", ""
	put(t, d, "room:a", &read, nil)
	put(t, d, "room:b", nil, &draft)
	put(t, d, "room:a", nil, &draft)
	put(t, d, "room:b", nil, &none)
	got := open(t, path).Places()
	if len(got) != 1 || got[0].Conversation != "room:a" || got[0].Read != "41" || got[0].Draft != draft {
		t.Fatalf("places %+v, want room:a alone: room:b has nothing left", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("others may read the drafts: %v, %v", info.Mode(), err)
	}
}

func TestAPP4_OfTooManyPlacesTheOldestGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.json")
	d := open(t, path)
	for i := range MaxPlaces {
		name := fmt.Sprint("room:", i)
		d.places[name] = Place{Conversation: name, At: d.now()}
	}
	draft := "x"
	put(t, d, "new", nil, &draft)
	got := open(t, path).Places()
	if len(got) != MaxPlaces || got[0].Conversation != "new" || got[len(got)-1].Conversation != "room:1" || len(d.Places()) != MaxPlaces {
		t.Fatalf("%d places, from %+v to %+v", len(got), got[0], got[len(got)-1])
	}
}

func TestAPP4_WhatCannotBeKeptIsRefusedAndChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	d := open(t, filepath.Join(dir, "desk.json"))
	draft, long := "x", strings.Repeat("長", MaxDraft+1)
	if err := d.Put(Change{Conversation: "room:a", Draft: &draft}); err == nil || len(d.Places()) != 0 {
		t.Fatalf("a folder that is not there gave %v, %+v", err, d.Places())
	}
	for _, c := range []Change{{}, {Conversation: "\xff"}, {Conversation: "a", Draft: &long}, {Conversation: "a", Read: &long}} {
		if err := d.Put(c); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%.20q gave %v", c.Conversation, err)
		}
	}
}

func TestAPP4_ADamagedFileIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.json")
	if err := os.WriteFile(path, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Fatalf("a damaged file gave %v", err)
	}
}

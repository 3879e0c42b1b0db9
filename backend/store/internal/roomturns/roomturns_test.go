package roomturns

import (
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/dbtest"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

func open(t *testing.T) Rows {
	t.Helper()
	db := dbtest.Open(t)
	dbtest.Exec(t, db, "INSERT INTO rooms (name, created_at) VALUES ('here', '2026-11-21'), ('other', '2026-11-21')")
	return Rows{Read: db, Write: dbtest.Write(db), Classify: dbtest.Classify}
}

// fill stores something of everything that is kept of a room.
func fill(t *testing.T, r Rows, name string) {
	t.Helper()
	if err := r.PutSetup(t.Context(), turns.Setup{Room: name}); err != nil {
		t.Fatal(err)
	}
	if err := r.PutRecords(t.Context(), []turns.Record{{Room: name, Name: "a", Heard: 1}}); err != nil {
		t.Fatal(err)
	}
	present := room.Presence{Room: name, Name: "a", State: room.Online, LastSeen: time.Unix(9, 5)}
	if err := r.PutPresences(t.Context(), []room.Presence{present}); err != nil {
		t.Fatal(err)
	}
}

// count returns how much is kept of all rooms.
func count(t *testing.T, r Rows) (n [3]int) {
	t.Helper()
	setups, err := r.Setups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	records, err := r.Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	presences, err := r.Presences(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return [3]int{len(setups), len(records), len(presences)}
}

// A deleted room takes what is kept of it along, and nothing of another.
func TestDelete_TakesAllOfOneRoom(t *testing.T) {
	r := open(t)
	fill(t, r, "here")
	fill(t, r, "other")
	fill(t, r, "here") // what is there is changed
	if got := count(t, r); got != [3]int{2, 2, 2} {
		t.Errorf("before: %v", got)
	}
	if err := Delete(r.Read, "here"); err != nil {
		t.Fatal(err)
	}
	if got := count(t, r); got != [3]int{1, 1, 1} {
		t.Errorf("after: %v", got)
	}
}

// A setup that arrives after its room was deleted doesn't come back with it.
func TestPutSetup_OfADeletedRoomIsNone(t *testing.T) {
	r := open(t)
	if err := r.PutSetup(t.Context(), turns.Setup{Room: "gone"}); err != nil {
		t.Fatal(err)
	}
	if got := count(t, r); got != [3]int{} {
		t.Errorf("kept: %v", got)
	}
}

func TestPresences_KeepTheMoment(t *testing.T) {
	r := open(t)
	fill(t, r, "here")
	if list, err := r.Presences(t.Context()); err != nil || len(list) != 1 || !list[0].LastSeen.Equal(time.Unix(9, 5)) {
		t.Errorf("%+v, %v", list, err)
	}
	dbtest.Exec(t, r.Read, "UPDATE agents_state SET last_seen_timestamp = 'yesterday'")
	if _, err := r.Presences(t.Context()); !errcode.Is(err, errcode.Internal) {
		t.Errorf("a damaged row: %v", err)
	}
}

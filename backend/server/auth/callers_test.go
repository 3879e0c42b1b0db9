package auth

import (
	"path/filepath"
	"testing"

	"agentflow/backend/base/errcode"
)

// Two rooms tokens have two names in the rooms, also where they differ by case alone. A name is free again once its
// token is revoked, and a token keeps its own.
func TestTR4_F14_NoTwoTokensTalkUnderOneName(t *testing.T) {
	c, err := OpenCallers(filepath.Join(t.TempDir(), "callers.json"))
	if err != nil {
		t.Fatal(err)
	}
	seat := func(as string) Seat { return Seat{Rooms: []string{"dev"}, As: as} }
	planner, _, err := c.Make("laptop", Talker, seat("Planner"))
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := c.Make("tower", Talker, seat("Tester"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Make("phone", Talker, seat("planner")); !errcode.HasReason(err, "as_taken") {
		t.Errorf("made: %v", err)
	}
	if _, err := c.Change(other.ID, "tower", Talker, seat("Planner")); !errcode.HasReason(err, "as_taken") {
		t.Errorf("changed: %v", err)
	}
	if _, err := c.Change(planner.ID, "old laptop", Talker, seat("Planner")); err != nil {
		t.Errorf("its own name: %v", err)
	}
	if err := c.Revoke(planner.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Make("phone", Talker, seat("Planner")); err != nil {
		t.Errorf("free again: %v", err)
	}
}

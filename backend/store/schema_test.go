package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/talk/room"
)

// look opens a database file beside the hub.
func look(t *testing.T, path string) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(sqlite.Open(path), &gorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return db
}

// The tables have the seed's columns, and what is asked for most is found by an index.
func TestCH3_TablesAndIndexes(t *testing.T) {
	dir := t.TempDir()
	t.Run("make", func(t *testing.T) { open(t, dir) })
	db := look(t, filepath.Join(dir, "agentflow.db"))
	var mode string
	if err := db.Raw("PRAGMA journal_mode").Scan(&mode).Error; err != nil || mode != "wal" {
		t.Errorf("the journal is %q, %v", mode, err)
	}
	for table, columns := range map[string][]string{
		"messages":     {"id", "room_name", "sender", "message_content", "timestamp", "message_type"},
		"agents_state": {"room_name", "agent_name", "last_seen_timestamp", "status"},
	} {
		var got []string
		if err := db.Raw("SELECT name FROM pragma_table_info(?)", table).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		if len(got) < len(columns) || !slices.Equal(got[:len(columns)], columns) {
			t.Errorf("%s has the columns %q, want them to begin with %q", table, got, columns)
		}
	}
	for statement, index := range map[string]string{
		"SELECT * FROM messages WHERE room_name = 'r' ORDER BY id DESC LIMIT 50":                                                "messages_by_room",
		"SELECT * FROM messages WHERE room_name = 'r' AND id > 5 ORDER BY id LIMIT 50":                                          "messages_by_room",
		`SELECT * FROM messages WHERE id < 9 AND cause IS NOT NULL AND cause LIKE '{"code":"x"%' ORDER BY id DESC LIMIT 500`:    "messages_told",
		"SELECT * FROM messages WHERE timestamp > '2026'":                                                                       "messages_by_timestamp",
		"SELECT * FROM messages WHERE room_name = 'r' AND sender = 's' AND client_message_id = 'k' AND client_message_id <> ''": "messages_once",
	} {
		var plan []struct{ Detail string }
		if err := db.Raw("EXPLAIN QUERY PLAN " + statement).Scan(&plan).Error; err != nil {
			t.Fatal(err)
		}
		if len(plan) == 0 || !strings.Contains(plan[0].Detail, index) {
			t.Errorf("%s: %+v, want the index %s", statement, plan, index)
		}
	}
}

// A database from before there were rooms gets them, and keeps what it has.
func TestCH3_AnOlderDatabaseIsBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	path := makeSchema2(t, dir, beforeRooms...)
	s := open(t, dir)
	holdsTeamAndTask(t, s)
	batch := []room.Append{
		{
			Message: room.Message{
				Room:      "r",
				Sender:    "s",
				Text:      "first",
				Timestamp: "2026-11-21T09:00:00Z",
				Type:      room.Chat,
			},
		},
	}
	if err := s.Rooms().AppendMessages(t.Context(), batch); err != nil || batch[0].ID != 1 {
		t.Errorf("the first message: %+v, %v", batch, err)
	}
	var version int
	err := look(t, path).Raw("PRAGMA user_version").Scan(&version).Error
	if err != nil || version != dbfile.SchemaVersion {
		t.Errorf("schema %d, %v", version, err)
	}
}

// Messages from before they had causes are read as they are, and new ones beside them.
func TestCH3_MessagesFromBeforeTheyHadCauses(t *testing.T) {
	dir := t.TempDir()
	line := func(text string, cause *errcode.Cause) []room.Append {
		return []room.Append{
			{
				Message: room.Message{
					Room:      "r",
					Sender:    "s",
					Text:      text,
					Timestamp: "2026-11-21T09:00:00Z",
					Type:      room.System,
					Cause:     cause,
				},
			},
		}
	}
	makeSchema2(t, dir, "DROP INDEX messages_told", "ALTER TABLE messages DROP COLUMN cause")
	s := open(t, dir).Rooms()
	if err := s.AppendMessages(t.Context(), line("new", &errcode.Cause{Code: "turn_silent"})); err != nil {
		t.Fatal(err)
	}
	got, err := s.RoomMessages(t.Context(), room.Range{Room: "r", Limit: 2})
	if err != nil || len(got) != 2 || got[0].Text != "第二の文" || got[0].Cause != nil || got[1].Cause == nil || got[1].Cause.Code != "turn_silent" {
		t.Errorf("%+v, %v", got, err)
	}
}

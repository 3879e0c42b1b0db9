package store

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
)

// The code of an error decides, not its text.
func TestErrorsAreToldByTheirCodes(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	run := func(db *gorm.DB, statements ...string) (err error) {
		for _, one := range statements {
			err = db.Exec(one).Error
		}
		return s.classify(err)
	}
	for _, words := range []string{"readonly", "locked", "busy", "disk is full", "no space left", "disk I/O error (778)", "malformed", "corrupt"} {
		err := run(s.writes.db, `SELECT * FROM "the `+words+` table"`)
		if !errcode.Is(err, errcode.Internal) || !strings.Contains(errors.Unwrap(err).Error(), words) {
			t.Errorf("%q: %v", words, err)
		}
	}
	for says, statements := range map[string][]string{
		"is read-only": {"PRAGMA query_only = ON", "CREATE TABLE refused (y)"},
		"disk is full": {"PRAGMA query_only = OFF", "CREATE TABLE x (y)", "PRAGMA max_page_count = 1", "INSERT INTO x VALUES (randomblob(10000000))"},
	} {
		if err := run(s.writes.db, statements...); !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q: %v", says, err)
		}
	}
}

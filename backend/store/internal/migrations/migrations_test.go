package migrations

import (
	"database/sql"
	"log/slog"
	"slices"
	"testing"

	_ "github.com/glebarez/go-sqlite"

	"agentflow/backend/store/internal/dbfile"
)

// Both databases have every step from 1 to the schema that dbfile knows.
func TestSteps_GoUpToTheSchema(t *testing.T) {
	for _, kind := range []Kind{SQLite, Postgres} {
		db, err := sql.Open("sqlite", "")
		if err != nil {
			t.Fatal(err)
		}
		provider, err := newProvider(db, kind, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var got, want []int64
		for _, source := range provider.ListSources() {
			got = append(got, source.Version)
		}
		for v := range int64(dbfile.SchemaVersion) {
			want = append(want, v+1)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the steps of %s are %v, want %v", kind, got, want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

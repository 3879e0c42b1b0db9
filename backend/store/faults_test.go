package store_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/team/library"
)

// TestFaultBadDatabases: none of them may be changed by the attempt to open it.
func TestFaultBadDatabases(t *testing.T) {
	damaged := func(t *testing.T, path string) {
		t.Run("make", func(t *testing.T) {
			s := open(t, filepath.Dir(path))
			for i := range 200 {
				snap := library.Snapshot{
					ID:      library.SnapshotID(strings.Repeat("s", i+1)),
					Gateway: "g",
					Config:  []byte(`{"a":1}`),
				}
				if err := s.PutSnapshot(t.Context(), snap); err != nil {
					t.Fatal(err)
				}
			}
		})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 4096; i < len(data); i++ {
			data[i] ^= 0x5a
		}
		write(t, path, data)
	}
	cases := map[string]struct {
		prepare func(t *testing.T, path string)
		says    string
	}{
		"emptied": {func(t *testing.T, path string) { write(t, path, nil) }, "emptied"},
		"garbage": {func(t *testing.T, path string) { write(t, path, []byte("hello, this is no database at all")) },
			"not a database"},
		"damaged": {damaged, "damaged"},
		"foreign": {func(t *testing.T, path string) { execute(t, path, "CREATE TABLE diary (day TEXT)") },
			"another program"},
		"newer": {func(t *testing.T, path string) {
			execute(t, path, "CREATE TABLE x (y)", "PRAGMA application_id = 1095126103", "PRAGMA user_version = 99")
		}, "newer AgentFlow"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "agentflow.db")
			c.prepare(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Fatalf("got %v, want an error that names %s and says %q", err, path, c.says)
			}
			after, err := os.ReadFile(path)
			if err != nil || string(after) != string(before) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

func TestFaultOneHubAFolder(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	_, err := store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "in use by another AgentFlow (process "+strconv.Itoa(os.Getpid())+")") {
		t.Errorf("got %v", err)
	}
}

// TestFaultLockedDatabase: another program holds the database and does not let go.
func TestFaultLockedDatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "agentflow.db")
	t.Run("make", func(t *testing.T) { open(t, dir) })
	other, err := gorm.Open(sqlite.Open(path), &gorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := other.DB()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	pool.SetMaxOpenConns(1)
	if err := other.Exec("BEGIN IMMEDIATE").Error; err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "locked by another program") || !strings.Contains(err.Error(), path) {
		t.Fatalf("got %v", err)
	}
	if err := other.Exec("ROLLBACK").Error; err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

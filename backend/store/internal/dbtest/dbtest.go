// Package dbtest opens databases for the tests of the packages beside it.
package dbtest

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/migrations"
)

// Open opens a database with the schema and without rows, until the test ends.
func Open(t *testing.T) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(sqlite.Open(filepath.Join(t.TempDir(), "test.db")),
		&gorm.Config{Logger: logger.Discard, TranslateError: true})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	pool.SetMaxOpenConns(1)
	if err := migrations.Up(t.Context(), pool, migrations.SQLite, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return db
}

// Exec runs statements.
func Exec(t *testing.T, db *gorm.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if err := db.Exec(s).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// Write returns what a package gets from the store to change the database: each change is a transaction.
func Write(db *gorm.DB) func(ctx context.Context, change func(tx *gorm.DB) error) error {
	return func(ctx context.Context, change func(tx *gorm.DB) error) error {
		return db.WithContext(ctx).Transaction(change)
	}
}

// Found words an error of a read for one row.
func Found(err error, what string, id any) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return errcode.New(errcode.NotFound, "there is no %s %v", what, id)
	}
	return err
}

// Classify leaves an error as it is.
func Classify(err error) error { return err }

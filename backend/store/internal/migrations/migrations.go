// Package migrations brings a database's schema up to date in numbered steps. Each step commits in one transaction,
// so a process that is killed leaves the database between two steps, and the next start continues there.
//
// A step that was released never changes. A new one gets the next number, an SQL file for each database (or a function
// where SQL can't do it), and the number in dbfile.SchemaVersion.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// Kind is a kind of database, named like the folder with its steps.
type Kind string

// Kinds of databases.
const (
	SQLite   Kind = "sqlite"
	Postgres Kind = "postgres"
)

// dialects are goose's names for the kinds.
var dialects = map[Kind]goose.Dialect{SQLite: goose.DialectSQLite3, Postgres: goose.DialectPostgres}

// Seconds between two attempts to get the lock of another process that migrates, and the number of attempts.
const (
	lockPeriod   = 1
	lockAttempts = 60
)

// Up takes the steps that the database lacks.
func Up(ctx context.Context, db *sql.DB, kind Kind, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	provider, err := newProvider(db, kind, log)
	if err != nil {
		return err
	}
	taken, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if len(taken) > 0 {
		log.InfoContext(ctx, "the schema of the database is up to date",
			slog.Int("steps", len(taken)), slog.Int64("schema", taken[len(taken)-1].Source.Version))
	}
	return nil
}

func newProvider(db *sql.DB, kind Kind, log *slog.Logger) (*goose.Provider, error) {
	folder, err := fs.Sub(files, string(kind))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	record, err := database.NewStore(dialects[kind], goose.DefaultTablename)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	options := []goose.ProviderOption{
		goose.WithStore(marking{record, kind}),
		goose.WithDisableGlobalRegistry(true),
		goose.WithSlog(log),
		goose.WithGoMigrations(
			step(1, kind, addLaterColumns),
			step(4, kind, addSessions),
			step(5, kind, cancelTasks),
		),
	}
	if kind == Postgres {
		// The hub's own lock keeps other hubs away. This one is held by the very connection that migrates, so it also
		// counts if the connection with the hub's lock breaks meanwhile.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockPeriod, lockAttempts))
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(goose.DialectCustom, db, folder, options...)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return provider, nil
}

// step is a step that is a function.
func step(version int64, kind Kind, run func(context.Context, tx) error) *goose.Migration {
	up := func(ctx context.Context, open *sql.Tx) error { return run(ctx, tx{open, kind}) }
	return goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil)
}

// firstMarked is the oldest schema whose number programs without goose read.
const firstMarked = 2

// marking is goose's record of the steps taken. It also writes a step's number where every program looks before it
// touches a database, in the transaction of the step.
type marking struct {
	database.Store
	kind Kind
}

// Insert implements database.Store.
func (m marking) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	if err := m.Store.Insert(ctx, db, req); err != nil || req.Version < firstMarked {
		return err
	}
	mark := fmt.Sprintf("PRAGMA user_version = %d", req.Version)
	if m.kind == Postgres {
		mark = fmt.Sprintf("INSERT INTO room_marks (name, value) VALUES ('schema', %d) "+
			"ON CONFLICT (name) DO UPDATE SET value = excluded.value", req.Version)
	}
	_, err := db.ExecContext(ctx, mark)
	return err
}

// TableExists reports whether there is a record already. Without it, goose provokes an error to find out.
func (m marking) TableExists(ctx context.Context, db database.DBTxConn) (is bool, err error) {
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + m.Tablename() + "')"
	if m.kind == Postgres {
		query = "SELECT to_regclass('" + m.Tablename() + "') IS NOT NULL"
	}
	err = db.QueryRowContext(ctx, query).Scan(&is)
	return is, err
}

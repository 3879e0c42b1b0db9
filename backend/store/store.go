// Package store keeps tasks, rooms, plans and teams in SQLite, or in PostgreSQL. It is
// the only importer of gorm. A write is durable when its method returns (WAL, synchronous=FULL).
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	gosqlite "github.com/glebarez/go-sqlite"
	"github.com/glebarez/sqlite"
	"github.com/gofrs/flock"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/store/internal/migrations"
	"agentflow/backend/store/internal/tasks"
)

const (
	pidFile  = "agentflow.pid"
	lockName = "agentflow.lock"
)

// durability is what a commit waits for: with FULL it survives a power cut.
var durability = "FULL"

// lockWait is how long another program is waited for that has the database as it is opened;
// patience is that of a statement later.
const (
	lockWait = 500 * time.Millisecond
	patience = 5 * time.Second
)

// checkpointPages is how much is logged, in pages of 4 KiB, before it is brought into the database, for
// which everybody who writes waits. Four times SQLite's own, so that it is rarely felt: of what many
// submit at once less than one in a hundred then waits for it.
const checkpointPages = 4000

// sqliteDriver is the database/sql driver of SQLite. Tests put one that counts in its place.
var sqliteDriver = sqlite.DriverName

// Store is an open database. Close it after everything that writes has ended.
type Store struct {
	path     string
	dir      string
	postgres bool
	held     *sql.Conn // of PostgreSQL: while it is open no other hub has the database
	read     *gorm.DB
	writes   *writer
	lastTask tasks.Last
	lock     *flock.Flock
	staging  sync.Mutex // one backup is taken in at a time
	log      *slog.Logger
}

// Database opens the database that dsn names, or, if it is empty, the one in the folder dir.
func Database(ctx context.Context, dir, dsn string, log *slog.Logger) (*Store, error) {
	if dsn == "" {
		return Open(ctx, dir, log)
	}
	return openPostgres(ctx, dir, dsn, log)
}

// Open opens the database in the folder dir, and makes it if there is none. A database
// that is damaged, foreign, emptied, read-only, of a newer program or in use by another
// hub is left untouched, with an error that names the file, the cause and the remedy.
func Open(ctx context.Context, dir string, log *slog.Logger) (*Store, error) {
	path := filepath.Join(dir, dbfile.Name)
	s := &Store{path: path, log: log}
	restored := func() error {
		dbfile.DropLeftovers(dir)
		if err := dbfile.Take(dir); err != nil {
			return err
		}
		return s.open(ctx)
	}
	if err := s.inFolder(dir, restored); err != nil {
		return nil, err
	}
	return s, nil
}

// inFolder opens the database while nobody else has the folder, which stays taken.
func (s *Store) inFolder(dir string, open func() error) error {
	s.dir, s.lock = dir, flock.New(filepath.Join(dir, lockName))
	held, err := s.lock.TryLock()
	if err != nil {
		return unusable(s.path, err,
			"the folder %s cannot be written: check its permissions, or choose another with --data", dir)
	}
	if !held {
		return unusable(s.path, nil,
			"the folder %s is in use by another AgentFlow%s: stop that one, or choose another folder with --data", dir,
			holder(dir))
	}
	if err := open(); err != nil {
		_ = s.lock.Unlock()
		return err
	}
	// Only for the message of somebody else who wants the folder.
	_ = os.WriteFile(filepath.Join(dir, pidFile), []byte(strconv.Itoa(os.Getpid())), 0o600)
	return nil
}

// InUse reports whether a hub has the folder. A folder that cannot be asked counts as in use.
func InUse(dir string) bool {
	lock := flock.New(filepath.Join(dir, lockName))
	free, err := lock.TryLock()
	if free {
		_ = lock.Unlock()
	}
	return err != nil || !free
}

// holder names the process that has the folder, as far as it has said so.
func holder(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, pidFile))
	if _, bad := strconv.Atoi(string(text)); err != nil || bad != nil {
		return ""
	}
	return " (process " + string(text) + ")"
}

func (s *Store) open(ctx context.Context) error {
	if err := dbfile.Inspect(s.path); err != nil {
		return err
	}
	if err := s.free(ctx); err != nil {
		return err
	}
	writeDB, err := connect(s.path, 1, patience)
	if err != nil {
		return unusable(s.path, err, "the database %s cannot be opened", s.path)
	}
	if err := s.prepare(ctx, writeDB); err != nil {
		closeDB(writeDB)
		return err
	}
	readDB, err := connect(s.path, 4, patience)
	if err != nil {
		closeDB(writeDB)
		return unusable(s.path, err, "the database %s cannot be opened", s.path)
	}
	s.read, s.writes = readDB, newWriter(writeDB)
	if err := dbfile.Protect(s.path); err != nil { // now that SQLite has created all its files
		closeDB(readDB)
		closeDB(writeDB)
		return err
	}
	return nil
}

// free reports a database that another program is writing to, and does not wait for it as a
// statement would.
func (s *Store) free(ctx context.Context) error {
	if _, err := os.Stat(s.path); err != nil {
		return nil // there is none yet
	}
	db, err := connect(s.path, 1, lockWait)
	if err != nil {
		return s.classify(err)
	}
	defer closeDB(db)
	return s.classify(db.WithContext(ctx).Transaction(func(*gorm.DB) error { return nil })) // it begins as one that writes
}

func (s *Store) prepare(ctx context.Context, db *gorm.DB) error {
	db = db.WithContext(ctx)
	var verdict string
	if err := db.Raw("PRAGMA quick_check(1)").Scan(&verdict).Error; err != nil {
		return s.classify(err)
	}
	if verdict != "ok" {
		return unusable(s.path, errors.New(verdict),
			"the database %s is damaged and was left as it is: put a backup in its place", s.path)
	}
	return s.classify(s.migrate(ctx, db))
}

// migrate marks the database as AgentFlow's and brings its schema up to date. The mark comes first: a database with
// tables and without it counts as another program's. It is written at each start, which shows whether one can write.
func (s *Store) migrate(ctx context.Context, db *gorm.DB) error {
	if err := db.Exec(fmt.Sprintf("PRAGMA application_id = %d", dbfile.ApplicationID)).Error; err != nil {
		return err
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return migrations.Up(ctx, pool, migrations.SQLite, s.log)
}

// classify says what an error of the database means for a person.
func (s *Store) classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errClosed):
		return errcode.Wrap(errcode.Unavailable, err, "the database is closing")
	case s.postgres:
		return s.classifyPostgres(err)
	}
	return s.classifySQLite(err)
}

// Codes of SQLite. The low byte says what kind an error is, the rest which one of them.
const (
	codeKind        = 0xff
	codeBusy        = 5
	codeLocked      = 6
	codeReadOnly    = 8
	codeCorrupt     = 11
	codeFull        = 13
	codeNoDatabase  = 26
	codeWriteFailed = 778  // any cause but a full disk, which has its own code
	codeIndexFailed = 4874 // the index of its log cannot grow
)

func (s *Store) classifySQLite(err error) error {
	code := 0
	if refused, ok := errors.AsType[*gosqlite.Error](err); ok {
		code = refused.Code()
	}
	switch kind := code & codeKind; {
	case kind == codeReadOnly:
		return unusable(s.path, err,
			"the database %s is read-only: check the permissions of the file and of its folder", s.path)
	case kind == codeLocked, kind == codeBusy:
		return unusable(s.path, err, "the database %s is locked by another program: close that program", s.path)
	case kind == codeFull, errors.Is(err, syscall.ENOSPC):
		return unusable(
			s.path,
			err,
			"the disk is full: free some space; what is not saved is kept in the window until then",
		).With(errcode.KeyReason, errcode.ReasonDiskFull)
	case code == codeWriteFailed, code == codeIndexFailed:
		return unusable(s.path, err, "the database %s cannot grow: a quota or a limit of file sizes is reached, or the disk fails; what is not saved is kept in the window until it can", s.path).With(errcode.KeyReason, errcode.ReasonDiskFull)
	case kind == codeCorrupt, kind == codeNoDatabase:
		return unusable(s.path, err, "the database %s is damaged and was left as it is: put a backup in its place",
			s.path)
	}
	return errcode.Wrap(errcode.Internal, err, "the database failed")
}

func unusable(path string, cause error, format string, args ...any) *errcode.Error {
	return errcode.Wrap(errcode.Unavailable, cause, format, args...).With(errcode.KeyFile, path)
}

// connect opens a database. trusted_schema(OFF) keeps a file's schema from calling functions with side
// effects. SQLITE_DBCONFIG_DEFENSIVE isn't a pragma, and the driver can't set it otherwise, so Stage
// rejects files with triggers or views.
func connect(path string, conns int, wait time.Duration) (*gorm.DB, error) {
	query := url.Values{}
	for _, pragma := range []string{fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)", "synchronous(" + durability + ")", "foreign_keys(ON)", "trusted_schema(OFF)", fmt.Sprintf("wal_autocheckpoint(%d)", checkpointPages)} {
		query.Add("_pragma", pragma)
	}
	query.Set("_txlock", "immediate")
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + query.Encode()
	return pool(&sqlite.Dialector{DriverName: sqliteDriver, DSN: dsn}, conns)
}

// pool opens a database with that many connections, which stay open.
func pool(dialect gorm.Dialector, conns int) (*gorm.DB, error) {
	db, err := gorm.Open(dialect, &gorm.Config{Logger: logger.Discard, TranslateError: true})
	if err != nil {
		return nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return db, nil
}

func closeDB(db *gorm.DB) {
	if pool, err := db.DB(); err == nil {
		_ = pool.Close()
	}
}

// Path returns the database's file.
func (s *Store) Path() string { return s.path }

// Run commits what the Store's methods write, until ctx ends and the queue is empty.
func (s *Store) Run(ctx context.Context) error { return s.writes.run(ctx) }

// Close ends the database. Run must have returned.
func (s *Store) Close() error {
	s.release()
	closeDB(s.read)
	closeDB(s.writes.db)
	_ = os.Remove(filepath.Join(s.dir, pidFile))
	return s.lock.Unlock()
}

// write runs change inside the writer's next transaction and returns once it is durable.
func (s *Store) write(ctx context.Context, change func(tx *gorm.DB) error) error {
	err := s.writes.do(ctx, change)
	if _, ok := errors.AsType[*errcode.Error](err); ok {
		return err
	}
	return s.classify(err)
}

func notFound(err error, what string, id any) error {
	if errors.Is(err, gorm.ErrRecordNotFound) || errors.Is(err, sql.ErrNoRows) {
		return errcode.New(errcode.NotFound, "there is no %s %v", what, id)
	}
	return err
}

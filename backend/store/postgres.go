package store

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/store/internal/migrations"
)

// markSchema is the mark of the newest schema that a PostgreSQL database has had.
const markSchema = "schema"

// openPostgres opens a PostgreSQL database. One hub has it at a time, and the folder too.
func openPostgres(ctx context.Context, dir, dsn string, log *slog.Logger) (*Store, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errcode.New(errcode.Validation,
			"--database is the address of a PostgreSQL database, like postgres://user@host/agentflow").
			With(errcode.KeyField, "database")
	}
	dsn = encrypted(u)
	u.RawQuery = "" // it may hold a password, as the user part may
	s := &Store{path: u.Redacted(), postgres: true, log: log}
	if err := s.inFolder(dir, func() error { return s.connectPostgres(ctx, dsn) }); err != nil {
		return nil, err
	}
	return s, nil
}

// encrypted is the address with TLS required where the database is on another computer, unless the
// address or PGSSLMODE says otherwise: what is asked for first, and readable if the server wants it so,
// gives the password away.
func encrypted(u *url.URL) string {
	q := u.Query()
	if host := u.Hostname(); host == "" || netlisten.Local(host) || q.Has("sslmode") || q.Has("host") || os.Getenv("PGSSLMODE") != "" {
		return u.String()
	}
	q.Set("sslmode", "require")
	with := *u
	with.RawQuery = q.Encode()
	return with.String()
}

func (s *Store) connectPostgres(ctx context.Context, dsn string) error {
	writeDB, err := pool(postgres.Open(dsn), 2) // the writer's, and the one that holds the lock
	if err != nil {
		return s.classifyPostgres(err)
	}
	if err := s.preparePostgres(ctx, writeDB); err != nil {
		closeDB(writeDB)
		return err
	}
	readDB, err := pool(postgres.Open(dsn), 8)
	if err != nil {
		_ = s.held.Close()
		closeDB(writeDB)
		return s.classifyPostgres(err)
	}
	s.read, s.writes = readDB, newWriter(writeDB)
	s.watchLock(writeDB)
	return nil
}

// preparePostgres takes the database for this hub and brings its schema up to date.
func (s *Store) preparePostgres(ctx context.Context, db *gorm.DB) error {
	if err := s.hold(ctx, db); err != nil {
		return err
	}
	if err := s.migratePostgres(ctx, db.WithContext(ctx)); err != nil {
		_ = s.held.Close()
		return s.classifyPostgres(err)
	}
	// Part of a word is found much faster with this index; some servers do not have it.
	if err := db.WithContext(ctx).Exec("CREATE EXTENSION IF NOT EXISTS pg_trgm").Error; err == nil {
		err = db.WithContext(ctx).
			Exec("CREATE INDEX IF NOT EXISTS messages_search ON messages USING gin (message_content gin_trgm_ops)").
			Error
		if err != nil {
			s.log.WarnContext(ctx, "messages are searched without an index", slog.Any("error", err))
		}
	}
	return nil
}

// migratePostgres brings the schema up to date, unless a newer program has.
func (s *Store) migratePostgres(ctx context.Context, db *gorm.DB) error {
	if db.Migrator().HasTable(&roomMarkRow{}) {
		var marks []roomMarkRow
		if err := db.Where("name = ?", markSchema).Find(&marks).Error; err != nil {
			return err
		}
		if len(marks) > 0 && marks[0].Value > dbfile.SchemaVersion {
			return unusable(s.path, nil,
				"%s was written by a newer AgentFlow (schema %d, this one knows %d): use the newer program", s.path,
				marks[0].Value, dbfile.SchemaVersion)
		}
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return migrations.Up(ctx, pool, migrations.Postgres, s.log)
}

// hold takes the lock that ends with its connection.
func (s *Store) hold(ctx context.Context, db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return s.classifyPostgres(err)
	}
	if s.held, err = pool.Conn(ctx); err != nil {
		return s.classifyPostgres(err)
	}
	got := false
	if err := s.held.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", int64(dbfile.ApplicationID)).Scan(&got); err != nil {
		_ = s.held.Close()
		return s.classifyPostgres(err)
	}
	if !got {
		_ = s.held.Close()
		return unusable(s.path, nil,
			"the database %s is in use by another AgentFlow: stop that one, or choose another with --database", s.path)
	}
	return nil
}

var lockEvery = 10 * time.Second // between two looks at the lock; shorter in tests

const (
	lockAsk   = 5 * time.Second // for the server to say
	lockGrace = time.Minute     // to get it back
)

// watchLock has the writer see to the lock, which is lost with its connection. While another
// hub may have it nothing is written, and after a while this hub ends.
func (s *Store) watchLock(db *gorm.DB) {
	var lost time.Time
	s.writes.every = lockEvery
	s.writes.check = func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, lockAsk)
		defer cancel()
		if s.held != nil && s.locked(ctx) {
			return nil
		}
		if s.held != nil {
			_ = s.held.Close()
		}
		err := s.hold(ctx, db)
		switch {
		case err == nil:
			s.writes.refused, lost = nil, time.Time{}
			s.log.WarnContext(ctx, "the lock of the database was lost and taken again")
		case lost.IsZero():
			lost, s.writes.refused = time.Now(), err
			s.log.ErrorContext(ctx, "the lock of the database is lost", slog.Any("error", err))
		case time.Since(lost) > lockGrace:
			return err
		}
		return nil
	}
}

// locked reports whether the connection still has the lock.
func (s *Store) locked(ctx context.Context) bool {
	var is bool
	row := s.held.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted)")
	return row.Scan(&is) == nil && is
}

// release gives the database to the next hub at once, not when the server notices.
func (s *Store) release() {
	if s.held == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = s.held.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(dbfile.ApplicationID))
	_ = s.held.Close()
}

// classifyPostgres says what an error of PostgreSQL means for a person.
func (s *Store) classifyPostgres(err error) error {
	if _, ok := errors.AsType[*errcode.Error](err); ok {
		return err
	}
	refused, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && refused.Code == "53100":
		return unusable(
			s.path,
			err,
			"the disk of the database is full: free some space",
		).With(errcode.KeyReason, errcode.ReasonDiskFull)
	case ok && strings.HasPrefix(refused.Code, "28"), ok && refused.Code == "3D000":
		return unusable(s.path, err, "the database %s cannot be opened: check user, password and name", s.path)
	case ok && !strings.HasPrefix(refused.Code, "57") && !strings.HasPrefix(refused.Code, "08"):
		return errcode.Wrap(errcode.Internal, err, "the database failed")
	}
	return unusable(s.path, err, "the database %s cannot be reached: is it running?", s.path)
}

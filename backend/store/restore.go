package store

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/database"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/store/internal/dbstats"
	"agentflow/backend/store/internal/plans"
	"agentflow/backend/store/internal/questions"
	"agentflow/backend/store/internal/tasks"
)

// Stage takes a backup in and checks it, without touching the present database: it must
// be an AgentFlow's, whole, and not of a newer one. It is brought to the present schema,
// so that Restore has nothing left to fail at. A second Stage takes the first's place.
func (s Maintenance) Stage(ctx context.Context, from io.Reader) (database.Backup, error) {
	if s.postgres {
		return database.Backup{}, errElsewhere()
	}
	s.staging.Lock()
	defer s.staging.Unlock()
	path := dbfile.Staged(filepath.Dir(s.path))
	out, err := s.stage(ctx, path, from)
	if err != nil {
		s.dropStaged()
	}
	return out, err
}

// DropStaged forgets what Stage took in.
func (s Maintenance) DropStaged() {
	s.staging.Lock()
	defer s.staging.Unlock()
	s.dropStaged()
}

func (s Maintenance) dropStaged() {
	if s.postgres {
		return
	}
	dbfile.DropStaged(filepath.Dir(s.path))
}

func (s Maintenance) stage(ctx context.Context, path string, from io.Reader) (database.Backup, error) {
	var out database.Backup
	var local []string
	s.dropStaged()
	n, err := dbfile.Receive(path, from)
	if err != nil {
		return out, err
	}
	out.Bytes = n
	if err := dbfile.InspectBackup(path); err != nil {
		return out, err
	}
	db, err := connect(path, 1, patience)
	if err != nil {
		return out, damaged(err)
	}
	defer closeDB(db)
	if err := inert(db.WithContext(ctx)); err != nil {
		return out, err
	}
	old, err := questions.OldRules(db.WithContext(ctx))
	if err != nil {
		return out, damaged(err)
	}
	if err := s.prepare(ctx, db); err != nil {
		if e := errcode.From(err); e.Reason() == errcode.ReasonDiskFull || ctx.Err() != nil {
			return out, err
		}
		return out, damaged(err)
	}
	in := db.WithContext(ctx)
	if out.Parts, err = dbstats.Parts(in, false); err != nil {
		return out, damaged(err)
	}
	if out.Last, err = dbstats.LastChange(in); err != nil {
		return out, damaged(err)
	}
	if out.Waits, err = s.calm(in); err != nil {
		return out, damaged(err)
	}
	out.Waits.Permissions += old
	if err := in.Model(&localConfigRow{}).Limit(1).Pluck("text", &local).Error; err != nil {
		return out, damaged(err)
	}
	out.Local = strings.Join(local, "")
	// Out of the write-ahead log: one file is all there is to move.
	if err := in.Exec("PRAGMA journal_mode = DELETE").Error; err != nil {
		return out, s.classify(err)
	}
	return out, nil
}

// inert rejects a backup with triggers or views. AgentFlow writes none into its database.
func inert(db *gorm.DB) error {
	var names []string
	if err := db.Raw("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')").Scan(&names).Error; err != nil {
		return damaged(err)
	}
	if len(names) > 0 {
		return errcode.New(errcode.Validation, "this backup holds statements that AgentFlow doesn't write (%s), so it was changed by something else. Nothing was restored. Choose another one", strings.Join(names, ", ")).
			With(errcode.KeyReason, database.ReasonProgram)
	}
	return nil
}

// calm disarms a staged backup: standing permissions are dropped, and unfinished work is
// held.
func (s Maintenance) calm(db *gorm.DB) (out database.BackupWaits, err error) {
	err = db.Transaction(func(tx *gorm.DB) error {
		if out.Permissions, err = questions.DropAllRules(tx); err != nil {
			return err
		}
		if out.Tasks, err = tasks.Hold(tx); err != nil {
			return err
		}
		out.Plans, err = plans.Hold(tx)
		return err
	})
	return out, err
}

func damaged(cause error) error {
	return errcode.Wrap(errcode.Validation, cause, "this backup is damaged and cannot be restored: choose another one").
		With(errcode.KeyReason, database.ReasonDamaged)
}

// Staged reports whether a backup is held ready.
func (s Maintenance) Staged() bool {
	_, err := os.Stat(dbfile.Staged(filepath.Dir(s.path)))
	return !s.postgres && err == nil
}

// Restore decides that the staged backup takes the database's place when the store is
// next opened, and returns the name under which the present one will be kept beside it.
func (s Maintenance) Restore(now time.Time) (aside string, err error) {
	if s.postgres {
		return "", errElsewhere()
	}
	s.staging.Lock()
	defer s.staging.Unlock()
	return dbfile.Decide(filepath.Dir(s.path), now)
}

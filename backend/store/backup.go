package store

import (
	"context"
	"os"
	"path/filepath"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/database"
	"agentflow/backend/store/internal/dbfile"
	"agentflow/backend/store/internal/dbstats"
)

// Size returns how much there is.
func (s Maintenance) Size(ctx context.Context) (database.Size, error) {
	out, err := dbstats.Size(s.read.WithContext(ctx), s.path, s.postgres)
	return out, s.classify(err)
}

// Backup copies the database, as it is at one moment, into a new file beside it, which
// the caller removes. Nobody has to wait for it: it reads while others write.
func (s Maintenance) Backup(ctx context.Context) (path string, err error) {
	if s.postgres {
		return "", errElsewhere()
	}
	dir := filepath.Dir(s.path)
	f, err := os.CreateTemp(dir, dbfile.BackupPattern)
	if err != nil {
		return "", unusable(dir, err, "no backup can be written into %s: check its permissions", dir)
	}
	path = f.Name()
	_ = f.Close() // empty, as VACUUM INTO wants it
	if err := s.read.WithContext(ctx).Exec("VACUUM INTO ?", path).Error; err != nil {
		_ = os.Remove(path)
		return "", s.classify(err)
	}
	return path, nil
}

func errElsewhere() *errcode.Error {
	return errcode.New(errcode.Conflict,
		"this hub's data is in PostgreSQL: save and restore it there, with pg_dump and pg_restore").
		With(errcode.KeyReason, database.ReasonElsewhere)
}

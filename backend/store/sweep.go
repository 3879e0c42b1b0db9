package store

import (
	"context"

	"gorm.io/gorm"

	"agentflow/backend/team/library"
)

// Maintenance fills library.SweepStore, and tells and copies what the database holds.
type Maintenance struct{ *Store }

var _ library.SweepStore = Maintenance{}

// VersionLines implements library.SweepStore.
func (s Maintenance) VersionLines(ctx context.Context) ([]library.VersionLine, error) {
	var out []library.VersionLine
	err := s.read.WithContext(ctx).Model(&versionRow{}).Order("id DESC").
		Select("id, team, parent, at, name, snapshot, LENGTH(topology) + LENGTH(counts) AS bytes").
		Find(&out).Error
	return out, s.classify(err)
}

// SnapshotLines implements library.SweepStore.
func (s Maintenance) SnapshotLines(ctx context.Context) ([]library.SnapshotLine, error) {
	var out []library.SnapshotLine
	err := s.read.WithContext(ctx).Model(&snapshotRow{}).Order("id DESC").
		Select("id, gateway, at, LENGTH(config) AS bytes, CASE WHEN settled_at IS NULL THEN good ELSE '' END AS good").
		Find(&out).Error
	return out, s.classify(err)
}

// sweepAtOnce keeps a statement below what SQLite takes as parameters.
const sweepAtOnce = 500

// FileLines implements library.SweepStore.
func (s Maintenance) FileLines(ctx context.Context) ([]library.FileLine, error) {
	var out []library.FileLine
	err := s.read.WithContext(ctx).Table("file_snapshots f").Order("f.id DESC").
		Select("f.id, f.gateway, f.agent, f.name, f.at, f.hash, COALESCE(LENGTH(t.text), 0) AS bytes").
		Joins("LEFT JOIN file_texts t ON t.hash = f.hash").Find(&out).Error
	return out, s.classify(err)
}

// Remove implements library.SweepStore.
func (s Maintenance) Remove(ctx context.Context, r library.Removal) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		if err := inParts(r.Firsts, func(ids []library.VersionID) error {
			return tx.Model(&versionRow{}).Where("id IN ?", ids).Update("parent", "").Error
		}); err != nil {
			return err
		}
		if err := inParts(r.Versions, func(ids []library.VersionID) error {
			return tx.Where("id IN ?", ids).Delete(&versionRow{}).Error
		}); err != nil {
			return err
		}
		if err := inParts(r.Snapshots, func(ids []library.SnapshotID) error {
			return tx.Where("id IN ?", ids).Delete(&snapshotRow{}).Error
		}); err != nil {
			return err
		}
		return removeFiles(tx, r.Files)
	})
}

func inParts[T any](all []T, do func([]T) error) error {
	for len(all) > 0 {
		n := min(len(all), sweepAtOnce)
		if err := do(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// Compact implements library.SweepStore. It has the writer's connection to itself, because
// no transaction may be open on it meanwhile.
func (s Maintenance) Compact(ctx context.Context) error {
	db := s.writes.db.WithContext(ctx)
	if err := db.Exec("VACUUM").Error; err != nil {
		return s.classify(err)
	}
	if s.postgres {
		return nil
	}
	return s.classify(db.Exec("PRAGMA wal_checkpoint(TRUNCATE)").Error)
}

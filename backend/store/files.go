package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// Files are the workspace files of gateways as they were seen. Equal texts are stored once.
type Files struct{ *Store }

var _ library.FileStore = Files{}

type fileRow struct {
	ID      string `gorm:"primaryKey;index:file_snapshots_by_file,priority:4"`
	Gateway string `gorm:"not null;index:file_snapshots_by_file,priority:1"`
	Agent   string `gorm:"not null;index:file_snapshots_by_file,priority:2"`
	Name    string `gorm:"not null;index:file_snapshots_by_file,priority:3"`
	Hash    string `gorm:"not null;index:file_snapshots_by_text"`
	At      time.Time
	Cause   string
	Team    string
	Size    int64 `gorm:"not null"`
	Tokens  int64 `gorm:"not null"`
	Missing bool  `gorm:"not null"`
	Binary  bool  `gorm:"not null;column:is_binary"`
}

func (fileRow) TableName() string { return "file_snapshots" }

type fileTextRow struct {
	Hash string `gorm:"primaryKey"`
	Text []byte // gzip
}

func (fileTextRow) TableName() string { return "file_texts" }

func (r fileRow) file() library.FileSnapshot {
	return library.FileSnapshot{
		ID: library.FileID(r.ID), Gateway: r.Gateway, Agent: topology.AgentID(r.Agent), Name: r.Name, Hash: r.Hash,
		At: r.At, Cause: r.Cause, Team: library.ID(r.Team), Size: int(r.Size), Tokens: int(r.Tokens),
		Missing: r.Missing, Binary: r.Binary,
	}
}

// NewestFiles implements library.FileStore.
func (s Files) NewestFiles(
	ctx context.Context,
	gateway string,
	agent topology.AgentID,
) ([]library.FileSnapshot, error) {
	db := s.read.WithContext(ctx)
	newest := newestIDs(db).Where("gateway = ? AND agent = ?", gateway, agent)
	return s.files(db.Where("id IN (?)", newest))
}

// newestIDs selects the newest snapshot of each file.
func newestIDs(db *gorm.DB) *gorm.DB {
	return db.Model(&fileRow{}).Select("MAX(id)").Group("gateway, agent, name")
}

// Files implements library.FileStore.
func (s Files) Files(ctx context.Context, gateway string, limit int) ([]library.FileSnapshot, error) {
	return s.files(s.read.WithContext(ctx).Where("gateway = ?", gateway).Limit(limit))
}

func (s Files) files(found *gorm.DB) ([]library.FileSnapshot, error) {
	var rows []fileRow
	if err := found.Order("id DESC").Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]library.FileSnapshot, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.file())
	}
	return out, nil
}

// File implements library.FileStore.
func (s Files) File(ctx context.Context, id library.FileID) (library.FileSnapshot, error) {
	db := s.read.WithContext(ctx)
	var row fileRow
	if err := db.Take(&row, "id = ?", id).Error; err != nil {
		return library.FileSnapshot{}, s.found(err, "file snapshot", id)
	}
	out := row.file()
	if !out.HasText() {
		return out, nil
	}
	var text fileTextRow
	if err := db.Take(&text, "hash = ?", row.Hash).Error; err != nil {
		return out, s.found(err, "text of the file snapshot", id)
	}
	plain, err := unpack(text.Text)
	out.Content = string(plain)
	return out, err
}

// PutFile implements library.FileStore.
func (s Files) PutFile(ctx context.Context, f library.FileSnapshot, bounds library.FileBounds) error {
	row := &fileRow{
		ID: string(f.ID), Gateway: f.Gateway, Agent: string(f.Agent), Name: f.Name, Hash: f.Hash, At: f.At,
		Cause: f.Cause, Team: string(f.Team), Size: int64(f.Size), Tokens: int64(f.Tokens), Missing: f.Missing,
		Binary: f.Binary,
	}
	var text *fileTextRow
	if f.HasText() {
		packed, err := pack([]byte(f.Content))
		if err != nil {
			return err
		}
		text = &fileTextRow{Hash: f.Hash, Text: packed}
	}
	return s.write(ctx, func(tx *gorm.DB) error {
		if text != nil {
			if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(text).Error; err != nil {
				return err
			}
		}
		if err := tx.Create(row).Error; err != nil {
			return err
		}
		old, err := beyond(tx, row, bounds)
		if err != nil {
			return err
		}
		return removeFiles(tx, old)
	})
}

// beyond returns the snapshots beyond the bounds, now that the row is in.
func beyond(tx *gorm.DB, row *fileRow, bounds library.FileBounds) ([]library.FileID, error) {
	var old []library.FileID
	// SQLite has no OFFSET without a LIMIT.
	err := tx.Model(&fileRow{}).Where("gateway = ? AND agent = ? AND name = ?", row.Gateway, row.Agent, row.Name).
		Order("id DESC").Offset(bounds.Newest).Limit(library.EveryFile).Pluck("id", &old).Error
	if err != nil {
		return nil, err
	}
	var bytes int64
	of := tx.Model(&fileRow{}).Where("gateway = ?", row.Gateway)
	if err := of.Select("COALESCE(SUM(size), 0)").Scan(&bytes).Error; err != nil || bytes <= bounds.Bytes {
		return old, err
	}
	var oldest []fileRow
	err = tx.Where("gateway = ? AND size > 0 AND id NOT IN (?)", row.Gateway,
		newestIDs(tx).Where("gateway = ?", row.Gateway)).Order("id").Find(&oldest).Error
	for _, r := range oldest {
		if bytes <= bounds.Bytes {
			break
		}
		bytes -= r.Size
		old = append(old, library.FileID(r.ID))
	}
	return old, err
}

// removeFiles deletes snapshots, and the texts that no other one has.
func removeFiles(tx *gorm.DB, files []library.FileID) error {
	if len(files) == 0 {
		return nil
	}
	err := inParts(files, func(ids []library.FileID) error {
		return tx.Where("id IN ?", ids).Delete(&fileRow{}).Error
	})
	if err != nil {
		return err
	}
	return tx.Where("hash NOT IN (?)", tx.Model(&fileRow{}).Select("hash")).Delete(&fileTextRow{}).Error
}

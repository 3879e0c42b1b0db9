package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// unnamedVersionsKept bounds a team's history; named ones, heads and bases stay.
const unnamedVersionsKept = 5000

type teamRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Gateway   string
	Head      string
	Redo      string
	Bases     string
	CreatedAt time.Time
	UpdatedAt time.Time `gorm:"autoUpdateTime:false"`
	DeletedAt *time.Time
}

func (teamRow) TableName() string { return "teams" }

type versionRow struct {
	ID        string `gorm:"primaryKey"`
	Team      string `gorm:"index:versions_by_team"`
	Parent    string
	StartedAt time.Time
	At        time.Time
	Cause     string
	Label     string
	Author    string
	Name      string
	Coalesce  string
	Gateway   string
	Snapshot  string
	Counts    string
	Topology  []byte // gzip of its JSON
}

func (versionRow) TableName() string { return "versions" }

type snapshotRow struct {
	ID      string `gorm:"primaryKey"`
	Gateway string `gorm:"index"`
	Hash    string
	At      time.Time
	Cause   string
	Team    string
	Agents  int
	Config  []byte // gzip

	Losses    string // JSON; "": none
	Good      string
	SettledAt *time.Time
}

func (snapshotRow) TableName() string { return "snapshots" }

var _ library.Store = (*Store)(nil)

// Teams returns all of them, deleted ones included.
func (s *Store) Teams(ctx context.Context) ([]library.Team, error) {
	var rows []teamRow
	if err := s.read.WithContext(ctx).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]library.Team, 0, len(rows))
	for _, r := range rows {
		d, err := r.team()
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// Team returns one, or NOT_FOUND.
func (s *Store) Team(ctx context.Context, id library.ID) (library.Team, error) {
	var row teamRow
	if err := s.read.WithContext(ctx).Take(&row, "id = ?", id).Error; err != nil {
		return library.Team{}, s.found(err, "team", id)
	}
	return row.team()
}

func (s *Store) found(err error, what string, id any) error {
	if e := notFound(err, what, id); errcode.Is(e, errcode.NotFound) {
		return e
	}
	return s.classify(err)
}

func (r teamRow) team() (library.Team, error) {
	d := library.Team{
		ID: library.ID(r.ID), Name: r.Name, Gateway: r.Gateway, Head: library.VersionID(r.Head),
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if r.DeletedAt != nil {
		d.DeletedAt = *r.DeletedAt
	}
	if err := unmarshal(r.Redo, &d.Redo); err != nil {
		return d, err
	}
	return d, unmarshal(r.Bases, &d.Bases)
}

func unmarshal(text string, into any) error {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return errcode.Wrap(errcode.Internal, err, "a stored row is damaged")
	}
	return nil
}

// PutTeam stores d and, if given, v, in one transaction.
func (s *Store) PutTeam(ctx context.Context, d library.Team, v *library.Version) error {
	row, err := teamToRow(d)
	if err != nil {
		return err
	}
	var version *versionRow
	if v != nil {
		if version, err = versionToRow(v); err != nil {
			return err
		}
	}
	return s.write(ctx, func(tx *gorm.DB) error {
		upsert := clause.OnConflict{UpdateAll: true}
		if version != nil {
			if err := tx.Clauses(upsert).Create(version).Error; err != nil {
				return err
			}
			if err := prune(tx, d); err != nil {
				return err
			}
		}
		return tx.Clauses(upsert).Create(row).Error
	})
}

// prune drops the oldest unnamed edits of a very long history.
func prune(tx *gorm.DB, d library.Team) error {
	keep := []string{string(d.Head)}
	for _, b := range d.Bases {
		keep = append(keep, string(b.Version))
	}
	old := tx.Model(&versionRow{}).Select("id").
		Where("team = ? AND name = '' AND cause = ?", string(d.ID), string(library.Edited)).
		Order("id DESC").Offset(unnamedVersionsKept).Limit(64)
	return tx.Where("id IN (?) AND id NOT IN ?", old, keep).Delete(&versionRow{}).Error
}

func teamToRow(d library.Team) (*teamRow, error) {
	redo, err := json.Marshal(d.Redo)
	if err != nil {
		return nil, fmt.Errorf("store: redo: %w", err)
	}
	bases, err := json.Marshal(d.Bases)
	if err != nil {
		return nil, fmt.Errorf("store: bases: %w", err)
	}
	row := &teamRow{
		ID: string(d.ID), Name: d.Name, Gateway: d.Gateway, Head: string(d.Head), Redo: string(redo), Bases: string(bases),
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
	if !d.DeletedAt.IsZero() {
		row.DeletedAt = &d.DeletedAt
	}
	return row, nil
}

func versionToRow(v *library.Version) (*versionRow, error) {
	counts, err := json.Marshal(v.Counts)
	if err != nil {
		return nil, fmt.Errorf("store: counts: %w", err)
	}
	plain, err := json.Marshal(v.Topology)
	if err != nil {
		return nil, fmt.Errorf("store: topology: %w", err)
	}
	packed, err := pack(plain)
	if err != nil {
		return nil, err
	}
	return &versionRow{
		ID: string(v.ID), Team: string(v.Team), Parent: string(v.Parent), StartedAt: v.StartedAt, At: v.At,
		Cause: string(v.Cause), Label: v.Label, Author: v.Author, Name: v.Name, Coalesce: v.Coalesce,
		Gateway: v.Gateway, Snapshot: string(v.Snapshot), Counts: string(counts), Topology: packed,
	}, nil
}

func (r versionRow) version() (library.Version, error) {
	v := library.Version{
		ID: library.VersionID(r.ID), Team: library.ID(r.Team), Parent: library.VersionID(r.Parent), StartedAt: r.StartedAt, At: r.At,
		Cause: library.Cause(r.Cause), Label: r.Label, Author: r.Author, Name: r.Name, Coalesce: r.Coalesce,
		Gateway: r.Gateway, Snapshot: library.SnapshotID(r.Snapshot),
	}
	if err := unmarshal(r.Counts, &v.Counts); err != nil {
		return v, err
	}
	if len(r.Topology) == 0 {
		return v, nil
	}
	plain, err := unpack(r.Topology)
	if err != nil {
		return v, err
	}
	v.Topology = new(topology.Topology)
	return v, unmarshal(string(plain), v.Topology)
}

// Version returns one with its topology, or NOT_FOUND.
func (s *Store) Version(ctx context.Context, d library.ID, id library.VersionID) (library.Version, error) {
	var row versionRow
	if err := s.read.WithContext(ctx).Take(&row, "id = ? AND team = ?", id, d).Error; err != nil {
		return library.Version{}, s.found(err, "version", id)
	}
	return row.version()
}

// Versions lists newest first, without topologies.
func (s *Store) Versions(ctx context.Context, d library.ID, q library.Query) ([]library.Version, error) {
	found := s.read.WithContext(ctx).Omit("topology").Where("team = ?", d).Order("id DESC").Limit(q.Limit)
	if q.Before != "" {
		found = found.Where("id < ?", q.Before)
	}
	if len(q.Causes) > 0 {
		found = found.Where("cause IN ?", q.Causes)
	}
	if q.Named {
		found = found.Where("name <> ''")
	}
	if q.Gateway != "" {
		found = found.Where("gateway = ?", q.Gateway)
	}
	var rows []versionRow
	if err := found.Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]library.Version, 0, len(rows))
	for _, r := range rows {
		v, err := r.version()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// NameVersion gives a version a name.
func (s *Store) NameVersion(ctx context.Context, d library.ID, id library.VersionID, name string) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		res := tx.Model(&versionRow{}).Where("id = ? AND team = ?", id, d).Update("name", name)
		if res.Error == nil && res.RowsAffected == 0 {
			return errcode.New(errcode.NotFound, "there is no version %v", id)
		}
		return res.Error
	})
}

// PutSnapshot stores a gateway's config.
func (s *Store) PutSnapshot(ctx context.Context, snap library.Snapshot) error {
	packed, err := pack(snap.Config)
	if err != nil {
		return err
	}
	row := &snapshotRow{
		ID: string(snap.ID), Gateway: snap.Gateway, Hash: snap.Hash, At: snap.At, Cause: snap.Cause,
		Team: string(snap.Team), Agents: snap.Agents, Config: packed, Good: string(snap.Good),
	}
	if len(snap.Losses) > 0 {
		losses, err := json.Marshal(snap.Losses)
		if err != nil {
			return fmt.Errorf("store: losses: %w", err)
		}
		row.Losses = string(losses)
	}
	return s.write(ctx, func(tx *gorm.DB) error { return tx.Create(row).Error })
}

// Snapshot returns one with its config, or NOT_FOUND.
func (s *Store) Snapshot(ctx context.Context, id library.SnapshotID) (library.Snapshot, error) {
	var row snapshotRow
	if err := s.read.WithContext(ctx).Take(&row, "id = ?", id).Error; err != nil {
		return library.Snapshot{}, s.found(err, "snapshot", id)
	}
	out := row.snapshot()
	config, err := unpack(row.Config)
	out.Config = config
	return out, err
}

// Snapshots lists newest first, without configs.
func (s *Store) Snapshots(ctx context.Context, gateway string, limit int) ([]library.Snapshot, error) {
	var rows []snapshotRow
	err := s.read.WithContext(ctx).Omit("config").Where("gateway = ?", gateway).Order("id DESC").Limit(limit).Find(&rows).Error
	if err != nil {
		return nil, s.classify(err)
	}
	out := make([]library.Snapshot, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.snapshot())
	}
	return out, nil
}

// RenameGateway gives a gateway's snapshots its new name, those of its files among them.
func (s *Store) RenameGateway(ctx context.Context, from, to string) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		if err := tx.Model(&fileRow{}).Where("gateway = ?", from).Update("gateway", to).Error; err != nil {
			return err
		}
		return tx.Model(&snapshotRow{}).Where("gateway = ?", from).Update("gateway", to).Error
	})
}

func (r snapshotRow) snapshot() library.Snapshot {
	out := library.Snapshot{
		ID: library.SnapshotID(r.ID), Gateway: r.Gateway, Hash: r.Hash, At: r.At, Cause: r.Cause,
		Team: library.ID(r.Team), Agents: r.Agents, Good: library.SnapshotID(r.Good),
	}
	if r.SettledAt != nil {
		out.SettledAt = *r.SettledAt
	}
	if r.Losses != "" {
		_ = json.Unmarshal([]byte(r.Losses), &out.Losses) // a damaged list shows as none
	}
	return out
}

func pack(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("store: pack: %w", err)
	}
	if _, err := z.Write(plain); err != nil {
		return nil, fmt.Errorf("store: pack: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("store: pack: %w", err)
	}
	return b.Bytes(), nil
}

func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "a stored row is damaged")
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "a stored row is damaged")
	}
	return plain, nil
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

type templateRow struct {
	ID          string `gorm:"primaryKey"`
	Name        string
	Description string
	CreatedAt   time.Time
	DeletedAt   *time.Time
	Topology    []byte // gzip of its JSON
}

func (templateRow) TableName() string { return "templates" }

var _ library.ArchiveStore = Archive{}

// Archive is what the database keeps for library.Archive.
type Archive struct{ *Store }

// Templates returns all of them, deleted ones included.
func (s Archive) Templates(ctx context.Context) ([]library.Template, error) {
	var rows []templateRow
	if err := s.read.WithContext(ctx).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]library.Template, 0, len(rows))
	for _, r := range rows {
		t, err := r.template()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Template returns one, or NOT_FOUND.
func (s Archive) Template(ctx context.Context, id library.TemplateID) (library.Template, error) {
	var row templateRow
	if err := s.read.WithContext(ctx).Take(&row, "id = ?", id).Error; err != nil {
		return library.Template{}, s.found(err, "template", id)
	}
	return row.template()
}

func (r templateRow) template() (library.Template, error) {
	t := library.Template{
		ID:          library.TemplateID(r.ID),
		Name:        r.Name,
		Description: r.Description,
		CreatedAt:   r.CreatedAt,
		Topology:    new(topology.Topology),
	}
	if r.DeletedAt != nil {
		t.DeletedAt = *r.DeletedAt
	}
	plain, err := unpack(r.Topology)
	if err != nil {
		return t, err
	}
	return t, unmarshal(string(plain), t.Topology)
}

// PutTemplate stores a template, new or changed.
func (s Archive) PutTemplate(ctx context.Context, t library.Template) error {
	plain, err := json.Marshal(t.Topology)
	if err != nil {
		return fmt.Errorf("store: topology: %w", err)
	}
	packed, err := pack(plain)
	if err != nil {
		return err
	}
	row := &templateRow{
		ID:          string(t.ID),
		Name:        t.Name,
		Description: t.Description,
		CreatedAt:   t.CreatedAt,
		Topology:    packed,
	}
	if !t.DeletedAt.IsZero() {
		row.DeletedAt = &t.DeletedAt
	}
	return s.write(ctx,
		func(tx *gorm.DB) error { return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error })
}

// DropTemplate removes a template.
func (s Archive) DropTemplate(ctx context.Context, id library.TemplateID) error {
	return s.write(ctx, func(tx *gorm.DB) error { return tx.Where("id = ?", id).Delete(&templateRow{}).Error })
}

// DropTeam removes a team with all its versions.
func (s Archive) DropTeam(ctx context.Context, id library.ID) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		if err := tx.Where("team = ?", id).Delete(&versionRow{}).Error; err != nil {
			return err
		}
		return tx.Where("id = ?", id).Delete(&teamRow{}).Error
	})
}

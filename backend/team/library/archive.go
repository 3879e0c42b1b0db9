package library

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/team/topology"
)

// TemplateID names a template that a person kept.
type TemplateID string

// Template is a team kept to start others from.
type Template struct {
	ID          TemplateID
	Name        string
	Description string
	Topology    *topology.Topology
	CreatedAt   time.Time
	DeletedAt   time.Time // zero: not deleted
}

// MaxTemplates bounds the templates of a hub; each is shown with its picture.
const MaxTemplates = 500

// ArchiveStore keeps what the Archive holds. Put and Drop are durable when they return.
type ArchiveStore interface {
	// Templates returns all of them, deleted ones included.
	Templates(ctx context.Context) ([]Template, error)
	Template(ctx context.Context, id TemplateID) (Template, error)
	PutTemplate(ctx context.Context, t Template) error
	DropTemplate(ctx context.Context, id TemplateID) error
	// DropTeam removes a team with all its versions.
	DropTeam(ctx context.Context, id ID) error
}

// Archive is what stands beside the teams in use: those that were deleted, and the
// templates that people keep.
type Archive struct {
	library *Library
	store   ArchiveStore
	topic   event.Topic[struct{}]
}

// NewArchive returns the Archive of a library.
func NewArchive(library *Library, store ArchiveStore) *Archive {
	return &Archive{library: library, store: store}
}

// Subscribe tells that the templates are not as they were; the reader closes it.
func (s *Archive) Subscribe(buffer int) *event.Subscription[struct{}] {
	return s.topic.Subscribe(buffer)
}

// Deleted returns the teams that can be brought back, the last deleted first.
func (s *Archive) Deleted(ctx context.Context) ([]Team, error) {
	all, err := s.library.store.Teams(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d Team) bool { return d.DeletedAt.IsZero() })
	slices.SortFunc(all, func(a, b Team) int { return b.DeletedAt.Compare(a.DeletedAt) })
	return all, nil
}

// Purge removes a deleted team with its history for good. One that is in use is a
// CONFLICT: it has to be deleted first.
func (s *Archive) Purge(ctx context.Context, id ID) error {
	l := s.library
	l.mu.Lock()
	defer l.mu.Unlock()
	d, err := l.store.Team(ctx, id)
	if err != nil {
		return err
	}
	if d.DeletedAt.IsZero() {
		return errcode.New(errcode.Conflict, "the team %q is in use: delete it first", d.Name).
			With(errcode.KeyReason, "in_use")
	}
	if err := s.store.DropTeam(ctx, id); err != nil {
		return err
	}
	l.cache.forget(id)
	l.topic.Publish(Changed{ID: id})
	return nil
}

// Templates returns the kept templates by name, deleted ones left out.
func (s *Archive) Templates(ctx context.Context) ([]Template, error) {
	all, err := s.store.Templates(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t Template) bool { return !t.DeletedAt.IsZero() })
	slices.SortFunc(all, func(a, b Template) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return all, nil
}

// Template returns one, or NOT_FOUND; a deleted one is not there.
func (s *Archive) Template(ctx context.Context, id TemplateID) (Template, error) {
	t, err := s.store.Template(ctx, id)
	if err == nil && !t.DeletedAt.IsZero() {
		err = errcode.New(errcode.NotFound, "the template %q was deleted: restore it first", t.Name)
	}
	return t, err
}

// KeepTemplate keeps a team as a template. It should hold no secrets.
func (s *Archive) KeepTemplate(ctx context.Context, t Template) (Template, error) {
	if err := checkTemplate(t.Name, t.Description); err != nil {
		return Template{}, err
	}
	if err := t.Topology.Validate(); err != nil {
		return Template{}, err
	}
	if all, err := s.store.Templates(ctx); err != nil {
		return Template{}, err
	} else if len(all) >= MaxTemplates {
		return Template{}, errcode.New(errcode.Validation, "there are %d templates already: delete one first",
			MaxTemplates)
	}
	t.ID, t.CreatedAt, t.DeletedAt = TemplateID(ulid.Make().String()), s.library.now(), time.Time{}
	return t, s.put(ctx, t)
}

// AmendTemplate gives a template another name and description.
func (s *Archive) AmendTemplate(ctx context.Context, id TemplateID, name, description string) (Template, error) {
	if err := checkTemplate(name, description); err != nil {
		return Template{}, err
	}
	t, err := s.Template(ctx, id)
	if err != nil {
		return Template{}, err
	}
	t.Name, t.Description = name, description
	return t, s.put(ctx, t)
}

// SetTemplateDeleted hides a template, or brings it back. What is hidden goes for good
// once it is older than a month and another one is deleted.
func (s *Archive) SetTemplateDeleted(ctx context.Context, id TemplateID, deleted bool) (Template, error) {
	t, err := s.store.Template(ctx, id)
	if err != nil {
		return Template{}, err
	}
	t.DeletedAt = time.Time{}
	if deleted {
		if err := s.dropOld(ctx); err != nil {
			return Template{}, err
		}
		t.DeletedAt = s.library.now()
	}
	return t, s.put(ctx, t)
}

const deletedTemplatesStay = 30 * 24 * time.Hour

func (s *Archive) dropOld(ctx context.Context) error {
	all, err := s.store.Templates(ctx)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.DeletedAt.IsZero() || s.library.now().Sub(t.DeletedAt) < deletedTemplatesStay {
			continue
		}
		if err := s.store.DropTemplate(ctx, t.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Archive) put(ctx context.Context, t Template) error {
	if err := s.store.PutTemplate(ctx, t); err != nil {
		return err
	}
	s.topic.Publish(struct{}{})
	return nil
}

func checkTemplate(name, description string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if len(description) > 4*MaxName {
		return errcode.New(errcode.Validation, "a description has at most %d bytes", 4*MaxName).
			With(errcode.KeyField, "description")
	}
	return nil
}

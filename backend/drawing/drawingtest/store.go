// Package drawingtest holds a drawing.Store in memory, for tests.
package drawingtest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"agentflow/backend/drawing"
	"agentflow/backend/errcode"
)

// Store keeps everything in maps. Set Fail to make writes fail.
type Store struct {
	Fail error

	mu        sync.Mutex
	drawings  map[drawing.ID]drawing.Drawing
	versions  map[drawing.VersionID]drawing.Version
	snapshots []drawing.Snapshot
	templates map[drawing.TemplateID]drawing.Template
}

var (
	_ drawing.Store      = (*Store)(nil)
	_ drawing.ShelfStore = (*Store)(nil)
	_ drawing.SweepStore = (*Store)(nil)
)

// NewStore returns an empty Store.
func NewStore() *Store {
	return &Store{drawings: map[drawing.ID]drawing.Drawing{}, versions: map[drawing.VersionID]drawing.Version{}, templates: map[drawing.TemplateID]drawing.Template{}}
}

// Drawings implements drawing.Store.
func (s *Store) Drawings(context.Context) ([]drawing.Drawing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []drawing.Drawing
	for _, d := range s.drawings {
		out = append(out, d)
	}
	return out, nil
}

// Drawing implements drawing.Store.
func (s *Store) Drawing(_ context.Context, id drawing.ID) (drawing.Drawing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.drawings[id]
	if !ok {
		return d, errcode.New(errcode.NotFound, "there is no drawing %s", id)
	}
	return d, nil
}

// PutDrawing implements drawing.Store.
func (s *Store) PutDrawing(_ context.Context, d drawing.Drawing, v *drawing.Version) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	if v != nil {
		s.versions[v.ID] = *v
	}
	s.drawings[d.ID] = d
	return nil
}

// Version implements drawing.Store.
func (s *Store) Version(_ context.Context, d drawing.ID, id drawing.VersionID) (drawing.Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.versions[id]
	if !ok || v.Drawing != d {
		return drawing.Version{}, errcode.New(errcode.NotFound, "there is no version %s", id)
	}
	return v, nil
}

// Versions implements drawing.Store.
func (s *Store) Versions(_ context.Context, d drawing.ID, q drawing.Query) ([]drawing.Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []drawing.Version
	for _, v := range s.versions {
		if v.Drawing == d && (q.Before == "" || v.ID < q.Before) && (len(q.Causes) == 0 || slices.Contains(q.Causes, v.Cause)) &&
			(!q.Named || v.Name != "") && (q.Gateway == "" || v.Gateway == q.Gateway) {
			v.Topology = nil
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b drawing.Version) int {
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	return out[:min(q.Limit, len(out))], nil
}

// NameVersion implements drawing.Store.
func (s *Store) NameVersion(_ context.Context, d drawing.ID, id drawing.VersionID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.versions[id]
	if !ok || v.Drawing != d {
		return errcode.New(errcode.NotFound, "there is no version %s", id)
	}
	v.Name = name
	s.versions[id] = v
	return s.Fail
}

// PutSnapshot implements drawing.Store.
func (s *Store) PutSnapshot(_ context.Context, snap drawing.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		s.snapshots = append(s.snapshots, snap)
	}
	return s.Fail
}

// Snapshot implements drawing.Store.
func (s *Store) Snapshot(_ context.Context, id drawing.SnapshotID) (drawing.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, snap := range s.snapshots {
		if snap.ID == id {
			return snap, nil
		}
	}
	return drawing.Snapshot{}, errcode.New(errcode.NotFound, "there is no snapshot %s", id)
}

// RenameGateway implements drawing.Store.
func (s *Store) RenameGateway(_ context.Context, from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.snapshots {
		if s.snapshots[i].Gateway == from {
			s.snapshots[i].Gateway = to
		}
	}
	return s.Fail
}

// Snapshots implements drawing.Store.
func (s *Store) Snapshots(_ context.Context, gateway string, limit int) ([]drawing.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []drawing.Snapshot
	for _, snap := range slices.Backward(s.snapshots) {
		if snap.Gateway == gateway && len(out) < limit {
			out = append(out, snap)
		}
	}
	return out, nil
}

// Templates implements drawing.ShelfStore.
func (s *Store) Templates(context.Context) ([]drawing.Template, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.templates)), nil
}

// Template implements drawing.ShelfStore.
func (s *Store) Template(_ context.Context, id drawing.TemplateID) (drawing.Template, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.templates[id]
	if !ok {
		return t, errcode.New(errcode.NotFound, "there is no template %s", id)
	}
	return t, nil
}

// PutTemplate implements drawing.ShelfStore.
func (s *Store) PutTemplate(_ context.Context, t drawing.Template) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		s.templates[t.ID] = t
	}
	return s.Fail
}

// DropTemplate implements drawing.ShelfStore.
func (s *Store) DropTemplate(_ context.Context, id drawing.TemplateID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		delete(s.templates, id)
	}
	return s.Fail
}

// DropDrawing implements drawing.ShelfStore.
func (s *Store) DropDrawing(_ context.Context, id drawing.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	delete(s.drawings, id)
	maps.DeleteFunc(s.versions, func(_ drawing.VersionID, v drawing.Version) bool { return v.Drawing == id })
	return nil
}

// VersionLines implements drawing.SweepStore; every version counts 100 bytes.
func (s *Store) VersionLines(context.Context) ([]drawing.VersionLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []drawing.VersionLine
	for _, v := range s.versions {
		out = append(out, drawing.VersionLine{ID: v.ID, Drawing: v.Drawing, Parent: v.Parent, At: v.At, Name: v.Name, Snapshot: v.Snapshot, Bytes: 100})
	}
	slices.SortFunc(out, func(a, b drawing.VersionLine) int { return cmp.Compare(b.ID, a.ID) })
	return out, nil
}

// SnapshotLines implements drawing.SweepStore.
func (s *Store) SnapshotLines(context.Context) ([]drawing.SnapshotLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []drawing.SnapshotLine
	for _, x := range slices.Backward(s.snapshots) {
		out = append(out, drawing.SnapshotLine{ID: x.ID, Gateway: x.Gateway, At: x.At, Bytes: int64(len(x.Config))})
	}
	return out, nil
}

// Remove implements drawing.SweepStore.
func (s *Store) Remove(_ context.Context, versions []drawing.VersionID, snapshots []drawing.SnapshotID, firsts []drawing.VersionID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	for _, id := range firsts {
		v := s.versions[id]
		v.Parent = ""
		s.versions[id] = v
	}
	for _, id := range versions {
		delete(s.versions, id)
	}
	s.snapshots = slices.DeleteFunc(s.snapshots, func(x drawing.Snapshot) bool { return slices.Contains(snapshots, x.ID) })
	return nil
}

// Compact implements drawing.SweepStore.
func (s *Store) Compact(context.Context) error { return nil }

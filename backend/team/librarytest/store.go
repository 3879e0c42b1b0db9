// Package librarytest holds a library.Store in memory, for tests.
package librarytest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
)

// Store keeps everything in maps. Set Fail to make writes fail.
type Store struct {
	Fail error

	mu        sync.Mutex
	teams     map[library.ID]library.Team
	versions  map[library.VersionID]library.Version
	snapshots []library.Snapshot
	files     []library.FileSnapshot
	templates map[library.TemplateID]library.Template
}

var (
	_ library.Store        = (*Store)(nil)
	_ library.ArchiveStore = (*Store)(nil)
	_ library.SweepStore   = (*Store)(nil)
)

// NewStore returns an empty Store.
func NewStore() *Store {
	return &Store{
		teams:     map[library.ID]library.Team{},
		versions:  map[library.VersionID]library.Version{},
		templates: map[library.TemplateID]library.Template{},
	}
}

// Teams implements library.Store.
func (s *Store) Teams(context.Context) ([]library.Team, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.Team
	for _, d := range s.teams {
		out = append(out, d)
	}
	return out, nil
}

// Team implements library.Store.
func (s *Store) Team(_ context.Context, id library.ID) (library.Team, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.teams[id]
	if !ok {
		return d, errcode.New(errcode.NotFound, "there is no team %s", id)
	}
	return d, nil
}

// PutTeam implements library.Store.
func (s *Store) PutTeam(_ context.Context, d library.Team, v *library.Version) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	if v != nil {
		s.versions[v.ID] = *v
	}
	s.teams[d.ID] = d
	return nil
}

// Version implements library.Store.
func (s *Store) Version(_ context.Context, d library.ID, id library.VersionID) (library.Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.versions[id]
	if !ok || v.Team != d {
		return library.Version{}, errcode.New(errcode.NotFound, "there is no version %s", id)
	}
	return v, nil
}

// Versions implements library.Store.
func (s *Store) Versions(_ context.Context, d library.ID, q library.Query) ([]library.Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.Version
	for _, v := range s.versions {
		if v.Team == d && (q.Before == "" || v.ID < q.Before) && (len(q.Causes) == 0 || slices.Contains(q.Causes, v.Cause)) &&
			(!q.Named || v.Name != "") &&
			(q.Gateway == "" || v.Gateway == q.Gateway) {
			v.Topology = nil
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b library.Version) int {
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	return out[:min(q.Limit, len(out))], nil
}

// NameVersion implements library.Store.
func (s *Store) NameVersion(_ context.Context, d library.ID, id library.VersionID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.versions[id]
	if !ok || v.Team != d {
		return errcode.New(errcode.NotFound, "there is no version %s", id)
	}
	v.Name = name
	s.versions[id] = v
	return s.Fail
}

// PutSnapshot implements library.Store.
func (s *Store) PutSnapshot(_ context.Context, snap library.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		s.snapshots = append(s.snapshots, snap)
	}
	return s.Fail
}

// Snapshot implements library.Store.
func (s *Store) Snapshot(_ context.Context, id library.SnapshotID) (library.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, snap := range s.snapshots {
		if snap.ID == id {
			return snap, nil
		}
	}
	return library.Snapshot{}, errcode.New(errcode.NotFound, "there is no snapshot %s", id)
}

// RenameGateway implements library.Store.
func (s *Store) RenameGateway(_ context.Context, from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.snapshots {
		if s.snapshots[i].Gateway == from {
			s.snapshots[i].Gateway = to
		}
	}
	for i := range s.files {
		if s.files[i].Gateway == from {
			s.files[i].Gateway = to
		}
	}
	return s.Fail
}

// Snapshots implements library.Store.
func (s *Store) Snapshots(_ context.Context, gateway string, limit int) ([]library.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.Snapshot
	for _, snap := range slices.Backward(s.snapshots) {
		if snap.Gateway == gateway && len(out) < limit {
			out = append(out, snap)
		}
	}
	return out, nil
}

// Alarms are the snapshots whose configs lost something.
type Alarms struct{ *Store }

// Alarm implements rollout.Alarms.
func (s Alarms) Alarm(_ context.Context, gateway string) (*library.Alarm, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, snap := range slices.Backward(s.snapshots) {
		if snap.Gateway == gateway && len(snap.Losses) > 0 && snap.SettledAt.IsZero() {
			good := slices.IndexFunc(s.snapshots, func(other library.Snapshot) bool { return other.ID == snap.Good })
			if good < 0 {
				return nil, nil
			}
			return &library.Alarm{Snapshot: snap, Before: s.snapshots[good]}, nil
		}
	}
	return nil, nil
}

// SettleAlarms implements rollout.Alarms.
func (s Alarms) SettleAlarms(_ context.Context, gateway string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, snap := range s.snapshots {
		if snap.Gateway == gateway && len(snap.Losses) > 0 && snap.SettledAt.IsZero() {
			s.snapshots[i].SettledAt = at
		}
	}
	return nil
}

// TrimSnapshots implements rollout.Alarms.
func (s Alarms) TrimSnapshots(_ context.Context, gateway, cause string, newest int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := 0
	for i := len(s.snapshots) - 1; i >= 0; i-- {
		if s.snapshots[i].Gateway != gateway || s.snapshots[i].Cause != cause {
			continue
		}
		if seen++; seen > newest {
			s.snapshots = slices.Delete(s.snapshots, i, i+1)
		}
	}
	return nil
}

// Templates implements library.ArchiveStore.
func (s *Store) Templates(context.Context) ([]library.Template, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.templates)), nil
}

// Template implements library.ArchiveStore.
func (s *Store) Template(_ context.Context, id library.TemplateID) (library.Template, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.templates[id]
	if !ok {
		return t, errcode.New(errcode.NotFound, "there is no template %s", id)
	}
	return t, nil
}

// PutTemplate implements library.ArchiveStore.
func (s *Store) PutTemplate(_ context.Context, t library.Template) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		s.templates[t.ID] = t
	}
	return s.Fail
}

// DropTemplate implements library.ArchiveStore.
func (s *Store) DropTemplate(_ context.Context, id library.TemplateID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		delete(s.templates, id)
	}
	return s.Fail
}

// DropTeam implements library.ArchiveStore.
func (s *Store) DropTeam(_ context.Context, id library.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	delete(s.teams, id)
	maps.DeleteFunc(s.versions, func(_ library.VersionID, v library.Version) bool { return v.Team == id })
	return nil
}

// VersionLines implements library.SweepStore; every version counts 100 bytes.
func (s *Store) VersionLines(context.Context) ([]library.VersionLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.VersionLine
	for _, v := range s.versions {
		out = append(
			out,
			library.VersionLine{
				ID:       v.ID,
				Team:     v.Team,
				Parent:   v.Parent,
				At:       v.At,
				Name:     v.Name,
				Snapshot: v.Snapshot,
				Bytes:    100,
			},
		)
	}
	slices.SortFunc(out, func(a, b library.VersionLine) int { return cmp.Compare(b.ID, a.ID) })
	return out, nil
}

// SnapshotLines implements library.SweepStore.
func (s *Store) SnapshotLines(context.Context) ([]library.SnapshotLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.SnapshotLine
	for _, x := range slices.Backward(s.snapshots) {
		out = append(out, library.SnapshotLine{ID: x.ID, Gateway: x.Gateway, At: x.At, Bytes: int64(len(x.Config))})
	}
	return out, nil
}

// FileLines implements library.SweepStore.
func (s *Store) FileLines(context.Context) ([]library.FileLine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.FileLine
	for _, f := range slices.Backward(s.files) {
		out = append(out, library.FileLine{
			ID: f.ID, Gateway: f.Gateway, Agent: f.Agent, Name: f.Name, At: f.At, Hash: f.Hash, Bytes: int64(f.Size),
		})
	}
	return out, nil
}

// Remove implements library.SweepStore.
func (s *Store) Remove(_ context.Context, r library.Removal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		return s.Fail
	}
	for _, id := range r.Firsts {
		v := s.versions[id]
		v.Parent = ""
		s.versions[id] = v
	}
	for _, id := range r.Versions {
		delete(s.versions, id)
	}
	s.snapshots = slices.DeleteFunc(s.snapshots,
		func(x library.Snapshot) bool { return slices.Contains(r.Snapshots, x.ID) })
	s.files = slices.DeleteFunc(s.files, func(f library.FileSnapshot) bool { return slices.Contains(r.Files, f.ID) })
	return nil
}

// Compact implements library.SweepStore.
func (s *Store) Compact(context.Context) error { return nil }

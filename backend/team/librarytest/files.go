package librarytest

import (
	"context"
	"slices"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// Files are the workspace files of a Store. They have no bounds.
type Files struct{ *Store }

var _ library.FileStore = Files{}

// NewestFiles implements library.FileStore.
func (s Files) NewestFiles(_ context.Context, gateway string, agent topology.AgentID) ([]library.FileSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.FileSnapshot
	for _, f := range slices.Backward(s.files) {
		known := func(o library.FileSnapshot) bool { return o.Name == f.Name }
		if f.Gateway == gateway && f.Agent == agent && !slices.ContainsFunc(out, known) {
			out = append(out, f)
		}
	}
	return out, nil
}

// PutFile implements library.FileStore.
func (s Files) PutFile(_ context.Context, f library.FileSnapshot, _ library.FileBounds) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail == nil {
		s.files = append(s.files, f)
	}
	return s.Fail
}

// File implements library.FileStore.
func (s Files) File(_ context.Context, id library.FileID) (library.FileSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.ID == id {
			return f, nil
		}
	}
	return library.FileSnapshot{}, errcode.New(errcode.NotFound, "there is no file snapshot %s", id)
}

// Files implements library.FileStore.
func (s Files) Files(_ context.Context, gateway string, limit int) ([]library.FileSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []library.FileSnapshot
	for _, f := range slices.Backward(s.files) {
		if f.Gateway == gateway && len(out) < limit {
			f.Content = ""
			out = append(out, f)
		}
	}
	return out, nil
}

package library

import (
	"context"
	"sync"
	"time"

	"agentflow/backend/team/topology"
)

// FileID names a workspace file as it was kept once.
type FileID string

// FileSnapshot is a workspace file as a gateway had it at one moment.
type FileSnapshot struct {
	ID      FileID
	Gateway string
	Agent   topology.AgentID
	Name    string
	Hash    string // SHA-256; "" if Missing
	At      time.Time
	Cause   string // read, elsewhere, after_apply or after_rollback
	Team    ID     // that was applied
	Size    int    // bytes
	Tokens  int    // about how many
	Missing bool   // the file was gone
	Binary  bool   // it isn't text
	Content string // "" in lists, and if HasText is false
}

// HasText reports whether the text was kept. Of files that aren't text, or are too long for a team, only the rest is.
func (f FileSnapshot) HasText() bool { return !f.Missing && !f.Binary && f.Size <= topology.MaxFile }

// same reports whether the file has the same content.
func (f FileSnapshot) same(as FileSnapshot) bool { return f.Hash == as.Hash && f.Missing == as.Missing }

// FileBounds says how much is kept of a gateway's files. The newest snapshot of each file always stays.
type FileBounds struct {
	Newest int   // so many snapshots of each file
	Bytes  int64 // of all texts, each counted whenever it was kept
}

// keptFiles are the bounds of each gateway.
var keptFiles = FileBounds{Newest: 200, Bytes: 64 << 20}

// EveryFile is a limit of FileHistory.List that no gateway reaches.
const EveryFile = EverySnapshot

// FileStore keeps workspace files. PutFile is durable when it returns.
type FileStore interface {
	// NewestFiles returns the newest snapshot of each file of an agent, without texts.
	NewestFiles(ctx context.Context, gateway string, agent topology.AgentID) ([]FileSnapshot, error)
	// PutFile stores a snapshot, and deletes the oldest ones of its gateway beyond the bounds.
	PutFile(ctx context.Context, f FileSnapshot, bounds FileBounds) error
	File(ctx context.Context, id FileID) (FileSnapshot, error)
	// Files lists newest first, without texts.
	Files(ctx context.Context, gateway string, limit int) ([]FileSnapshot, error)
}

// FileHistory is every content of the workspace files of gateways that the hub has seen. Methods may be called from
// anywhere.
type FileHistory struct {
	library *Library
	store   FileStore
	mu      sync.Mutex // a content is compared with the newest one and kept
}

// NewFileHistory returns the FileHistory of a library.
func NewFileHistory(library *Library, store FileStore) *FileHistory {
	return &FileHistory{library: library, store: store}
}

// Keep keeps those files of one agent that aren't as they were kept last, and returns those. A file that was never
// there isn't kept. Cause is called for each file that is kept, with whether another content of it was kept before.
func (h *FileHistory) Keep(
	ctx context.Context,
	files []FileSnapshot,
	cause func(f FileSnapshot, known bool) (string, ID),
) (kept []FileSnapshot, err error) {
	if len(files) == 0 {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	newest, err := h.store.NewestFiles(ctx, files[0].Gateway, files[0].Agent)
	if err != nil {
		return nil, err
	}
	last := map[string]FileSnapshot{}
	for _, f := range newest {
		last[f.Name] = f
	}
	for _, f := range files {
		before, known := last[f.Name]
		if !known && f.Missing || known && f.same(before) {
			continue
		}
		f.At = h.library.now().Truncate(time.Microsecond)
		f.ID = FileID(idAfter(string(before.ID), f.At))
		f.Cause, f.Team = cause(f, known)
		if err := h.store.PutFile(ctx, f, keptFiles); err != nil {
			return kept, err
		}
		kept = append(kept, f)
	}
	return kept, nil
}

// File returns a kept file with its text.
func (h *FileHistory) File(ctx context.Context, id FileID) (FileSnapshot, error) {
	return h.store.File(ctx, id)
}

// List lists the kept files of a gateway, newest first, without their texts.
func (h *FileHistory) List(ctx context.Context, gateway string, limit int) ([]FileSnapshot, error) {
	return h.store.Files(ctx, gateway, limit)
}

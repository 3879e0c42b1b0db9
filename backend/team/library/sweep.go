package library

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// The least that a Sweep leaves.
const (
	SweepLeastAge    = 24 * time.Hour
	SweepLeastNewest = 10
)

// Sweep says which of the past may go: what is older than Age, but for the newest ones.
// Named versions, heads, bases, what can be redone, and the configs that one of those
// came with stay whatever it says.
type Sweep struct {
	Age time.Duration
	// Newest is the number of versions of each team, steps of undo from its head, configs of each gateway, and
	// snapshots of each workspace file that stay.
	Newest int
}

// Swept is what a Sweep takes, or took.
type Swept struct {
	Teams     int // that lose versions
	Versions  int
	Snapshots int
	Files     int // snapshots of workspace files
	Bytes     int64
}

func (s Swept) nothing() bool { return s.Versions+s.Snapshots+s.Files == 0 }

// VersionLine is what a Sweep has to know of a version, SnapshotLine of a kept config.
type VersionLine struct {
	ID       VersionID
	Team     ID
	Parent   VersionID
	At       time.Time
	Name     string
	Snapshot SnapshotID
	Bytes    int64
}

// SnapshotLine is to a kept config what VersionLine is to a version.
type SnapshotLine struct {
	ID      SnapshotID
	Gateway string
	At      time.Time
	Bytes   int64
	Good    SnapshotID // that unsettled losses were measured against
}

// FileLine is to a kept workspace file what VersionLine is to a version.
type FileLine struct {
	ID      FileID
	Gateway string
	Agent   topology.AgentID
	Name    string
	At      time.Time
	Hash    string
	Bytes   int64 // that its text takes, which other lines with the same hash share
}

// Removal is what a Sweep takes. Each of Firsts becomes a version without a parent.
type Removal struct {
	Versions  []VersionID
	Snapshots []SnapshotID
	Files     []FileID
	Firsts    []VersionID
}

// SweepStore removes what an Maintenance says. Its methods are durable when they return.
type SweepStore interface {
	// VersionLines returns all versions of all teams, the newest first.
	VersionLines(ctx context.Context) ([]VersionLine, error)
	// SnapshotLines returns all kept configs, the newest first.
	SnapshotLines(ctx context.Context) ([]SnapshotLine, error)
	// FileLines returns all kept workspace files, the newest first.
	FileLines(ctx context.Context) ([]FileLine, error)
	// Remove deletes them in one transaction, with the texts that no other file has.
	Remove(ctx context.Context, r Removal) error
	// Compact gives the room that was freed back to the disk.
	Compact(ctx context.Context) error
}

// Maintenance clears a library's past away where a person wants it.
type Maintenance struct {
	library *Library
	store   SweepStore
}

// NewMaintenance returns the Maintenance of a library.
func NewMaintenance(library *Library, store SweepStore) *Maintenance {
	return &Maintenance{library: library, store: store}
}

// Preview returns what Sweep would take now.
func (u *Maintenance) Preview(ctx context.Context, s Sweep) (Swept, error) {
	l := u.library
	l.mu.Lock()
	defer l.mu.Unlock()
	r, err := u.plan(ctx, s)
	return r.swept, err
}

// Sweep removes what s permits. Undo ends at the oldest version that stays beside its
// successors: a step that took back more than it says would be worse than none.
func (u *Maintenance) Sweep(ctx context.Context, s Sweep) (Swept, error) {
	l := u.library
	l.mu.Lock()
	defer l.mu.Unlock()
	r, err := u.plan(ctx, s)
	if err != nil || r.swept.nothing() {
		return r.swept, err
	}
	if err := u.store.Remove(ctx, r.Removal); err != nil {
		return Swept{}, err
	}
	for _, id := range r.teams {
		l.cache.forget(id)
		l.topic.Publish(Changed{ID: id})
	}
	return r.swept, u.store.Compact(ctx)
}

type removal struct {
	Removal
	swept Swept
	teams []ID
}

func (u *Maintenance) plan(ctx context.Context, s Sweep) (removal, error) {
	if s.Age < SweepLeastAge {
		return removal{}, errcode.New(errcode.Validation, "what is younger than a day always stays").
			With(errcode.KeyField, "days")
	}
	if s.Newest < SweepLeastNewest {
		return removal{}, errcode.New(errcode.Validation, "the newest %d of each team always stay", SweepLeastNewest).
			With(errcode.KeyField, "newest")
	}
	teams, err := u.library.store.Teams(ctx)
	if err != nil {
		return removal{}, err
	}
	versions, err := u.store.VersionLines(ctx)
	if err != nil {
		return removal{}, err
	}
	snapshots, err := u.store.SnapshotLines(ctx)
	if err != nil {
		return removal{}, err
	}
	files, err := u.store.FileLines(ctx)
	if err != nil {
		return removal{}, err
	}
	before := u.library.now().Add(-s.Age)
	var r removal
	needed := r.takeVersions(teams, versions, before, s.Newest)
	r.takeSnapshots(snapshots, needed, before, s.Newest)
	r.takeFiles(files, before, s.Newest)
	return r, nil
}

// takeVersions returns the kept configs that what stays refers to.
func (r *removal) takeVersions(
	teams []Team,
	versions []VersionLine,
	before time.Time,
	newest int,
) map[SnapshotID]bool {
	stays, needed := staying(teams, versions, newest)
	gone, touched, seen := map[VersionID]bool{}, map[ID]bool{}, map[ID]int{}
	for _, v := range versions {
		seen[v.Team]++
		if stays[v.ID] || v.Name != "" || !v.At.Before(before) || seen[v.Team] <= newest {
			needed[v.Snapshot] = true
			continue
		}
		gone[v.ID] = true
		r.Versions = append(r.Versions, v.ID)
		r.swept.Bytes += v.Bytes
		if !touched[v.Team] {
			touched[v.Team] = true
			r.teams = append(r.teams, v.Team)
		}
	}
	for _, v := range versions {
		if !gone[v.ID] && gone[v.Parent] {
			r.Firsts = append(r.Firsts, v.ID)
		}
	}
	r.swept.Versions, r.swept.Teams = len(r.Versions), len(r.teams)
	return needed
}

// staying are heads, bases, what can be redone, and the last steps of undo from a head.
func staying(teams []Team, versions []VersionLine, steps int) (map[VersionID]bool, map[SnapshotID]bool) {
	parent := make(map[VersionID]VersionID, len(versions))
	for _, v := range versions {
		parent[v.ID] = v.Parent
	}
	stays, needed := map[VersionID]bool{}, map[SnapshotID]bool{}
	for _, d := range teams {
		for i, v := 0, d.Head; i <= steps && v != ""; i, v = i+1, parent[v] {
			stays[v] = true
		}
		for _, v := range d.Redo {
			stays[v] = true
		}
		for _, b := range d.Bases {
			stays[b.Version], needed[b.Snapshot] = true, true
		}
	}
	return stays, needed
}

func (r *removal) takeSnapshots(snapshots []SnapshotLine, needed map[SnapshotID]bool, before time.Time, newest int) {
	for _, s := range snapshots {
		if s.Good != "" {
			needed[s.ID], needed[s.Good] = true, true
		}
	}
	seen := map[string]int{}
	for _, s := range snapshots {
		seen[s.Gateway]++
		if needed[s.ID] || !s.At.Before(before) || seen[s.Gateway] <= newest {
			continue
		}
		r.Snapshots = append(r.Snapshots, s.ID)
		r.swept.Bytes += s.Bytes
	}
	r.swept.Snapshots = len(r.Snapshots)
	slices.Sort(r.Snapshots)
}

func (r *removal) takeFiles(files []FileLine, before time.Time, newest int) {
	type file struct {
		gateway string
		agent   topology.AgentID
		name    string
	}
	seen, stays, gone := map[file]int{}, map[string]bool{}, map[string]int64{}
	for _, f := range files {
		of := file{f.Gateway, f.Agent, f.Name}
		seen[of]++
		if !f.At.Before(before) || seen[of] <= newest {
			stays[f.Hash] = true
			continue
		}
		r.Files = append(r.Files, f.ID)
		gone[f.Hash] = f.Bytes
	}
	for hash, bytes := range gone {
		if !stays[hash] {
			r.swept.Bytes += bytes
		}
	}
	r.swept.Files = len(r.Files)
}

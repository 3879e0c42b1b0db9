package library

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// Undo goes back to the version before the head. Nothing is lost: Redo returns, and the
// history keeps what was undone. At the first version it is a CONFLICT.
func (l *Library) Undo(ctx context.Context, id ID) (Team, Version, error) {
	return l.travel(ctx, id, func(d *Team, head Version) error {
		if head.Parent == "" {
			return errcode.New(errcode.Conflict, "there is nothing to undo").
				With(errcode.KeyReason, ReasonNothingToUndo)
		}
		d.Redo = append(d.Redo[:len(d.Redo):len(d.Redo)], d.Head)
		if len(d.Redo) > redoAtMost {
			d.Redo = d.Redo[len(d.Redo)-redoAtMost:]
		}
		d.Head = head.Parent
		return l.lift(ctx, d, head)
	})
}

// Redo returns to what was undone last.
func (l *Library) Redo(ctx context.Context, id ID) (Team, Version, error) {
	return l.travel(ctx, id, func(d *Team, _ Version) error {
		n := len(d.Redo)
		if n == 0 {
			return errcode.New(errcode.Conflict, "there is nothing to redo").
				With(errcode.KeyReason, ReasonNothingToRedo)
		}
		d.Head, d.Redo = d.Redo[n-1], d.Redo[:n-1]
		v, err := l.version(ctx, id, d.Head)
		if b := d.Bases[v.Gateway]; err == nil && b.Lifted && b.First == v.Snapshot {
			b.Lifted = false
			d.setBase(v.Gateway, &b)
		}
		return err
	})
}

// lift takes a base out of account when the first apply to its gateway is undone.
func (l *Library) lift(ctx context.Context, d *Team, undone Version) error {
	b, known := d.Base(undone.Gateway)
	if !known || undone.Snapshot == "" || undone.Cause != Applied && undone.Cause != MergedIn {
		return nil
	}
	if b.First == "" { // stored before it was noted: the history knows
		before, err := l.store.Versions(ctx, d.ID, Query{
			Before:  undone.ID,
			Gateway: undone.Gateway,
			Causes:  []Cause{Imported, Applied, MergedIn, RolledBack},
			Limit:   2,
		})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(before, func(v Version) bool { return v.Snapshot != undone.Snapshot }) { // its own may be kept aside
			b.First = undone.Snapshot
		}
	}
	if b.First == undone.Snapshot {
		b.Lifted = true
		d.setBase(undone.Gateway, &b)
	}
	return nil
}

func (l *Library) travel(ctx context.Context, id ID, move func(*Team, Version) error) (Team, Version, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, head, err := l.Get(ctx, id)
	if err != nil {
		return d, head, err
	}
	if err := alive(d); err != nil {
		return d, head, err
	}
	if err := move(&d, head); err != nil {
		return d, head, err
	}
	v, err := l.version(ctx, id, d.Head)
	if err != nil {
		return d, head, err
	}
	d.UpdatedAt = l.now()
	d.nameAfter(v.Topology)
	d, _, err = l.put(ctx, d, nil)
	return d, v, err
}

// Restore makes an earlier version the newest one. It can be undone.
func (l *Library) Restore(ctx context.Context, id ID, from VersionID) (Team, Version, error) {
	old, err := l.version(ctx, id, from)
	if err != nil {
		return Team{}, Version{}, err
	}
	label := "restore|" + old.At.UTC().Format(time.RFC3339)
	if old.Name != "" {
		label += "|" + old.Name
	}
	d, v, _, err := l.Save(ctx, id, "", Step{Topology: old.Topology, Cause: Restored, Label: label})
	return d, v, err
}

// Labels returns the labels of the steps that Undo and Redo would apply, or "" if there is none.
func (l *Library) Labels(ctx context.Context, d Team, head Version) (undo, redo string) {
	if head.Parent != "" {
		undo = head.Label
	}
	if n := len(d.Redo); n > 0 {
		if v, err := l.version(ctx, d.ID, d.Redo[n-1]); err == nil {
			redo = v.Label
		}
	}
	return undo, redo
}

// Query says which versions are listed.
type Query struct {
	Before  VersionID // older than this one; "" begins with the newest
	Limit   int
	Causes  []Cause // only of these; none means all
	Named   bool    // only those that a person named
	Gateway string  // only those that came from or went to this gateway
}

// Versions lists newest first, without topologies.
func (l *Library) Versions(ctx context.Context, id ID, q Query) ([]Version, error) {
	if _, err := l.store.Team(ctx, id); err != nil {
		return nil, err
	}
	return l.store.Versions(ctx, id, q)
}

// Version returns one version with its topology.
func (l *Library) Version(ctx context.Context, id ID, v VersionID) (Version, error) {
	return l.version(ctx, id, v)
}

// NameVersion gives a version a name; "" takes it away.
func (l *Library) NameVersion(ctx context.Context, id ID, v VersionID, name string) (Version, error) {
	if len(name) > MaxName {
		return Version{}, errcode.New(errcode.Validation, "a name has at most %d bytes", MaxName).
			With(errcode.KeyField, "name")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.store.NameVersion(ctx, id, v, name); err != nil {
		return Version{}, err
	}
	l.cache.drop(id, v)
	l.topic.Publish(Changed{ID: id})
	return l.version(ctx, id, v)
}

// Rename names the team and its topology. Undo reverts it.
func (l *Library) Rename(ctx context.Context, id ID, name string) (Team, error) {
	if err := checkName(name); err != nil {
		return Team{}, err
	}
	_, head, err := l.Get(ctx, id)
	if err != nil {
		return Team{}, err
	}
	t := head.Topology.Clone()
	t.Name = name
	d, _, _, err := l.Save(ctx, id, head.ID, Step{Topology: t, Cause: Edited, Label: "edit.rename|" + name})
	return d, err
}

// Retarget chooses the gateway that the team is meant for.
func (l *Library) Retarget(ctx context.Context, id ID, gateway string) (Team, error) {
	return l.amend(ctx, id, func(d *Team) { d.Gateway = gateway })
}

// RenameGateway follows a gateway to its new name: teams stay meant for it, and its
// bases and kept configs stay its own.
func (l *Library) RenameGateway(ctx context.Context, from, to string) error {
	if err := l.store.RenameGateway(ctx, from, to); err != nil {
		return err
	}
	all, err := l.store.Teams(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		base, known := d.Bases[from]
		if d.Gateway != from && !known {
			continue
		}
		if _, err := l.amend(ctx, d.ID, func(d *Team) {
			if d.Gateway == from {
				d.Gateway = to
			}
			if known {
				d.setBase(from, nil)
				d.setBase(to, &base)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// SetDeleted hides a team, or brings it back with everything that belongs to it.
func (l *Library) SetDeleted(ctx context.Context, id ID, deleted bool) (Team, error) {
	return l.amend(ctx, id, func(d *Team) {
		d.DeletedAt = time.Time{}
		if deleted {
			d.DeletedAt = l.now()
		}
	})
}

func (l *Library) amend(ctx context.Context, id ID, change func(*Team)) (Team, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, err := l.store.Team(ctx, id)
	if err != nil {
		return d, err
	}
	change(&d)
	d.UpdatedAt = l.now()
	d, _, err = l.put(ctx, d, nil)
	return d, err
}

// KeepSnapshot stores a gateway's config durably and returns its id.
func (l *Library) KeepSnapshot(ctx context.Context, s Snapshot) (SnapshotID, error) {
	kept, err := l.store.Snapshots(ctx, s.Gateway, 1)
	if err != nil {
		return "", err
	}
	var newest SnapshotID
	if len(kept) > 0 {
		newest = kept[0].ID
	}
	s.At = l.now()
	s.ID = SnapshotID(idAfter(string(newest), s.At))
	return s.ID, l.store.PutSnapshot(ctx, s)
}

// Snapshot returns a kept config.
func (l *Library) Snapshot(ctx context.Context, id SnapshotID) (Snapshot, error) {
	return l.store.Snapshot(ctx, id)
}

// EverySnapshot is a limit of Snapshots that no gateway reaches.
const EverySnapshot = math.MaxInt32

// Snapshots lists a gateway's kept configs, newest first, without their content.
func (l *Library) Snapshots(ctx context.Context, gateway string, limit int) ([]Snapshot, error) {
	return l.store.Snapshots(ctx, gateway, limit)
}

// BaseTopology returns the team as it was when it and its gateway were last the
// same, and nil if they never were.
func (l *Library) BaseTopology(ctx context.Context, d Team) (*topology.Topology, error) {
	base, ok := d.Base(d.Gateway)
	if !ok {
		return nil, nil
	}
	v, err := l.version(ctx, d.ID, base.Version)
	if err != nil {
		return nil, err
	}
	return v.Topology, nil
}

// headCache holds the versions that are asked for again and again: heads and bases.
type headCache struct {
	mu    sync.Mutex
	order []cacheKey
	held  map[cacheKey]Version
}

type cacheKey struct {
	team    ID
	version VersionID
}

const cacheSize = 32

func (c *headCache) add(v Version) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{v.Team, v.ID}
	if c.held == nil {
		c.held = map[cacheKey]Version{}
	}
	held, there := c.held[key]
	if there && held.At.After(v.At) {
		return // it was read before an edit joined it
	}
	if !there {
		c.order = append(c.order, key)
	}
	c.held[key] = v
	if len(c.order) > cacheSize {
		delete(c.held, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *headCache) get(id ID, v VersionID) (Version, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.held[cacheKey{id, v}]
	return found, ok
}

// forget drops all versions of a team.
func (c *headCache) forget(id ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order = slices.DeleteFunc(c.order, func(k cacheKey) bool { return k.team == id })
	maps.DeleteFunc(c.held, func(k cacheKey, _ Version) bool { return k.team == id })
}

func (c *headCache) drop(id ID, v VersionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := cacheKey{id, v}
	if _, ok := c.held[key]; !ok {
		return
	}
	delete(c.held, key)
	for i, k := range c.order {
		if k == key {
			c.order = append(c.order[:i:i], c.order[i+1:]...)
			return
		}
	}
}

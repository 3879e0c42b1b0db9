package library

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// coalesceFor is how long after its last edit a version still takes in edits with the same key.
// Where a step ends is up to the caller, who chooses the key: on a busy computer a save can take
// longer than the pause that ends a step.
const (
	coalesceFor = time.Minute
	redoAtMost  = 500
	// MaxName bounds the name of a team or a version, in bytes.
	MaxName = 400
)

// Reasons of a CONFLICT.
const (
	ReasonNothingToUndo = "nothing_to_undo"
	ReasonNothingToRedo = "nothing_to_redo"
)

// Store keeps what the Library holds. Put methods are durable when they return.
type Store interface {
	Teams(ctx context.Context) ([]Team, error)
	Team(ctx context.Context, id ID) (Team, error)
	// PutTeam stores d and, in the same transaction, v if it is not nil.
	PutTeam(ctx context.Context, d Team, v *Version) error
	Version(ctx context.Context, team ID, id VersionID) (Version, error)
	// Versions lists newest first, without topologies.
	Versions(ctx context.Context, team ID, q Query) ([]Version, error)
	NameVersion(ctx context.Context, team ID, id VersionID, name string) error
	PutSnapshot(ctx context.Context, s Snapshot) error
	Snapshot(ctx context.Context, id SnapshotID) (Snapshot, error)
	// Snapshots lists newest first, without configs.
	Snapshots(ctx context.Context, gateway string, limit int) ([]Snapshot, error)
	// RenameGateway gives all snapshots of a gateway its new name.
	RenameGateway(ctx context.Context, from, to string) error
}

// Changed tells that a team is not as it was.
type Changed struct{ ID ID }

// Library is the one way to change a team. Methods may be called from anywhere.
type Library struct {
	store  Store
	author string
	now    func() time.Time

	mu         sync.Mutex // serialises changes
	cache      headCache
	joined     joined
	collisions collisions
	topic      event.Topic[Changed]
}

// New returns a Library over store; author stands in the versions it makes.
func New(store Store, author string) *Library {
	return &Library{store: store, author: author, now: time.Now}
}

// Subscribe tells of every change; the reader closes the subscription.
func (l *Library) Subscribe(buffer int) *event.Subscription[Changed] {
	return l.topic.Subscribe(buffer)
}

// List returns the teams, the latest changed first, deleted ones left out.
func (l *Library) List(ctx context.Context) ([]Team, error) {
	all, err := l.store.Teams(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d Team) bool { return !d.DeletedAt.IsZero() })
	slices.SortFunc(all, func(a, b Team) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return all, nil
}

// Get returns a team with its head version.
func (l *Library) Get(ctx context.Context, id ID) (Team, Version, error) {
	d, err := l.store.Team(ctx, id)
	if err != nil {
		return d, Version{}, err
	}
	d.Collisions = l.collisions.of(id)
	v, err := l.version(ctx, id, d.Head)
	return d, v, err
}

// Create starts a team for the step's gateway. It is named as its topology is.
func (l *Library) Create(ctx context.Context, s Step) (Team, Version, error) {
	if err := checkName(s.Topology.Name); err != nil {
		return Team{}, Version{}, err
	}
	if err := s.Topology.Validate(); err != nil {
		return Team{}, Version{}, err
	}
	if s.Cause == "" {
		s.Cause = Created
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.follow()
	d := Team{ID: ID(ulid.Make().String()), Gateway: s.Gateway, CreatedAt: l.now()}
	v, err := l.next(ctx, &d, nil, s)
	if err != nil {
		return Team{}, Version{}, err
	}
	return l.put(ctx, d, &v)
}

// Step is a new state of a team and how it came to be.
type Step struct {
	Topology *topology.Topology
	Cause    Cause
	Label    string
	Coalesce string // see Version
	Gateway  string
	Snapshot SnapshotID
	Sent     topology.ChangeSet // of an apply: what its version counts
	Seen     int64              // Revision of the version the caller has seen; 0: it does not say
	// Before is what the caller edited, if it is no version: the team that it saved last. It was merged with
	// somebody else's, which the caller hasn't read since.
	Before *topology.Topology
	// Base, if given, says that team and gateway are the same as of this step. Its
	// Version and First are filled in.
	Base *Base
	// NoBase makes the team one that was never the same as the gateway: the gateway's agents
	// are then taken in, never dropped.
	NoBase bool
	// Aside keeps the step as a version without making it the head: what a gateway holds
	// while something else is drawn.
	Aside bool
}

// follow lets the blocks of workspace files say what an edit made of the team. What a gateway has, and what a person
// restores, stays as it is.
func (s *Step) follow() {
	if s.Base == nil && !s.Aside && (s.Cause == Created || s.Cause == Edited || s.Cause == Imported) {
		s.Topology = teamblock.Follow(s.Topology)
	}
}

// Save adds a step on top of the version the caller has seen. If the team has
// moved on since, both are merged, the caller's side winning, and merged is true. An edit
// that is there already, as one sent again because its answer was lost, is no second step.
func (l *Library) Save(
	ctx context.Context,
	id ID,
	seen VersionID,
	s Step,
) (d Team, v Version, merged bool, err error) {
	if err := s.Topology.Validate(); err != nil {
		return Team{}, Version{}, false, err
	}
	if s.Before != nil {
		if err := s.Before.Validate(); err != nil {
			return Team{}, Version{}, false, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d, head, err := l.Get(ctx, id)
	if err != nil {
		return d, head, false, err
	}
	if err := alive(d); err != nil {
		return d, head, false, err
	}
	if s.Cause == Edited && len(s.Topology.Bindings) > 0 {
		exact := *s.Topology
		exact.Bindings = exact.Bindings.KeepDigits(head.Topology.Bindings)
		s.Topology = &exact
	}
	var met []topology.Conflict
	if s.Before != nil || seen != "" && (seen != d.Head || s.Seen != 0 && s.Seen != head.Revision()) {
		base := s.Before
		if base == nil {
			if base, err = l.seen(ctx, &head, seen, s.Seen); err != nil {
				return d, head, false, err
			}
		}
		both := topology.Merge(teamblock.Aside(base), teamblock.Aside(s.Topology), teamblock.Aside(head.Topology), nil)
		s.Topology, s.Coalesce, merged = teamblock.Follow(&both.Topology), "", true
		if s.Cause == Edited && s.Topology.Equal(head.Topology) {
			return d, head, true, nil
		}
		met = both.Conflicts
	}
	s.follow()
	if v, err = l.next(ctx, &d, &head, s); err != nil {
		return d, head, false, err
	}
	if d, v, err = l.put(ctx, d, &v); err == nil {
		if v.ID == head.ID {
			l.joined.add(head)
		}
		d.Collisions = l.collisions.met(v, met)
	}
	return d, v, merged, err
}

// seen returns what a caller has seen: a version, as it was at a revision. Of a revision that
// is not remembered, the version before it is the nearest that both sides know.
func (l *Library) seen(ctx context.Context, head *Version, id VersionID, revision int64) (*topology.Topology, error) {
	if id == head.ID {
		if t := l.joined.at(id, revision); t != nil {
			return t, nil
		}
		id = head.Parent
	}
	if id == "" {
		return &topology.Topology{}, nil
	}
	v, err := l.version(ctx, head.Team, id)
	return v.Topology, err
}

// joined remembers versions as they were before an edit joined them.
type joined struct {
	mu   sync.Mutex
	last []Version
}

const joinedKept = 64

func (j *joined) add(v Version) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.last = append(j.last, v); len(j.last) > joinedKept {
		j.last = slices.Delete(j.last, 0, len(j.last)-joinedKept)
	}
}

func (j *joined) at(id VersionID, revision int64) *topology.Topology {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.last {
		if j.last[i].ID == id && j.last[i].Revision() == revision {
			return j.last[i].Topology
		}
	}
	return nil
}

// next makes the version that follows head, or takes head's place when s joins it.
func (l *Library) next(ctx context.Context, d *Team, head *Version, s Step) (Version, error) {
	now := l.now().Truncate(time.Microsecond) // as every database keeps it
	if head != nil && !now.After(head.At) && now.Sub(head.At) > -time.Second {
		now = head.At.Add(time.Microsecond) // Revision must be another one
	}
	v := Version{
		Team: d.ID, Cause: s.Cause, Label: s.Label, Author: l.author, Coalesce: s.Coalesce,
		Gateway: s.Gateway, Snapshot: s.Snapshot, Topology: s.Topology, StartedAt: now, At: now,
	}
	var before *topology.Topology
	if head != nil {
		v.Parent, before = head.ID, head.Topology
	}
	if head != nil && l.joins(d, head, s, now) {
		v.ID, v.Parent, v.StartedAt = head.ID, head.Parent, head.StartedAt
		v.Counts = head.Counts
		v.Counts.Agents = len(s.Topology.Agents)
	} else {
		newest := VersionID("")
		if head != nil {
			all, err := l.store.Versions(ctx, d.ID, Query{Limit: 1})
			if err != nil {
				return v, err
			}
			newest = slices.MaxFunc(append(all, *head), func(a, b Version) int { return cmp.Compare(a.ID, b.ID) }).ID
		}
		v.ID = VersionID(idAfter(string(newest), now))
		v.Counts = count(before, s.Topology)
		if s.Cause == Applied {
			v.Counts.tally(s.Sent)
		}
	}
	d.UpdatedAt = now
	if !s.Aside {
		d.Head, d.Redo = v.ID, nil
		d.nameAfter(s.Topology)
	}
	if s.Base != nil {
		s.Base.Version = v.ID
		before, known := d.Base(s.Gateway)
		if s.Base.AppliedAt = before.AppliedAt; s.Cause == Applied {
			s.Base.AppliedAt = now
		}
		switch {
		case known:
			s.Base.First = before.First
		case s.Cause == Applied:
			s.Base.First = s.Snapshot
		default:
			s.Base.First = notByApply
		}
		d.setBase(s.Gateway, s.Base)
	}
	if s.NoBase {
		d.setBase(s.Gateway, nil)
	}
	return v, nil
}

// idAfter makes an id that sorts after the newest one, also where the clock went back: lists are
// ordered by ids.
func idAfter(newest string, now time.Time) string {
	id := ulid.MustNewDefault(now)
	if last, err := ulid.ParseStrict(newest); err == nil && id.Compare(last) <= 0 {
		id = last
		for i := len(id) - 1; i >= 0; i-- {
			if id[i]++; id[i] != 0 {
				break
			}
		}
	}
	return id.String()
}

func (l *Library) joins(d *Team, head *Version, s Step, now time.Time) bool {
	if s.Coalesce == "" || s.Coalesce != head.Coalesce || head.Cause != Edited || len(d.Redo) > 0 || head.Name != "" || now.Before(head.At) {
		return false // before: the clock went back, and the older state would count as the newer
	}
	for _, b := range d.Bases {
		if b.Version == head.ID {
			return false
		}
	}
	return now.Sub(head.At) < coalesceFor
}

func (l *Library) put(ctx context.Context, d Team, v *Version) (Team, Version, error) {
	if err := l.store.PutTeam(ctx, d, v); err != nil {
		return d, Version{}, err
	}
	var out Version
	if v != nil {
		out = *v
		l.cache.add(*v)
	}
	l.topic.Publish(Changed{ID: d.ID})
	return d, out, nil
}

func (l *Library) version(ctx context.Context, id ID, v VersionID) (Version, error) {
	if found, ok := l.cache.get(id, v); ok {
		return found, nil
	}
	found, err := l.store.Version(ctx, id, v)
	if err == nil {
		l.cache.add(found)
	}
	return found, err
}

func alive(d Team) error {
	if !d.DeletedAt.IsZero() {
		return errcode.New(errcode.NotFound, "the team %q was deleted: restore it first", d.Name)
	}
	return nil
}

func checkName(name string) error {
	if strings.TrimSpace(name) == "" || len(name) > MaxName {
		return errcode.New(errcode.Validation, "a name has 1 to %d bytes", MaxName).With(errcode.KeyField, "name")
	}
	return nil
}

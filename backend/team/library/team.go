// Package library keeps every team and every version of it (APP-5). Each edit,
// import, apply and restore is a version; undo and redo move along them, so that both
// survive a restart, and nothing drawn is ever lost.
package library

import (
	"encoding/json"
	"maps"
	"time"

	"agentflow/backend/team/gatewayguard"
	"agentflow/backend/team/topology"
)

// ID names a team. Like the other ids here it is a ULID and sorts by age.
type ID string

// VersionID names a version of a team.
type VersionID string

// SnapshotID names a gateway's config that was kept.
type SnapshotID string

// Cause says how a version came to be.
type Cause string

// The causes.
const (
	Created    Cause = "create"
	Edited     Cause = "edit"
	Imported   Cause = "import"
	Applied    Cause = "apply"
	Restored   Cause = "restore"
	LaidOut    Cause = "layout"
	MergedIn   Cause = "merge"
	Discarded  Cause = "discard"
	RolledBack Cause = "rollback"
)

// Team is a saved team, without its topology.
type Team struct {
	ID        ID
	Name      string
	Gateway   string // name of the gateway it is meant for
	Head      VersionID
	Redo      []VersionID     // what was undone, the next to redo last
	Bases     map[string]Base // by gateway name
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt time.Time // zero: not deleted

	// Collisions are what windows changed differently at once, of late; the later stands.
	// They are remembered, not stored: the history keeps both versions.
	Collisions []Collision
}

// nameAfter keeps the team's name the same as its topology's.
func (d *Team) nameAfter(t *topology.Topology) {
	if t.Name != "" {
		d.Name = t.Name
	}
}

// Base is the state in which team and gateway were last the same.
type Base struct {
	Snapshot SnapshotID `json:"snapshot"`
	Version  VersionID  `json:"version"` // the team as it was then
	Hash     string     `json:"hash"`
	ReadAt   time.Time  `json:"readAt"`
	// AppliedAt is when the team was last applied to the gateway; zero if it never was.
	AppliedAt time.Time `json:"appliedAt,omitzero"`
	// First is the config kept before the apply by which the two became the same for the first
	// time, or notByApply. "" is a base that was stored before this was noted.
	First SnapshotID `json:"firstApply,omitempty"`
	// Lifted says that the first apply is undone in the team: the base counts again once it is
	// redone. Else the gateway's own agents, which the team did not have then, would count as
	// deleted.
	Lifted bool `json:"lifted,omitempty"`
}

const notByApply SnapshotID = "none"

// Base returns the state in which the team and a gateway were last the same, if they ever were
// as far as the team goes back.
func (d *Team) Base(gateway string) (Base, bool) {
	b, known := d.Bases[gateway]
	if b.Lifted {
		return Base{}, false
	}
	return b, known
}

// setBase changes the base of a gateway; nil takes it away.
func (d *Team) setBase(gateway string, b *Base) {
	d.Bases = maps.Clone(d.Bases) // the old map may be in use
	if b == nil {
		delete(d.Bases, gateway)
		return
	}
	if d.Bases == nil {
		d.Bases = map[string]Base{}
	}
	d.Bases[gateway] = *b
}

// Version is one saved state of a team. Its Topology is immutable.
type Version struct {
	ID        VersionID
	Team      ID
	Parent    VersionID // "" for the first
	StartedAt time.Time // of the first of the edits joined in it
	At        time.Time
	Cause     Cause
	Label     string // what was done, as the window's text key and parameter: "edit.move|Lead"
	Author    string
	Name      string // given by a person; "" for most
	Coalesce  string // edits with the same key, each within a minute of the one before, are one version
	Gateway   string // of an import, apply or rollback
	Snapshot  SnapshotID
	Counts    Counts
	Topology  *topology.Topology // nil in lists
}

// Revision tells apart the states of a version that later edits have joined.
func (v *Version) Revision() int64 { return v.At.UnixMicro() }

// Counts sums a version up.
type Counts struct {
	Agents      int `json:"agents"`
	Connections int `json:"connections"`
	Added       int `json:"added" doc:"Number of additions."`
	Removed     int `json:"removed" doc:"Number of removals."`
	Changed     int `json:"changed" doc:"Number of changes."`
	Moved       int `json:"moved" doc:"Number of moved agents and notes."`
}

// Snapshot is a gateway's config as it was at one moment, secrets masked.
type Snapshot struct {
	ID      SnapshotID
	Gateway string
	Hash    string
	At      time.Time
	Cause   string // read, before_apply, after_apply, before_rollback, rollback_interrupted or elsewhere
	Team    ID
	Agents  int
	Config  json.RawMessage // opaque here

	Losses    []gatewayguard.Lost // what it lost against Good; nil: nothing
	Good      SnapshotID          // the last config before the losses
	SettledAt time.Time           // until when the losses were an alarm; zero: they are one
}

// Alarm is a snapshot with losses that nobody has settled, and the last config before them. Both are without configs.
type Alarm struct {
	Snapshot
	Before Snapshot
}

func count(before, after *topology.Topology) Counts {
	c := Counts{Agents: len(after.Agents)}
	for i := range after.Agents {
		c.Connections += len(after.Agents[i].Connections)
	}
	if before == nil {
		c.Added = c.Agents
		return c
	}
	c.tally(topology.Diff(before, after))
	return c
}

// tally counts changes instead of those counted before.
func (c *Counts) tally(changes topology.ChangeSet) {
	c.Added, c.Removed, c.Changed, c.Moved = 0, 0, 0, 0
	for _, change := range changes {
		if change.Subject == topology.SubjectLayout && change.Op != topology.Moved {
			continue // a place comes and goes with its agent
		}
		switch change.Op {
		case topology.Added:
			c.Added++
		case topology.Removed:
			c.Removed++
		case topology.Changed:
			c.Changed++
		case topology.Moved:
			c.Moved++
		}
	}
}

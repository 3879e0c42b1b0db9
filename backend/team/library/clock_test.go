package library

import (
	"context"
	"slices"
	"testing"
	"time"

	"agentflow/backend/team/topology"
)

// memory is as much of a Store as the clock matters for.
type memory struct {
	Store
	team      Team
	versions  []Version
	snapshots []Snapshot
}

func (m *memory) Team(context.Context, ID) (Team, error) { return m.team, nil }

func (m *memory) PutTeam(_ context.Context, d Team, v *Version) error {
	m.team = d
	if v != nil {
		m.versions = slices.DeleteFunc(m.versions, func(old Version) bool { return old.ID == v.ID })
		m.versions = append(m.versions, *v)
	}
	return nil
}

func (m *memory) Version(_ context.Context, _ ID, id VersionID) (Version, error) {
	return m.versions[slices.IndexFunc(m.versions, func(v Version) bool { return v.ID == id })], nil
}

func (m *memory) Versions(_ context.Context, _ ID, q Query) ([]Version, error) {
	return newest(m.versions, q.Limit, func(v Version) string { return string(v.ID) }), nil
}

func (m *memory) PutSnapshot(_ context.Context, s Snapshot) error {
	m.snapshots = append(m.snapshots, s)
	return nil
}

func (m *memory) Snapshots(_ context.Context, _ string, limit int) ([]Snapshot, error) {
	return newest(m.snapshots, limit, func(s Snapshot) string { return string(s.ID) }), nil
}

func newest[T any](all []T, limit int, id func(T) string) []T {
	all = slices.SortedFunc(slices.Values(all), func(a, b T) int {
		if id(a) > id(b) {
			return -1
		}
		return 1
	})
	return all[:min(limit, len(all))]
}

func drawn(name string) *topology.Topology {
	return &topology.Topology{Name: "Team", Agents: []topology.Agent{{ID: topology.AgentID(name), Name: name}}}
}

// APP-5: what is saved after the clock went back, by an hour while somebody types, is the newest
// version for all that, and the newest kept config; nothing of it is lost.
func TestAPP5_TheHistoryKeepsItsOrderWhereTheClockGoesBack(t *testing.T) {
	now, m := time.Now(), new(memory)
	l := New(m, "Mika")
	l.now = func() time.Time { return now }
	d, _, err := l.Create(t.Context(), Step{Topology: drawn("a"), Gateway: "local"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a"}
	for _, name := range []string{"b", "c", "d", "e", "f"} {
		if _, _, _, err := l.Save(t.Context(), d.ID, "", Step{Topology: drawn(name), Cause: Edited, Coalesce: "typing"}); err != nil {
			t.Fatal(err)
		}
		if _, head, err := l.Get(t.Context(), d.ID); err != nil || head.Topology.Agents[0].Name != name {
			t.Fatalf("saved %s, and the newest is %+v, %v", name, head.Topology, err)
		}
		if _, err := l.KeepSnapshot(t.Context(), Snapshot{Gateway: "local", Cause: name}); err != nil {
			t.Fatal(err)
		}
		if want = append(want, name); name == "c" || name == "e" { // and once more before it has caught up
			now = now.Add(-time.Hour)
		} else {
			now = now.Add(2 * time.Minute)
		}
	}
	slices.Reverse(want)
	var got, kept []string
	for _, v := range newest(m.versions, len(want), func(v Version) string { return string(v.ID) }) {
		got = append(got, v.Topology.Agents[0].Name)
	}
	for _, s := range newest(m.snapshots, len(want), func(s Snapshot) string { return string(s.ID) }) {
		kept = append(kept, s.Cause)
	}
	if !slices.Equal(got, want) || !slices.Equal(kept, want[:5]) {
		t.Errorf("versions %v and configs %v, newest first; want %v", got, kept, want)
	}
}

// APP-5: what is typed is one step until the page chooses another key, on a slow computer too. The
// step has the name of its last edit.
func TestAPP5_SavesWithOneKeyAreOneStepHoweverSlowlyTheyCome(t *testing.T) {
	now, l := time.Now(), New(new(memory), "Mika")
	l.now = func() time.Time { return now }
	d, head, err := l.Create(t.Context(), Step{Topology: drawn("a"), Gateway: "local"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, key string
		after     time.Duration
		joins     bool
	}{
		{"b", "k1", time.Second, false},
		{"c", "k1", 5 * time.Second, true},
		{"d", "k1", 50 * time.Second, true},
		{"e", "k2", time.Second, false},
		{"f", "k2", 2 * time.Minute, false},
		{"g", "", time.Second, false},
	} {
		now = now.Add(c.after)
		before := head.ID
		_, head, _, err = l.Save(t.Context(), d.ID, "",
			Step{Topology: drawn(c.name), Cause: Edited, Label: c.name, Coalesce: c.key})
		if err != nil || (head.ID == before) != c.joins || head.Label != c.name {
			t.Errorf("%s: version %s after %s, called %q, %v", c.name, head.ID, before, head.Label, err)
		}
	}
}

// Package canvas holds what a drawing has on the canvas alone and no gateway ever
// sees: where agents stand, the groups around them, notes, and what is locked. It
// compares and merges these part by part. It is pure.
package canvas

import (
	"slices"

	"agentflow/backend/topology/change"
	"agentflow/backend/topology/ordered"
)

// AgentID names an agent within one topology.
type AgentID = change.AgentID

// Extra holds keys that the product does not know.
type Extra = ordered.Object

// Point is where an agent stands, in pixels, y downwards.
type Point struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Locked bool    `json:"locked,omitempty"` // the agent stays here, also when the team is laid out
}

// Group is a frame around agents. An agent is in one group at most.
type Group struct {
	ID        string    `json:"id"`
	Name      string    `json:"name,omitempty"`
	Color     int       `json:"color,omitempty"` // identity colour 1 to 12; 0 is neutral
	Members   []AgentID `json:"members,omitempty"`
	Parent    string    `json:"parent,omitempty"` // the group this one is nested in, one level
	Collapsed bool      `json:"collapsed,omitempty"`
	Locked    bool      `json:"locked,omitempty"` // it stays where it is, and its members with it
	Extra     Extra     `json:"extra,omitempty"`
}

// Note is paper on the canvas.
type Note struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width,omitempty"`  // 0 means the default, 152
	Height float64 `json:"height,omitempty"` // 0 means as high as the text
	Color  int     `json:"color,omitempty"`  // identity colour 1 to 12; 0 is paper
	Locked bool    `json:"locked,omitempty"`
	Extra  Extra   `json:"extra,omitempty"`
}

// Sheet is all that stands on one canvas.
type Sheet struct {
	Layout map[AgentID]Point
	Groups []Group
	Notes  []Note
}

// Equal reports whether both groups say the same; nil and empty lists are alike, and
// the order of the members counts.
func (g Group) Equal(o Group) bool {
	return g.ID == o.ID && slices.Equal(g.Members, o.Members) && groups.same(&g, &o)
}

// Clone returns a copy that shares nothing that may be changed.
func (g Group) Clone() Group {
	g.Members, g.Extra = slices.Clone(g.Members), slices.Clone(g.Extra)
	return g
}

// Equal reports whether both notes say the same.
func (n Note) Equal(o Note) bool { return n.ID == o.ID && notes.same(&n, &o) }

// Clone returns a copy that shares nothing that may be changed.
func (n Note) Clone() Note {
	n.Extra = slices.Clone(n.Extra)
	return n
}

// Membership tells the group of each agent that is in one. Of an agent that stands in
// several, the first counts.
func Membership(groups []Group) map[AgentID]string {
	in := make(map[AgentID]string)
	for _, g := range groups {
		for _, id := range g.Members {
			if _, there := in[id]; !there {
				in[id] = g.ID
			}
		}
	}
	return in
}

// Held tells which agents stay where they are: those that are locked, and those in a
// locked group.
func (s Sheet) Held() map[AgentID]bool {
	held := map[AgentID]bool{}
	for id, p := range s.Layout {
		if p.Locked {
			held[id] = true
		}
	}
	locked := map[string]bool{}
	for _, g := range s.Groups {
		locked[g.ID] = g.Locked
	}
	for _, g := range s.Groups {
		if g.Locked || g.Parent != "" && locked[g.Parent] {
			for _, id := range g.Members {
				held[id] = true
			}
		}
	}
	return held
}

// Package canvas covers the parts of a team that exist only on the canvas and never
// reach a gateway: positions of agents, the groups around them, notes, and locks. It
// compares and merges these part by part. It is pure.
package canvas

import (
	"slices"

	"agentflow/backend/team/topology/internal/change"
	"agentflow/backend/team/topology/internal/ordered"
)

// AgentID names an agent within one topology.
type AgentID = change.AgentID

// Extra holds keys that the product does not know.
type Extra = ordered.Object

// Point is where an agent stands, in pixels, y downwards.
type Point struct {
	X      float64 `json:"x" doc:"Left edge in canvas pixels."`
	Y      float64 `json:"y" doc:"Top edge in canvas pixels."`
	Locked bool    `json:"locked,omitempty" doc:"The agent can't be moved, not even by arranging. Default: false."`
}

// Group is a frame around agents. An agent is in one group at most.
type Group struct {
	ID        string    `json:"id" doc:"ID of the group."`
	Name      string    `json:"name,omitempty" doc:"Name of the group. Default: none."`
	Color     int       `json:"color,omitempty" doc:"Color, 1 to 12. Default: 0, neutral."`
	Members   []AgentID `json:"members,omitempty" doc:"IDs of its agents. Default: none."`
	Parent    string    `json:"parent,omitempty" doc:"ID of the group that contains this one. Groups nest one level. Default: none."`
	Collapsed bool      `json:"collapsed,omitempty" doc:"Show the group as one box. Default: false."`
	Locked    bool      `json:"locked,omitempty" doc:"The group and its members can't be moved. Default: false."`
	Extra     Extra     `json:"extra,omitempty" doc:"Keys of the source file that AgentFlow doesn't know. They are kept."`
}

// Note is paper on the canvas.
type Note struct {
	ID     string  `json:"id" doc:"ID of the note."`
	Text   string  `json:"text" doc:"Text of the note. Default: empty."`
	X      float64 `json:"x" doc:"Left edge in canvas pixels."`
	Y      float64 `json:"y" doc:"Top edge in canvas pixels."`
	Width  float64 `json:"width,omitempty" doc:"Width in canvas pixels. Default: 0, which means 152."`
	Height float64 `json:"height,omitempty" doc:"Height in canvas pixels. Default: 0, as high as the text."`
	Color  int     `json:"color,omitempty" doc:"Color, 1 to 12. Default: 0, paper."`
	Locked bool    `json:"locked,omitempty" doc:"The note can't be moved. Default: false."`
	Extra  Extra   `json:"extra,omitempty" doc:"Keys of the source file that AgentFlow doesn't know. They are kept."`
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

// Package thumbnail draws a team as a small picture: boxes in their colors and lines,
// nothing to read.
package thumbnail

import (
	"bytes"
	"fmt"

	"agentflow/backend/team/topology"
)

const (
	margin   = 40
	mostLine = 800 // more would be one grey field
	// A team of two is shown no larger than one of eight.
	leastWidth  = 760
	leastHeight = 475
	colors      = 12
)

// palette are the identity colors; they are the same in the light
// and the dark theme.
var palette = [colors]string{
	"#286cab", "#1ea381", "#53347e", "#c18434", "#0e4c49", "#f197c2",
	"#617209", "#69c1fc", "#7a2a06", "#9e80d1", "#955a6d", "#9ec773",
}

// SVG returns the picture: the frames of the groups, the lines, the agents. A folded
// group is one box in its color. Lines are drawn in a grey that stands on light and
// dark.
func SVG(t *topology.Topology) []byte {
	if len(t.Agents) == 0 {
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`)
	}
	s := arranged(t)
	all := nothing
	for _, at := range s.places {
		all = all.and(node(at))
	}
	for _, f := range s.frames {
		all = all.and(f.rect)
	}
	width, height := max(all.right-all.left+2*margin, leastWidth), max(all.bottom-all.top+2*margin, leastHeight)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g">`, (all.left+all.right-width)/2,
		(all.top+all.bottom-height)/2, width, height)
	for _, f := range s.frames {
		fmt.Fprintf(&b, `<path d="M%g %gH%gV%gH%gZ" fill="%[6]s" fill-opacity=".12" stroke="%[6]s" stroke-width="4"/>`,
			f.left, f.top, f.right, f.bottom, f.left, f.color)
	}
	lines(&b, t, s.places)
	for _, a := range t.Agents {
		if at := s.places[a.ID]; !s.folded[a.ID] {
			box(&b, at, palette[agentColor(a.ID)])
		}
	}
	for _, c := range s.cards {
		box(&b, c.at, c.color)
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

// agentColor is the color of an agent, by its id alone, as the page has it
// (frontend/src/topology/identity.ts).
func agentColor(id topology.AgentID) uint32 {
	n := uint32(693)
	for _, c := range id {
		n = n*31 + uint32(c)
	}
	return n % colors
}

func box(b *bytes.Buffer, at topology.Point, color string) {
	fmt.Fprintf(b, `<rect x="%g" y="%g" width="%d" height="%d" rx="12" fill="%s"/>`, at.X, at.Y, topology.NodeWidth,
		topology.NodeHeight, color)
}

func lines(b *bytes.Buffer, t *topology.Topology, places map[topology.AgentID]topology.Point) {
	n := 0
	b.WriteString(`<path fill="none" stroke="#808890" stroke-width="6" d="`)
	for _, a := range t.Agents {
		from := places[a.ID]
		for _, c := range a.Connections {
			to, drawn := places[c.TargetID]
			if drawn && to != from && n < mostLine {
				fmt.Fprintf(b, "M%g %gL%g %g", from.X+topology.NodeWidth/2, from.Y+topology.NodeHeight/2,
					to.X+topology.NodeWidth/2, to.Y+topology.NodeHeight/2)
				n++
			}
		}
	}
	b.WriteString(`"/>`)
}

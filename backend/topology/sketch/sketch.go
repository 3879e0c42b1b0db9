// Package sketch draws a team as a small picture: boxes in their colours and lines,
// nothing to read.
package sketch

import (
	"bytes"
	"fmt"
	"math"

	"agentflow/backend/topology"
)

const (
	margin   = 40
	mostLine = 800 // more would be one grey field
	// A team of two is shown no larger than one of eight.
	leastWidth  = 760
	leastHeight = 475
	colours     = 12
)

// palette are the identity colours, by order of creation; they are the same in the light
// and the dark theme.
var palette = [colours]string{
	"#286cab", "#1ea381", "#53347e", "#c18434", "#0e4c49", "#f197c2",
	"#617209", "#69c1fc", "#7a2a06", "#9e80d1", "#955a6d", "#9ec773",
}

// SVG returns the picture. Lines are drawn in a grey that stands on light and dark.
func SVG(t *topology.Topology) []byte {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, a := range t.Agents {
		p := t.Layout[a.ID]
		left, top = min(left, p.X), min(top, p.Y)
		right, bottom = max(right, p.X+topology.NodeWidth), max(bottom, p.Y+topology.NodeHeight)
	}
	var b bytes.Buffer
	if len(t.Agents) == 0 {
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`)
	}
	width, height := max(right-left+2*margin, leastWidth), max(bottom-top+2*margin, leastHeight)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%g %g %g %g">`, (left+right-width)/2, (top+bottom-height)/2, width, height)
	lines(&b, t)
	for i, a := range t.Agents {
		p := t.Layout[a.ID]
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%d" height="%d" rx="12" fill="%s"/>`, p.X, p.Y, topology.NodeWidth, topology.NodeHeight, palette[i%colours])
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

func lines(b *bytes.Buffer, t *topology.Topology) {
	drawn := make(map[topology.AgentID]bool, len(t.Agents))
	for _, a := range t.Agents {
		drawn[a.ID] = true
	}
	n := 0
	b.WriteString(`<path fill="none" stroke="#808890" stroke-width="6" d="`)
	for _, a := range t.Agents {
		from := t.Layout[a.ID]
		for _, c := range a.Connections {
			if to := t.Layout[c.TargetID]; drawn[c.TargetID] && n < mostLine {
				fmt.Fprintf(b, "M%g %gL%g %g", from.X+topology.NodeWidth/2, from.Y+topology.NodeHeight/2, to.X+topology.NodeWidth/2, to.Y+topology.NodeHeight/2)
				n++
			}
		}
	}
	b.WriteString(`"/>`)
}

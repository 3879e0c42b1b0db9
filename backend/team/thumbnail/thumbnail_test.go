package thumbnail_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/team/thumbnail"
	"agentflow/backend/team/topology"
)

func TestASketchIsAPictureOfTheTeam(t *testing.T) {
	team := &topology.Topology{Layout: map[topology.AgentID]topology.Point{}}
	for i := range 13 {
		id := topology.AgentID(fmt.Sprint("a", i))
		team.Agents = append(team.Agents,
			topology.Agent{ID: id, Connections: []topology.Connection{{TargetID: "a0"}, {TargetID: "nobody"}}})
		team.Layout[id] = topology.Point{X: float64(i) * 200, Y: -50}
	}
	for name, team := range map[string]*topology.Topology{"team": team, "nobody": {}} {
		svg := string(thumbnail.SVG(team))
		dec := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in %s", name, err, svg)
			}
		}
		if n := strings.Count(svg, "<rect "); n != len(team.Agents) {
			t.Errorf("%s: %d boxes", name, n)
		}
		if n := strings.Count(svg, "L"); n != max(0, len(team.Agents)-1) {
			t.Errorf("%s: %d lines, want those to other agents that exist", name, n)
		}
	}
}

// The page's colors are the measure.
func TestASketchHasThePagesColors(t *testing.T) {
	css, err := os.ReadFile("../../../frontend/src/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	team := &topology.Topology{}
	for i := range 40 { // among so many every color is used
		team.Agents = append(team.Agents, topology.Agent{ID: topology.AgentID(fmt.Sprint(i))})
	}
	svg := string(thumbnail.SVG(team))
	found := regexp.MustCompile(`--id-\d+:\s*(#[0-9a-f]{6})`).FindAllStringSubmatch(string(css), -1)
	if len(found) < 12 {
		t.Fatalf("only %d colors in tokens.css", len(found))
	}
	for _, m := range found {
		if !strings.Contains(svg, m[1]) {
			t.Errorf("%s is missing", m[0])
		}
	}
}

func TestASketchFramesItsGroups(t *testing.T) {
	team := &topology.Topology{
		Agents: []topology.Agent{{ID: "a", Connections: []topology.Connection{{TargetID: "b"}, {TargetID: "c"}}},
			{ID: "b"}, {ID: "c"}},
		Layout: map[topology.AgentID]topology.Point{"a": {}, "b": {X: 300}, "c": {X: 600, Y: 2000}},
		Groups: []topology.Group{{ID: "outer", Color: 3, Members: []topology.AgentID{"a"}},
			{ID: "inner", Parent: "outer", Members: []topology.AgentID{"b", "gone"}}, {ID: "empty"}},
	}
	open := string(thumbnail.SVG(team))
	for _, want := range []string{
		`<path d="M-16 -60H512V98H-16Z" fill="#53347e"`, // around a and the frame of inner
		`<path d="M284 -30H496V84H284Z" fill="#808890"`,
	} {
		if !strings.Contains(open, want) {
			t.Errorf("%s is missing in %s", want, open)
		}
	}
	if n := strings.Count(open, "<rect "); n != 3 {
		t.Errorf("%d boxes, want everybody", n)
	}
	team.Groups[0].Collapsed = true
	folded := string(thumbnail.SVG(team))
	if n := strings.Count(folded, "<rect "); n != 2 || strings.Contains(folded, "fill-opacity") {
		t.Errorf("a folded group is not one box beside the other agent: %s", folded)
	}
	if n := strings.Count(folded, "L"); n != 1 {
		t.Errorf("%d lines, want that which leaves the group", n)
	}
	if !strings.Contains(folded, `<rect x="158" y="-16" width="180" height="70" rx="12" fill="#53347e"/>`) {
		t.Errorf("the box is not in the middle of the frame: %s", folded)
	}
}

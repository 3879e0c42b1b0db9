package sketch_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/topology"
	"agentflow/backend/topology/sketch"
)

func TestASketchIsAPictureOfTheTeam(t *testing.T) {
	team := &topology.Topology{Layout: map[topology.AgentID]topology.Point{}}
	for i := range 13 {
		id := topology.AgentID(fmt.Sprint("a", i))
		team.Agents = append(team.Agents, topology.Agent{ID: id, Connections: []topology.Connection{{TargetID: "a0"}, {TargetID: "nobody"}}})
		team.Layout[id] = topology.Point{X: float64(i) * 200, Y: -50}
	}
	for name, team := range map[string]*topology.Topology{"team": team, "nobody": {}} {
		svg := string(sketch.SVG(team))
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
		if n := strings.Count(svg, "L"); n != len(team.Agents) {
			t.Errorf("%s: %d lines, want those to agents that exist", name, n)
		}
	}
}

// The page's colours are the measure.
func TestASketchHasThePagesColours(t *testing.T) {
	css, err := os.ReadFile("../../../frontend/src/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	team := &topology.Topology{}
	for i := range 12 {
		team.Agents = append(team.Agents, topology.Agent{ID: topology.AgentID(fmt.Sprint(i))})
	}
	svg := string(sketch.SVG(team))
	found := regexp.MustCompile(`--id-\d+:\s*(#[0-9a-f]{6})`).FindAllStringSubmatch(string(css), -1)
	if len(found) < 12 {
		t.Fatalf("only %d colours in tokens.css", len(found))
	}
	for _, m := range found {
		if !strings.Contains(svg, m[1]) {
			t.Errorf("%s is missing", m[0])
		}
	}
}

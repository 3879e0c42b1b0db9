package gatewayconfig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// TestGW7_WriteTables: every case in testdata Holds a config, edits of the team
// that was read from it, the config that must come out byte for byte, and the losses.
// The first line of a case names it, its language and its target.
func TestGW7_WriteTables(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := sections(string(raw))
		for i := 0; i+3 < len(parts); i += 4 {
			config, edits, want, losses := parts[i], parts[i+1], parts[i+2], parts[i+3]
			head := strings.Split(config.name, "|")
			t.Run(head[0], func(t *testing.T) {
				doc := parseAs(t, head[1], config.text)
				limits := testLimits(head[2])
				r, err := Read(doc)
				if err != nil {
					t.Fatal(err)
				}
				same, _, err := Write(doc, &r.Topology, &r.Topology, limits)
				if err != nil {
					t.Fatal(err)
				}
				if string(same.Bytes()) != config.text {
					t.Fatalf("unchanged, but\n%s", same.Bytes())
				}
				if slices.Contains(head, "implicit") {
					limits.Implicit = []topology.AgentID{"main"}
					r.Topology.Agents = []topology.Agent{{ID: "main"}}
				}
				draft := r.Topology.Clone()
				for line := range strings.SplitSeq(strings.TrimSpace(edits.text), "\n") {
					editTeam(t, draft, line)
				}
				out, lost, err := Write(doc, &r.Topology, draft, limits)
				if err != nil {
					t.Fatal(err)
				}
				if string(out.Bytes()) != want.text {
					t.Errorf("got\n%s\nwant\n%s", out.Bytes(), want.text)
				}
				if got := lossLines(lost); got != losses.text {
					t.Errorf("losses\n%s\nwant\n%s", got, losses.text)
				}
			})
		}
	}
}

func lossLines(losses []Loss) string {
	var b strings.Builder
	for _, l := range losses {
		b.WriteString(strings.Join(slices.DeleteFunc([]string{string(l.Agent), l.Field, string(l.Kind), string(l.Target), l.Reason},
			func(s string) bool { return s == "" }), " ") + "\n")
	}
	return b.String()
}

type section struct{ name, text string }

func sections(raw string) (out []section) {
	for line := range strings.SplitAfterSeq(raw, "\n") {
		if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(name, " --\n") {
			out = append(out, section{name: strings.TrimSuffix(name, " --\n")})
		} else if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	return out
}

func parseAs(t testing.TB, lang, text string) *docedit.Document {
	t.Helper()
	parse := docedit.Parse
	if lang == "json" {
		parse = docedit.FromJSON
	}
	doc, err := parse([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func testLimits(name string) Limits {
	switch name {
	case "seed":
		return CapabilitiesFor(Features{Home: "/home/user"}).Limits
	case "local":
		return CapabilitiesFor(Features{Local: true}).Limits
	case "february":
		return CapabilitiesFor(Features{Framed: true, Protocol: 3}).Limits
	}
	return CapabilitiesFor(
		Features{Framed: true, Protocol: 4, RosterGuard: true, AgentsDelete: true, HotApply: true},
	).Limits
}

// editTeam runs one line: FIELD ID VALUE as the team's JSON has it, or
// link|unlink ID KIND TARGET, add JSON, remove ID, layout ID.
func editTeam(t testing.TB, d *topology.Topology, line string) {
	t.Helper()
	op, rest, _ := strings.Cut(line, " ")
	id, value, _ := strings.Cut(rest, " ")
	a, _ := d.Agent(topology.AgentID(id))
	switch op {
	case "add":
		var added topology.Agent
		if err := json.Unmarshal([]byte(rest), &added); err != nil {
			t.Fatal(err)
		}
		d.Agents = append(d.Agents, added)
	case "remove":
		d.Agents = slices.DeleteFunc(d.Agents, func(a topology.Agent) bool { return a.ID == topology.AgentID(id) })
		for i := range d.Agents {
			d.Agents[i].Connections = slices.DeleteFunc(d.Agents[i].Connections,
				func(c topology.Connection) bool { return c.TargetID == topology.AgentID(id) })
		}
	case "layout":
		d.Layout = map[topology.AgentID]topology.Point{topology.AgentID(id): {X: 1}}
	case "link":
		kind, target, _ := strings.Cut(value, " ")
		a.Connections = append(a.Connections,
			topology.Connection{TargetID: topology.AgentID(target), Type: topology.Kind(kind)})
	case "unlink":
		a.Connections = slices.DeleteFunc(a.Connections,
			func(c topology.Connection) bool { return string(c.Type)+" "+string(c.TargetID) == value })
	case "":
	default:
		if value == "" {
			value = "null"
		}
		if err := json.Unmarshal([]byte(`{"`+op+`":`+value+`}`), a); err != nil {
			t.Fatal(err)
		}
	}
}

// A JSON-RPC gateway tells nobody where its home is. A new agent's workspace is written all the
// same, in the form that the gateway resolves itself.
func TestGW7_ANewAgentHasAWorkspaceWithoutAKnownHome(t *testing.T) {
	doc := parseAs(t, "yaml", "agents:\n  pm-1:\n    name: PM\n")
	r, err := Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	draft := r.Topology.Clone()
	draft.Agents = append(draft.Agents, topology.Agent{ID: "dev-1", Name: "Dev"})
	next, _, err := Write(doc, &r.Topology, draft, CapabilitiesFor(Features{}).Limits)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(next.Bytes()), "workspace: ~/.openclaw/workspace-dev-1") || strings.Contains(string(next.Bytes()), "workspace-pm-1") {
		t.Error(string(next.Bytes()))
	}
}

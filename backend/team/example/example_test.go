package example

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode"

	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// APP-1: what the first start shows can be applied anywhere, and the one thing that
// lint says of it is the connection that the window asks for.
func TestTeam(t *testing.T) {
	for _, lang := range []string{"en", "ja", "ja-JP", "fr", ""} {
		team := Team(lang)
		if err := team.Validate(); err != nil {
			t.Fatal(lang, err)
		}
		var codes []string
		for _, p := range lint.Check(team, lint.Rules{IDPattern: lint.NewestIDs, Models: []string{Model}, KnownKeys: []string{}}) {
			codes = append(codes, p.Code+" "+string(p.Agent))
		}
		if !slices.Equal(codes, []string{"unreachable_agent backend"}) {
			t.Errorf("%s: %v", lang, codes)
		}
		if len(team.Layout) != len(team.Agents) || len(team.Notes) != 1 {
			t.Errorf("%s: %d places, %d notes", lang, len(team.Layout), len(team.Notes))
		}
	}
}

func TestUntouched(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		held := func() *topology.Topology {
			team := Team(lang).Clone()
			team.Name, team.Layout, team.Notes = "", nil, nil
			for i := range team.Agents {
				team.Agents[i].Workspace = "/home/me/.openclaw/workspace-" + string(team.Agents[i].ID)
			}
			return team
		}
		if !Untouched(held()) {
			t.Errorf("%s: the example isn't recognized", lang)
		}
		for what, edit := range map[string]func(*topology.Topology){
			"a name":       func(h *topology.Topology) { h.Agents[1].Name = "Scout" },
			"a folder":     func(h *topology.Topology) { h.Agents[1].Workspace = "/srv/papers" },
			"a connection": func(h *topology.Topology) { h.Agents[0].Connections = h.Agents[0].Connections[:1] },
			"an agent":     func(h *topology.Topology) { h.Agents = append(h.Agents, topology.Agent{ID: "cook"}) },
			"none of them": func(h *topology.Topology) { h.Agents = nil },
		} {
			h := held()
			if edit(h); Untouched(h) {
				t.Errorf("%s: %s was changed", lang, what)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	japanese := func(s string) bool {
		return slices.ContainsFunc([]rune(s),
			func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
	}
	both := map[string][]topology.Topology{}
	for _, lang := range []string{"en", "ja"} {
		both[lang] = []topology.Topology{*Team(lang)}
		for _, tmpl := range Templates(lang) {
			both[lang] = append(both[lang], tmpl.Topology)
			if japanese(tmpl.Name+tmpl.Description) != (lang == "ja") {
				t.Errorf("%s: %s %s", lang, tmpl.Name, tmpl.Description)
			}
			problems := lint.Check(&tmpl.Topology, lint.Rules{IDPattern: lint.NewestIDs, KnownKeys: []string{}})
			if err := tmpl.Topology.Validate(); err != nil || len(problems) > 0 || len(tmpl.Topology.Layout) != len(tmpl.Topology.Agents) {
				t.Errorf("%s: %v, %v", tmpl.ID, err, problems)
			}
		}
	}
	for i, en := range both["en"] {
		ja := both["ja"][i]
		for k, a := range en.Agents {
			b := ja.Agents[k]
			if a.ID != b.ID || japanese(a.Name+a.Persona) || !japanese(b.Name) || !japanese(b.Persona) {
				t.Errorf("%s and %s are not the same agent in two languages", a.Name, b.Name)
			}
		}
		a, _ := json.Marshal(en.Layout)
		b, _ := json.Marshal(ja.Layout)
		if string(a) != string(b) {
			t.Errorf("%s stands elsewhere than %s", en.Name, ja.Name)
		}
	}
}

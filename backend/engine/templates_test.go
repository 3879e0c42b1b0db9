package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

const secretInClear = "sk-abcd1234efgh5678ijkl"

type opened struct {
	Teams  []string `json:"teams"`
	Agents int      `json:"agents"`
}

// APP-1: templates of one's own and deleted teams live in the hub, over a restart.
func TestAPP1_TemplatesAndDeletedTeamsSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHub(t, dir)
	var d httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"template": "pair", "name": "夜勤"}, &d)
	h.edit(string(d.ID), func(t *topology.Topology) { t.Agents[0].Persona = "Say " + secretInClear })
	var kept struct {
		Template struct{ ID string } `json:"template"`
		Removed  int                 `json:"removed"`
	}
	h.must(http.MethodPost, "/api/templates", map[string]any{"team": d.ID, "name": "Night shift"}, &kept)
	if kept.Removed != 1 {
		t.Errorf("%d secrets were left out, want 1", kept.Removed)
	}
	h.must(http.MethodPatch, "/api/templates/"+kept.Template.ID, map[string]any{"name": "夜勤チーム"}, nil)
	h.must(http.MethodDelete, "/api/teams/"+string(d.ID), nil, nil)
	h.stop()

	h = startHub(t, dir)
	var list struct {
		Templates []struct {
			ID, Name string
			Own      bool
			Agents   int
			Sketch   string
		}
	}
	h.must(http.MethodGet, "/api/templates?language=ja", nil, &list)
	last := list.Templates[len(list.Templates)-1]
	if len(list.Templates) != 6 || !last.Own || last.Name != "夜勤チーム" || last.Agents != 2 || strings.Count(last.Sketch, "<rect") != 2 {
		t.Fatalf("templates %+v", list.Templates)
	}
	var made httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"template": last.ID}, &made)
	if made.Name != "夜勤チーム" || made.Topology.Agents[0].Persona != "Say [removed]" {
		t.Errorf("made %s: %+v", made.Name, made.Topology.Agents)
	}
	var gone struct {
		Teams []struct {
			ID, Name, Head string
			Agents         int
		}
	}
	h.must(http.MethodGet, "/api/deleted-teams", nil, &gone)
	if len(gone.Teams) != 1 || gone.Teams[0].Name != "夜勤" || gone.Teams[0].Agents != 2 {
		t.Fatalf("deleted %+v", gone)
	}
	h.must(http.MethodDelete, "/api/deleted-teams/"+gone.Teams[0].ID, nil, nil)
	if status, _ := h.call(http.MethodPost, "/api/teams/"+gone.Teams[0].ID+"/undelete", nil, nil); status != http.StatusNotFound {
		t.Errorf("undelete after the clean-up: %d", status)
	}
	if status, err := h.call(http.MethodDelete, "/api/deleted-teams/"+string(made.ID), nil, nil); status != http.StatusConflict {
		t.Errorf("clean up a team in use: %d, %v", status, err)
	}
}

// APP-1: a bundle holds the team with its named versions and no secret, shows what
// it left out, and opens as a separate team.
func TestAPP1_ABundleGoesOutAndComesIn(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var d httpapi.Team
	h.must(http.MethodPost, "/api/teams", map[string]any{"template": "research", "name": "調査"}, &d)
	h.must(http.MethodPatch, "/api/teams/"+string(d.ID)+"/versions/"+string(d.Head), map[string]any{"name": "はじめ"},
		nil)
	h.edit(string(d.ID), func(t *topology.Topology) {
		t.Agents = t.Agents[:3]
		t.Agents[0].Connections = t.Agents[0].Connections[:1]
		t.Agents[0].Persona = "Say " + secretInClear
		t.Notes = []topology.Note{{ID: "n", Text: "覚え書き"}}
	})
	var packed struct {
		Filename string
		Data     []byte
		Readme   string
		Losses   []struct{ Agent, Field, Reason, Team string }
	}
	h.must(http.MethodPost, "/api/bundles", map[string]any{"teams": []string{string(d.ID)}, "versions": true, "language": "ja"}, &packed)
	if packed.Filename != "調査.agentflow.zip" || len(packed.Losses) != 1 || packed.Losses[0].Field != "persona" || !strings.Contains(packed.Readme, "はじめ") {
		t.Errorf("packed %s, %+v\n%s", packed.Filename, packed.Losses, packed.Readme)
	}
	file := map[string]any{"filename": packed.Filename, "data": packed.Data}
	var seen struct {
		Format string
		Teams  []struct {
			Name                       string
			Agents, Connections, Notes int
			Versions                   []struct{ Name string }
		}
	}
	h.must(http.MethodPost, "/api/files/preview", file, &seen)
	if seen.Format != "bundle" || len(seen.Teams) != 1 || seen.Teams[0].Agents != 3 || seen.Teams[0].Notes != 1 || len(seen.Teams[0].Versions) != 1 {
		t.Errorf("preview %+v", seen)
	}
	var in opened
	h.must(http.MethodPost, "/api/files/open", file, &in)
	if len(in.Teams) != 1 || in.Agents != 3 {
		t.Fatalf("opened %+v", in)
	}
	got := h.team(in.Teams[0])
	if got.Name != "調査" || len(got.Topology.Agents) != 3 || got.Topology.Agents[0].Persona != "Say [removed]" || len(got.Topology.Notes) != 1 {
		t.Errorf("came in as %+v", got.Topology)
	}
	var history struct {
		Versions []struct{ Name, Cause string }
	}
	h.must(http.MethodGet, "/api/teams/"+in.Teams[0]+"/versions", nil, &history)
	if len(history.Versions) != 2 || history.Versions[1].Name != "はじめ" || history.Versions[0].Cause != "import" {
		t.Errorf("history %+v", history)
	}
}

// APP-1: a file that cannot be read is refused with its name and line, and leaves
// nothing behind.
func TestAPP1_AFileIsLookedAtBeforeItIsOpened(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var before, after struct{ Teams []struct{ ID string } }
	h.must(http.MethodGet, "/api/teams", nil, &before)
	bad := map[string]any{"filename": "team.yaml", "text": "agentflow: 1\nagents:\n  - id: a\n    temperature: warm\n"}
	for _, route := range []string{"/api/files/preview", "/api/files/open"} {
		status, err := h.call(http.MethodPost, route, bad, nil)
		if status != http.StatusBadRequest || err.Code != errcode.Validation || err.Details[errcode.KeyFile] != "team.yaml" || err.Details[errcode.KeyLine] != float64(4) {
			t.Errorf("%s: %d %v %v", route, status, err, err.Details)
		}
	}
	h.must(http.MethodGet, "/api/teams", nil, &after)
	if len(after.Teams) != len(before.Teams) {
		t.Error("a team was left behind")
	}
	var look struct {
		Format  string
		Changes []struct{ Op string }
		Unknown []struct{ Path string }
	}
	good := map[string]any{
		"filename": "openclaw.json",
		"text":     `{"agents":{"list":[{"id":"x","model":"openai/gpt-5-mini","zap":1}]}}`,
		"into":     before.Teams[0].ID,
	}
	h.must(http.MethodPost, "/api/files/preview", good, &look)
	if look.Format != "openclaw-list" || len(look.Changes) == 0 || len(look.Unknown) != 1 {
		t.Errorf("%+v", look)
	}
	if n := len(h.team(before.Teams[0].ID).Topology.Agents); n != 5 {
		t.Errorf("the preview changed the team: %d agents", n)
	}
}

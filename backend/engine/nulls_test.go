package engine_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// The preview of a new team has lists and no null: nothing of it was ever read or applied.
func TestPreview_OfANewTeamHasNoNull(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"gateway": "local", "name": "New"}, &created)
	id := string(created.ID)
	h.edit(id, func(d *topology.Topology) {
		d.Agents = append(d.Agents, topology.Agent{ID: "fresh", Model: "demo/echo"})
	})
	status, answer := h.send(http.MethodPost, "/api/teams/"+id+"/preview", "application/json", []byte(`{}`))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	var p rollout.Preview
	if err := json.Unmarshal(answer, &p); err != nil || p.Merge == nil {
		t.Fatalf("%v: %s", err, answer)
	}
	if p.Merge.Base.Agents == nil || !p.Merge.First {
		t.Errorf("base.agents is %v, first %v: the team was never read from its gateway", p.Merge.Base.Agents,
			p.Merge.First)
	}
	h.described().permits(http.MethodPost, "/api/teams/{id}/preview", status, answer)
}

// Every operation that reads answers as /openapi.json describes it, where no list can be null:
// on a hub where nothing is kept, and on one where something is.
func TestAnswers_HaveNoNullForAList(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	d := h.described()
	for name, schema := range d.schemas() {
		nullableLists(t, name, schema)
	}
	if _, err := resolved(json.RawMessage("true"), d.defs); err != nil { // those too that no answer here has
		t.Error(err)
	}
	walk := func(fill map[string]string) (answered int) {
		for route, methods := range d.paths {
			if _, reads := methods["get"]; !reads {
				continue
			}
			path := route
			for param, value := range fill {
				path = strings.ReplaceAll(path, param, value)
			}
			status, answer := h.send(http.MethodGet, path, "application/json", nil)
			if strings.HasSuffix(route, ".jsonl") || !json.Valid(answer) { // a file, or a text
				continue
			}
			answered++
			d.permits(http.MethodGet, route, status, answer)
		}
		return answered
	}
	nothing := map[string]string{"{name}": "local", "{id}": "none", "{taskId}": "none"}
	if n := walk(nothing); n < 30 {
		t.Fatalf("only %d operations answered", n)
	}
	h.applyTeam(demoTeam)
	var created httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"gateway": "local", "name": "New"}, &created)
	sent := h.submit("chat", "hello", nil)
	h.over(sent.TaskID)
	walk(map[string]string{"{name}": "local", "{id}": string(created.ID), "{taskId}": sent.TaskID})
	for _, ask := range []struct{ route, body string }{
		{"/api/teams/{id}/preview", `{}`}, {"/api/teams/{id}/import", `{}`}, {"/api/gateway/sessions/list", `{}`},
		{"/api/gateway/config/get", `{}`}, {"/api/teams/{id}/undo", `{}`},
	} {
		status, answer := h.send(http.MethodPost, strings.ReplaceAll(ask.route, "{id}", string(created.ID)),
			"application/json", []byte(ask.body))
		if status == http.StatusNotFound {
			t.Errorf("there is no route %s", ask.route)
			continue
		}
		d.permits(http.MethodPost, ask.route, status, answer)
	}
}

// permitsNulls fails the test if an answer has a null that the description doesn't permit, and it permits
// none for a list. This checks every operation that a test of this package calls.
func (h *hub) permitsNulls(method, path string, status int, answer []byte) {
	h.t.Helper()
	var value any
	if status >= http.StatusMultipleChoices || path == "/openapi.json" || !bytes.Contains(answer, []byte("null")) ||
		json.Unmarshal(answer, &value) != nil || !hasNull(value) {
		return
	}
	d := h.described()
	if route := d.route(method, path); route != "" {
		d.permits(method, route, status, answer)
	}
}

func hasNull(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, one := range v {
			if hasNull(one) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, hasNull)
	}
	return value == nil
}

// route returns the route of a path, or "". A route with fewer parameters wins.
func (d described) route(method, path string) (route string) {
	parts, fewest := strings.Split(path, "/"), len(path)
	for at, methods := range d.paths {
		names := strings.Split(at, "/")
		if _, has := methods[strings.ToLower(method)]; !has || len(names) != len(parts) {
			continue
		}
		params, fits := 0, true
		for i, name := range names {
			param := strings.HasPrefix(name, "{")
			if param {
				params++
			}
			fits = fits && (param || name == parts[i])
		}
		if fits && params < fewest {
			route, fewest = at, params
		}
	}
	return route
}

func (d described) schemas() map[string]any {
	d.t.Helper()
	all := map[string]any{}
	for name, def := range d.defs {
		var schema any
		if err := json.Unmarshal(def, &schema); err != nil {
			d.t.Fatal(err)
		}
		all[name] = schema
	}
	return all
}

// nullableLists fails the test where a schema permits null for a list.
func nullableLists(t *testing.T, at string, schema any) {
	t.Helper()
	switch s := schema.(type) {
	case map[string]any:
		if types, several := s["type"].([]any); several {
			list, null := false, false
			for _, one := range types {
				list, null = list || one == "array", null || one == "null"
			}
			if list && null {
				t.Errorf("%s may be null, and is a list", at)
			}
		}
		for key, value := range s {
			nullableLists(t, at+"."+key, value)
		}
	case []any:
		for _, value := range s {
			nullableLists(t, at, value)
		}
	}
}

// The agents that a gateway runs are listed whichever team is open, and also without a team.
func TestGateway_TellsItsAgents(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	h.applyTeam(demoTeam)
	var got struct{ Agents []httpapi.GatewayAgent }
	h.must("GET", "/api/gateways/local/agents", nil, &got)
	if len(got.Agents) == 0 || got.Agents[0].ID != "pm-1" {
		t.Errorf("%+v", got.Agents)
	}
	if status, _ := h.call("GET", "/api/gateways/none/agents", nil, nil); status != http.StatusNotFound {
		t.Errorf("of an unknown gateway: %d", status)
	}
}

package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// hub is a running hub with a client of its API.
type hub struct {
	t    *testing.T
	dir  string
	e    *engine.Engine
	stop func()

	client *hubclient.Client
}

func startHub(t *testing.T, dir string) *hub {
	t.Helper()
	return startHubWith(t, engine.Options{DataDir: dir})
}

// startHubWith starts a hub with more options than its folder.
func startHubWith(t *testing.T, opts engine.Options) *hub {
	t.Helper()
	h := enginetest.Start(t, opts)
	return &hub{t: t, dir: opts.DataDir, e: h.Engine, stop: h.Stop, client: h.Client()}
}

// gatewayVariables counts the variables that hold a gateway's token: tests run in parallel, so each has a name that no
// other test uses.
var gatewayVariables atomic.Int64

// withGateway writes the settings of a hub that knows one gateway besides its own.
func withGateway(t *testing.T, url, token string) string {
	t.Helper()
	dir := t.TempDir()
	variable := fmt.Sprintf("TEST_GATEWAY_TOKEN_%d", gatewayVariables.Add(1))
	if err := os.Setenv(variable, token); err != nil { //nolint:usetesting // t.Setenv forbids parallel tests
		t.Fatal(err)
	}
	conf := "# kept\ngateways:\n  - {name: studio, url: \"" + url + "\", tokenEnv: " + variable + ", color: 3}\n"
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// call sends one request and decodes the answer into out; it returns the status and,
// for a failure, the error.
func (h *hub) call(method, path string, in, out any) (int, *errcode.Error) {
	h.t.Helper()
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			h.t.Fatal(err)
		}
	}
	status, data := h.send(method, path, "application/json", body)
	if status >= 400 {
		var fail httpapi.ErrorBody
		if err := json.Unmarshal(data, &fail); err != nil || fail.Failure == nil {
			h.t.Fatalf("%s %s: %d without an error body: %s", method, path, status, data)
		}
		return status, fail.Failure
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			h.t.Fatalf("%s %s: %v: %s", method, path, err, data)
		}
	}
	return status, nil
}

// send sends one request and returns the answer as it is.
func (h *hub) send(method, path, mime string, body []byte) (int, []byte) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.e.URL()+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.e.Token())
	req.Header.Set("Content-Type", mime)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	h.permitsNulls(method, req.URL.Path, res.StatusCode, data)
	return res.StatusCode, data
}

func (h *hub) must(method, path string, in, out any) {
	h.t.Helper()
	if status, err := h.call(method, path, in, out); err != nil {
		h.t.Fatalf("%s %s: %d %s: %s %v", method, path, status, err.Code, err.Message, err.Details)
	}
}

func (h *hub) team(id string) httpapi.Team {
	h.t.Helper()
	var d httpapi.Team
	h.must("GET", "/api/teams/"+id, nil, &d)
	return d
}

// edit saves a change of the team as a window does.
func (h *hub) edit(id string, change func(t *topology.Topology)) httpapi.TeamState {
	h.t.Helper()
	d := h.team(id)
	t := d.Topology.Clone()
	change(t)
	var out struct{ State httpapi.TeamState }
	h.must("PUT", "/api/teams/"+id, map[string]any{"topology": t, "head": d.Head, "label": "edit.test"}, &out)
	return out.State
}

func (h *hub) preview(id string, choices map[string]topology.Choice) rollout.Preview {
	h.t.Helper()
	var p rollout.Preview
	h.must("POST", "/api/teams/"+id+"/preview", map[string]any{"choices": choices}, &p)
	return p
}

// finish waits for an apply to end.
func (h *hub) finish(a rollout.Apply) rollout.Apply {
	h.t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for a.State == rollout.Running {
		if time.Now().After(deadline) {
			h.t.Fatalf("the apply did not end: %+v", a)
		}
		pause(h.t, 20*time.Millisecond)
		var out struct{ Apply rollout.Apply }
		h.must("GET", "/api/applies/"+string(a.ID), nil, &out)
		a = out.Apply
	}
	return a
}

func (h *hub) apply(id string, p rollout.Preview, choices map[string]topology.Choice, deleteAgents bool) rollout.Apply {
	h.t.Helper()
	var out struct{ Apply rollout.Apply }
	h.must("POST", "/api/teams/"+id+"/apply",
		map[string]any{"hash": p.BaseHash, "choices": choices, "deleteAgents": deleteAgents}, &out)
	a := h.finish(out.Apply)
	if a.State != rollout.Done {
		h.t.Fatalf("apply %s: %+v", a.State, a.Error)
	}
	return a
}

// connected waits for the gateway's link.
func (h *hub) connected(name string) {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		var out struct{ Gateways []httpapi.Gateway }
		h.must("GET", "/api/gateways", nil, &out)
		for _, g := range out.Gateways {
			if g.Name == name && g.State == "connected" {
				return
			}
			if g.Name == name && time.Now().After(deadline) {
				h.t.Fatalf("%s is %s: %v", name, g.State, g.Error)
			}
		}
		pause(h.t, 20*time.Millisecond)
	}
}

// patience is how long anything may take. A real gateway that restarts on a busy machine takes more than a minute.
const patience = 3 * time.Minute

func poll(t *testing.T, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("it did not happen within %s", patience)
		}
		pause(t, 25*time.Millisecond)
	}
}

// pause is the time between two looks, or what a gateway asks for.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

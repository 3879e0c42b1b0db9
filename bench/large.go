package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"time"

	"agentflow/backend/team/topology"
)

const (
	largeAgents = 1000
	hugeAgents  = 5000
)

// A frame at the rates that are promised, in ms.
const (
	fps45 = 1000.0 / 45
	fps25 = 1000.0 / 25
)

// page is a page that shows a team, in a browser or in the window.
type page interface {
	// open shows AgentFlow with a team, or the peer's page.
	openTeam(ctx context.Context, t *topology.Topology) (*shown, error)
	openPeer(ctx context.Context, address string) error
	// run evaluates an expression that can use bench/large/drive.js.
	run(ctx context.Context, expression string, into any) error
	// cpu is what all processes of the page have worked so far.
	cpu() time.Duration
}

// shown is a team that AgentFlow shows.
type shown struct {
	// places reads from the hub where the agents stand.
	places func() (map[topology.AgentID]topology.Point, error)
	close  func()
}

// chromium is bench/large/chromium.mjs at work.
type chromium struct {
	s setup
	b *browser
}

func (c chromium) cpu() time.Duration { return treeTime(c.b.cmd.Process.Pid) }

func (c chromium) ask(request map[string]string, into any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := c.b.in.Write(append(line, '\n')); err != nil {
		return err
	}
	text, err := c.b.answer()
	if err != nil {
		return err
	}
	var answer struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

func (c chromium) run(_ context.Context, expression string, into any) error {
	return c.ask(map[string]string{"run": "agentflowHands." + expression}, into)
}

func (c chromium) openPeer(_ context.Context, address string) error {
	return c.ask(map[string]string{"open": address}, nil)
}

func (c chromium) openTeam(ctx context.Context, t *topology.Topology) (*shown, error) {
	h, err := c.s.startHub(ctx)
	if err != nil {
		return nil, err
	}
	id, err := h.show(ctx, t)
	if err == nil {
		err = c.ask(map[string]string{"open": h.link}, nil)
	}
	if err != nil {
		h.stop()
		return nil, err
	}
	return h.shown(ctx, id, h.stop), nil
}

// shown is a team of the hub that a page shows.
func (h *hub) shown(ctx context.Context, id string, closeIt func()) *shown {
	return &shown{places: func() (map[topology.AgentID]topology.Point, error) {
		var d savedTeam
		err := h.call(ctx, http.MethodGet, "/api/teams/"+id, nil, &d)
		return d.Topology.Layout, err
	}, close: closeIt}
}

// show saves a team and leaves it as the one that is shown first, without the guide of
// the first start.
func (h *hub) show(ctx context.Context, t *topology.Topology) (string, error) {
	var settings map[string]any
	if err := h.call(ctx, http.MethodGet, "/api/settings", nil, &settings); err != nil {
		return "", err
	}
	settings["onboardingDone"] = true
	if err := h.call(ctx, http.MethodPut, "/api/settings", settings, nil); err != nil {
		return "", err
	}
	var d savedTeam
	err := h.call(ctx, http.MethodPost, "/api/teams", map[string]any{"name": t.Name, "topology": t}, &d)
	return d.ID, err
}

// peer serves plain React Flow with a team, from a page that is built for it here.
type peer struct {
	files string
	team  *topology.Topology
}

func (s setup) buildPeer(ctx context.Context) (*peer, error) {
	files := filepath.Join(s.work, "plain")
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.root, "bench", "large", "build.mjs"),
		filepath.Join(s.root, "frontend", "package.json"), files)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("plain React Flow was not built: %w: %.500s", err, out)
	}
	return &peer{files: files}, nil
}

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/team.json" {
		http.FileServer(http.Dir(p.files)).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(p.team) // a page that is gone needs none
}

func largeFigures(ctx context.Context, s setup, r *report) error {
	if _, err := s.program("agentflow"); err != nil {
		return err
	}
	b, err := s.openBrowser(ctx, "large/chromium.mjs")
	if err != nil {
		return err
	}
	defer b.close()
	return s.measureLarge(ctx, chromium{s, b}, "large", "", r)
}

// progress tells which round it is: there is much time between two figures.
func progress(to io.Writer, where string, round, of int) {
	_, _ = fmt.Fprintf(to, "  %s, round %d of %d\n", where, round, of)
}

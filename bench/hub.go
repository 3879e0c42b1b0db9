package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/bench/team"
)

// patience ends what hangs; nothing is judged by it.
const patience = 2 * time.Minute

// hub is a running bin/agentflow with a separate data folder.
type hub struct {
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	stderr  bytes.Buffer
	started time.Time     // just before the process was made
	ready   time.Duration // until it answers
	url     string
	link    string // opens the page once
	token   string
}

// startHub starts a hub in a new folder and waits until it accepts requests.
func (s setup) startHub(ctx context.Context) (*hub, error) { return s.startHubWith(ctx, "") }

// startHubWith does so with a settings file.
func (s setup) startHubWith(ctx context.Context, settings string) (*hub, error) {
	bin, err := s.program("agentflow")
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(s.work, "hub-")
	if err != nil {
		return nil, err
	}
	if settings != "" {
		if err := os.MkdirAll(filepath.Join(home, "data"), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(home, "data", "agentflow.yaml"), []byte(settings), 0o600); err != nil {
			return nil, err
		}
	}
	h := &hub{token: rand.Text()}
	ctx, h.cancel = context.WithCancel(ctx)
	h.cmd = exec.CommandContext(ctx, bin, "serve", "--json", "--open", "--listen", "127.0.0.1:0", "--data",
		filepath.Join(home, "data"))
	// Without a display in the environment, --open opens nothing and only gives a link.
	h.cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "AGENTFLOW_TOKEN=" + h.token,
		agentSecret + "=" + h.secret()}
	h.cmd.Stderr = &h.stderr
	h.cmd.WaitDelay = 5 * time.Second
	stdout, err := h.cmd.StdoutPipe()
	if err != nil {
		h.cancel()
		return nil, err
	}
	h.started = time.Now()
	if err := h.cmd.Start(); err != nil {
		h.cancel()
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	h.ready = time.Since(h.started)
	var about struct{ URL, Open string }
	if err == nil {
		err = json.Unmarshal(line, &about)
	}
	if err != nil {
		h.stop()
		return nil, fmt.Errorf("the hub did not start: %w: %s", err, h.stderr.String())
	}
	h.url, h.link = about.URL, about.Open
	return h, nil
}

// stop ends the hub as a service manager does.
func (h *hub) stop() {
	if h.cmd.Process.Signal(os.Interrupt) == nil {
		timer := time.AfterFunc(10*time.Second, h.cancel)
		_ = h.cmd.Wait() // it ended by a signal
		timer.Stop()
	}
	h.cancel()
	_ = h.cmd.Wait() // a second time it says only that it was called
}

// call sends one request of the API and reads its answer.
func (h *hub) call(ctx context.Context, method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return h.callRaw(ctx, method, path, raw, into)
}

func (h *hub) callRaw(ctx context.Context, method, path string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, h.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %.300s", method, path, resp.Status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// savedTeam is what the hub answers of a team, as far as it matters here.
type savedTeam struct {
	ID       string            `json:"id"`
	Head     string            `json:"head"`
	Topology topology.Topology `json:"topology"`
}

// example returns the team of the first start.
func (h *hub) example(ctx context.Context) (savedTeam, error) {
	var list struct{ Teams []savedTeam }
	var d savedTeam
	if err := h.call(ctx, http.MethodGet, "/api/teams", nil, &list); err != nil {
		return d, err
	}
	if len(list.Teams) == 0 {
		return d, errors.New("the hub has drawn no example team")
	}
	return d, h.call(ctx, http.MethodGet, "/api/teams/"+list.Teams[0].ID, nil, &d)
}

// create draws n agents.
func (h *hub) create(ctx context.Context, n int) (savedTeam, error) {
	var d savedTeam
	err := h.call(ctx, http.MethodPost, "/api/teams", map[string]any{"name": "Benchmark", "topology": team.Big(n)},
		&d)
	if err == nil && len(d.Topology.Agents) != n {
		err = fmt.Errorf("%d agents were drawn, want %d", len(d.Topology.Agents), n)
	}
	return d, err
}

// edit changes the name of the first agent and returns the request that saves it.
func (d *savedTeam) edit(i int) ([]byte, error) {
	d.Topology.Agents[0].Name = fmt.Sprintf("Renamed %d", i)
	return json.Marshal(map[string]any{"topology": d.Topology, "head": d.Head, "label": "edit.name"})
}

// save sends an edit; it is durable when the answer is here.
func (h *hub) save(ctx context.Context, d *savedTeam, body []byte) error {
	var saved struct{ State savedTeam }
	if err := h.callRaw(ctx, http.MethodPut, "/api/teams/"+d.ID, body, &saved); err != nil {
		return err
	}
	if saved.State.Head == "" || saved.State.Head == d.Head {
		return errors.New("the save made no new version")
	}
	d.Head = saved.State.Head
	return nil
}

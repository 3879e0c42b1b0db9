package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	workerGrowth = 8.389 // MB of a million bytes: 8 MiB
	shimLimit    = 50    // ms
	sampleEvery  = 50 * time.Millisecond
)

func workerFigures(ctx context.Context, s setup, r *report) error {
	if err := shimFigures(ctx, s, r); err != nil {
		return err
	}
	return floodFigures(ctx, s, r)
}

// shimFigures starts a program below the shim of the real program, and without it.
func shimFigures(ctx context.Context, s setup, r *report) error {
	bin, err := s.program("agentflow")
	if err != nil {
		return err
	}
	with, without := new(samples), new(samples)
	over := new(samples)
	for range 2*s.rounds + 1 {
		began := time.Now()
		if err := exec.CommandContext(ctx, "/bin/true").Run(); err != nil {
			return err
		}
		alone := time.Since(began)
		began = time.Now()
		if err := shimmed(ctx, bin); err != nil {
			return err
		}
		both := time.Since(began)
		with.add(both, 0)
		without.add(alone, 0)
		over.add(both-alone, 0)
	}
	r.add(with.against(with.figure("workers", "a program below a worker's shim"), "alone", without))
	r.limit(over.figure("workers", "what the shim adds to a worker"), shimLimit)
	return nil
}

// shimmed runs a program as backend/base/proc does: it starts bin/agentflow under the shim's
// name, with one pipe for the result and another whose end would end everything.
func shimmed(ctx context.Context, bin string) error {
	status, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = status.Close() }()
	hear, life, err := os.Pipe()
	if err != nil {
		_ = tell.Close()
		return err
	}
	defer func() { _ = life.Close() }()
	cmd := exec.CommandContext(ctx, bin)
	cmd.Args = []string{"agentflow-shim", "5000", "/bin/true", "true"}
	cmd.ExtraFiles = []*os.File{tell, hear}
	err = cmd.Start()
	_, _ = tell.Close(), hear.Close()
	if err != nil {
		return err
	}
	if _, err := life.Write([]byte{1}); err != nil {
		return err
	}
	said, err := io.ReadAll(status)
	var st struct{ Code *int }
	if err == nil && (json.Unmarshal(said, &st) != nil || st.Code == nil || *st.Code != 0) {
		err = fmt.Errorf("bin/agentflow is no shim: it said %q", said)
	}
	return errors.Join(err, cmd.Wait())
}

// floodFigures has a plan of eight tasks worked at once by CLIs that print ten megabytes a
// second each.
func floodFigures(ctx context.Context, s setup, r *report) error {
	model := httptest.NewServer(http.HandlerFunc(decide))
	defer model.Close()
	h, err := s.startHubWith(ctx,
		"providers:\n  - {name: stub, kind: openai, baseUrl: \""+model.URL+"/v1\"}\ndefaultProvider: stub\n")
	if err != nil {
		return err
	}
	defer h.stop()
	order, files, err := s.floodOrder(ctx)
	if err != nil {
		return err
	}
	path, err := h.floodPlan(ctx)
	if err != nil {
		return err
	}
	before, err := processMemory(h.cmd.Process.Pid)
	if err != nil {
		return err
	}
	if err := h.call(ctx, http.MethodPost, path+"/run", order, nil); err != nil {
		return err
	}
	peak := before.now
	answers := new(samples)
	for began := time.Now(); ; {
		now, err := processMemory(h.cmd.Process.Pid)
		if err != nil {
			return err
		}
		peak = max(peak, now.now)
		var p struct{ Work struct{ State string } }
		asked := time.Now()
		if err := h.call(ctx, http.MethodGet, path, nil, &p); err != nil {
			return err
		}
		answers.add(time.Since(asked), 0)
		if p.Work.State != "working" {
			break
		}
		if time.Since(began) > patience {
			return errors.New("the plan was not worked to its end")
		}
		select {
		case <-time.After(sampleEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	rate, n := reached(files)
	if n != floodWorkers {
		return fmt.Errorf("%d of %d workers have printed to their end", n, floodWorkers)
	}
	grown := (peak - before.now) / floodWorkers
	f := figure{Group: "workers", Name: fmt.Sprintf("memory of the hub for each of %d workers that print at once", floodWorkers), Unit: "MB", Samples: 1, Value: grown, Best: grown}
	f.Note = fmt.Sprintf("%.1f MB/s each, for %s; the whole hub went from %.1f to %.1f MB", rate/1e6, floodFor, before.now, peak)
	r.limit(f, workerGrowth)
	r.add(answers.figure("workers", "the hub's answer for the plan meanwhile"))
	return nil
}

// floodOrder is how the plan is worked: in a new repository, by this program as the CLI. Its
// files say who has begun and ended.
func (s setup) floodOrder(ctx context.Context) (order map[string]any, files string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp(s.work, "flood-")
	if err != nil {
		return nil, "", err
	}
	repo, cli := filepath.Join(dir, "repo"), filepath.Join(dir, "codex")
	files = dir + string(filepath.Separator)
	if err := os.WriteFile(cli, []byte("#!/bin/sh\n"+floodEnv+"='"+files+"' exec '"+self+"'\n"), 0o700); err != nil {
		return nil, "", err
	}
	for _, args := range [][]string{{"init", "-q", repo}, {"-C", repo, "-c", "user.name=P", "-c", "user.email=p@localhost", "commit", "-q", "--allow-empty", "-m", "first"}} {
		if out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput(); err != nil {
			return nil, "", fmt.Errorf("git: %w: %s", err, out)
		}
	}
	return map[string]any{
		"folder":   repo,
		"worker":   "codex-cli",
		"command":  cli,
		"model":    "stub/stub-1",
		"parallel": floodWorkers,
	}, files, nil
}

func (h *hub) floodPlan(ctx context.Context) (path string, err error) {
	var made struct {
		ID   string
		Head int
	}
	if err := h.call(ctx, http.MethodPost, "/api/plans", map[string]any{"name": "Flood"}, &made); err != nil {
		return "", err
	}
	var ops []map[string]any
	for i := range floodWorkers {
		ops = append(
			ops,
			map[string]any{
				"op":                  "create",
				"temp_id":             fmt.Sprint("t", i),
				"title":               fmt.Sprint("task ", i),
				"acceptance_criteria": []string{"done"},
			},
		)
	}
	path = "/api/plans/" + made.ID
	return path, h.call(ctx, http.MethodPost, path+"/edit", map[string]any{"version": made.Head, "operations": ops},
		nil)
}

// decide is a model server. It acts as a planner that runs one worker for each task.
func decide(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := `{"type":"next_action","decision":{"action":"run_worker","reason":"first"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":"work"}}`
	switch {
	case strings.Contains(string(body), `\"type\":\"completion_assessment\"`):
		text = `{"type":"completion_assessment","summary":"ok","details":{"passed_criteria":["AC-1"],"remaining_risks":[]}}`
	case strings.Contains(string(body), `\"exists\": true`):
		text = `{"type":"next_action","decision":{"action":"mark_complete","reason":"done"}}`
	}
	w.Header().Set("Content-Type", "text/event-stream")
	frame, _ := json.Marshal(map[string]any{
		"choices": []any{
			map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"},
		},
	})
	_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", frame)
}

// reached is the smallest rate of all that printed, and how many they were.
func reached(files string) (rate float64, n int) {
	ended, _ := filepath.Glob(files + "rate-*")
	for _, f := range ended {
		text, _ := os.ReadFile(f)
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			continue
		}
		if n++; n == 1 || v < rate {
			rate = v
		}
	}
	return rate, n
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	teamAgents = 1000
	hubLimit   = 60 // MB
	pollEvery  = 2 * time.Millisecond
)

// saveFigures compares a durable save with a bare write of the same bytes to the same disk.
func saveFigures(ctx context.Context, s setup, r *report) error {
	h, err := s.startHub(ctx)
	if err != nil {
		return err
	}
	defer h.stop()
	small, err := h.example(ctx)
	if err != nil {
		return err
	}
	large, err := h.create(ctx, teamAgents)
	if err != nil {
		return err
	}
	for _, d := range []*savedTeam{&small, &large} {
		saves, writes, size, err := s.saves(ctx, h, d)
		if err != nil {
			return err
		}
		f := saves.figure("save", fmt.Sprintf("durable save, %d agents (%d kB)", len(d.Topology.Agents), size/1000))
		f = saves.against(f, "write and fsync", writes)
		r.add(f)
	}
	return nil
}

func (s setup) saves(ctx context.Context, h *hub, d *savedTeam) (saves, writes *samples, size int, err error) {
	saves, writes = new(samples), new(samples)
	for i := range 2 * s.rounds {
		body, err := d.edit(i)
		if err != nil {
			return nil, nil, 0, err
		}
		size = len(body)
		began := time.Now()
		if err := h.save(ctx, d, body); err != nil {
			return nil, nil, 0, err
		}
		saves.add(time.Since(began), 0)
		began = time.Now()
		if err := durably(filepath.Join(s.work, fmt.Sprintf("bare-%d", i)), body); err != nil {
			return nil, nil, 0, err
		}
		writes.add(time.Since(began), 0)
	}
	return saves, writes, size, nil
}

// durably writes a new file and waits until the disk has it.
func durably(path string, text []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(path))
}

// applyFigures brings an edit of the example team to the local gateway.
func applyFigures(ctx context.Context, s setup, r *report) error {
	h, err := s.startHub(ctx)
	if err != nil {
		return err
	}
	defer h.stop()
	d, err := h.example(ctx)
	if err != nil {
		return err
	}
	var previews, applies, saves samples
	for i := range s.rounds {
		body, err := d.edit(i)
		if err != nil {
			return err
		}
		began := time.Now()
		if err := h.save(ctx, &d, body); err != nil {
			return err
		}
		saves.add(time.Since(began), 0)
		began = time.Now()
		hash, err := h.preview(ctx, d.ID)
		if err != nil {
			return err
		}
		previews.add(time.Since(began), 0)
		if err := h.apply(ctx, d.ID, hash); err != nil {
			return err
		}
		applies.add(time.Since(began), 0)
		if err := h.call(ctx, http.MethodGet, "/api/teams/"+d.ID, nil, &d); err != nil {
			return err
		}
	}
	agents := len(d.Topology.Agents)
	r.add(previews.figure("apply", fmt.Sprintf("preview for the local gateway, %d agents", agents)))
	f := applies.against(applies.figure("apply", fmt.Sprintf("preview, apply and read back, %d agents", agents)),
		"durable save", &saves)
	f.Note = fmt.Sprintf("the end is seen by asking every %s", pollEvery)
	r.add(f)
	return nil
}

func (h *hub) preview(ctx context.Context, id string) (hash string, err error) {
	var p struct {
		BaseHash string `json:"baseHash"`
		Sent     int    `json:"sent"`
	}
	err = h.call(ctx, http.MethodPost, "/api/teams/"+id+"/preview", struct{}{}, &p)
	if err == nil && p.Sent == 0 {
		err = errors.New("the preview has nothing to send")
	}
	return p.BaseHash, err
}

// apply waits until the gateway has taken the team and was read back.
func (h *hub) apply(ctx context.Context, id, hash string) error {
	var a struct {
		Apply struct {
			ID, State string
			Error     any
		}
	}
	if err := h.call(ctx, http.MethodPost, "/api/teams/"+id+"/apply", map[string]any{"hash": hash}, &a); err != nil {
		return err
	}
	for a.Apply.State == "running" {
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := h.call(ctx, http.MethodGet, "/api/applies/"+a.Apply.ID, nil, &a); err != nil {
			return err
		}
	}
	if a.Apply.State != "done" {
		return fmt.Errorf("the apply ended as %s: %v", a.Apply.State, a.Apply.Error)
	}
	return nil
}

// memoryFigures looks at the hub alone, without a page.
func memoryFigures(ctx context.Context, s setup, r *report) error {
	var began, loaded, peak []float64
	var ready samples
	for range s.starts {
		a, b, err := s.hubMemory(ctx, &ready)
		if err != nil {
			return err
		}
		began, loaded, peak = append(began, a.now), append(loaded, b.now), append(peak, b.peak)
	}
	r.add(ready.figure("memory", "hub answers after its start"))
	mb := func(name string, list []float64) {
		r.limit(figure{Group: "memory", Name: name, Unit: "MB", Value: median(list), Samples: len(list)}, hubLimit)
	}
	mb("memory of the hub after its start (RSS)", began)
	mb(fmt.Sprintf("… with %d agents drawn, saved and read (RSS)", teamAgents), loaded)
	mb("… at its highest until then (peak RSS)", peak)
	return nil
}

func (s setup) hubMemory(ctx context.Context, ready *samples) (began, loaded memory, err error) {
	h, err := s.startHub(ctx)
	if err != nil {
		return began, loaded, err
	}
	defer h.stop()
	ready.add(h.ready, 0)
	if _, err = h.example(ctx); err != nil {
		return began, loaded, err
	}
	if began, err = processMemory(h.cmd.Process.Pid); err != nil {
		return began, loaded, err
	}
	d, err := h.create(ctx, teamAgents)
	if err != nil {
		return began, loaded, err
	}
	body, err := d.edit(1)
	if err != nil {
		return began, loaded, err
	}
	if err = h.save(ctx, &d, body); err != nil {
		return began, loaded, err
	}
	if err = h.call(ctx, http.MethodGet, "/api/teams/"+d.ID, nil, &d); err != nil {
		return began, loaded, err
	}
	loaded, err = processMemory(h.cmd.Process.Pid)
	return began, loaded, err
}

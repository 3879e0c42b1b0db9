package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
)

// Goals while the workers print: what a person takes for at once, in ms.
const (
	floodKey   = 50
	floodPause = 100
)

// floodWindowFigures types into the real window while it shows a plan that eight workers work
// at, all in its own process and each printing ten megabytes a second.
func floodWindowFigures(ctx context.Context, s setup, r *report) error {
	w, err := s.newWindowPage(ctx)
	if err != nil {
		return err
	}
	defer func() { w.end() }()
	model := httptest.NewServer(http.HandlerFunc(decide))
	defer model.Close()
	quiet, loud := new(typing), new(typing)
	for range s.largeRounds() {
		if err := w.typeInFlood(ctx, model.URL, quiet, loud); err != nil {
			return err
		}
	}
	const where = "window, 8 workers print 10 MB/s each: "
	f := loud.keys.figure("floodwindow", where+"a key in the plan's search")
	f.Note = fmt.Sprintf("%.1f ms while nobody works", median(quiet.keys.wall))
	r.limit(f, floodKey)
	f = loud.worst.figure("floodwindow", "… longest pause between two frames")
	f.Note = fmt.Sprintf("%.1f ms while nobody works", median(quiet.worst.wall))
	r.limit(f, floodPause)
	return nil
}

// typing is what typing took.
type typing struct{ keys, worst samples }

func (w *windowPage) typeOnce(ctx context.Context, into *typing) error {
	var got struct {
		Keys  []float64
		Worst float64
	}
	if err := w.run(ctx, `type(".plan-words input", "what is done")`, &got); err != nil {
		return err
	}
	for _, k := range got.Keys {
		into.keys.addMS(k)
	}
	into.worst.addMS(got.Worst)
	return nil
}

// typeInFlood opens a window, types once while its plan waits, and once while it is worked at.
func (w *windowPage) typeInFlood(ctx context.Context, model string, quiet, loud *typing) error {
	if _, err := w.start(ctx); err != nil {
		return err
	}
	h, err := w.hub(ctx)
	if err != nil {
		return err
	}
	if err := h.call(ctx, http.MethodPost, "/api/providers", map[string]any{"name": "stub", "kind": "openai", "baseUrl": model + "/v1"}, nil); err != nil {
		return err
	}
	path, err := h.floodPlan(ctx)
	if err != nil {
		return err
	}
	order, files, err := w.s.floodOrder(ctx)
	if err != nil {
		return err
	}
	if err := w.do(ctx, `location.hash = "/plan/" + given[0];`, nil, filepath.Base(path)); err != nil {
		return err
	}
	if err := w.typeOnce(ctx, quiet); err != nil {
		return err
	}
	if err := h.call(ctx, http.MethodPost, path+"/run", order, nil); err != nil {
		return err
	}
	if err := atOnce(ctx, files); err != nil {
		return err
	}
	if err := w.typeOnce(ctx, loud); err != nil {
		return err
	}
	if _, n := reached(files); n > 0 {
		return fmt.Errorf("%d of %d workers had printed to their end before all was typed", n, floodWorkers)
	}
	return nil
}

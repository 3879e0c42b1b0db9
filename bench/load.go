package main

import (
	"context"
	"fmt"
	"io"
)

const loadLimit = 1000 // ms

// loading is how long a page took from the start of its navigation, and what the browser worked for it, in milliseconds.
type loading struct{ painted, answered, cpu float64 }

// loaded asks the script to open a page in one of its ways.
func (b *browser) loaded(way, address string) (loading, error) {
	if _, err := io.WriteString(b.in, way+" "+address+"\n"); err != nil {
		return loading{}, err
	}
	line, err := b.answer()
	if err != nil {
		return loading{}, err
	}
	var l loading
	if _, err := fmt.Sscan(line, &l.painted, &l.answered, &l.cpu); err != nil {
		return loading{}, fmt.Errorf("the browser answered %q", line)
	}
	return l, nil
}

// loadFigures opens the page of a hub that runs, in turn with the smallest thing that the same hub serves as a page.
func loadFigures(ctx context.Context, s setup, r *report) error {
	h, err := s.startHub(ctx)
	if err != nil {
		return err
	}
	defer h.stop()
	b, err := s.openBrowser(ctx, "load.mjs")
	if err != nil {
		return err
	}
	defer b.close()
	if _, err := b.loaded("enter", h.link); err != nil {
		return err
	}
	var bare samples
	ways := []string{"new", "again"}
	painted, answered := make([]samples, len(ways)), make([]samples, len(ways))
	for range s.starts {
		shown, err := b.loaded("bare", h.url+"/favicon.svg")
		if err != nil {
			return err
		}
		bare.addMS(shown.painted)
		for i, way := range ways {
			l, err := b.loaded(way, h.url)
			if err != nil {
				return err
			}
			painted[i].addMS(l.painted)
			painted[i].cpu = append(painted[i].cpu, l.cpu)
			answered[i].addMS(l.answered)
		}
	}
	for i, name := range []string{"page opened, nothing cached", "page opened again"} {
		f := painted[i].against(painted[i].figure("load", name+": canvas painted"), "icon of the same hub", &bare)
		f.Most = loadLimit
		r.add(f)
		f = answered[i].figure("load", name+": a press answered")
		f.Note = "the press comes from outside once the canvas is painted, so its way through the driver is part of it"
		r.add(f)
	}
	return nil
}

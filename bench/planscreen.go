package main

import (
	"context"
	"fmt"
	"net/http"

	"agentflow/bench/plans"
)

// planFigures uses the plan screen with a large plan in Chromium.
func planFigures(ctx context.Context, s setup, r *report) error {
	b, err := s.openBrowser(ctx, "plans/plans.mjs")
	if err != nil {
		return err
	}
	defer b.close()
	took := map[string][]plans.View{}
	var names []string
	for range s.largeRounds() {
		views, err := s.planViews(ctx, b)
		if err != nil {
			return err
		}
		for _, v := range views {
			if took[v.Name] == nil {
				names = append(names, v.Name)
			}
			took[v.Name] = append(took[v.Name], v)
		}
	}
	for _, name := range names {
		var frame, worst, keys samples
		for _, v := range took[name] {
			frame.addMS(v.Frame)
			worst.addMS(v.Worst)
			keys.wall = append(keys.wall, v.Keys...)
		}
		where := fmt.Sprintf("plan of %d tasks, %s: ", plans.Size, name)
		f := frame.figure("plans", where+"a frame while the wheel turns")
		f.Most = plans.Frame
		r.add(f)
		r.add(worst.figure("plans", "… the longest"))
		f = keys.figure("plans", where+"a key until the list is filtered")
		f.Most = plans.Key
		r.add(f)
	}
	return nil
}

func (s setup) planViews(ctx context.Context, b *browser) ([]plans.View, error) {
	h, err := s.startHubWith(ctx, "ui: {language: en, onboardingDone: true}\n")
	if err != nil {
		return nil, err
	}
	defer h.stop()
	var made struct {
		ID   string
		Head int
	}
	if err := h.call(ctx, http.MethodPost, "/api/plans", map[string]any{"name": "Large plan"}, &made); err != nil {
		return nil, err
	}
	if err := h.call(ctx, http.MethodGet, "/api/plans/"+made.ID, nil, &made); err != nil {
		return nil, err
	}
	if err := h.call(ctx, http.MethodPost, "/api/plans/"+made.ID+"/edit", map[string]any{"version": made.Head, "operations": plans.Operations()}, nil); err != nil {
		return nil, err
	}
	return plans.Measure(b.in, b.answer, h.link, made.ID)
}

// Package plans has a large plan to measure the plan screen with, and reads what the screen took.
package plans

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Size is how many tasks the plan has.
const Size = 2000

// Goals: a frame while scrolling, at 45 a second, and a key's way to the filtered list, in ms.
const (
	Frame = 1000.0 / 45
	Key   = 50
)

const perPhase = 100

// Operations make a plan of Size tasks in phases, each of which waits for the one before it.
func Operations() []map[string]any {
	out := make([]map[string]any, Size)
	for i := range out {
		// The numbers lie far apart, so that no search finds neighbours.
		out[i] = map[string]any{
			"op":               "create",
			"temp_id":          fmt.Sprint("t", i),
			"title":            fmt.Sprintf("Task %04d of the plan", i*7919%Size),
			"phase_name":       "Phase " + string(rune('A'+i/perPhase)),
			"milestone":        "Release",
			"estimated_effort": "small",
		}
		if i%perPhase > 0 {
			out[i]["dependencies"] = []string{fmt.Sprint("t", i-1)}
		}
	}
	return out
}

// View is what a view of the plan took, in milliseconds: a frame while the wheel turns, the
// longest between two of them, and each key of a search.
type View struct {
	Name  string
	Frame float64
	Worst float64
	Keys  []float64
}

// Measure has the script open the plan and use its views once.
func Measure(to io.Writer, answer func() (string, error), link, id string) ([]View, error) {
	line, err := json.Marshal(map[string]string{"link": link, "plan": id})
	if err != nil {
		return nil, err
	}
	if _, err := to.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	text, err := answer()
	if err != nil {
		return nil, err
	}
	var got struct {
		Views []View
		Error string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return nil, fmt.Errorf("the browser answered %.200q: %w", text, err)
	}
	if got.Error != "" {
		return nil, errors.New(got.Error)
	}
	return got.Views, nil
}

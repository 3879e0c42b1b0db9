//go:build window

package windowtest

import (
	"slices"
	"testing"
)

// compose takes a character by its number, with the input method that GTK brings along, and
// ends it with a key.
func (w *window) compose(number, end string) {
	w.t.Helper()
	w.chord("u", control, shift)
	for _, digit := range number {
		w.chord(string(digit))
	}
	w.chord(end)
}

// An input method composes in the window, where the web view tells of it in its own way: the
// key that ends a composition is no key for the field, so Enter leaves it only afterwards, and
// no key is taken for one of the canvas. Shows APP-1.
func TestAPP1_AnInputMethodComposesInTheWindow(t *testing.T) {
	const space, enter = " ", "\ue007"
	w := openWindow(t, dataFolder(t))
	h := w.hub()
	before := h.first()
	w.rest()
	one := before.Topology.Agents[0].ID

	w.click(w.middle(node(one)))
	w.chord("\ue032") // F2: the name, written in place
	field := node(one) + " input"
	w.middle(field)
	w.eval(nil, `const f = document.querySelector(arguments[0]); f.select(); window.composed = [];
		f.addEventListener("compositionend", (e) => { if (e.data) window.composed.push(e.data); });`, field)
	w.compose("30c7", space)
	w.compose("30b6", enter)
	eventually(t, "both composed", func() (bool, error) {
		var composed []string
		w.eval(&composed, `return window.composed`)
		return slices.Equal(composed, []string{"デ", "ザ"}), nil
	})
	var held string
	w.eval(&held, `return document.querySelector(arguments[0])?.value ?? "left"`, field)
	if held != "デザ" {
		t.Fatalf("after the composition the field holds %q", held)
	}
	w.chord(enter)
	d := h.until(before.ID, "the composed name", func(d team) bool { return d.agent(one).Name == "デザ" })
	if len(d.Topology.Agents) != len(before.Topology.Agents) || !d.CanUndo {
		t.Errorf("%d agents became %d", len(before.Topology.Agents), len(d.Topology.Agents))
	}
	w.chord("z", control)
	h.until(before.ID, "the name as it was, in one step",
		func(d team) bool { return d.agent(one).Name == before.agent(one).Name && d.Unsent == 0 })
	w.close()
}

//go:build window

package windowtest

import "testing"

// What was just done by hand is taken back by the keyboard, one step at a time, and brought
// again: a drag, and a connection that was drawn. Every step is asserted in the hub. Shows APP-1.
func TestAPP1_ADragAndAConnectionAreUndoneInTheWindow(t *testing.T) {
	w := openWindow(t, dataFolder(t))
	h := w.hub()
	before := h.first()
	w.rest()
	from, to, ok := before.strangers()
	if !ok {
		t.Fatal("everybody in the example team is connected with everybody")
	}
	stood := before.Topology.Layout[from]

	at := w.middle(node(from))
	w.drag(at, at.plus(60, 40))
	moved := h.until(before.ID, "the agent's new place", func(d team) bool { return d.Topology.Layout[from] != stood }).Topology.Layout[from]
	w.pointer(move(w.middle(node(from)), 50))
	w.drag(w.middle(handle(from, "r")), w.middle(node(to)))
	w.press("Delegate can delegate tasks")
	h.until(before.ID, "the new connection", func(d team) bool { return d.commands(from, to) })

	w.chord("z", control)
	h.until(before.ID, "the connection undone, and not the drag", func(d team) bool {
		return !d.commands(from, to) && d.Topology.Layout[from] == moved
	})
	w.chord("z", control)
	h.until(before.ID, "the drag undone", func(d team) bool { return d.Topology.Layout[from] == stood })
	if back := w.middle(node(from)); back != at {
		t.Errorf("after undo the agent is shown at %v, and stood at %v", back, at)
	}
	w.chord("Z", control, shift)
	w.chord("Z", control, shift)
	h.until(before.ID, "both done again", func(d team) bool {
		return d.commands(from, to) && d.Topology.Layout[from] == moved
	})
	w.close()
}

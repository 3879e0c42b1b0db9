//go:build window

package windowtest

import (
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// The keys of chords, as WebDriver writes them.
const control, shift = "\ue009", "\ue008"

// chord presses a key while others are held, through the keyboard.
func (w *window) chord(key string, held ...string) {
	w.t.Helper()
	var steps []map[string]any
	for _, k := range held {
		steps = append(steps, map[string]any{"type": "keyDown", "value": k})
	}
	steps = append(steps, map[string]any{"type": "keyDown", "value": key},
		map[string]any{"type": "keyUp", "value": key})
	for _, k := range slices.Backward(held) {
		steps = append(steps, map[string]any{"type": "keyUp", "value": k})
	}
	w.post("/actions",
		map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": steps}}}, nil)
}

// rest waits for the canvas to be painted, and for its view to stand still.
func (w *window) rest() {
	w.t.Helper()
	const where = `return performance.getEntriesByName("agentflow:first-frame").length ? document.querySelector(".react-flow__viewport").style.transform : ""`
	var last, now string
	eventually(w.t, "the canvas rests", func() (bool, error) {
		last = now
		w.eval(&now, where)
		return now != "" && now == last, nil
	})
}

// first waits for the hub's first team.
func (h hub) first() team {
	h.t.Helper()
	var list struct{ Teams []team }
	eventually(h.t, "the hub has a team", func() (bool, error) {
		err := h.get("/api/teams", &list)
		return len(list.Teams) > 0, err
	})
	d, err := h.team(list.Teams[0].ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

func (d team) has(id topology.AgentID) bool { return d.agent(id).ID == id }

// A web view offers the clipboard to a page in its own way, so what Chromium shows says
// nothing of the window. Every step is asserted in the hub. Shows APP-1.
func TestAPP1_CopyCutPasteAndUndoInTheWindow(t *testing.T) {
	w := openWindow(t, dataFolder(t))
	h := w.hub()
	before := h.first()
	w.rest()
	one := before.Topology.Agents[0].ID
	size := len(before.Topology.Agents)

	w.click(w.middle(node(one)))
	w.chord("c", control)
	w.chord("v", control)
	pasted := h.until(before.ID, "a copy of the agent",
		func(d team) bool { return len(d.Topology.Agents) == size+1 })
	copied := pasted.Topology.Agents[size]
	if copied.ID == one || copied.Name != before.agent(one).Name || copied.Model != before.agent(one).Model {
		t.Errorf("the copy of %+v is %+v", before.agent(one), copied)
	}
	w.middle(node(copied.ID))

	w.chord("z", control)
	h.until(before.ID, "the paste undone",
		func(d team) bool { return len(d.Topology.Agents) == size && d.Unsent == 0 })

	w.click(w.middle(node(one)))
	w.chord("x", control)
	h.until(before.ID, "the agent cut out", func(d team) bool { return !d.has(one) })
	w.chord("v", control)
	back := h.until(before.ID, "the agent pasted again", func(d team) bool { return d.has(one) })
	if got := back.agent(one); got.Name != before.agent(one).Name || got.Persona != before.agent(one).Persona {
		t.Errorf("%+v came back as %+v", before.agent(one), got)
	}
	w.chord("z", control)
	h.until(before.ID, "the second paste undone", func(d team) bool { return !d.has(one) })
	w.chord("z", control)
	h.until(before.ID, "the cut undone", func(d team) bool { return d.has(one) && d.Unsent == 0 })
	w.chord("Z", control, shift)
	h.until(before.ID, "the cut done again", func(d team) bool { return !d.has(one) })
	w.close()
}

// What is in a field belongs to the field: the keys of the clipboard take text there,
// and no agent.
func TestAPP1_AFieldKeepsItsOwnClipboardInTheWindow(t *testing.T) {
	w := openWindow(t, dataFolder(t))
	h := w.hub()
	before := h.first()
	w.rest()
	one := before.Topology.Agents[0].ID
	name := before.agent(one).Name

	w.click(w.middle(node(one)))
	w.click(w.middle(w.field("Name")))
	w.chord("a", control)
	w.chord("c", control)
	w.chord("\ue010") // End
	w.chord("v", control)
	d := h.until(before.ID, "the name twice", func(d team) bool { return d.agent(one).Name == name+name })
	if len(d.Topology.Agents) != len(before.Topology.Agents) {
		t.Errorf("%d agents became %d", len(before.Topology.Agents), len(d.Topology.Agents))
	}
	w.close()
}

// The menu has no clipboard event to use, so it asks the web view for the clipboard.
func TestAPP1_TheMenuCopiesAndPastesInTheWindow(t *testing.T) {
	w := openWindow(t, dataFolder(t))
	h := w.hub()
	before := h.first()
	w.rest()
	one := before.Topology.Agents[0].ID
	size := len(before.Topology.Agents)

	w.contextMenu(w.middle(node(one)))
	w.choose("Copy")
	w.chord("v", control)
	h.until(before.ID, "what the menu copied, pasted by keys",
		func(d team) bool { return len(d.Topology.Agents) == size+1 })
	w.contextMenu(w.middle(node(one)))
	w.choose("Cut")
	h.until(before.ID, "the agent cut out", func(d team) bool { return !d.has(one) })
	w.contextMenu(w.middle(node(before.Topology.Agents[1].ID)).plus(0, 60))
	w.choose("Paste")
	h.until(before.ID, "what the menu cut, pasted by the menu", func(d team) bool { return d.has(one) })
	w.close()
}

func (w *window) contextMenu(at spot) {
	w.t.Helper()
	w.pointer(move(at, 0), map[string]any{"type": "pointerDown", "button": 2}, pause(20),
		map[string]any{"type": "pointerUp", "button": 2})
}

// choose presses an item of the open menu by its first words, and waits for the menu to go.
func (w *window) choose(words string) {
	w.t.Helper()
	const mark = `for (const old of document.querySelectorAll("[data-chosen]")) delete old.dataset.chosen;
		const found = [...document.querySelectorAll("[role=menuitem]")].find((m) => m.innerText.trim().startsWith(arguments[0]) && m.getAttribute("aria-disabled") !== "true");
		if (found) found.dataset.chosen = ""; return !!found;`
	eventually(w.t, "a menu with "+words, func() (bool, error) {
		var found bool
		w.eval(&found, mark, words)
		return found, nil
	})
	w.click(w.middle("[data-chosen]"))
	eventually(w.t, "the menu has gone", func() (bool, error) {
		var gone bool
		w.eval(&gone, `return !document.querySelector("[role=menu]")`)
		return gone, nil
	})
}

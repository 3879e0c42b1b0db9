//go:build window

package windowtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/topology"
)

func node(id topology.AgentID) string {
	return fmt.Sprintf(".react-flow__node[data-id=%q]", id)
}

// handle is one of the four places of a node where a connection begins: t, r, b, l.
func handle(id topology.AgentID, side string) string {
	return fmt.Sprintf("%s .react-flow__handle[data-handleid=%q]", node(id), side)
}

// button finds a button that can be pressed by its words, and presses it.
func (w *window) press(words string) {
	w.t.Helper()
	const mark = `for (const old of document.querySelectorAll("[data-pressed]")) delete old.dataset.pressed;
		const found = [...document.querySelectorAll("button")].find((b) => b.innerText.replace(/\s+/g, " ").trim().startsWith(arguments[0]) && !b.disabled && b.getAttribute("aria-disabled") !== "true");
		if (found) found.dataset.pressed = ""; return !!found;`
	eventually(w.t, "a button "+words, func() (bool, error) {
		var found bool
		w.eval(&found, mark, words)
		return found, nil
	})
	const rest = `const e = document.querySelector("[data-pressed]"); if (!e) return "";
		const r = e.getBoundingClientRect(), at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		return at && e.contains(at) ? [r.x, r.y, r.width, r.height].join(" ") : "";`
	last := ""
	eventually(w.t, "the button "+words+" at rest and on top", func() (bool, error) {
		before := last
		w.eval(&last, rest)
		return last != "" && last == before, nil
	})
	w.click(w.middle("[data-pressed]"))
}

// field finds the input that a label belongs to.
func (w *window) field(label string) string {
	w.t.Helper()
	var id string
	eventually(w.t, "a field "+label, func() (bool, error) {
		w.eval(
			&id,
			`const l = [...document.querySelectorAll("label")].find((l) => l.innerText.trim() === arguments[0]); return l ? l.htmlFor : "";`,
			label,
		)
		return id != "", nil
	})
	return "[id=\"" + id + "\"]"
}

// dataFolder is a hub's folder whose guide for the first start has been read.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte("ui: {language: en, onboardingDone: true}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The first five minutes, in the real window: the example team is there; an agent is
// moved and renamed, two are connected, the change is reviewed and applied. Each step
// is checked in the hub. Shows APP-1, APP-3 and APP-5.
func TestAPP1_DrawAndApplyInTheWindow(t *testing.T) {
	data := dataFolder(t)
	w := openWindow(t, data)
	h := w.hub()
	var list struct{ Teams []team }
	eventually(t, "the hub has a team", func() (bool, error) {
		err := h.get("/api/teams", &list)
		return len(list.Teams) > 0, err
	})
	id := list.Teams[0].ID
	before, err := h.team(id)
	if err != nil {
		t.Fatal(err)
	}
	from, to, ok := before.strangers()
	if !ok {
		t.Fatal("everybody in the example team is connected with everybody")
	}

	at := w.middle(node(from))
	w.drag(at, at.plus(60, 40))
	moved := h.until(id, "the agent's new place", func(d team) bool {
		p, q := before.Topology.Layout[from], d.Topology.Layout[from]
		return p.X != q.X && p.Y != q.Y
	})
	if !moved.CanUndo {
		t.Error("a move cannot be undone")
	}

	w.pointer(move(w.middle(node(from)), 50))
	w.drag(w.middle(handle(from, "r")), w.middle(node(to)))
	w.press("Delegate can delegate tasks")
	h.until(id, "the new command connection", func(d team) bool { return d.commands(from, to) })

	const name = "デザイン担当"
	w.click(w.middle(node(from)))
	w.typeInto(w.field("Name"), name)
	h.until(id, "the Japanese name", func(d team) bool { return d.agent(from).Name == name && d.Unsent >= 2 })
	if n := colors(w.screenshot("drawn.png")); n < 16 {
		t.Errorf("the screen shows %d colors: nothing is drawn", n)
	}

	if slices.Contains(h.allowed(from), to) {
		t.Error("the gateway knows of the connection before it is applied")
	}
	w.press("Review")
	w.press("Apply")
	h.until(id, "everything applied", func(d team) bool { return d.Unsent == 0 && d.commands(from, to) })
	if allowed := h.allowed(from); !slices.Contains(allowed, to) {
		t.Errorf("by the gateway's config %s may command %v, which lacks %s", from, allowed, to)
	}
	eventually(t, "the window shows Applied", func() (bool, error) {
		var said bool
		w.eval(&said, `return /\bApplied\b/.test(document.body.innerText)`)
		return said, nil
	})
	w.screenshot("applied.png")
	eventually(t, "the history with the versions' pictures", func() (bool, error) {
		var loaded bool
		w.eval(
			&loaded,
			`location.hash = "/history"; const all = [...document.querySelectorAll(".thumb img")]; return all.length > 1 && all.every((i) => i.complete && i.naturalWidth > 0)`,
		)
		return loaded, nil
	})
	w.close()
	if text, err := os.ReadFile(filepath.Join(data, "window.json")); err != nil || !strings.Contains(string(text), `"width":1280`) {
		t.Errorf("the window's place is kept as %q, %v", text, err)
	}

	again := openWindow(t, data)
	after, err := again.hub().team(id)
	if err != nil || after.agent(from).Name != name || !after.commands(from, to) {
		t.Errorf("after a restart: %+v, %v", after.agent(from), err)
	}
	again.middle(node(from))
}

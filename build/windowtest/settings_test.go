//go:build window

package windowtest

import (
	"net/http"
	"testing"
)

// The graphics card is turned on in the window, the only place that can use one. The next start
// uses it, and the canvas is painted. Shows APP-1.
func TestAPP1_TheGraphicsCardIsChosenInTheWindow(t *testing.T) {
	data := dataFolder(t)
	w := openWindow(t, data)
	h := w.hub()
	w.rest()
	w.eval(nil, `location.hash = "/settings"`)
	w.press("Language and appearance")
	chosen := func(w *window) (label string) {
		w.eval(
			&label,
			`const on = [...document.querySelectorAll("[role=radiogroup] [role=radio][aria-checked=true]")].find((r) => r.closest("[role=radiogroup]").getAttribute("aria-label") === "Graphics card");
			return on ? on.value : ""`,
		)
		return label
	}
	eventually(t, "the choice as it is", func() (bool, error) { return chosen(w) == "never", nil })
	w.eval(
		nil,
		`document.querySelector("[role=radiogroup][aria-label='Graphics card'] [role=radio][value=ondemand]").scrollIntoView({ block: "center" })`,
	)
	w.click(w.middle(`[role=radiogroup][aria-label="Graphics card"] [role=radio][value=ondemand]`))
	eventually(t, "the hub keeps it", func() (bool, error) {
		var settings struct{ GPUPolicy string }
		err := h.client.Call(t.Context(), http.MethodGet, "/api/settings", nil, &settings)
		return settings.GPUPolicy == "ondemand", err
	})
	w.close()

	again := openWindow(t, data)
	again.rest()
	again.middle(".react-flow__node")
	again.eval(nil, `location.hash = "/settings"`)
	again.press("Language and appearance")
	eventually(t, "the choice after a start", func() (bool, error) { return chosen(again) == "ondemand", nil })
	again.close()
}

package docedit

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"name", "model", "persona", "mcpServers"}
	for key, want := range map[string]string{
		"modell": "model", "Model": "model", "personna": "persona", "nam": "name", "paint": "", "x": "",
	} {
		if got := Nearest(key, known); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

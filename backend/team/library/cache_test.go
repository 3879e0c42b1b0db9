package library

import (
	"testing"
	"time"
)

// A reader that read a version before an edit joined it does not put it back into the cache.
func TestHeadCache_KeepsTheNewerStateOfAVersion(t *testing.T) {
	var c headCache
	now := time.Now()
	before, after := Version{Team: "d", ID: "v", At: now, Label: "before"}, Version{Team: "d", ID: "v", At: now.Add(time.Millisecond), Label: "after"}
	c.add(before)
	c.add(after)
	c.add(before)
	if got, ok := c.get("d", "v"); !ok || got.Label != "after" {
		t.Errorf("%+v", got)
	}
}

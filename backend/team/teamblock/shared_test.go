package teamblock

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// The page reads the same file: both sides find the same blocks.
func TestSharedBlocksOfAFile(t *testing.T) {
	raw, err := os.ReadFile("testdata/shared.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		What   string   `json:"what"`
		File   string   `json:"file"`
		Blocks []Shared `json:"blocks"`
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if got := SharedIn(c.File); !slices.Equal(got, c.Blocks) {
			t.Errorf("%s: %q", c.What, got)
		}
	}
}

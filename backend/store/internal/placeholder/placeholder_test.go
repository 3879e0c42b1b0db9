package placeholder_test

import (
	"testing"

	"agentflow/backend/store/internal/placeholder"
)

func TestNumbered(t *testing.T) {
	for query, want := range map[string]string{
		"":                          "",
		"SELECT 1":                  "SELECT 1",
		"SELECT ? WHERE a IN (?,?)": "SELECT $1 WHERE a IN ($2,$3)",
	} {
		if got := placeholder.Numbered(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

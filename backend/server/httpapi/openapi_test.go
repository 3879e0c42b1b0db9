package httpapi

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write docs/openapi.yaml")

// TestOpenAPIIsCurrent: the page's types are generated from the file, so it must say
// what the routes do.
func TestOpenAPIIsCurrent(t *testing.T) {
	s, _ := serve(t, builtPage(), func(o *Options) { o.About.Version = "0.1" })
	got, err := s.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "..", "docs", "openapi.yaml")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(
			"docs/openapi.yaml is not what the routes say: go test ./backend/server/httpapi -run OpenAPI -update, then npm --prefix frontend run gen:api",
		)
	}
}

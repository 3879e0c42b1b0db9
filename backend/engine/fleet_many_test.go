package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/server/httpapi"
)

// A settings file with many gateways starts like any other.
func TestManyGatewaysStart(t *testing.T) {
	t.Parallel()
	dir, conf := t.TempDir(), new(strings.Builder)
	conf.WriteString("gateways:\n")
	for i := range 80 {
		fmt.Fprintf(conf, "  - {name: g%d, url: \"ws://127.0.0.1:1/%d\"}\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "agentflow.yaml"), []byte(conf.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var list struct{ Gateways []httpapi.Gateway }
	startHub(t, dir).must("GET", "/api/gateways", nil, &list)
	if len(list.Gateways) != 81 {
		t.Errorf("%d gateways", len(list.Gateways))
	}
}

package backend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAPP2_PackagesAndTopLevel: the product is built on the packages the requirement
// names, used for what they are for, and laid out as it says.
func TestAPP2_PackagesAndTopLevel(t *testing.T) {
	for _, name := range []string{"app.go", "main.go", "backend", "frontend", "build", "wails.json", "go.mod", "README.md"} {
		if _, err := os.Stat(filepath.Join("..", name)); err != nil {
			t.Error(err)
		}
	}
	importers := map[string]string{
		"github.com/wailsapp/wails/v2":     "agentflow",
		"github.com/gorilla/websocket":     "agentflow/backend/gateway/client/internal/dialect",
		"github.com/sourcegraph/jsonrpc2":  "agentflow/backend/gateway/builtin",
		"gopkg.in/yaml.v3":                 "agentflow/backend/base/docedit",
		"github.com/glebarez/sqlite":       "agentflow/backend/store",
		"gorm.io/gorm":                     "agentflow/backend/store",
		"github.com/danielgtaylor/huma/v2": "agentflow/backend/server/httpapi",
	}
	for module, importer := range importers {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-tags", "desktop,production,webkit2_41", "-f",
			`{{join .Imports "\n"}}`, importer)
		cmd.Dir = ".."
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list %s: %v", importer, err)
		}
		if !strings.Contains("\n"+string(out), "\n"+module) {
			t.Errorf("%s does not import %s", importer, module)
		}
	}
}

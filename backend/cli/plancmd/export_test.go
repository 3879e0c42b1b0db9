package plancmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestME8_ExportCommand(t *testing.T) {
	from := file(t, "plan.json", strings.Replace(twoTasks, `"title":"A"`, `"title":"A *\"x\"*"`, 1))
	to := filepath.Join(t.TempDir(), "plan.md")
	if code, out, errs := run(t, "", "plan", "export", from, "-o", to); code != 0 || out != "" {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	if text, _ := os.ReadFile(to); string(text) != "- [ ] **A \\*\"x\"\\*** (PENDING)\n- [ ] **設計** (PENDING) ← A \\*\"x\"\\*\n" {
		t.Errorf("%s", text)
	}
	if code, out, _ := run(t, "", "plan", "export", from, "--to", "mermaid"); code != 0 || out != "graph LR\n  t1[\"A *#quot;x#quot;*\"]\n  t2[\"設計\"]\n  t1 --> t2\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, _, errs := run(t, "", "plan", "export", from, "--to", "pdf"); code != 2 || !strings.Contains(errs, "mermaid") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

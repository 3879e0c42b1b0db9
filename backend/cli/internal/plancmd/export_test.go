package plancmd_test

import (
	"encoding/json"
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

// With --json an export is one JSON object, as every command's answer.
func TestExport_AsJSON(t *testing.T) {
	from := file(t, "plan.json", twoTasks)
	var got struct{ Format, Document, File string }
	code, out, errs := run(t, "", "plan", "export", from, "--json")
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.Format != "markdown" || !strings.HasPrefix(got.Document, "- [ ] **A**") {
		t.Errorf("exit %d, %v: %s %s", code, err, out, errs)
	}
	to := filepath.Join(t.TempDir(), "plan.md")
	code, out, _ = run(t, "", "plan", "export", from, "--json", "-o", to)
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.File != to {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
	if text, _ := os.ReadFile(to); !strings.HasPrefix(string(text), "- [ ] **A**") {
		t.Errorf("%s", text)
	}
}

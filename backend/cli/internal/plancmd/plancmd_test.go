package plancmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
)

const twoTasks = `{"version":1,"root_node_id":"node-root",
 "node_index":[{"node_id":"node-root","parent_id":"","children":["t-1","t-2"]},
               {"node_id":"t-1","parent_id":"node-root","children":[]},{"node_id":"t-2","parent_id":"node-root","children":[]}],
 "tasks":[{"id":"t-1","title":"A","description":"","status":"PENDING","acceptance_criteria":[],"dependencies":[],"phase_name":"","milestone":"","wbs_level":3},
          {"id":"t-2","title":"設計","description":"","status":"PENDING","acceptance_criteria":[],"dependencies":["t-1"],"phase_name":"","milestone":"","wbs_level":3}]}`

func run(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Stdio{In: strings.NewReader(stdin), Out: &o, Err: &e}, nil)
	return code, o.String(), e.String()
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func patch(ops string) string {
	return `{"type":"plan_patch","version":1,"payload":{"understanding":"x","operations":[` + ops + `]}}`
}

type document struct {
	Tasks []struct {
		ID, Title    string
		Dependencies []string
	} `json:"tasks"`
}

func TestME9_PatchCommand(t *testing.T) {
	from := file(t, "plan.json", twoTasks)
	code, out, errs := run(
		t,
		patch(
			`{"op":"create","temp_id":"temp-001","title":"new","dependencies":["t-2"]},{"op":"delete","task_id":"t-1"}`,
		),
		"plan",
		"patch",
		"--plan",
		from,
		"-",
		"--json",
	)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var got document
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	var last struct{ IDs map[string]string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatalf("the last line of standard error: %v", err)
	}
	id := last.IDs["temp-001"]
	if id == "" || len(got.Tasks) != 2 || got.Tasks[0].ID != "t-2" || len(got.Tasks[0].Dependencies) != 0 || got.Tasks[1].ID != id || got.Tasks[1].Dependencies[0] != "t-2" {
		t.Errorf("ids %v, plan %+v", last.IDs, got.Tasks)
	}
	if now, _ := os.ReadFile(from); string(now) != twoTasks {
		t.Error("the plan file has changed without -o")
	}
}

func TestME9_PatchCommandWritesWhollyOrNotAtAll(t *testing.T) {
	from := file(t, "plan.json", twoTasks)
	to := file(t, "new.json", "as it was")
	for name, c := range map[string]struct{ patch, says string }{
		"bad operation": {patch(`{"op":"update","task_id":"t-1","title":"x"},{"op":"move","task_id":"t-9","parent_id":"t-1"}`), "operations[1]"},
		"prose":         {"Here you are: {}", "one JSON document"},
		"cycle":         {patch(`{"op":"update","task_id":"t-1","dependencies":["t-2"]}`), "operations[0]"},
	} {
		code, out, errs := run(t, "", "plan", "patch", "--plan", from, file(t, "patch.json", c.patch), "-o", to)
		if now, _ := os.ReadFile(to); code != 2 || out != "" || !strings.Contains(errs, c.says) || string(now) != "as it was" {
			t.Errorf("%s: exit %d, %q, %q, file %q", name, code, out, errs, now)
		}
	}
	code, out, errs := run(t, "", "plan", "patch", "--plan", from,
		file(t, "patch.json", patch(`{"op":"move","task_id":"t-2","position":{"index":0}}`)), "-o", to)
	if code != 0 || out != "" || !strings.Contains(errs, "1 changed") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	code, out, _ = run(t, "", "plan", "show", to)
	if code != 0 || out != "├─ PENDING  t-2  設計  after t-1\n└─ PENDING  t-1  A\n" {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestPlanCommandsSayWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"plan", "patch", "p.json"}},
		{2, []string{"plan", "patch", "--plan", "-", "-"}},
		{4, []string{"plan", "patch", "--plan", filepath.Join(t.TempDir(), "none.json"), "-"}},
		{2, []string{"plan", "show", file(t, "plan.json", "{}")}},
	} {
		if code, out, errs := run(t, "", c.args...); code != c.code || out != "" || errs == "" {
			t.Errorf("%v: exit %d, want %d; %q %q", c.args, code, c.code, out, errs)
		}
	}
}

package task_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
)

// Types that are listed elsewhere, where a list can't be computed: struct tags, and the page.
func TestEveryListOfTypesIsWhole(t *testing.T) {
	want := make([]string, len(task.Types))
	for i, info := range task.Types {
		want[i] = string(info.Type)
	}
	lists := map[string]string{
		"../../cli/internal/taskcmd/taskcmd.go":     `"task type: ([^"]*)"`,
		"../../../frontend/src/stores/taskDraft.ts": `TASK_TYPES: readonly TaskType\[\] = \[([^\]]*)\]`,
	}
	const server = "../../server/"
	for _, glob := range []string{server + "*/*.go", server + "*/*/*.go", server + "*/*/*/*.go", "*.go", "../*/*.go"} {
		names, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			lists[name] = `json:"(?:taskType|type)[^"]*" enum:"([^"]*)"|jsonschema:"(chat[^"]*)"`
		}
	}
	found := 0
	for name, pattern := range lists {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			list := strings.Join(m[1:], "")
			if !strings.Contains(list, "chat") {
				continue
			}
			found++
			if got := regexp.MustCompile(`chat|[a-z]+_[a-z]+`).FindAllString(list, -1); !slices.Equal(got, want) {
				t.Errorf("%s lists the types %q, task.Types has %q", name, got, want)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d lists were found: does the pattern still fit?", found)
	}
}

func TestTypeNames(t *testing.T) {
	if got := task.TypeNames(); got != "chat, command_execution, file_operation or complex_task" {
		t.Error(got)
	}
	for _, info := range task.Types {
		if info.ToolKind != "" && info.ToolKind != shell.From && info.ToolKind != files.From {
			t.Errorf("%s needs tools of a kind that doesn't exist: %s", info.Type, info.ToolKind)
		}
	}
}

package task_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
)

func TestTypeNames(t *testing.T) {
	got := task.TypeNames()
	names := regexp.MustCompile(", | or ").Split(got, -1)
	if !slices.Equal(names, task.TypeList()) || strings.Count(got, " or ") != 1 {
		t.Error(got)
	}
	for _, info := range task.Types {
		if info.ToolKind != "" && info.ToolKind != shell.From && info.ToolKind != files.From {
			t.Errorf("%s needs tools of a kind that doesn't exist: %s", info.Type, info.ToolKind)
		}
	}
}

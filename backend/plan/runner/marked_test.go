package runner

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agentflow/backend/plan/runnertest"
)

// marked lists the processes with a mark in their environment.
func marked(mark string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if slices.Contains(strings.Split(runnertest.Read(f), "\x00"), mark) {
			pids = append(pids, fmt.Sprint(f))
		}
	}
	return pids
}

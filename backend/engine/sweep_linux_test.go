package engine_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"agentflow/backend/base/proc"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// What a hub that was killed has left running ends at the next start of a hub on its folder.
func TestME11_FaultTheHubEndsWhatWasLeft(t *testing.T) {
	t.Parallel()
	left := exec.Command("sleep", "600")
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(left.Process.Pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	record, _ := json.Marshal(map[string]any{
		"tag":   "left",
		"boot":  strings.TrimSpace(string(boot)),
		"pid":   left.Process.Pid,
		"birth": fields[19],
		"owner": 1 << 30,
		"since": "1",
	})
	if err := os.MkdirAll(proc.Records(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(proc.Records(dir), "left.process.json"), record, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- left.Wait() }()
	enginetest.Start(t, engine.Options{DataDir: dir})
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Errorf("it ended with %v", err)
	}
}

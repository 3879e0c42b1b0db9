package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What keeps a hub from starting is said in one line, with the place, and exit code 1
// (faults 5, 7 and 8).
func TestCH8_Fault8_WhatKeepsAHubFromStarting(t *testing.T) {
	dir := t.TempDir()
	c := startChild(t, dir)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "agentflow.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		args []string
		says []string
	}{
		"port in use":       {[]string{"--listen", strings.TrimPrefix(c.URL(), "http://"), "--data", t.TempDir()}, []string{strings.TrimPrefix(c.URL(), "http://"), "in use", "--listen"}},
		"folder in use":     {[]string{"--listen", "127.0.0.1:0", "--data", dir}, []string{dir, "in use", "process " + strconv.Itoa(c.cmd.Process.Pid)}},
		"a file, no folder": {[]string{"--listen", "127.0.0.1:0", "--data", file}, []string{file}},
		"a folder, no file": {[]string{"--listen", "127.0.0.1:0", "--data", folder}, []string{filepath.Join(folder, "agentflow.db")}},
		"no listen address": {[]string{"--listen", "192.0.2.1:1", "--insecure-http", "--data", t.TempDir()}, []string{"192.0.2.1:1"}},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			cmd := bounded(t.Cleanup, c.cmd.Path, append([]string{"serve"}, k.args...)...)
			cmd.Env = c.cmd.Env
			var errs strings.Builder
			cmd.Stderr = &errs
			out, err := cmd.Output()
			lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
			last := lines[len(lines)-1]
			if exitCode(err) != 1 || len(out) > 0 || len(lines) != 1 {
				t.Errorf("exit %v, standard output %q, standard error %q", err, out, errs.String())
			}
			for _, text := range k.says {
				if !strings.Contains(last, text) {
					t.Errorf("%q does not name %q", last, text)
				}
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "agentflow.db")); errors.Is(err, fs.ErrNotExist) {
		t.Error("the hub that runs lost its file")
	}
}

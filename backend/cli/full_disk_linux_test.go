package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/audit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/engine/enginetest"
)

// small is a data folder on a separate disk.
func small(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: a full disk needs root: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}

// fill leaves no room in a folder.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for part := make([]byte, 64<<10); len(part) > 0; {
		if _, err := f.Write(part); errors.Is(err, syscall.ENOSPC) {
			part = part[:len(part)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// keeping is one kind of thing that a hub keeps.
type keeping struct {
	method, path string
	body         func(n int) any                         // of the nth
	count        func(*testing.T, *hubclient.Client) int // how many are kept; nil: there is only one
}

// counted returns how often a word is in what a hub answers.
func counted(path, word string) func(*testing.T, *hubclient.Client) int {
	return func(t *testing.T, c *hubclient.Client) int {
		t.Helper()
		var got any
		if err := c.Call(t.Context(), http.MethodGet, path, nil, &got); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return strings.Count(fmt.Sprint(got), word)
	}
}

// everyKind are the kinds of things that a hub with such settings keeps, each in words that can be
// counted.
func everyKind(settings map[string]any) map[string]keeping {
	long := strings.Repeat("x", 20_000)
	named := func(more map[string]any) func(int) any {
		return func(n int) any {
			body := map[string]any{"name": fmt.Sprintf("kept-%d", n)}
			maps.Copy(body, more)
			return body
		}
	}
	return map[string]keeping{
		"a message": {http.MethodPost, "/api/message", func(int) any {
			return map[string]any{"room": "kept", "sender": "s", "message": "kept-" + long}
		}, counted("/api/messages?room=kept&limit=500", "kept-")},
		"a task": {http.MethodPost, "/submit_task", func(int) any {
			return map[string]any{"sessionId": "s", "taskType": "command_execution", "userPrompt": "kept-" + long}
		}, counted("/tasks?limit=500", "userPrompt:kept-")},
		"a team": {http.MethodPost, "/api/teams", named(map[string]any{"template": "hub"}),
			counted("/api/teams", "name:kept-")},
		"a plan": {http.MethodPost, "/api/plans", named(nil), counted("/api/plans", "name:kept-")},
		"a question": {http.MethodPost, "/api/inbox/questions", func(n int) any {
			return map[string]any{"key": fmt.Sprint(n), "room": "kept", "agent": "Boss", "text": "kept-" + long[:8000]}
		}, counted("/api/inbox", "text:kept-")},
		"a caller": {http.MethodPost, "/api/security/callers", named(map[string]any{"role": "tasks"}),
			counted("/api/security", "name:kept-")},
		"a draft": {http.MethodPut, "/api/desk", func(n int) any {
			return map[string]any{"conversation": fmt.Sprintf("room:kept-%d", n), "draft": "x"}
		}, counted("/api/desk", "conversation:room:kept-")},
		"a provider and its key": {
			http.MethodPost,
			"/api/providers",
			named(map[string]any{"kind": "openai", "baseUrl": "http://127.0.0.1:9/v1", "key": "sk-not-a-real-key"}),
			counted("/api/providers", "name:kept-"),
		},
		"a setting": {http.MethodPut, "/api/settings", func(n int) any {
			body := maps.Clone(settings)
			body["theme"] = []string{"dark", "light"}[n%2]
			return body
		}, nil},
	}
}

// seat lets an agent take its place in the room, from where it can ask, and waits until it has it.
func seat(t *testing.T, c *child) {
	t.Helper()
	where := c.WebSocketURL("/ws", url.Values{"room": {"kept"}, "sender": {"Boss"}, "agent": {"boss-1"}})
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), where,
		http.Header{"Authorization": {"Bearer " + childToken}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	here := counted("/api/agents?room=kept", "Boss")
	enginetest.Until(t, "the agent to have its seat", func() bool { return here(t, c.Client) > 0 })
}

// audited checks that every line of the audit log can be read.
func audited(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, audit.FileName))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("line %d of %d in the audit log: %.300s", i+1, len(lines), line)
		}
	}
}

// On a full disk whatever can't be kept is refused with 507 and the remedy, nothing that was
// acknowledged is lost, and all is well again without a restart once there is space.
func TestTR5_Fault4_AFullDiskRefusesEveryKindOfWrite(t *testing.T) {
	dir := small(t, "16m")
	c := startChild(t, dir)
	defer c.kill()
	seat(t, c)
	settings := map[string]any{}
	if err := c.Call(t.Context(), http.MethodGet, "/api/settings", nil, &settings); err != nil {
		t.Fatal(err)
	}
	kinds, acknowledged := everyKind(settings), map[string]int{}
	tried := 0
	write := func(name string) error {
		k := kinds[name]
		tried++
		err := c.Call(t.Context(), k.method, k.path, k.body(tried), nil)
		if err == nil {
			acknowledged[name]++
		}
		return err
	}
	names := slices.Sorted(maps.Keys(kinds))
	for _, name := range names {
		if err := write(name); err != nil {
			t.Fatalf("%s, with room: %v", name, err)
		}
	}
	filler := filepath.Join(dir, "filler")
	for _, name := range names {
		var refused error
		for range 500 { // a log that is written over from its beginning has room left for some
			fill(t, filler)
			if refused = write(name); refused != nil {
				break
			}
		}
		if e := errcode.From(refused); refused == nil || e.HTTPStatus() != http.StatusInsufficientStorage || !strings.Contains(e.Message, "the disk is full") || !strings.Contains(strings.ToLower(e.Message), "free some space") {
			t.Errorf("%s, on a full disk: %v", name, refused)
		}
	}
	kept := func(when string) {
		t.Helper()
		for _, name := range names {
			if k := kinds[name]; k.count != nil {
				if n := k.count(t, c.Client); n != acknowledged[name] {
					t.Errorf("%s, %s: %d of %d", name, when, n, acknowledged[name])
				}
			}
		}
	}
	for range 60 { // more than a page of the audit log
		_ = write("a draft")
	}
	kept("on a full disk")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := write(name); err != nil {
			t.Errorf("%s, with room again: %v", name, err)
		}
	}
	kept("with room again")
	audited(t, dir)
	c.kill()
	c = startChild(t, dir)
	kept("after a crash")
}

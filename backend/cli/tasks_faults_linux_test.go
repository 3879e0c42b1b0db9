package cli

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// A hub that can open no file or connection any more lives on: who is connected goes on or is
// told why not, who comes waits until there is room, and what was accepted is there (fault 19).
func TestCO4_Fault19_OutOfFileDescriptors(t *testing.T) {
	c := startChild(t, t.TempDir())
	defer c.kill()
	echoes(t, c, 2)
	acked := map[string]string{}
	submit := func(key string) error {
		id, status, err := submitTask(t.Context(), c, key)
		if err == nil && status == http.StatusOK {
			acked[key] = id
		} else if err == nil && status < 500 {
			t.Errorf("%s: %d", key, status)
		}
		return err
	}
	for i := range 5 {
		if err := submit(fmt.Sprintf("before-%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	pid := c.cmd.Process.Pid
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		t.Fatal(err)
	}
	full := before
	full.Cur = 3 // what is open stays so; nothing more is opened
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &full, nil); err != nil {
		t.Fatal(err)
	}
	var come []net.Conn
	at := strings.TrimPrefix(c.URL(), "http://")
	for range 8 {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if _, err := fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", at); err != nil {
			t.Fatal(err)
		}
		come = append(come, conn)
	}
	for i := range 20 {
		_ = submit(fmt.Sprintf("while-%d", i)) // over the connection that there is; it may be refused
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil); err != nil {
		t.Fatal(err)
	}
	for _, conn := range come {
		if said, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(said, " 200 ") {
			t.Errorf("who came meanwhile: %q %v", said, err)
		}
	}
	if err := submit("after"); err != nil || acked["after"] == "" {
		t.Errorf("afterwards: %v", err)
	}
	for key, id := range acked {
		endsRight(t, c, key, id, task.NotSaved) // the database opens files to save
	}
}

// A limit of file sizes, as a quota would, refuses new tasks with 507, and nothing else; once it is
// lifted all is well, without a restart (fault 4).
func TestCO6_Fault4_AFileSizeLimitTakesNoTasks(t *testing.T) {
	dir := t.TempDir()
	c := startChild(t, dir)
	defer c.kill()
	big := strings.Repeat("x", 60_000)
	submit := func(i int) error {
		return c.Call(t.Context(), http.MethodPost, "/submit_task",
			map[string]string{"sessionId": "s", "userPrompt": fmt.Sprint(i, big), "taskType": "command_execution"}, nil)
	}
	if err := submit(0); err != nil {
		t.Fatal(err)
	}
	var before unix.Rlimit
	if err := unix.Prlimit(c.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	limit.Cur = 1 << 20
	if err := unix.Prlimit(c.cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		t.Fatal(err)
	}
	stored := 1
	var refused error
	for ; refused == nil && stored < 1000; stored++ {
		refused = submit(stored)
	}
	stored-- // the last was refused
	if !errcode.HasReason(refused, errcode.ReasonDiskFull) || !strings.Contains(refused.Error(), "limit of file sizes") {
		t.Fatalf("after %d tasks: %v", stored, refused)
	}
	count := func() int {
		t.Helper()
		var all struct{ Counts map[string]int }
		if err := c.Call(t.Context(), http.MethodGet, "/api/tasks?limit=1", nil, &all); err != nil {
			t.Fatal(err)
		}
		return all.Counts["pending"]
	}
	if n := count(); n != stored {
		t.Errorf("%d tasks were accepted, %d are stored", stored, n)
	}
	if err := unix.Prlimit(c.cmd.Process.Pid, unix.RLIMIT_FSIZE, &before, nil); err != nil {
		t.Fatal(err)
	}
	if err := submit(stored); err != nil || count() != stored+1 {
		t.Errorf("without the limit: %v, %d tasks of %d", err, count(), stored+1)
	}
}

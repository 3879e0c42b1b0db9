package cli

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
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
		endsRight(t, c, key, id)
	}
}

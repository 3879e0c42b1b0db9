//go:build window

package windowtest

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// startBus runs a session bus of its own, as every desktop has one.
func startBus(t *testing.T) (address string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=3")
	cmd.ExtraFiles = []*os.File{write}
	start(t, cmd)
	_ = write.Close()
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("the session bus did not start: %v", err)
	}
	return "DBUS_SESSION_BUS_ADDRESS=" + strings.TrimSpace(line)
}

// A second start on the same data folder brings the first window forward and ends; one on
// another folder is a window of its own.
func TestAPP1_ASecondStartEndsAtTheFirstWindow(t *testing.T) {
	data, bus := dataFolder(t), startBus(t)
	w := openWindow(t, data, bus)
	h := w.hub()
	w.middle(".react-flow__node")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	second := exec.CommandContext(ctx, program(t))
	second.Env = w.env
	out, err := second.CombinedOutput() // Wails ends it with 1, and says nothing
	var ended *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &ended) || strings.Contains(string(out), "panic") {
		t.Fatalf("the second start did not end at the first window: %v\n%s", err, out)
	}
	var list struct{ Drawings []drawing }
	if err := h.get("/api/drawings", &list); err != nil || len(list.Drawings) == 0 {
		t.Errorf("the first window's hub after it: %v, %v", list, err)
	}
	w.middle(".react-flow__node")
	if zombie(w.pid()) {
		t.Error("the first window has ended")
	}
	openWindow(t, dataFolder(t), bus).middle(".react-flow__node")
	w.close()
}

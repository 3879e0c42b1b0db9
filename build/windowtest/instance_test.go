//go:build window

package windowtest

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// startBus runs a separate session bus, because every desktop has one.
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

// A second start on the same data folder brings the first window forward and exits. A start on
// another folder opens a separate window.
func TestAPP1_ASecondStartEndsAtTheFirstWindow(t *testing.T) {
	data, bus := dataFolder(t), startBus(t)
	w := openWindow(t, data, bus)
	h := w.hub()
	w.middle(".react-flow__node")
	w.again()
	var list struct{ Teams []team }
	if err := h.get("/api/teams", &list); err != nil || len(list.Teams) == 0 {
		t.Errorf("the first window's hub after it: %v, %v", list, err)
	}
	w.middle(".react-flow__node")
	if zombie(w.pid()) {
		t.Error("the first window has ended")
	}
	openWindow(t, dataFolder(t), bus).middle(".react-flow__node")
	w.close()
}

// A file that the program is started with is shown, on the first start and on a later one,
// which hands it to the first window. Opening it there creates a new team.
func TestAPP1_AFileIsOpenedOnEveryStart(t *testing.T) {
	write := func(name, team string) string {
		path := filepath.Join(t.TempDir(), name)
		text := "agentflow: 1\nname: " + team + "\nagents:\n  - {id: " + team + ", name: " + team + ", model: demo/echo}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	w := openWindow(t, dataFolder(t), startBus(t), openFile+"="+write("first.agentflow.yaml", "first-team"))
	h := w.hub()
	open := func(name, team string) {
		t.Helper()
		eventually(t, name+" is shown", func() (bool, error) {
			var shown bool
			w.eval(
				&shown,
				`return [...document.querySelectorAll("[role=dialog]")].some((d) => d.innerText.includes(arguments[0]))`,
				name,
			)
			return shown, nil
		})
		w.press("Open as a new team")
		eventually(t, team+" is a team", func() (bool, error) {
			var list struct {
				Teams []struct{ Name string }
			}
			err := h.get("/api/teams", &list)
			return slices.ContainsFunc(list.Teams, func(d struct{ Name string }) bool { return d.Name == team }), err
		})
	}
	open("first.agentflow.yaml", "first-team")
	w.again(write("second.agentflow.yaml", "second-team"))
	open("second.agentflow.yaml", "second-team")
	w.close()
}

// again starts the program once more on the window's folder. It must exit with 0.
func (w *window) again(args ...string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program(w.t), args...)
	cmd.Env = w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("a later start did not end at the first window: %v\n%s", err, out)
	}
}

//go:build window

package windowtest

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentflow/build/offscreen"
)

// window is the real program on a separate display, with a connection to its page through the W3C
// WebDriver protocol.
type window struct {
	t       *testing.T
	screen  offscreen.Display
	env     []string // of the program
	session string   // the session's address
	pidFile string
	logFile string
	clicked spot // where the last click was
}

// openFile names the variable with the file that openWindow starts the program with.
const openFile = "WINDOWTEST_FILE"

// openWindow starts the program on a data folder and attaches to its page. Env is added
// to what the program gets.
func openWindow(t *testing.T, data string, env ...string) *window {
	t.Helper()
	bin := program(t)
	dir := t.TempDir()
	t.Cleanup(func() { offscreen.EndAll(dir) })
	screen, closeScreen, err := offscreen.OpenDisplay(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(closeScreen)
	shim, err := offscreen.Shim(t.Context(), "testdata/shim.c", dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &window{t: t, screen: screen, pidFile: filepath.Join(dir, "pid"), logFile: filepath.Join(dir, "log")}
	w.env = append(append(screen.Env(dir), "AGENTFLOW_DATA="+data), env...)
	launcher := filepath.Join(dir, "launch")
	// What the driver takes for a browser: the program, with the shim, under the same pid.
	script := "#!/bin/sh\necho $$ >'" + w.pidFile + "'\nLD_PRELOAD='" + shim + "' exec '" + bin + "' ${" + openFile + ":+\"$" + openFile + "\"} >>'" + w.logFile + "' 2>&1\n"
	if err := os.WriteFile(launcher, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	port, err := offscreen.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	driver := exec.Command("WebKitWebDriver", "--port="+port)
	driver.Env = w.env
	start(t, driver)
	t.Cleanup(w.report)
	if w.session, err = offscreen.OpenSession(t.Context(), "http://127.0.0.1:"+port, launcher); err != nil {
		t.Fatalf("no session with the window: %v", err)
	}
	return w
}

func program(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("AGENTFLOW_DESKTOP_BIN")
	if bin == "" {
		t.Fatal("AGENTFLOW_DESKTOP_BIN names no program; run `make test-window`")
	}
	return bin
}

func (w *window) pid() int {
	text, err := os.ReadFile(w.pidFile)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

func (w *window) report() {
	if w.t.Failed() {
		w.screenshot("failed.png")
		text, _ := os.ReadFile(w.logFile) // no log is no news
		w.t.Logf("the window said:\n%s", text)
		w.t.Logf("the page shows:\n%s", w.shown())
	}
}

// shown is the page's text and the place of each row, for the report of a failed test.
func (w *window) shown() string {
	const script = `return innerWidth + "×" + innerHeight + ", " + document.visibilityState + "\n" +
		[...document.querySelectorAll("[data-row]")].map((e) =>
			e.dataset.row + " " + JSON.stringify(e.getBoundingClientRect())).join("\n") + "\n" +
		document.body.innerText.slice(0, 4000)`
	var text string
	body := map[string]any{"script": script, "args": []any{}}
	err := offscreen.Call(context.Background(), http.MethodPost, w.session+"/execute/sync", body, &text)
	if err != nil {
		return err.Error()
	}
	return text
}

func (w *window) post(path string, body, into any) {
	w.t.Helper()
	if err := offscreen.Call(w.t.Context(), http.MethodPost, w.session+path, body, into); err != nil {
		w.t.Fatal(err)
	}
}

// eval runs a function body in the page.
func (w *window) eval(into any, script string, args ...any) {
	w.t.Helper()
	w.post("/execute/sync", map[string]any{"script": script, "args": append([]any{}, args...)}, into)
}

// evalAsync runs an async function body in the page and waits for its promise.
func (w *window) evalAsync(into any, script string) {
	w.t.Helper()
	body := "const done = arguments[arguments.length - 1]; (async () => {" + script + "})().then((value) => done({ value }), (error) => done({ error: String(error) }));"
	var answer struct {
		Value json.RawMessage `json:"value"`
		Error string          `json:"error"`
	}
	w.post("/execute/async", map[string]any{"script": body, "args": []any{}}, &answer)
	if answer.Error != "" {
		w.t.Fatalf("%s: %s", script, answer.Error)
	}
	if err := json.Unmarshal(answer.Value, into); err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
}

type spot struct{ X, Y int }

func (s spot) plus(x, y int) spot { return spot{s.X + x, s.Y + y} }

// middle waits for an element that can be seen and stands still, and returns its centre.
func (w *window) middle(selector string) spot {
	w.t.Helper()
	const find = `const e = document.querySelector(arguments[0]); if (!e) return null;
		const r = e.getBoundingClientRect(); return r.width ? { X: Math.round(r.x + r.width / 2), Y: Math.round(r.y + r.height / 2) } : null;`
	var last, now *spot
	eventually(w.t, selector+" is shown", func() (bool, error) {
		last, now = now, nil
		w.eval(&now, find, selector)
		return now != nil && last != nil && *now == *last, nil
	})
	return *now
}

func pause(ms int) map[string]any { return map[string]any{"type": "pause", "duration": ms} }

func move(to spot, ms int) map[string]any {
	return map[string]any{"type": "pointerMove", "duration": ms, "x": to.X, "y": to.Y}
}

func (w *window) pointer(steps ...map[string]any) {
	w.t.Helper()
	w.post("/actions", map[string]any{"actions": []any{map[string]any{
		"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}, "actions": steps,
	}}}, nil)
}

var (
	down = map[string]any{"type": "pointerDown", "button": 0}
	up   = map[string]any{"type": "pointerUp", "button": 0}
)

// drag moves in small steps, as a hand does: one jump is not seen as a drag.
func (w *window) drag(from, to spot) {
	w.t.Helper()
	const n = 8
	steps := []map[string]any{move(from, 0), down}
	for i := 1; i <= n; i++ {
		steps = append(steps, move(spot{from.X + (to.X-from.X)*i/n, from.Y + (to.Y-from.Y)*i/n}, 20))
	}
	w.pointer(append(steps, pause(30), up)...)
}

// Two clicks at one place would be a double click if the second followed at once.
func (w *window) click(at spot) {
	w.t.Helper()
	if at == w.clicked {
		w.pointer(pause(doubleClick))
	}
	w.pointer(move(at, 0), down, pause(20), up)
	w.clicked = at
}

// doubleClick is longer than desktops wait for a second click, in milliseconds.
const doubleClick = 1000

// typeInto replaces what a field holds, through the keyboard.
func (w *window) typeInto(selector, text string) {
	w.t.Helper()
	w.click(w.middle(selector))
	var element map[string]string
	w.post("/element", map[string]any{"using": "css selector", "value": selector}, &element)
	for _, id := range element {
		w.eval(nil, "document.querySelector(arguments[0]).select()", selector)
		w.post("/element/"+id+"/value", map[string]any{"text": text}, nil)
	}
}

// close ends the program the way a session's end does, and waits for it.
func (w *window) close() {
	w.t.Helper()
	pid := w.pid()
	if pid == 0 {
		w.t.Fatal("the window's process is unknown")
	}
	endGroupMember(w.t, pid)
}

func endGroupMember(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	eventually(t, "the program ends", func() (bool, error) { return zombie(pid), nil })
	t.Logf("the program ended after %s", time.Since(began).Round(time.Millisecond))
}

//go:build window

package windowtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// window is the real program on a display of its own, with the wire of the W3C
// WebDriver protocol to its page.
type window struct {
	t       *testing.T
	screen  *display
	session string // the session's address
	pidFile string
	logFile string
}

// openWindow starts the program on a data folder and attaches to its page.
func openWindow(t *testing.T, data string) *window {
	t.Helper()
	bin := os.Getenv("AGENTFLOW_DESKTOP_BIN")
	if bin == "" {
		t.Fatal("AGENTFLOW_DESKTOP_BIN names no program; run `make test-window`")
	}
	screen, shim, dir := startDisplay(t), buildShim(t), t.TempDir()
	w := &window{t: t, screen: screen, pidFile: filepath.Join(dir, "pid"), logFile: filepath.Join(dir, "log")}
	launcher := filepath.Join(dir, "launch")
	// What the driver takes for a browser: the program, with the shim, under the same pid.
	script := "#!/bin/sh\necho $$ >'" + w.pidFile + "'\nLD_PRELOAD='" + shim + "' exec '" + bin + "' >>'" + w.logFile + "' 2>&1\n"
	if err := os.WriteFile(launcher, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	driver := exec.Command("WebKitWebDriver", "--port="+port)
	driver.Env = []string{
		"PATH=" + os.Getenv("PATH"), "DISPLAY=" + screen.name, "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "AGENTFLOW_DATA=" + data,
		"LANG=C.UTF-8", "NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory",
	}
	start(t, driver)
	t.Cleanup(w.report)
	base := "http://127.0.0.1:" + port
	eventually(t, "the driver answers", func() (bool, error) {
		return true, request(t.Context(), http.MethodGet, base+"/status", nil, nil)
	})
	var opened struct {
		SessionID string `json:"sessionId"`
	}
	capabilities := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": launcher, "args": []string{}},
	}}}
	if err := request(t.Context(), http.MethodPost, base+"/session", capabilities, &opened); err != nil {
		t.Fatalf("no session with the window: %v", err)
	}
	w.session = base + "/session/" + opened.SessionID
	return w
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
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// request is one call of the WebDriver protocol, whose answers are {"value": …}.
func request(ctx context.Context, method, url string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var payload bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&payload).Encode(body); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, url, &payload)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s %s: %s: %w", method, url, resp.Status, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %.400s", method, url, resp.Status, answer.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

func (w *window) post(path string, body, into any) {
	w.t.Helper()
	if err := request(w.t.Context(), http.MethodPost, w.session+path, body, into); err != nil {
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

func (w *window) click(at spot) {
	w.t.Helper()
	w.pointer(move(at, 0), down, pause(20), up)
}

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
		w.t.Fatal("the window's process is not known")
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

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"agentflow/build/offscreen"
)

// settle is how long the window may finish what its start began before its memory is read.
const settle = 3 * time.Second

// windowFigures starts the real window on a display in memory. It is driven as in
// build/windowtest: a small library lets the web view be asked from outside.
func windowFigures(ctx context.Context, s setup, r *report) error {
	shim, err := s.windowTools(ctx)
	if err != nil {
		return err
	}
	var frames samples
	var sizes []float64
	processes := 0
	for range s.starts {
		o, err := s.oneWindow(ctx, shim)
		if err != nil {
			return err
		}
		frames.add(o.frame, o.cpu)
		sizes, processes = append(sizes, o.mb), o.processes
	}
	r.limit(frames.figure("window", "start of the window to its first frame"), frameLimit)
	r.add(figure{Group: "window", Name: fmt.Sprintf("memory of the window's %d processes (sum of PSS)", processes), Unit: "MB",
		Value: median(sizes), Samples: len(sizes), Note: fmt.Sprintf("hub included, %s after the first frame; without a graphics card", settle)})
	return nil
}

// windowTools looks for what a driven window needs and builds the library in it.
func (s setup) windowTools(ctx context.Context) (shim string, err error) {
	if _, err := s.program("agentflow-desktop"); err != nil {
		return "", err
	}
	for _, tool := range []string{"Xvfb", "WebKitWebDriver", "gcc", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("there is no %s: build/need.sh test installs it", tool)
		}
	}
	return offscreen.Shim(ctx, filepath.Join(s.root, "build", "windowtest", "testdata", "shim.c"), s.work)
}

// opened is what one window needed.
type opened struct {
	frame     time.Duration // until the first one
	cpu       time.Duration // of all its processes until then
	mb        float64
	processes int
}

// oneWindow opens the window, waits for its page and closes all of it.
func (s setup) oneWindow(ctx context.Context, shim string) (o opened, err error) {
	session, dir, end, err := s.drivenWindow(ctx, shim)
	if err != nil {
		return o, err
	}
	defer end()
	at, err := paintedAt(ctx, session)
	if err != nil {
		return o, err
	}
	began, pid, err := launched(dir)
	if err != nil {
		return o, err
	}
	o.frame, o.cpu = at.Sub(began), treeTime(pid)
	<-time.After(settle)
	o.mb, o.processes, err = treeMemory(pid)
	return o, err
}

// drivenWindow opens the window on a separate display and returns the address of its WebDriver session,
// and its home folder.
func (s setup) drivenWindow(ctx context.Context, shim string) (session, dir string, end func(), err error) {
	var ends []func()
	end = func() {
		for _, e := range slices.Backward(ends) {
			e()
		}
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	if dir, err = os.MkdirTemp(s.work, "window-"); err != nil {
		return "", "", nil, err
	}
	ends = append(ends, func() { offscreen.EndAll(dir) })
	display, closeDisplay, err := offscreen.OpenDisplay(ctx, dir)
	if err != nil {
		return "", "", nil, err
	}
	ends = append(ends, closeDisplay)
	launcher, err := s.launcher(dir, shim)
	if err != nil {
		return "", "", nil, err
	}
	port, err := offscreen.FreePort()
	if err != nil {
		return "", "", nil, err
	}
	driver := exec.CommandContext(ctx, "WebKitWebDriver", "--port="+port)
	driver.Env = display.Env(dir)
	closeDriver, err := offscreen.Start(driver)
	if err != nil {
		return "", "", nil, err
	}
	ends = append(ends, closeDriver)
	session, err = offscreen.OpenSession(ctx, "http://127.0.0.1:"+port, launcher)
	return session, dir, end, err
}

// launcher is what the driver takes for a browser: it notes the time and becomes the window.
func (s setup) launcher(dir, shim string) (string, error) {
	path := filepath.Join(dir, "launch")
	script := fmt.Sprintf("#!/bin/sh\nexport LD_PRELOAD='%s'\necho \"$(LD_PRELOAD= date +%%s%%N) $$\" >'%s'\nexec '%s' >'%s' 2>&1\n",
		shim, filepath.Join(dir, "launched"), filepath.Join(s.root, "bin", "agentflow-desktop"), filepath.Join(dir, "log"))
	return path, os.WriteFile(path, []byte(script), 0o700)
}

func launched(dir string) (time.Time, int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "launched"))
	if err != nil {
		return time.Time{}, 0, err
	}
	var nanos int64
	var pid int
	_, err = fmt.Sscan(string(text), &nanos, &pid)
	return time.Unix(0, nanos), pid, err
}

// paintedAt waits for the mark that the page sets once the canvas was painted.
func paintedAt(ctx context.Context, session string) (time.Time, error) {
	const script = `const mark = performance.getEntriesByName("agentflow:first-frame")[0];
		return mark && document.querySelector(".react-flow__node") ? performance.timeOrigin + mark.startTime : 0;`
	for asked := time.Now(); ; {
		var at float64
		err := offscreen.Call(ctx, http.MethodPost, session+"/execute/sync",
			map[string]any{"script": script, "args": []any{}}, &at)
		if err == nil && at > 0 {
			return since1970(at), nil
		}
		if time.Since(asked) > patience || ctx.Err() != nil {
			return time.Time{}, errors.Join(fmt.Errorf("the window painted no agent within %s", patience), err)
		}
		<-time.After(50 * time.Millisecond)
	}
}

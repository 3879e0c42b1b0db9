package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// settle is how long the window may finish what its start began before its memory is read.
const settle = 3 * time.Second

// windowFigures starts the real window on a display in memory. It is driven as in
// build/windowtest: a small library lets the web view be asked from outside.
func windowFigures(ctx context.Context, s setup, r *report) error {
	if _, err := s.program("agentflow-desktop"); err != nil {
		return err
	}
	for _, tool := range []string{"Xvfb", "WebKitWebDriver", "gcc", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("there is no %s: build/need.sh test installs it", tool)
		}
	}
	shim, err := s.buildShim(ctx)
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

func (s setup) buildShim(ctx context.Context) (string, error) {
	flags, err := exec.CommandContext(ctx, "pkg-config", "--cflags", "--libs", "webkit2gtk-4.1").Output()
	if err != nil {
		return "", errors.New("the headers of webkit2gtk-4.1 are missing: build/need.sh test installs them")
	}
	shim := filepath.Join(s.work, "shim.so")
	args := []string{"-shared", "-fPIC", "-o", shim, filepath.Join(s.root, "build", "windowtest", "testdata", "shim.c")}
	out, err := exec.CommandContext(ctx, "gcc", append(args, strings.Fields(string(flags))...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("gcc: %w: %.300s", err, out)
	}
	return shim, nil
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
	dir, err := os.MkdirTemp(s.work, "window-")
	if err != nil {
		return o, err
	}
	defer endAll(dir)
	display, closeDisplay, err := openDisplay(ctx)
	if err != nil {
		return o, err
	}
	defer closeDisplay()
	launcher, err := s.launcher(dir, shim)
	if err != nil {
		return o, err
	}
	port, err := freePort()
	if err != nil {
		return o, err
	}
	driver := exec.CommandContext(ctx, "WebKitWebDriver", "--port="+port)
	driver.Env = []string{"PATH=" + os.Getenv("PATH"), "DISPLAY=" + display, "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir,
		"LANG=C.UTF-8", "NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory"}
	closeDriver, err := startGroup(driver)
	if err != nil {
		return o, err
	}
	defer closeDriver()
	session, err := openSession(ctx, "http://127.0.0.1:"+port, launcher)
	if err != nil {
		return o, err
	}
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

func openDisplay(ctx context.Context) (name string, end func(), err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = read.Close() }()
	cmd := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1440x960x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	end, err = startGroup(cmd)
	_ = write.Close()
	if err != nil {
		return "", nil, err
	}
	err = read.SetReadDeadline(time.Now().Add(patience))
	var number string
	if err == nil {
		number, err = bufio.NewReader(read).ReadString('\n')
	}
	if err != nil {
		end()
		return "", nil, fmt.Errorf("the display server did not start: %w", err)
	}
	return ":" + strings.TrimSpace(number), end, nil
}

// startGroup starts a program in a process group of its own; end ends the whole group.
func startGroup(cmd *exec.Cmd) (end func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		below := descendants(cmd.Process.Pid) // a window that the driver started has left its group
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		timer := time.AfterFunc(5*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		_ = cmd.Wait() // it was told to end
		timer.Stop()
		for _, pid := range below {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}, nil
}

// endAll ends what still runs with dir as its home: the desktop's services that a window
// starts (buses, accessibility) detach from it and would stay.
func endAll(dir string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is right
	for _, file := range files {
		env, err := os.ReadFile(file)
		pid, errPID := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && errPID == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+dir+"\x00")) {
			_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
		}
	}
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

func openSession(ctx context.Context, base, launcher string) (string, error) {
	for asked := time.Now(); ; {
		err := webdriver(ctx, http.MethodGet, base+"/status", nil, nil)
		if err == nil {
			break
		}
		if time.Since(asked) > patience || ctx.Err() != nil {
			return "", fmt.Errorf("the web driver does not answer: %w", err)
		}
		<-time.After(20 * time.Millisecond)
	}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	wanted := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": launcher, "args": []string{}},
	}}}
	err := webdriver(ctx, http.MethodPost, base+"/session", wanted, &made)
	return base + "/session/" + made.SessionID, err
}

// paintedAt waits for the mark that the page sets once the canvas was painted.
func paintedAt(ctx context.Context, session string) (time.Time, error) {
	const script = `const mark = performance.getEntriesByName("agentflow:first-frame")[0];
		return mark && document.querySelector(".react-flow__node") ? performance.timeOrigin + mark.startTime : 0;`
	for asked := time.Now(); ; {
		var at float64
		err := webdriver(ctx, http.MethodPost, session+"/execute/sync", map[string]any{"script": script, "args": []any{}}, &at)
		if err == nil && at > 0 {
			return since1970(at), nil
		}
		if time.Since(asked) > patience || ctx.Err() != nil {
			return time.Time{}, errors.Join(fmt.Errorf("the window painted no agent within %s", patience), err)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// webdriver is one call of the W3C protocol, whose answers are {"value": …}.
func webdriver(ctx context.Context, method, url string, body, into any) error {
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
		return fmt.Errorf("%s: %w", resp.Status, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %.300s", resp.Status, answer.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

//go:build linux

// Package offscreen runs programs on a display in memory and talks to the page of a
// window there. The window's tests and the benchmark share it.
package offscreen

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

// Patience is for anything that a loaded machine may make slow.
const Patience = 4 * time.Minute

const gentle = 5 * time.Second // how long a process can take to exit when asked

// Display is a screen in memory, with a separate server.
type Display struct {
	Name  string // ":number"
	Frame string // the file the server keeps the picture in
}

// OpenDisplay runs a display server that picks a free number; it keeps its picture in dir.
func OpenDisplay(ctx context.Context, dir string) (d Display, end func(), err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return d, nil, err
	}
	defer func() { _ = read.Close() }()
	cmd := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1440x960x24", "-nolisten", "tcp",
		"-fbdir", dir)
	cmd.ExtraFiles = []*os.File{write}
	end, err = Start(cmd)
	_ = write.Close()
	if err != nil {
		return d, nil, err
	}
	err = read.SetReadDeadline(time.Now().Add(Patience))
	var number string
	if err == nil {
		number, err = bufio.NewReader(read).ReadString('\n')
	}
	if err != nil {
		end()
		return d, nil, fmt.Errorf("the display server did not start: %w", err)
	}
	return Display{":" + strings.TrimSpace(number), filepath.Join(dir, "Xvfb_screen0")}, end, nil
}

// Env is what a program needs to open its window there, with home as its home and
// nothing of the caller's: no services of this computer's desktop.
func (d Display) Env(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "DISPLAY=" + d.Name, "HOME=" + home, "XDG_RUNTIME_DIR=" + home,
		"LANG=C.UTF-8", "NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory",
	}
}

// Start starts a program in a separate process group. End ends the group and all processes that
// the program started outside of it, and waits for the program.
func Start(cmd *exec.Cmd) (end func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = gentle
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		below := Below(cmd.Process.Pid)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		timer := time.AfterFunc(gentle, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		_ = cmd.Wait() // it was told to end
		timer.Stop()
		for _, pid := range below {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}, nil
}

// Below lists the processes that a process has started, and those that they have.
func Below(pid int) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	children := map[int][]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		child, errChild := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if len(fields) < 2 || errChild != nil || fields[0] == "Z" {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	var all []int
	for next := children[pid]; len(next) > 0; next = next[1:] {
		all = append(all, next[0])
		next = append(next, children[next[0]]...)
	}
	return all
}

// EndAll ends what still runs with home as its home: the desktop's services that a window
// starts (buses, accessibility) detach from it and would stay. It waits for them.
func EndAll(home string) {
	deadline := time.Now().Add(gentle)
	for signal := syscall.SIGTERM; ; {
		left := at(home)
		for _, pid := range left {
			_ = syscall.Kill(pid, signal) // it may have ended
		}
		if len(left) == 0 || signal == syscall.SIGKILL {
			return
		}
		if time.Now().After(deadline) {
			signal = syscall.SIGKILL
		}
		<-time.After(20 * time.Millisecond)
	}
}

// at lists the processes whose home is a folder.
func at(home string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is right
	for _, file := range files {
		env, err := os.ReadFile(file)
		pid, errPID := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && errPID == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+home+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Shim compiles the small library that lets the web view be asked from outside. Source
// is build/windowtest/testdata/shim.c.
func Shim(ctx context.Context, source, dir string) (string, error) {
	flags, err := exec.CommandContext(ctx, "pkg-config", "--cflags", "--libs", "webkit2gtk-4.1").Output()
	if err != nil {
		return "", errors.New("the headers of webkit2gtk-4.1 are missing: build/need.sh test installs them")
	}
	shim := filepath.Join(dir, "shim.so")
	args := append(
		[]string{"-shared", "-fPIC", "-Wall", "-Werror", "-o", shim, source},
		strings.Fields(string(flags))...)
	if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w: %.1000s", err, out)
	}
	return shim, nil
}

// FreePort returns a port that nobody listens on.
func FreePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// OpenSession waits for a WebKitWebDriver at base and lets it start what it takes for a
// browser. It returns the session's address.
func OpenSession(ctx context.Context, base, launcher string) (string, error) {
	for asked := time.Now(); ; {
		err := Call(ctx, http.MethodGet, base+"/status", nil, nil)
		if err == nil {
			break
		}
		if time.Since(asked) > Patience || ctx.Err() != nil {
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
	err := Call(ctx, http.MethodPost, base+"/session", wanted, &made)
	return base + "/session/" + made.SessionID, err
}

// Call is one call of the W3C WebDriver protocol, whose answers are {"value": …}.
func Call(ctx context.Context, method, url string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
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
		return fmt.Errorf("%s: %.1000s", resp.Status, answer.Value)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

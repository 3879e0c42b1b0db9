package agentcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/netlisten"
)

// lab is a few computers: each is a network namespace, and a switch that this test can
// reach too joins them.
type lab struct {
	t   *testing.T
	bin string // the real program
	dir string // which all of them share, as a network drive
	tag string
}

// newLab builds the real program and the switch, or says that there can be none here. The program is made with the
// flags of bin/agentflow, whose parts are compiled already: with others all of them would be compiled once more.
func newLab(t *testing.T) *lab {
	t.Helper()
	sweepLabs()
	l := &lab{t: t, dir: t.TempDir(), tag: fmt.Sprintf("ag%d", os.Getpid())}
	if out, err := exec.Command("ip", "link", "add", l.tag, "type", "bridge").CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: computers of their own need root and network namespaces: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", l.tag).Run() })
	l.ip("addr", "add", l.address(254)+"/24", "dev", l.tag)
	l.ip("link", "set", l.tag, "up")
	l.bin = filepath.Join(t.TempDir(), "agentflow")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-w", "-o", l.bin, "agentflow")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the program cannot be built: %v\n%s", err, out)
	}
	return l
}

var ofLab = regexp.MustCompile(`^ag(\d+)(?:[np]\d+)?$`)

// sweepLabs removes the computers and switches of tests that were killed before they could: the
// next process of the same id would find them in its way.
func sweepLabs() {
	for dir, remove := range map[string][]string{"/run/netns": {"netns", "del"}, "/sys/class/net": {"link", "del"}} {
		left, _ := os.ReadDir(dir) // none: there is nothing to remove
		for _, e := range left {
			m := ofLab.FindStringSubmatch(e.Name())
			if m == nil {
				continue
			}
			if pid, err := strconv.Atoi(m[1]); err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
				_ = exec.Command("ip", append(remove, e.Name())...).Run() // its other end may have taken it along
			}
		}
	}
}

// TestALabThatWasKilledIsSweptAway, and one that is at work is not.
func TestALabThatWasKilledIsSweptAway(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	gone, here := fmt.Sprintf("ag%dn1", ended.Process.Pid), fmt.Sprintf("ag%dn1", os.Getpid())
	for _, name := range []string{gone, here} {
		if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
			t.Skipf("NOT RUN: network namespaces need root: %v %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
	}
	sweepLabs()
	for name, want := range map[string]bool{gone: false, here: true} {
		if _, err := os.Stat("/run/netns/" + name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (l *lab) address(n int) string {
	return fmt.Sprintf("10.%d.%d.%d", 64+os.Getpid()/250%64, os.Getpid()%250, n)
}

func (l *lab) ip(args ...string) {
	l.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		l.t.Fatalf("ip %s: %v %s", strings.Join(args, " "), err, out)
	}
}

// wire is the switch's end of a computer's wire.
func (l *lab) wire(n int) string { return fmt.Sprintf("%sp%d", l.tag, n) }

// computer plugs in a computer.
func (l *lab) computer(n int) {
	l.t.Helper()
	name, there := fmt.Sprintf("%sn%d", l.tag, n), fmt.Sprintf("%se%d", l.tag, n)
	l.ip("netns", "add", name)
	l.t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
	l.ip("link", "add", l.wire(n), "type", "veth", "peer", "name", there)
	l.ip("link", "set", there, "netns", name)
	l.ip("link", "set", l.wire(n), "master", l.tag, "up")
	l.ip("netns", "exec", name, "ip", "addr", "add", l.address(n)+"/24", "dev", there)
	l.ip("netns", "exec", name, "ip", "link", "set", there, "up")
	l.ip("netns", "exec", name, "ip", "link", "set", "lo", "up")
}

// cut pulls a computer's wire, or puts it in again.
func (l *lab) cut(n int, state string) { l.ip("link", "set", l.wire(n), state) }

// node is the program on a separate computer.
type node struct {
	l     *lab
	cmd   *exec.Cmd
	mu    sync.Mutex
	out   bytes.Buffer
	ended chan struct{}
}

func (n *node) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.out.Write(b)
}

func (n *node) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.out.String()
}

func (l *lab) start(computer int, env []string, args ...string) *node {
	l.t.Helper()
	n := &node{l: l, ended: make(chan struct{})}
	n.cmd = exec.Command(
		"ip",
		append([]string{"netns", "exec", fmt.Sprintf("%sn%d", l.tag, computer), l.bin}, args...)...)
	n.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.dir}, env...)
	n.cmd.Stdout, n.cmd.Stderr = n, n
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a test that runs out of time cleans nothing up
	n.cmd.WaitDelay = 10 * time.Second                                   // of what it may have left behind
	if err := n.cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	go func() {
		defer close(n.ended)
		_ = n.cmd.Wait() // it is killed
	}()
	l.t.Cleanup(n.kill)
	return n
}

// kill ends it as a crash would.
func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	<-n.ended
}

// said waits until it has said it, and returns what stands in the brackets.
func (n *node) said(pattern string) string {
	n.l.t.Helper()
	found := ""
	re := regexp.MustCompile(pattern)
	n.l.until("it says "+pattern, func() bool {
		select {
		case <-n.ended:
			n.l.t.Fatalf("it ended before it said %s:\n%s", pattern, n)
		default:
		}
		m := re.FindStringSubmatch(n.String())
		if m != nil {
			found = m[1]
		}
		return m != nil
	})
	return found
}

// patience ends what hangs; nothing is judged by it.
const patience = 6 * time.Minute

func (l *lab) until(what string, ok func() bool) {
	l.t.Helper()
	limit := time.After(patience)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-limit:
			l.t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
}

// caller speaks with the hub from this computer and insists: the hub may be away.
type caller struct {
	l      *lab
	client *http.Client
	url    string
}

const ownersToken = "the-owners-token-of-32-bytes-or-more"

func (l *lab) caller(url, pin string) *caller {
	l.t.Helper()
	trust, err := netlisten.Pin(pin)
	if err != nil {
		l.t.Fatal(err)
	}
	c := &caller{l: l, url: url, client: &http.Client{Transport: &http.Transport{TLSClientConfig: trust}}}
	l.t.Cleanup(c.client.CloseIdleConnections)
	return c
}

// call asks once.
func (c *caller) call(method, path, key string, in, out any) error {
	ctx, cancel := context.WithTimeout(c.l.t.Context(), 5*time.Second)
	defer cancel()
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, &body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+ownersToken)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, res.Status)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}

// insist asks until it is answered.
func (c *caller) insist(method, path, key string, in, out any) {
	c.l.t.Helper()
	var last error
	defer func() {
		if last != nil {
			c.l.t.Logf("the last error of %s %s: %v", method, path, last)
		}
	}()
	c.l.until(method+" "+path, func() bool {
		last = c.call(method, path, key, in, out)
		return last == nil
	})
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const frameLimit = 1500 // ms

// browser is a script of this folder at work, such as browser.mjs.
type browser struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func findChromium() (string, error) {
	if path := os.Getenv("AGENTFLOW_CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium: install it, or name it in AGENTFLOW_CHROMIUM")
}

// openBrowser starts a script of this folder, which drives a browser.
func (s setup) openBrowser(ctx context.Context, script string) (*browser, error) {
	chromium, err := findChromium()
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("node"); err != nil {
		return nil, errors.New("there is no Node.js: install it")
	}
	page := filepath.Join(s.root, "frontend", "package.json")
	if _, err := os.Stat(filepath.Join(filepath.Dir(page), "node_modules", "playwright-core")); err != nil {
		return nil, errors.New("the page's packages are not installed: run make build first")
	}
	b := &browser{}
	ctx, b.cancel = context.WithCancel(ctx)
	b.cmd = exec.CommandContext(ctx, "node", filepath.Join(s.root, "bench", script), page, chromium)
	b.cmd.Stderr = &b.stderr
	b.cmd.WaitDelay = 5 * time.Second
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		b.cancel()
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		b.cancel()
		return nil, err
	}
	b.out = bufio.NewReader(out)
	if err := b.cmd.Start(); err != nil {
		b.cancel()
		return nil, err
	}
	if _, err := b.answer(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// answer reads a line. It doesn't hang: the script exits if the page doesn't load.
func (b *browser) answer() (string, error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the browser gave up: %w: %.500s", err, b.stderr.String())
	}
	return strings.TrimSpace(line), nil
}

// close lets the script close the browser; after a while it ends it.
func (b *browser) close() {
	timer := time.AfterFunc(10*time.Second, b.cancel)
	_ = b.in.Close() // it may have ended
	_ = b.cmd.Wait() // what went wrong was in its answers
	timer.Stop()
	b.cancel()
}

// firstFrame starts a hub, opens its page and returns how long both took together.
func (s setup) firstFrame(ctx context.Context, b *browser) (time.Duration, error) {
	h, err := s.startHub(ctx)
	if err != nil {
		return 0, err
	}
	defer h.stop()
	if _, err := io.WriteString(b.in, h.link+"\n"); err != nil {
		return 0, err
	}
	line, err := b.answer()
	if err != nil {
		return 0, err
	}
	at, err := strconv.ParseFloat(line, 64)
	if err != nil {
		return 0, fmt.Errorf("the browser answered %q", line)
	}
	return since1970(at).Sub(h.started), nil
}

func since1970(ms float64) time.Time { return time.UnixMicro(int64(ms * 1000)) }

func browserFigures(ctx context.Context, s setup, r *report) error {
	b, err := s.openBrowser(ctx, "browser.mjs")
	if err != nil {
		return err
	}
	defer b.close()
	var frames samples
	for range s.starts {
		d, err := s.firstFrame(ctx, b)
		if err != nil {
			return err
		}
		frames.add(d, 0)
	}
	f := frames.figure("browser", "start of the hub to the first frame in a running browser")
	f.Note = "the example team, an empty data folder and an empty browser cache each time"
	r.limit(f, frameLimit)
	return nil
}

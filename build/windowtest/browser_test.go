//go:build window

package windowtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

// browser is Chromium with one page of a hub.
type browser struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// openBrowser opens the hub's page in a browser, by a link that serves once.
func openBrowser(t *testing.T, h hub) *browser {
	t.Helper()
	cmd := exec.Command("node", "testdata/browser.mjs")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = read.Close() })
	cmd.Stdout = write
	start(t, cmd)
	_ = write.Close()
	var link struct{ Path string }
	h.post("/api/links", struct{}{}, &link)
	b := &browser{t, in, bufio.NewReader(read)}
	b.ask(nil, map[string]any{"open": h.client.URL() + link.Path})
	eventually(t, "the browser shows the canvas", func() (bool, error) {
		var painted bool
		b.eval(&painted, `return performance.getEntriesByName("agentflow:first-frame").length > 0`)
		return painted, nil
	})
	return b
}

func (b *browser) ask(into any, what map[string]any) {
	b.t.Helper()
	line, err := json.Marshal(what)
	if err == nil {
		_, err = b.in.Write(append(line, '\n'))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := b.out.ReadBytes('\n')
	if err != nil {
		b.t.Fatalf("the browser has ended: %v", err)
	}
	var answer struct {
		Value json.RawMessage `json:"value"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(bytes.TrimSpace(text), &answer); err != nil || answer.Error != "" {
		b.t.Fatalf("the browser: %s %v", answer.Error, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.Value, into); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) eval(into any, script string, args ...any) {
	b.t.Helper()
	b.ask(into, map[string]any{"run": script, "args": append([]any{}, args...)})
}

func (b *browser) tab(name string) {
	b.t.Helper()
	b.ask(nil, map[string]any{"press": name})
}

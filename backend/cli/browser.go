package cli

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/config"
)

// show opens a link in the browser, where there is one. It returns what removes its traces.
func (p *program) show(link string) (func(), error) {
	nothing := func() {}
	command := browser()
	if command == nil {
		return nothing, nil
	}
	page, err := p.redirect(link)
	if err != nil {
		return nothing, err
	}
	forget := func() { _ = os.Remove(page) } // at worst a used link stays in a file that only its owner can read
	show := exec.CommandContext(
		context.Background(),
		command[0],
		append(command[1:], page)...) // the browser outlives the hub
	if err := show.Start(); err != nil {
		return forget, fmt.Errorf("couldn't open a browser: %w. Open the link yourself", err)
	}
	go func() { _ = show.Wait() }() // ends with the browser, or with this process
	return forget, nil
}

// redirect writes a page that leads to the link: the link itself must not stand in a
// command line, which everybody on this computer can read.
func (p *program) redirect(link string) (string, error) {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return "", err
	}
	page := filepath.Join(dir, "open.html")
	to := html.EscapeString(link)
	text := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>AgentFlow</title>` +
		`<meta http-equiv="refresh" content="0; url=` + to + `"><a href="` + to + `">AgentFlow</a>` + "\n"
	return page, atomicfile.Write(page, []byte(text), 0o600)
}

// browser is the command that opens a page; nil where there is no screen for it.
func browser() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	if path, err := exec.LookPath("xdg-open"); err == nil {
		return []string{path}
	}
	return nil
}

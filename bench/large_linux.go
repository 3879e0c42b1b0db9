package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/build/offscreen"
)

// windowPage is the real window on a display in memory, asked from outside as in
// build/windowtest.
type windowPage struct {
	s           setup
	shim, hands string
	session     string // of the web driver, with the window that is open
	pid         int
	end         func()
}

// start opens a window in place of the one that was open: each team has a new one.
func (w *windowPage) start(ctx context.Context) (home string, err error) {
	w.end()
	w.end = func() {}
	session, dir, end, err := w.s.drivenWindow(ctx, w.shim)
	if err != nil {
		return "", err
	}
	w.session, w.end = session, end
	if _, err := paintedAt(ctx, session); err != nil {
		return "", err
	}
	if _, w.pid, err = launched(dir); err != nil {
		return "", err
	}
	if err := offscreen.Call(ctx, http.MethodPost, session+"/timeouts", map[string]any{"script": patience.Milliseconds()}, nil); err != nil {
		return "", err
	}
	err = offscreen.Call(ctx, http.MethodGet, session+"/url", nil, &home)
	return home, err
}

// newWindowPage makes what opens windows; none is open yet.
func (s setup) newWindowPage(ctx context.Context) (*windowPage, error) {
	shim, err := s.windowTools(ctx)
	if err != nil {
		return nil, err
	}
	hands, err := os.ReadFile(filepath.Join(s.root, "bench", "large", "drive.js"))
	if err != nil {
		return nil, err
	}
	return &windowPage{s: s, shim: shim, hands: string(hands), end: func() {}}, nil
}

func largeWindowFigures(ctx context.Context, s setup, r *report) error {
	w, err := s.newWindowPage(ctx)
	if err != nil {
		return err
	}
	defer func() { w.end() }()
	return s.measureLarge(ctx, w, "largewindow", ", in the window", r)
}

func (w *windowPage) cpu() time.Duration { return treeTime(w.pid) }

// do runs the body of an asynchronous function in the page.
func (w *windowPage) do(ctx context.Context, body string, into any, args ...any) error {
	script := `const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);
		(async () => { ` + body + ` })().then((value) => done(JSON.stringify({ value: value ?? null })), (e) => done(JSON.stringify({ error: String(e) })));`
	var text string
	if args == nil {
		args = []any{}
	}
	if err := offscreen.Call(ctx, http.MethodPost, w.session+"/execute/async", map[string]any{"script": script, "args": args}, &text); err != nil {
		return err
	}
	var answer struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

func (w *windowPage) run(ctx context.Context, expression string, into any) error {
	return w.do(ctx, w.hands+"\nreturn agentflowHands."+expression+";", into)
}

func (w *windowPage) visit(ctx context.Context, address string) error {
	return offscreen.Call(ctx, http.MethodPost, w.session+"/url", map[string]string{"url": address}, nil)
}

func (w *windowPage) openPeer(ctx context.Context, address string) error {
	return w.visit(ctx, address)
}

// hub is the window's own.
func (w *windowPage) hub(ctx context.Context) (*hub, error) {
	var at struct{ URL, Token string }
	err := w.do(ctx, "return await window.go.main.App.Endpoint();", &at)
	return &hub{url: at.URL, token: at.Token}, err
}

// openTeam draws a team in the window's own hub and opens the page afresh.
func (w *windowPage) openTeam(ctx context.Context, t *topology.Topology) (*shown, error) {
	home, err := w.start(ctx)
	if err != nil {
		return nil, err
	}
	h, err := w.hub(ctx)
	if err != nil {
		return nil, err
	}
	id, err := h.show(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := w.do(ctx, `localStorage.setItem("agentflow.team", given[0]);`, nil, id); err != nil {
		return nil, err
	}
	if err := w.visit(ctx, home); err != nil {
		return nil, err
	}
	return h.shown(ctx, id, func() {}), nil
}

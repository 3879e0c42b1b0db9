//go:build desktop

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	wailsruntime "github.com/wailsapp/wails/v2/pkg/runtime"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/config"
	"agentflow/backend/base/startupfiles"
	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/frontend"
)

//go:embed build/appicon.png
var icon []byte

// shutdownLimit is how long the hub may take to end once the window is closed.
const shutdownLimit = 5 * time.Second

// hub is what the window needs of the engine.
type hub interface {
	Run(ctx context.Context) error // blocks until ctx ends, or the hub fails
	Ready() <-chan struct{}
	URL() string
	Token() string
	Give(f startupfiles.File) error // shows a file to the person
}

// App is the window over the engine's hub. Its exported methods are all that the page
// finds at window.go.main.App; everything else it does goes through the hub's API.
type App struct {
	openHub func(context.Context) (hub, error)
	dataDir string
	file    string // that this start is about; "" is none
	place   place
	starts  *starts // the later ones; nil until the window is there
	recent  *recentFiles
	notices notices

	ctx    context.Context // Wails's own, needed to call it
	engine context.Context
	stop   context.CancelFunc
	start  sync.Once
	opened chan hub      // gets the hub once it is open
	done   chan struct{} // closed when the hub has ended
	failed error         // why; read after done
}

// runWindow opens the window and returns when it is closed and the hub has ended.
func runWindow(ctx context.Context, start cli.Start, openEngine func(context.Context) (*engine.Engine, error)) error {
	if there, err := handOver(ctx, start.DataDir, asked{File: start.File}); there || err != nil {
		return err
	}
	if err := displayProblem(); err != nil {
		return err
	}
	assets := frontend.Assets()
	if _, err := fs.Stat(assets, "index.html"); err != nil {
		return errors.New("this program was built without its page; build it with `make build`")
	}
	gpu := ""
	if settings, err := config.Load(start.DataDir); err == nil { // else the hub says the same where it is seen
		gpu = settings.UI().GPUPolicy
	}
	a := newApp(ctx, start.DataDir, func(ctx context.Context) (hub, error) {
		e, err := openEngine(ctx)
		if err != nil {
			return nil, err // not e: a nil engine in an interface is not nil
		}
		return e, nil
	})
	a.file = start.File
	err := a.open(assets, gpu)
	return errors.Join(err, a.close())
}

func newApp(ctx context.Context, dataDir string, openHub func(context.Context) (hub, error)) *App {
	a := &App{openHub: openHub, dataDir: dataDir, place: readPlace(dataDir), recent: readRecent(dataDir), opened: make(chan hub, 1), done: make(chan struct{})}
	a.engine, a.stop = context.WithCancel(ctx)
	return a
}

// displayProblem says what to do where no window can open; GTK would panic.
func displayProblem() error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); use `agentflow serve --open` and a browser")
	}
	return nil
}

func (a *App) open(assets fs.FS, gpu string) (err error) {
	defer func() { // GTK's one panic is a display that is named and does not answer
		if r := recover(); r != nil {
			if cause, ok := r.(error); !ok || cause.Error() != "failed to init GTK" {
				panic(r)
			}
			err = fmt.Errorf("the display %q does not answer; use `agentflow serve --open` and a browser", os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY"))
		}
	}()
	state := options.Normal
	if a.place.Maximised {
		state = options.Maximised
	}
	return wails.Run(&options.App{
		Title: "AgentFlow", Width: a.place.Width, Height: a.place.Height, MinWidth: minWidth, MinHeight: minHeight,
		WindowStartState: state,
		AssetServer:      &assetserver.Options{Assets: assets, Middleware: contentPolicy},
		OnStartup:        a.startup,
		OnDomReady:       func(context.Context) { a.startHub() },
		OnBeforeClose:    a.beforeClose,
		Bind:             []any{a},
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               instanceID(a.dataDir),
			OnSecondInstanceLaunch: func(options.SecondInstanceData) { a.show() },
		},
		Linux: &linux.Options{Icon: icon, ProgramName: "agentflow", WebviewGpuPolicy: gpuPolicy(gpu)},
	})
}

// gpuPolicy maps the setting to the number that Wails 2.16 really acts on: its C side
// takes 0 for always, 1 for on demand and 2 for never, while its Go constants have the
// first two the other way round. Never is the default, because without a graphics card
// the other two burn a core while nothing moves.
func gpuPolicy(setting string) linux.WebviewGpuPolicy {
	switch setting {
	case "always":
		return 0
	case "ondemand":
		return 1
	default:
		return 2
	}
}

// instanceID is one per data folder: a second window on the same folder brings the
// first one forward.
func instanceID(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	sum := sha256.Sum256([]byte(dir))
	return "agentflow_" + hex.EncodeToString(sum[:8])
}

// contentPolicy lets the page load its own files and talk to hubs on this machine,
// nothing else.
func contentPolicy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		w.Header().Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'nonce-"+nonce+"'; img-src 'self' data: blob:; "+
			"connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*; object-src 'none'; base-uri 'none'; form-action 'none'")
		if r.URL.Path == "/" || r.URL.Path == "/index.html" {
			w = noncedPage{w, []byte(nonce)}
		}
		next.ServeHTTP(w, r)
	})
}

// noncedPage puts the nonce of this load into the page, which is written in one piece.
type noncedPage struct {
	http.ResponseWriter
	nonce []byte
}

func (w noncedPage) WriteHeader(status int) {
	w.Header().Del("Content-Length") // it was that of the page before
	w.ResponseWriter.WriteHeader(status)
}

func (w noncedPage) Write(page []byte) (int, error) {
	w.Header().Del("Content-Length")
	_, err := w.ResponseWriter.Write(bytes.ReplaceAll(page, []byte("{{nonce}}"), w.nonce))
	return len(page), err
}

// startup runs as soon as Wails has a window, on a goroutine of Wails.
func (a *App) startup(ctx context.Context) {
	a.ctx = ctx
	guardNavigation()
	var err error
	if a.starts, err = takeStarts(a.dataDir, a.startedAgain); err != nil { // Wails still turns a second window away
		wailsruntime.LogWarningf(ctx, "later starts are not heard: %v", err)
	}
	context.AfterFunc(a.engine, func() { quit(quitLimit, func() { wailsruntime.Quit(ctx) }) })
	if !a.place.known || a.place.Maximised {
		return
	}
	screens, err := wailsruntime.ScreenGetAll(ctx)
	if err != nil {
		return
	}
	for _, s := range screens {
		if s.IsCurrent {
			p := a.place.within(s.Size.Width, s.Size.Height)
			wailsruntime.WindowSetPosition(ctx, p.X, p.Y)
		}
	}
}

// startHub starts the hub once. It waits for the page, because by then a second instance
// on the same data folder has been turned away, and what goes wrong can be shown.
func (a *App) startHub() {
	a.start.Do(func() { go a.runHub() })
}

func (a *App) runHub() {
	defer close(a.done)
	h, err := a.openHub(a.engine)
	if err == nil {
		if err := a.give(h, a.file); err != nil {
			wailsruntime.LogWarningf(a.ctx, "the file is not shown: %v", err)
		}
		a.opened <- h
		err = h.Run(a.engine)
	}
	a.failed = err
	if a.engine.Err() != nil {
		return // asked to end
	}
	if a.failed == nil {
		a.failed = errors.New("the hub ended by itself")
	}
	_, _ = wailsruntime.MessageDialog(a.ctx, wailsruntime.MessageDialogOptions{
		Type: wailsruntime.ErrorDialog, Title: "AgentFlow", Message: a.failed.Error(),
	})
	a.stop()
}

// beforeClose keeps where the window stands. A place that cannot be kept is no reason
// to hold the window open.
func (a *App) beforeClose(ctx context.Context) bool {
	a.notices.end(ctx)
	if wailsruntime.WindowIsMinimised(ctx) {
		return false
	}
	p := a.place
	if p.Maximised = wailsruntime.WindowIsMaximised(ctx); !p.Maximised {
		p.Width, p.Height = wailsruntime.WindowGetSize(ctx)
		p.X, p.Y = wailsruntime.WindowGetPosition(ctx)
	}
	if err := p.write(a.dataDir); err != nil {
		wailsruntime.LogWarningf(ctx, "the window's place is not kept: %v", err)
	}
	return false
}

// close ends the hub and waits for it.
func (a *App) close() error {
	if a.starts != nil {
		a.starts.close()
	}
	a.stop()
	started := true
	a.start.Do(func() { started = false })
	if !started {
		return nil
	}
	select {
	case <-a.done:
		if errors.Is(a.failed, context.Canceled) {
			return nil
		}
		return a.failed
	case <-time.After(shutdownLimit):
		return fmt.Errorf("the hub did not end within %s", shutdownLimit)
	}
}

// startedAgain brings the window forward, with the file that the later start is about.
func (a *App) startedAgain(start asked) error {
	a.show()
	select {
	case h := <-a.opened:
		a.opened <- h // for the next call
		return a.give(h, start.File)
	case <-a.done:
		return errors.New("the window is closing")
	case <-time.After(handOverLimit / 2):
		return errors.New("the window is still starting; try again")
	}
}

func (a *App) show() {
	wailsruntime.WindowUnminimise(a.ctx)
	wailsruntime.WindowShow(a.ctx)
}

// Endpoint is where the page finds the hub.
type Endpoint struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

// Endpoint waits until the hub accepts requests. The token is the owner's; the page
// keeps it in memory only.
func (a *App) Endpoint() (Endpoint, error) {
	a.startHub()
	select {
	case h := <-a.opened:
		a.opened <- h // for the next call
		select {
		case <-h.Ready():
			return Endpoint{URL: h.URL(), Token: h.Token()}, nil
		case <-a.done:
		}
	case <-a.done:
	}
	if a.failed == nil {
		return Endpoint{}, context.Canceled
	}
	return Endpoint{}, a.failed
}

// OpenLink opens a web address in the person's browser; the window itself only ever shows its
// own page.
func (a *App) OpenLink(link string) error {
	address, err := webAddress(link)
	if err != nil {
		return err
	}
	wailsruntime.BrowserOpenURL(a.ctx, address)
	return nil
}

// OpenTeamFile asks for a team file or bundle and reads it; nil when the person chose none.
func (a *App) OpenTeamFile() (*TeamFile, error) {
	path, err := wailsruntime.OpenFileDialog(a.ctx, wailsruntime.OpenDialogOptions{
		Filters: []wailsruntime.FileFilter{
			{DisplayName: "Teams (*.agentflow.yaml, *.agentflow.zip, *.yml, *.json, *.json5)", Pattern: "*.yaml;*.yml;*.json;*.json5;*.zip"},
			{DisplayName: "*", Pattern: "*"},
		},
	})
	if err != nil || path == "" {
		return nil, err
	}
	return a.recent.open(path)
}

// SaveTeamFile asks where to and writes there; nil when the person chose no place.
func (a *App) SaveTeamFile(name, text string) (*TeamFile, error) {
	path, err := a.save(name, []byte(text))
	if err != nil || path == "" {
		return nil, err
	}
	return a.recent.open(path)
}

// SaveFile does the same for a picture or a bundle, given in base64; it returns the
// path, or "".
func (a *App) SaveFile(name, data string) (string, error) {
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", fmt.Errorf("%s did not arrive whole: %w", name, err)
	}
	path, err := a.save(name, content)
	if err == nil && strings.HasSuffix(path, ".zip") {
		err = a.recent.remember(path)
	}
	return path, err
}

func (a *App) save(name string, content []byte) (string, error) {
	path, err := wailsruntime.SaveFileDialog(a.ctx, wailsruntime.SaveDialogOptions{DefaultFilename: filepath.Base(name)})
	if err != nil || path == "" {
		return "", err
	}
	return path, writeChosen(path, content)
}

// writeChosen writes a file that a person chose in the dialog, whole or not at all.
func writeChosen(path string, content []byte) error { return atomicfile.Write(path, content, 0o644) }

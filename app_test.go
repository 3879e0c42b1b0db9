//go:build desktop

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/startupfiles"
	"agentflow/backend/cli"
)

func TestPlaceIsKeptAndStaysInSight(t *testing.T) {
	dir := t.TempDir()
	if p := readPlace(dir); p.known || p.Width != defaultWidth {
		t.Errorf("the first start gave %+v", p)
	}
	want := place{X: 2000, Y: 40, Width: 1600, Height: 1000}
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	got := readPlace(dir)
	want.known = true
	if got != want {
		t.Errorf("read %+v, want %+v", got, want)
	}
	if p := got.within(1280, 800); p.X != 0 || p.Y != 0 || p.Width != 1280 || p.Height != 800 {
		t.Errorf("on a smaller screen: %+v", p)
	}
	if p := got.within(3000, 2000); p.X != 1400 || p.Y != 40 || p.Width != 1600 {
		t.Errorf("on a larger screen: %+v", p)
	}
	for _, broken := range []string{"", "{", `{"width":-1,"height":5}`, "null"} {
		if err := os.WriteFile(filepath.Join(dir, placeFile), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if p := readPlace(dir); p.known || p.Width != defaultWidth || p.Height != defaultHeight {
			t.Errorf("%q gave %+v", broken, p)
		}
	}
}

func TestNoDisplayIsAMessage(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	err := runWindow(t.Context(), cli.Start{DataDir: t.TempDir()}, nil)
	if err == nil || !strings.Contains(err.Error(), "agentflow serve --open") {
		t.Errorf("without a display: %v", err)
	}
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	if err := displayProblem(); err != nil {
		t.Error(err)
	}
}

// The page finds these methods and no others at window.go.main.App.
func TestOnlyTheseMethodsAreBound(t *testing.T) {
	var names []string
	for m := range reflect.TypeFor[*App]().Methods() {
		names = append(names, m.Name)
	}
	want := []string{
		"Endpoint", "ForgetFile", "Notify", "OpenLink", "OpenTeamFile", "RecentFiles", "ReopenTeamFile",
		"RewriteTeamFile", "SaveFile", "SaveTeamFile",
	}
	if !slices.Equal(names, want) {
		t.Errorf("bound: %v, want %v", names, want)
	}
}

// The numbers of gpuPolicy are those of the C switch, which only Wails's source tells.
func TestGPUPolicyIsWhatWailsDoes(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/wailsapp/wails/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(
		filepath.Join(strings.TrimSpace(string(dir)), "internal/frontend/desktop/linux/window.c"),
	)
	if err != nil {
		t.Fatal(err)
	}
	for setting, name := range map[string]string{"always": "ALWAYS", "ondemand": "ON_DEMAND", "never": "NEVER", "": "NEVER"} {
		re := regexp.MustCompile(`case ` + string(rune('0'+int(gpuPolicy(setting)))) + `:\s+webkit_settings_set_hardware_acceleration_policy\(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_` + name + `\)`)
		if !re.Match(source) {
			t.Errorf("Wails does something else for %q than %s", setting, name)
		}
	}
}

// A later start on the data folder hands its file to the first, and is told when
// that cannot be shown; a socket that a killed window has left is in nobody's way.
func TestALaterStartIsHandedOver(t *testing.T) {
	dir := t.TempDir()
	if there, err := handOver(t.Context(), dir, asked{}); there || err != nil {
		t.Fatalf("nobody is there: %v, %v", there, err)
	}
	if err := os.WriteFile(filepath.Join(dir, socketName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	s, err := takeStarts(dir, func(start asked) error {
		if got = append(got, start.File); start.File == "bad" {
			return errors.New("it cannot be shown")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, socketName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	for _, file := range []string{"", "/a.agentflow.yaml"} {
		if there, err := handOver(t.Context(), dir, asked{File: file}); !there || err != nil {
			t.Errorf("%q: %v, %v", file, there, err)
		}
	}
	if there, err := handOver(t.Context(), dir, asked{File: "bad"}); !there || err == nil || err.Error() != "it cannot be shown" {
		t.Errorf("a file that cannot be shown: %v, %v", there, err)
	}
	s.close()
	if !slices.Equal(got, []string{"", "/a.agentflow.yaml", "bad"}) {
		t.Errorf("the window was handed %q", got)
	}
	if there, err := handOver(t.Context(), dir, asked{}); there || err != nil {
		t.Errorf("after the window has closed: %v, %v", there, err)
	}
}

// testHub is a hub whose Run ends when it is told to.
type testHub struct {
	ready chan struct{}
	err   error
}

func (h testHub) Run(ctx context.Context) error {
	close(h.ready)
	<-ctx.Done()
	return h.err
}

func (h testHub) Ready() <-chan struct{}       { return h.ready }
func (h testHub) URL() string                  { return "http://127.0.0.1:1" }
func (h testHub) Token() string                { return "secret" }
func (h testHub) Give(startupfiles.File) error { return nil }

func appOver(t *testing.T, runErr error) *App {
	return newApp(t.Context(), t.TempDir(), func(context.Context) (hub, error) {
		return testHub{make(chan struct{}), runErr}, nil
	})
}

func TestCloseJoinsTheHub(t *testing.T) {
	failure := errors.New("database is locked")
	for _, c := range []struct{ ends, want error }{{nil, nil}, {context.Canceled, nil}, {failure, failure}} {
		a := appOver(t, c.ends)
		for range 2 { // the page asks again after a lost connection
			e, err := a.Endpoint()
			if err != nil || e.URL != "http://127.0.0.1:1" || e.Token != "secret" {
				t.Fatalf("endpoint %+v, %v", e, err)
			}
		}
		if err := a.close(); !errors.Is(err, c.want) {
			t.Errorf("close after %v gave %v", c.ends, err)
		}
		select {
		case <-a.done:
		default:
			t.Error("close returned before the hub had ended")
		}
	}
	if err := appOver(t, failure).close(); err != nil {
		t.Errorf("a hub that never started gave %v", err)
	}
}

func TestEndpointSaysWhyTheHubDidNotOpen(t *testing.T) {
	failure := errors.New("the folder is in use")
	a := newApp(t.Context(), t.TempDir(), func(context.Context) (hub, error) { return nil, failure })
	a.stop() // nobody is there to read the message box
	if _, err := a.Endpoint(); !errors.Is(err, failure) {
		t.Errorf("endpoint: %v", err)
	}
	if err := a.close(); !errors.Is(err, failure) {
		t.Errorf("close: %v", err)
	}
}

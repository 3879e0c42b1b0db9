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
	err := runWindow(t.Context(), t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "agentflow serve --open") {
		t.Errorf("without a display: %v", err)
	}
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	if err := displayProblem(); err != nil {
		t.Error(err)
	}
}

// The page finds these methods and no others at window.go.main.App.
func TestOnlyFourMethodsAreBound(t *testing.T) {
	var names []string
	for m := range reflect.TypeFor[*App]().Methods() {
		names = append(names, m.Name)
	}
	if want := []string{"Endpoint", "OpenTeamFile", "SaveFile", "SaveTeamFile"}; !slices.Equal(names, want) {
		t.Errorf("bound: %v, want %v", names, want)
	}
}

// The numbers of gpuPolicy are those of the C switch, which only Wails's source tells.
func TestGPUPolicyIsWhatWailsDoes(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/wailsapp/wails/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "internal/frontend/desktop/linux/window.c"))
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

func TestReadTeamFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "team.agentflow.yaml")
	if err := os.WriteFile(path, []byte("agentflow: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := readTeamFile(path)
	if err != nil || f.Name != "team.agentflow.yaml" || f.Text != "agentflow: 1\n" {
		t.Errorf("read %+v, %v", f, err)
	}
	zip := filepath.Join(t.TempDir(), "team.agentflow.zip")
	if err := os.WriteFile(zip, []byte("PK\x03\x04\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := readTeamFile(zip); err != nil || string(b.Data) != "PK\x03\x04\xff" || b.Text != "" {
		t.Errorf("read %+v, %v", b, err)
	}
	if err := os.Truncate(path, teamFileLimit+1); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{path, filepath.Dir(path), path + ".gone"} {
		if _, err := readTeamFile(bad); err == nil {
			t.Errorf("%s was read", bad)
		}
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

func (h testHub) Ready() <-chan struct{} { return h.ready }
func (h testHub) URL() string            { return "http://127.0.0.1:1" }
func (h testHub) Token() string          { return "secret" }

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

// Licences writes the licences of the Go modules that AgentFlow is built from, for the
// page to show. The page's own packages are written by its build.
//
//	go run ./build/licences frontend/dist/licences/go.json
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// Part is something that AgentFlow is built from. The page's build writes the same shape.
type Part struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	Identifier string `json:"identifier"` // SPDX; empty where the text is not a known one
	Text       string `json:"text"`
}

// flavours are what is built: the program everywhere, and its window.
var flavours = []struct{ os, tags string }{
	{"linux", ""}, {"windows", ""}, {"darwin", ""},
	{"linux", "desktop,production,webkit2_41"}, {"windows", "desktop,production"},
}

type module struct{ Path, Version, Dir string }

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: licences FILE"))
	}
	parts, err := collect(context.Background())
	if err == nil {
		err = write(os.Args[1], parts)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	_, _ = fmt.Fprintln(os.Stderr, "licences:", err)
	os.Exit(1)
}

func write(path string, parts []Part) error {
	data, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// collect lists the modules of all flavours, and Go itself.
func collect(ctx context.Context) ([]Part, error) {
	found := map[string]module{}
	for _, f := range flavours {
		list, err := modules(ctx, f.os, f.tags)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			found[m.Path] = m
		}
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	parts := []Part{}
	for _, m := range append([]module{{Path: "Go", Version: strings.TrimPrefix(runtime.Version(), "go"), Dir: strings.TrimSpace(string(root))}}, values(found)...) {
		text, err := licence(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		parts = append(parts, Part{m.Path, strings.TrimPrefix(m.Version, "v"), identifier(text), text})
	}
	return parts, nil
}

func values(found map[string]module) []module {
	var list []module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// modules are those whose packages are linked into the program.
func modules(ctx context.Context, goos, tags string) ([]module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-tags", tags, "-f", `{{with .Module}}{{if not .Main}}{"Path":{{printf "%q" .Path}},"Version":{{printf "%q" .Version}},"Dir":{{printf "%q" .Dir}}}{{end}}{{end}}`, "agentflow")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", goos, err)
	}
	var list []module
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var m module
		if err := dec.Decode(&m); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// names are how licence files are called, in the order in which they are shown.
var names = []string{"LICENSE", "LICENCE", "COPYING", "NOTICE"}

// licence reads a module's licence files.
func licence(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, name := range names {
		for _, e := range entries {
			if e.IsDir() || !strings.HasPrefix(strings.ToUpper(e.Name()), name) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return "", err
			}
			texts = append(texts, strings.TrimSpace(string(data)))
		}
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("there is no licence in %s", dir)
	}
	return strings.Join(texts, "\n\n"+strings.Repeat("-", 72)+"\n\n"), nil
}

// identifier names the licences of a text.
func identifier(text string) string {
	var ids []string
	for _, m := range licensecheck.Scan([]byte(text)).Match {
		if !m.IsURL && !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return strings.Join(ids, " AND ")
}

//go:build desktop

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/startupfiles"
)

const (
	recentFile = "recent.json"
	// More than the page lists, so that a team finds the file it came from for longer.
	mostRecent = 50
)

// TeamFile is a file the person chose, and where it can be written back.
type TeamFile struct {
	startupfiles.File
	Path  string `json:"path"`
	Stamp string `json:"stamp"` // another one says that the file was changed
}

// RecentFile is a file that was opened or saved here.
type RecentFile struct {
	Path   string    `json:"path"`
	Name   string    `json:"name"`
	Folder string    `json:"folder"`
	At     time.Time `json:"at"`
}

// RecentFiles lists the files that were opened or saved here, the latest first.
func (a *App) RecentFiles() []RecentFile { return a.recent.list() }

// ReopenTeamFile reads one of the RecentFiles again; nil when it is gone. It reads no
// other file.
func (a *App) ReopenTeamFile(path string) (*TeamFile, error) { return a.recent.reopen(path) }

// RewriteTeamFile writes one of the RecentFiles, and returns its new stamp. It writes no
// other file, and none whose stamp is another than the page saw.
func (a *App) RewriteTeamFile(path, stamp, text string) (string, error) {
	return a.recent.rewrite(path, stamp, text)
}

// ForgetFile takes a file off the RecentFiles; the file itself stays.
func (a *App) ForgetFile(path string) error { return a.recent.forget(path) }

// give hands a file to the page, and keeps it among the recent ones; "" is none.
func (a *App) give(h hub, path string) error {
	if path == "" {
		return nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	f, err := startupfiles.Read(path)
	if err != nil {
		return err
	}
	if err := h.Give(f); err != nil {
		return err
	}
	return a.recent.remember(path) // the person named it, as in a dialog
}

// recentFiles are the files that a person chose in a dialog of the window, kept in the
// data folder. The page may have these read and written again, and no others.
type recentFiles struct {
	file string

	mu    sync.Mutex
	known []keptFile // the latest first
}

type keptFile struct {
	Path string    `json:"path"`
	At   time.Time `json:"at"`
}

// readRecent never fails: a list that cannot be read is an empty one.
func readRecent(dir string) *recentFiles {
	r := &recentFiles{file: filepath.Join(dir, recentFile)}
	b, err := os.ReadFile(r.file)
	if err != nil || json.Unmarshal(b, &r.known) != nil {
		r.known = nil
	}
	r.known = slices.DeleteFunc(r.known, func(k keptFile) bool { return !filepath.IsAbs(k.Path) })
	return r
}

func (r *recentFiles) list() []RecentFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]RecentFile, 0, len(r.known))
	for _, k := range r.known {
		out = append(out, RecentFile{Path: k.Path, Name: filepath.Base(k.Path), Folder: filepath.Dir(k.Path), At: k.At})
	}
	return out
}

// open reads a file that the person chose just now, and remembers it.
func (r *recentFiles) open(path string) (*TeamFile, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f, err := readTeamFile(path)
	if err != nil {
		return nil, err
	}
	return f, r.remember(path)
}

// reopen reads a file that is remembered; nil when it is gone.
func (r *recentFiles) reopen(path string) (*TeamFile, error) {
	if err := r.mayTouch(path); err != nil {
		return nil, err
	}
	f, err := readTeamFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return f, r.remember(path)
}

// rewrite replaces the text of a file that is remembered, whole or not at all, and
// returns its new stamp.
func (r *recentFiles) rewrite(path, stamp, text string) (string, error) {
	if err := r.mayTouch(path); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if stampOf(info) != stamp {
		return "", fmt.Errorf("%s was changed meanwhile; nothing was written", path)
	}
	target, err := filepath.EvalSymlinks(path) // a link stays a link
	if err != nil {
		return "", err
	}
	if err := atomicfile.Write(target, []byte(text), info.Mode().Perm()); err != nil {
		return "", err
	}
	if info, err = os.Stat(path); err != nil {
		return "", err
	}
	return stampOf(info), r.remember(path)
}

// mayTouch refuses every path but those that the person chose.
func (r *recentFiles) mayTouch(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.ContainsFunc(r.known, func(k keptFile) bool { return k.Path == path }) {
		return fmt.Errorf("%s was not opened here before; open it with the dialog", path)
	}
	return nil
}

func (r *recentFiles) remember(path string) error {
	return r.change(path, func(k []keptFile) []keptFile {
		return slices.Insert(k, 0, keptFile{path, time.Now().UTC().Truncate(time.Second)})
	})
}

func (r *recentFiles) forget(path string) error {
	return r.change(path, func(k []keptFile) []keptFile { return k })
}

// change takes a path off the list, has the rest changed, and keeps it.
func (r *recentFiles) change(path string, add func([]keptFile) []keptFile) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(r.known), func(k keptFile) bool { return k.Path == path })
	next := add(rest)
	next = next[:min(len(next), mostRecent)]
	b, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(r.file, b, 0o600); err != nil {
		return err
	}
	r.known = next
	return nil
}

func readTeamFile(path string) (*TeamFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := startupfiles.Read(path)
	if err != nil {
		return nil, err
	}
	return &TeamFile{File: f, Path: path, Stamp: stampOf(info)}, nil
}

func stampOf(info fs.FileInfo) string {
	return fmt.Sprintf("%d/%d", info.ModTime().UnixNano(), info.Size())
}

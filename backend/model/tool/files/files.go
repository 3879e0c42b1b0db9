// Package files provides tools that read and write files inside the allowed folders only. Neither `..`, an absolute
// path nor a symbolic link escapes them.
package files

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
)

// From is the source of these tools.
const From = "files"

// Names of the tools.
const (
	Read   = "file_read"
	Write  = "file_write"
	List   = "file_list"
	Search = "file_search"
)

// Limits.
const (
	maxWrite  = 1 << 20
	maxListed = 1000
)

// Folders are the allowed folders. The caller closes them after the last use of the tools.
type Folders struct {
	mu     sync.Mutex
	places []place
	absent *absent // a workspace that the first use creates
}

// absent is a workspace that isn't there yet.
type absent struct {
	path    string // absolute
	sandbox sandbox.Settings
}

type place struct {
	root *os.Root
	path string // as configured, absolute
	real string // without symbolic links
}

// Open opens the folders, which must exist. A leading ~ is the home folder, as it is where the owner is shown the folder.
func Open(paths ...string) (*Folders, error) {
	f := &Folders{}
	for _, p := range paths {
		abs, err := filepath.Abs(sandbox.Expand(p))
		if err == nil {
			var root *os.Root
			if root, err = os.OpenRoot(abs); err == nil {
				linkless, _ := filepath.EvalSymlinks(abs) // "" matches no path
				f.places = append(f.places, place{root: root, path: abs, real: linkless})
				continue
			}
		}
		f.Close()
		return nil, errcode.Wrap(errcode.Validation, err,
			"the folder %s, in which files are allowed, cannot be used: %s", p, said(err))
	}
	return f, nil
}

// OpenWorkspace opens an agent's workspace for its tools. The first use of a tool creates a missing one, so that
// nothing is written before a person has allowed that use. A workspace that gives access to the hub's own data is
// Forbidden. The caller closes the result.
func OpenWorkspace(path string, s sandbox.Settings) (*Folders, error) {
	if err := s.Apart(path); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(sandbox.Expand(path))
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err,
			"the folder %s, in which files are allowed, cannot be used: %s", path, said(err))
	}
	if _, err := os.Stat(abs); errors.Is(err, fs.ErrNotExist) {
		return &Folders{absent: &absent{path: abs, sandbox: s}}, nil
	}
	return Open(path)
}

// CreateWorkspace creates an agent's workspace, for its owner only, if it is missing.
func CreateWorkspace(path string) error {
	if err := os.MkdirAll(sandbox.Expand(path), 0o700); err != nil {
		return errcode.Wrap(errcode.Validation, err,
			"the agent's workspace %s can't be created. Choose another folder for it", path)
	}
	return nil
}

// create creates and opens a missing workspace. It does nothing if there is none.
func (f *Folders) create() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.absent == nil {
		return nil
	}
	path := f.absent.path
	if err := CreateWorkspace(path); err != nil {
		return err
	}
	if err := f.absent.sandbox.Apart(path); err != nil { // links on the way can have changed meanwhile
		return err
	}
	opened, err := Open(path)
	if err != nil {
		return err
	}
	f.places, f.absent = opened.places, nil
	return nil
}

// Paths returns the folders as configured, absolute.
func (f *Folders) Paths() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.absent != nil {
		return []string{f.absent.path}
	}
	var out []string
	for _, p := range f.places {
		out = append(out, p.path)
	}
	return out
}

// Close closes the folders.
func (f *Folders) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.places {
		_ = p.root.Close() // nothing was written through it
	}
}

// said returns the error of a file operation without the path.
func said(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		err = l.Err
	}
	return err.Error()
}

// Dir returns an allowed folder as a path, for a program that works in it. The default for "" is the first allowed
// folder; a folder outside is an error.
func (f *Folders) Dir(path string) (string, error) {
	p, name, err := f.find(path)
	if err != nil {
		return "", err
	}
	info, err := p.root.Stat(name)
	if err != nil || !info.IsDir() {
		return "", errcode.New(errcode.NotFound, "%s is not a folder that may be used", path)
	}
	return filepath.Join(p.path, name), nil
}

// Inside returns why a path is outside of the allowed folders, or nil. It writes nothing: it is asked before a person
// is, who would otherwise allow what is then rejected.
func (f *Folders) Inside(path string) error {
	p, name, err := f.locate(path)
	if err != nil {
		return err
	}
	if !filepath.IsLocal(name) {
		return outside(path, f)
	}
	for at := filepath.Clean(name); p.root != nil; at = filepath.Dir(at) {
		_, err := p.root.Stat(at)
		if err != nil && strings.Contains(said(err), "escapes") {
			return outside(path, f)
		}
		if !errors.Is(err, fs.ErrNotExist) || at == "." {
			break
		}
	}
	return nil
}

// find returns the allowed folder that contains a path, and the path inside it. It creates a missing workspace.
// os.Root resolves links and dots.
func (f *Folders) find(path string) (place, string, error) {
	if _, _, err := f.locate(path); err != nil {
		return place{}, "", err
	}
	if err := f.create(); err != nil {
		return place{}, "", err
	}
	return f.locate(path)
}

// locate is find without creating anything: the root of a missing workspace is nil. A relative path is in the first
// folder.
func (f *Folders) locate(path string) (place, string, error) {
	if strings.ContainsRune(path, 0) {
		return place{}, "", errcode.New(errcode.Validation, "a path holds no NUL")
	}
	f.mu.Lock()
	places := f.places
	if f.absent != nil {
		places = []place{{path: f.absent.path}}
	}
	f.mu.Unlock()
	if len(places) == 0 {
		return place{}, "", errcode.New(errcode.Forbidden, "no folder is allowed")
	}
	if path == "" {
		path = "."
	}
	if !filepath.IsAbs(path) {
		return places[0], filepath.FromSlash(path), nil
	}
	for _, p := range places {
		for _, base := range []string{p.path, p.real} {
			if name, err := filepath.Rel(base, path); base != "" && err == nil && filepath.IsLocal(name) {
				return p, name, nil
			}
		}
	}
	return place{}, "", outside(path, f)
}

func outside(path string, f *Folders) error {
	return errcode.New(errcode.Forbidden,
		"%s is outside of the folders that are allowed: %s. Use a path inside of them",
		path, strings.Join(f.Paths(), ", "))
}

// refused converts an error of a file operation.
func (f *Folders) refused(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errcode.New(errcode.NotFound, "%s does not exist", path)
	case errors.Is(err, fs.ErrPermission):
		return errcode.New(errcode.Forbidden, "the system does not allow it: %s", path)
	case strings.Contains(said(err), "escapes"):
		return outside(path, f)
	}
	return errcode.New(errcode.Validation, "%s: %s", path, said(err))
}

// Tools returns the file tools.
func (f *Folders) Tools() []tool.Tool {
	return []tool.Tool{
		tool.Typed(tool.Tool{
			Name: Read, From: From, Description: "Read a text file. Of a large file one piece at a time: go on at offset.",
			Schema: schema(`{"path":{"type":"string"},"offset":{"type":"integer","description":"byte to begin at, default 0"}}`, "path"),
			Check:  f.check,
		}, f.read),
		tool.Typed(tool.Tool{
			Name: Write, From: From, Description: "Write a text file, with the folders above it. It replaces what is there unless append is true.",
			Schema: schema(`{"path":{"type":"string"},"content":{"type":"string"},"append":{"type":"boolean"}}`, "path", "content"),
			Check:  f.check,
			Effect: f.effect,
		}, f.write),
		tool.Typed(tool.Tool{
			Name: List, From: From, Description: "List a folder: names, kinds and sizes.",
			Schema: schema(`{"path":{"type":"string","description":"default: the first allowed folder"},"recursive":{"type":"boolean"}}`),
			Check:  f.check,
		}, f.list),
		tool.Typed(tool.Tool{
			Name: Search, From: From, Description: "Find lines in files: path, number and line of each.",
			Schema: schema(`{"pattern":{"type":"string","description":"a regular expression (RE2)"},"path":{"type":"string","description":"folder or file, default: the first allowed folder"},"names":{"type":"string","description":"only files whose name fits, such as *.go"}}`, "pattern"),
			Check:  f.check,
		}, f.search),
	}
}

// check rejects arguments with a path that can't be used, before a person is asked.
func (f *Folders) check(arguments json.RawMessage) (tool.Policy, error) {
	var a struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(arguments, &a); err != nil { // Read has decoded them strictly
		return "", err
	}
	return "", f.Inside(a.Path)
}

func schema(properties string, required ...string) json.RawMessage {
	need, _ := json.Marshal(append([]string{}, required...)) // strings always encode
	return json.RawMessage(`{"type":"object","properties":` + properties + `,"required":` + string(need) + `,"additionalProperties":false}`)
}

// open opens a regular file. It opens a pipe without blocking, and rejects it.
func (f *Folders) open(path string) (*os.File, fs.FileInfo, error) {
	p, name, err := f.find(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := p.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, f.refused(path, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = f.refused(path, err)
	case info.IsDir():
		err = errcode.New(errcode.Validation, "%s is a folder", path)
	case !info.Mode().IsRegular():
		err = errcode.New(errcode.Validation, "%s is not a plain file", path)
	}
	if err != nil {
		_ = file.Close() // it was only read
		return nil, nil, err
	}
	return file, info, nil
}

type readArgs struct {
	Path   string `json:"path"`
	Offset int64  `json:"offset,omitzero"`
}

func (f *Folders) read(_ context.Context, a readArgs) (string, error) {
	file, info, err := f.open(a.Path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	if a.Offset < 0 || a.Offset > info.Size() {
		return "", errcode.New(errcode.Validation, "offset must be 0 to %d, the file's size", info.Size())
	}
	data := make([]byte, tool.MaxResult-256)
	n, err := file.ReadAt(data, a.Offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", f.refused(a.Path, err)
	}
	return excerpt(a.Path, data[:n], a.Offset, info.Size())
}

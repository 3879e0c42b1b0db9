package builtin

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
)

const (
	// PromptFileChars is how many characters of a workspace file an agent gets in its system prompt, as with OpenClaw.
	PromptFileChars = 20_000

	maxFileBytes = 16 << 20 // of a file that is shown; a team can hold less, see topology.MaxFile
)

// promptFiles are the workspace files that an agent reads before it answers, in this order.
var promptFiles = []string{"AGENTS.md", "SOUL.md"}

// folders are the workspaces of the agents.
type folders struct {
	roster *roster.Roster
	home   string
	apart  func(folders ...string) error // nil permits every folder
	trusts func(*topology.Agent) error   // nil permits the folder of every agent
	out    *outlet

	writing sync.Mutex // so that nothing comes between the comparison of a hash and the write
}

// File is one workspace file, as the wire has it.
type File struct {
	Name        string  `json:"name"`
	Path        string  `json:"path"`
	Missing     bool    `json:"missing"`
	Size        int64   `json:"size,omitempty"`
	UpdatedAtMs int64   `json:"updatedAtMs,omitempty"`
	Hash        string  `json:"hash,omitempty"`
	Content     *string `json:"content,omitempty"`
}

// Files lists the workspace files of an agent, those that aren't there yet among them.
func (g *Gateway) Files(_ context.Context, agent topology.AgentID) (workspace string, files []File, err error) {
	dir, err := g.folders.of(agent)
	if err != nil {
		return "", nil, err
	}
	for _, name := range topology.FileNames() {
		f, err := g.folders.look(dir, name)
		if err != nil {
			return "", nil, err
		}
		f.Content, f.Hash = nil, ""
		files = append(files, f)
	}
	return dir, files, nil
}

// File reads one workspace file of an agent. One that isn't there is Missing.
func (g *Gateway) File(_ context.Context, agent topology.AgentID, name string) (workspace string, f File, err error) {
	dir, err := g.folders.named(agent, name)
	if err != nil {
		return "", File{}, err
	}
	f, err = g.folders.look(dir, name)
	return dir, f, err
}

// SetFile replaces a workspace file in one step. With an expectedHash it does so only if that is the hash of the file;
// otherwise it is a CONFLICT with what the hash is in the details.
func (g *Gateway) SetFile(_ context.Context, agent topology.AgentID, name, content,
	expectedHash string) (workspace string, f File, err error) {
	return g.folders.set(agent, name, content, expectedHash, expectedHash != "")
}

// set replaces a file. If it is guarded, its hash must be the expected one, "" for a missing file.
func (w *folders) set(agent topology.AgentID, name, content, expected string, guarded bool) (workspace string, f File,
	err error) {
	dir, err := w.named(agent, name)
	if err != nil {
		return "", File{}, err
	}
	if len(content) > maxFileBytes {
		return "", File{}, errcode.New(errcode.Validation, "%s has %d bytes; at most %d are possible", name,
			len(content),
			maxFileBytes).With(errcode.KeyField, "content")
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if guarded {
		now, err := w.look(dir, name)
		if err != nil {
			return "", File{}, err
		}
		if now.Hash != strings.ToLower(expected) {
			return "", File{}, errcode.New(errcode.Conflict, "agent file %q changed since it was read", name).
				With("type", "agent_file_conflict").With("name", name).With("currentHash", now.Hash).
				With(errcode.KeyReason, errcode.ReasonFileChanged)
		}
	}
	if err := write(dir, name, content); err != nil {
		return "", File{}, unusable(dir, name, err)
	}
	f, err = w.look(dir, name)
	return dir, f, err
}

// of returns the workspace of an agent that is in the applied team.
func (w *folders) of(id topology.AgentID) (string, error) {
	a, ok := w.roster.Applied().Agent(id)
	if !ok {
		return "", errcode.New(errcode.NotFound, "agent %q not found", id).With(errcode.KeyField, "agentId")
	}
	return w.dir(a)
}

func (w *folders) named(id topology.AgentID, name string) (string, error) {
	dir, err := w.of(id)
	if err == nil && !topology.IsFileName(name) {
		return "", errcode.New(errcode.Validation, "unsupported file %q", name).With(errcode.KeyField, "name")
	}
	return dir, err
}

func (w *folders) dir(a *topology.Agent) (string, error) {
	dir := a.Workspace
	if dir == "" && w.home != "" {
		dir = filepath.Join(w.home, ".openclaw", "workspace-"+filepath.Base(string(a.ID)))
	}
	if dir = sandbox.Expand(dir); !filepath.IsAbs(dir) {
		return "", errcode.New(errcode.Validation,
			"the agent %s has no folder for its files: set its workspace to an absolute path",
			cmp.Or(a.Name, string(a.ID))).With(errcode.KeyField, "workspace")
	}
	if w.trusts != nil {
		if err := w.trusts(a); err != nil {
			return "", err
		}
	}
	if w.apart != nil {
		if err := w.apart(dir); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// look reads a file. os.Root keeps to the folder, wherever symbolic links in it lead.
func (w *folders) look(dir, name string) (File, error) {
	f := File{Name: name, Path: filepath.Join(dir, name)}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		f.Missing = true
		return f, nil
	}
	if err != nil {
		return File{}, unusable(dir, name, err)
	}
	defer func() { _ = root.Close() }() // nothing was written through it
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Missing = true
		return f, nil
	case err != nil:
		return File{}, unusable(dir, name, err)
	case !info.Mode().IsRegular():
		return File{}, unusable(dir, name, errors.New("it is not a plain file"))
	case info.Size() > maxFileBytes:
		return File{}, unusable(dir, name, fmt.Errorf("it has %d bytes", info.Size()))
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return File{}, unusable(dir, name, err)
	}
	content := strings.ToValidUTF8(string(data), "\uFFFD")
	f.Size, f.UpdatedAtMs, f.Hash, f.Content = int64(len(data)), info.ModTime().UnixMilli(),
		topology.HashFile(string(data)), &content
	return f, nil
}

func unusable(dir, name string, err error) error {
	return errcode.Wrap(errcode.Validation, err, "unsafe workspace file %q: %s", name,
		strings.ReplaceAll(err.Error(), dir, "the workspace")).With(errcode.KeyField, "name")
}

func write(dir, name, content string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	mode := fs.FileMode(0o644)
	if info, err := root.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return errors.New("it is not a plain file")
		}
		mode = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	beside := "." + name + "." + rand.Text()[:8]
	file, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = root.Rename(beside, name)
	}
	if err != nil {
		_ = root.Remove(beside) // the error is already reported
	}
	return err
}

// PromptOf returns what an agent's workspace files add to its system prompt: AGENTS.md and SOUL.md, each cut at
// PromptFileChars. A file that can't be read is left out.
func (g *Gateway) PromptOf(a *topology.Agent) string { return g.folders.prompt(a) }

func (w *folders) prompt(a *topology.Agent) string {
	dir, err := w.dir(a)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, name := range promptFiles {
		f, err := w.look(dir, name)
		if err != nil {
			w.out.log.Warn("localgateway: a workspace file isn't in the prompt", "agent", a.ID, "file", name, "error",
				err)
			continue
		}
		if f.Missing || strings.TrimSpace(*f.Content) == "" {
			continue
		}
		fmt.Fprintf(&b, "\n\n# %s\n\n%s", name, cutFile(name, *f.Content))
	}
	return strings.TrimPrefix(b.String(), "\n\n")
}

// cutFile returns a file's text as a prompt has it, and says in it where it is cut.
func cutFile(name, content string) string {
	content = strings.TrimSpace(content)
	n := utf8.RuneCountInString(content)
	if n <= PromptFileChars {
		return content
	}
	at := 0
	for i := range content {
		if at == PromptFileChars {
			content = content[:i]
			break
		}
		at++
	}
	return fmt.Sprintf("%s\n\n[%s is cut here after %d of %d characters]", content, name, PromptFileChars, n)
}

// filesAnswer is what agents.files.get and set answer.
type filesAnswer struct {
	OK        bool             `json:"ok,omitempty"`
	AgentID   topology.AgentID `json:"agentId"`
	Workspace string           `json:"workspace"`
	File      File             `json:"file"`
}

type filesParams struct {
	AgentID      topology.AgentID `json:"agentId"`
	Name         string           `json:"name"`
	Content      *string          `json:"content"`
	ExpectedHash string           `json:"expectedHash"`
}

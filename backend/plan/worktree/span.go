package worktree

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// maxShown limits one side of a file, in bytes.
const maxShown = 400 << 10

// Span is a piece of work from its base up to a commit, or up to the current files of the work tree.
type Span struct {
	Dir    string // the top of a work tree of the repository
	Base   string
	Commit string // "" is the current files

	own []string // see Tree
}

// TouchedFile is a file changed by the work.
type TouchedFile struct {
	Path string `json:"path"`
	Kind string `json:"kind" enum:"added,modified,deleted"`
}

// Sides are a file before and after.
type Sides struct {
	TouchedFile
	Before string `json:"before"`
	After  string `json:"after"`
	Binary bool   `json:"binary,omitempty" doc:"The file isn't text, so both sides are absent."`
	Large  bool   `json:"large,omitempty" doc:"The file is too large, so both sides are absent."`
}

var kinds = map[string]string{"A": "added", "D": "deleted"}

// commitName is the name that git gives a commit. An attempt of a restored backup can have any text for it, and git
// would take one that begins with a dash for an option.
var commitName = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// Files lists the changed files, sorted by path.
func (s Span) Files(ctx context.Context) ([]TouchedFile, error) {
	if !commitName.MatchString(s.Base) || s.Commit != "" && !commitName.MatchString(s.Commit) {
		return nil, errcode.New(errcode.NotFound, "the commits of this try are not known")
	}
	args, index := []string{"diff", "--name-status", "--no-renames", "--ignore-submodules=dirty", "-z", s.Base}, ""
	if s.Commit != "" {
		args = append(args, s.Commit)
	} else {
		copied, drop, err := s.index(ctx)
		if err != nil {
			return nil, err
		}
		defer drop()
		index = copied
	}
	out, err := s.listing(ctx, index, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	files, known := []TouchedFile{}, map[string]bool{}
	words := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		kind := kinds[words[i]]
		if kind == "" {
			kind = "modified"
		}
		files = append(files, TouchedFile{words[i+1], kind})
		known[words[i+1]] = true
	}
	if s.Commit == "" { // files not yet known to Git
		if out, err = s.listing(ctx, index, "ls-files", "--others", "--exclude-standard", "-z"); err != nil {
			return nil, err
		}
		for _, path := range strings.Split(out, "\x00") {
			if path != "" && !known[path] {
				files = append(files, TouchedFile{path, "added"})
			}
		}
	}
	slices.SortFunc(files, func(a, b TouchedFile) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// index copies the index of the work tree. git diff updates the index, and its lock would get in the way of the
// worker's Git.
func (s Span) index(ctx context.Context) (path string, drop func(), err error) {
	from, err := s.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "agentflow-index-")
	if err != nil {
		return "", nil, errcode.Wrap(errcode.Unavailable, err, "nothing can be written to %s", os.TempDir())
	}
	drop = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "index")
	if err := copyIndex(from, path); err != nil && !errors.Is(err, fs.ErrNotExist) { // missing if nothing was added yet
		drop()
		return "", nil, errcode.Wrap(errcode.Unavailable, err, "the index %s cannot be copied", from)
	}
	return path, drop, nil
}

// copyIndex copies an index with its modification time. Git reads files that aren't older than the index, and assumes
// that others with the recorded size and time are unchanged.
func copyIndex(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	at, err := f.Stat()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, at.ModTime(), at.ModTime())
}

// listing returns Git's listing, or an error if it is too long: a partial one would be misleading.
func (s Span) listing(ctx context.Context, index string, args ...string) (string, error) {
	all := proc.HeadTailBuffer{Most: maxKept}
	more := s.own
	if index != "" {
		more = append(slices.Clip(more), "GIT_INDEX_FILE="+index)
	}
	out, err := gitInto(ctx, &all, more, s.Dir, args...)
	if err == nil && all.Lost() > 0 {
		err = errcode.New(errcode.Conflict, "the work has changed too many files to list them here: git diff in %s does. Have git ignore what is not to be kept", s.Dir).
			With(errcode.KeyReason, ReasonMany)
	}
	return out, err
}

// Sides returns one of the changed files; others are NOT_FOUND.
func (s Span) Sides(ctx context.Context, path string) (Sides, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return Sides{}, err
	}
	i := slices.IndexFunc(files, func(f TouchedFile) bool { return f.Path == path })
	if i < 0 {
		return Sides{}, errcode.New(errcode.NotFound, "the work has not changed %s", path)
	}
	out := Sides{TouchedFile: files[i]}
	sides := []struct {
		commit string
		absent bool
		into   *string
	}{{s.Base, out.Kind == "added", &out.Before}, {s.Commit, out.Kind == "deleted", &out.After}}
	for _, side := range sides {
		if side.absent {
			continue
		}
		text, large, err := s.read(ctx, side.commit, path)
		if err != nil {
			return Sides{}, err
		}
		*side.into = text
		out.Large = out.Large || large
		out.Binary = out.Binary || strings.Contains(text, "\x00")
	}
	if out.Large || out.Binary {
		out.Before, out.After = "", ""
	}
	return out, nil
}

// read returns a file from a commit, or from the work tree.
func (s Span) read(ctx context.Context, commit, path string) (text string, large bool, err error) {
	if commit == "" {
		return s.lying(path)
	}
	out, err := s.git(ctx, "ls-tree", "--full-tree", "-l", "-z", commit, "--", path)
	if err != nil {
		return "", false, err
	}
	kept := strings.Fields(out) // mode, type, object, size, and the path after a tab
	if len(kept) < 4 {
		return "", false, errcode.New(errcode.Internal, "git does not tell what %s is, but %q", path, out)
	}
	if kept[1] == "commit" {
		return subproject + kept[2], false, nil
	}
	n, err := strconv.Atoi(kept[3])
	if err != nil {
		return "", false, errcode.Wrap(errcode.Internal, err, "git does not tell the size of %s, but %q", path, out)
	}
	if n > maxShown {
		return "", true, nil
	}
	text, err = s.git(ctx, "cat-file", "blob", kept[2])
	return text, false, err
}

// subproject is how Git shows a repository inside another one, before its commit.
const subproject = "Subproject commit "

// noText marks something in a work tree that is neither a file nor a link.
const noText = "\x00"

// lying reads a file of the work tree like Git does: a link's content is its target.
func (s Span) lying(path string) (text string, large bool, err error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return "", false, errcode.Wrap(errcode.NotFound, err, "there is no folder %s", s.Dir)
	}
	defer root.Close()                               //nolint:errcheck // it was only read
	name := filepath.Clean(filepath.FromSlash(path)) // Git names a repository inside it with a trailing slash
	if to, err := root.Readlink(name); err == nil {
		return to, false, nil
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // don't wait for a pipe
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil // it was deleted meanwhile
	}
	if err != nil {
		return "", false, errcode.Wrap(errcode.Unavailable, err, "%s cannot be read", path)
	}
	defer f.Close() //nolint:errcheck // it was only read
	if what, err := f.Stat(); err != nil || !what.Mode().IsRegular() {
		return noText, false, nil // it can't be read, so it has no text
	}
	data, err := io.ReadAll(io.LimitReader(f, maxShown+1))
	if err != nil {
		return "", false, errcode.Wrap(errcode.Unavailable, err, "%s cannot be read", path)
	}
	return strings.TrimRight(string(data), "\n"), len(data) > maxShown, nil
}

// Span returns the work up to now.
func (t *Tree) Span() Span { return Span{Dir: t.Dir, Base: t.Base, own: t.own} }

func (s Span) git(ctx context.Context, args ...string) (string, error) {
	return gitInto(ctx, &proc.HeadTailBuffer{Most: maxKept}, s.own, s.Dir, args...)
}

// Head returns the last commit of the work.
func (t *Tree) Head(ctx context.Context) (string, error) { return t.git(ctx, "rev-parse", "HEAD") }

// Find returns the worktree of a task, or nil if there is none.
func (r *Repo) Find(ctx context.Context, id string) (*Tree, error) {
	t := r.tree(id)
	var err error
	if t.own, err = t.registered(ctx); err != nil {
		return nil, err
	}
	if _, err := os.Stat(t.Dir); errors.Is(err, fs.ErrNotExist) || t.own == nil {
		return nil, nil //nolint:nilnil // there is none, which isn't an error
	}
	return t, t.begun(ctx)
}

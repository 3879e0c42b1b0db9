package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// Collected is the result of collecting a worker's changes.
type Collected struct {
	Changed bool // there were uncommitted changes
	// Aside is a branch with the work of a worker that had left its own branch for another line of work. None of it
	// is in the worktree any more.
	Aside string
	// Left are the places of repositories that the worker had created in the worktree. Their files are collected like
	// all others, but not their history.
	Left []string
	// Submodules reports that the worker added submodules, which other worktrees wouldn't contain.
	Submodules bool
}

// Commit commits all of the worker's changes to its branch, whatever it has done with Git meanwhile. The worker must
// have ended.
func (t *Tree) Commit(ctx context.Context, message string) (c Collected, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			e := errcode.From(err)
			e.Message += ". What the worker did lies in " + t.Dir
			err = e
		}
	}()
	if c.Left, err = t.mend(); err != nil {
		return c, err
	}
	at, strayed, err := t.strayed(ctx)
	if err != nil {
		return c, err
	}
	inner, err := t.takeIn(ctx)
	if c.Left = append(c.Left, inner...); err != nil {
		return c, err
	}
	if strayed {
		c.Aside, err = t.aside(ctx, at, message)
		return c, err
	}
	out, err := t.git(ctx, "status", "--porcelain=v1", "--untracked-files=no", "--ignore-submodules=dirty")
	if err != nil {
		return c, err
	}
	c.Changed = out != ""
	// A merge whose conflicts were all decided for the branch changes nothing in it, but still has to be committed.
	if c.Changed || t.merges(ctx) {
		if _, err := t.git(ctx, "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "commit", "--quiet", "--no-verify", "-m", message); err != nil {
			return c, err
		}
	}
	out, err = t.git(ctx, "ls-tree", "HEAD", "--", ".gitmodules")
	c.Submodules = out != ""
	return c, err
}

// merges reports whether a merge is in progress in the worktree.
func (t *Tree) merges(ctx context.Context) bool {
	_, err := t.git(ctx, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")
	return err == nil
}

// strayed returns the worktree to its branch if the worker has continued from it on another branch, or detached. If
// the worker started from elsewhere, strayed reports that, and the commit.
func (t *Tree) strayed(ctx context.Context) (at string, is bool, err error) {
	ref := "refs/heads/" + t.Branch
	if now, err := t.git(ctx, "symbolic-ref", "--quiet", "HEAD"); err == nil && now == ref {
		return "", false, nil
	}
	at, err = t.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil { // a branch without a commit: all work is in the worktree
		return "", false, t.back(ctx)
	}
	tip := t.Base
	if now, err := t.git(ctx, "rev-parse", "--verify", "--quiet", ref); err == nil {
		tip = now
	}
	if missing, err := t.git(ctx, "rev-list", "--count", at+".."+tip); err != nil || missing != "0" {
		return at, err == nil, err
	}
	if _, err := t.git(ctx, "update-ref", ref, at); err != nil {
		return "", false, err
	}
	return "", false, t.back(ctx)
}

// back switches the worktree to its branch without changing its files.
func (t *Tree) back(ctx context.Context) error {
	ref := "refs/heads/" + t.Branch
	if _, err := t.git(ctx, "rev-parse", "--verify", "--quiet", ref); err != nil {
		if _, err := t.git(ctx, "update-ref", ref, t.Base); err != nil {
			return err
		}
	}
	_, err := t.git(ctx, "symbolic-ref", "HEAD", ref)
	return err
}

// aside commits the worktree's files after a commit on a separate branch, and returns the worktree to its own branch.
// It moves no other branch.
func (t *Tree) aside(ctx context.Context, at, message string) (branch string, err error) {
	tree, err := t.git(ctx, "write-tree")
	if err != nil {
		return "", err
	}
	commit := at
	if was, err := t.git(ctx, "rev-parse", at+"^{tree}"); err != nil || was != tree {
		if commit, err = t.git(ctx, "-c", "commit.gpgSign=false", "commit-tree", tree, "-p", at, "-m", message); err != nil {
			return "", err
		}
	}
	if branch, err = t.keep(ctx, commit); err != nil {
		return "", err
	}
	return branch, t.home(ctx)
}

// keep puts a commit on a separate branch, named after the worktree's.
func (t *Tree) keep(ctx context.Context, commit string) (branch string, err error) {
	for n := 1; ; n++ {
		branch = fmt.Sprintf("%s-aside-%d", t.Branch, n)
		if _, err := t.git(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err != nil {
			break
		}
	}
	_, err = t.git(ctx, "update-ref", "refs/heads/"+branch, commit, "")
	return branch, err
}

// home resets the worktree to the last commit of its branch, and ends any rebase or merge.
func (t *Tree) home(ctx context.Context) error {
	if err := t.back(ctx); err != nil {
		return err
	}
	_, _ = t.git(ctx, "rebase", "--quit") // fails if there is none
	if _, err := t.git(ctx, "reset", "--hard", "--quiet"); err != nil {
		return err
	}
	_, err := t.git(ctx, "clean", "-ffdq")
	return err
}

// takeIn adds all files of the worktree to its index, including files of repositories inside it. Git would only store
// the last commit of those.
func (t *Tree) takeIn(ctx context.Context) (left []string, err error) {
	for {
		found, err := t.within(ctx)
		if err != nil {
			return left, err
		}
		if len(found) == 0 {
			return left, nil
		}
		for _, path := range found {
			to, err := t.leave(filepath.Join(t.Dir, filepath.FromSlash(path), ".git"),
				filepath.Base(filepath.FromSlash(path)))
			if err != nil {
				return left, err
			}
			if to != "" {
				left = append(left, to)
			}
		}
	}
}

// within finds repositories in the worktree that didn't exist when the work started. If there are none, everything is
// in the index.
func (t *Tree) within(ctx context.Context) (found []string, err error) {
	err = t.each(ctx, func(path string) {
		if dir, is := strings.CutSuffix(path, "/"); is { // otherwise Git would descend into it
			found = append(found, dir)
		}
	}, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil || len(found) > 0 {
		return found, err
	}
	if _, err := t.git(ctx, "add", "--all"); err != nil {
		return nil, err
	}
	link := false
	err = t.each(ctx, func(word string) { // a line of modes and names, and then the path
		if link {
			found = append(found, word)
		}
		modes := strings.Fields(word)
		link = strings.HasPrefix(word, ":") && len(modes) == 5 && modes[1] == gitlink && modes[0] != ":"+gitlink
	}, "diff-index", "--cached", "--raw", "--no-renames", "-z", t.Base, "--")
	for _, path := range found {
		if _, err := t.git(ctx, "update-index", "--force-remove", "--", path); err != nil {
			return nil, err
		}
	}
	return found, err
}

// gitlink is the mode of a repository inside another one.
const gitlink = "160000"

// each passes on a listing from Git, whatever its size.
func (t *Tree) each(ctx context.Context, take func(word string), args ...string) error {
	var part []byte
	return feed(ctx, func(p []byte) error {
		for part = append(part, p...); ; {
			i := bytes.IndexByte(part, 0)
			if i < 0 {
				return nil
			}
			take(string(part[:i]))
			part = part[i+1:]
		}
	}, t.own, t.Dir, args...)
}

// mend makes the worktree belong to its repository again after the worker has changed its .git. It moves the worker's
// replacement aside.
func (t *Tree) mend() (left []string, err error) {
	admin := strings.TrimPrefix(t.own[0], "GIT_DIR=")
	if _, err := os.Stat(admin); err != nil {
		return nil, errcode.Wrap(errcode.Unavailable, err, "the worktree %s was taken out of its repository", t.Dir)
	}
	for _, held := range []string{"index.lock", "HEAD.lock"} { // their owner has ended
		_ = os.Remove(filepath.Join(admin, held))
	}
	link := filepath.Join(t.Dir, ".git")
	if at, err := os.Lstat(link); err == nil && at.Mode().IsRegular() {
		data, _ := os.ReadFile(link)
		to := strings.TrimSpace(strings.TrimPrefix(string(data), "gitdir:"))
		if !filepath.IsAbs(to) {
			to = filepath.Join(t.Dir, to)
		}
		if same(to, admin) {
			return nil, nil
		}
	}
	to, err := t.leave(link, "git")
	if err != nil {
		return nil, err
	}
	if to != "" {
		left = []string{to}
	}
	if err := os.WriteFile(link, []byte("gitdir: "+admin+"\n"), 0o600); err != nil {
		return left, errcode.Wrap(errcode.Unavailable, err, "the worktree %s cannot be mended", t.Dir)
	}
	return left, nil
}

// leave moves something out of the worktree to a place next to it, where nothing deletes it. It returns that place,
// or "" if there was nothing.
func (t *Tree) leave(path, name string) (to string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	dir := filepath.Join(t.repo.Trees, ".left", filepath.Base(t.Dir))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", errcode.Wrap(errcode.Unavailable, err, "the folder %s cannot be made", dir)
	}
	for n := 1; ; n++ {
		to = filepath.Join(dir, fmt.Sprintf("%s-%d", name, n))
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err := os.Rename(path, to); err != nil {
		return "", errcode.Wrap(errcode.Unavailable, err, "%s cannot be moved to %s", path, to)
	}
	return to, nil
}

// registered finds Git's folder of the worktree from the repository, because a worker can change what the worktree
// says. nil is none.
func (t *Tree) registered(ctx context.Context) (own []string, err error) {
	common, err := git(ctx, t.repo.Dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errcode.Wrap(errcode.Unavailable, err, "the worktrees of %s cannot be read", t.repo.Dir)
	}
	for _, e := range entries {
		admin := filepath.Join(common, "worktrees", e.Name())
		data, _ := os.ReadFile(filepath.Join(admin, "gitdir"))
		link := strings.TrimSpace(string(data))
		if link != "" && !filepath.IsAbs(link) {
			link = filepath.Join(admin, link)
		}
		if link != "" && same(filepath.Dir(link), t.Dir) {
			// A worker can change what its own folder says about the repository.
			return []string{"GIT_DIR=" + admin, "GIT_WORK_TREE=" + t.Dir, "GIT_COMMON_DIR=" + common}, nil
		}
	}
	return nil, nil
}

// Discard resets the worktree, and nothing else, to the last commit of its branch. It removes what a killed worker
// left half done.
func (t *Tree) Discard(ctx context.Context) error {
	if !strings.HasPrefix(t.Dir, t.repo.Trees+string(filepath.Separator)) {
		return errcode.New(errcode.Internal, "%s is no worktree of this program", t.Dir)
	}
	if _, err := t.mend(); err != nil {
		return err
	}
	at, strayed, err := t.strayed(ctx)
	if err != nil {
		return err
	}
	if strayed {
		if _, err := t.keep(ctx, at); err != nil {
			return err
		}
	}
	return t.home(ctx)
}

// same reports whether two paths name the same folder, which may not exist.
func same(a, b string) bool {
	real := func(path string) string {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			return filepath.Join(dir, filepath.Base(path))
		}
		return filepath.Clean(path)
	}
	return real(a) == real(b)
}

// git runs a Git command in the worktree, as part of its repository whatever the worktree contains.
func (t *Tree) git(ctx context.Context, args ...string) (string, error) {
	return gitInto(ctx, &proc.HeadTailBuffer{Most: maxKept}, t.own, t.Dir, args...)
}

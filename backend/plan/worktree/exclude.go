package worktree

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Exclude hides files of ours from the git status. It adds the pattern to info/exclude of the repository, which
// isn't committed, and does nothing where the pattern is there. It follows no link out of the repository's own folder.
func (r *Repo) Exclude(ctx context.Context, pattern string) error {
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	common, err := git(ctx, r.Dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(common)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // what was written was closed before
	const path = "info/exclude"
	known, err := root.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Split(string(known), "\n"), pattern) {
		return nil
	}
	if err := root.MkdirAll("info", 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	line := pattern + "\n"
	if len(known) > 0 && !bytes.HasSuffix(known, []byte("\n")) {
		line = "\n" + line
	}
	_, err = file.WriteString(line)
	return errors.Join(err, file.Close())
}

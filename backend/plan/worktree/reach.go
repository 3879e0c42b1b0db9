package worktree

import (
	"os"
	"path/filepath"
	"strings"
)

// Reach returns what a program in the worktree needs for Git: read access to the repository, and write access to what
// a commit changes. That excludes its settings and hooks, because Git outside the worktree would run them.
func (t *Tree) Reach() (read, write []string) {
	admin := strings.TrimPrefix(t.own[0], "GIT_DIR=")
	common := strings.TrimPrefix(t.own[2], "GIT_COMMON_DIR=")
	write = []string{t.Dir, admin}
	for _, name := range []string{"objects", "refs", "logs"} {
		dir := filepath.Join(common, name)
		if os.MkdirAll(dir, 0o777) == nil { // Git creates logs with the first entry
			write = append(write, dir)
		}
	}
	return []string{common}, write
}

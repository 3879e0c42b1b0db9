package worktree

import (
	"os"
	"path/filepath"
	"strings"
)

// Reach is what a program in the worktree needs for git: the repository to read, and of it
// what a commit writes. Its settings and hooks are not among that: git outside the worktree
// would run what they name.
func (t *Tree) Reach() (read, write []string) {
	admin := strings.TrimPrefix(t.own[0], "GIT_DIR=")
	common := strings.TrimPrefix(t.own[2], "GIT_COMMON_DIR=")
	write = []string{t.Dir, admin}
	for _, name := range []string{"objects", "refs", "logs"} {
		dir := filepath.Join(common, name)
		if os.MkdirAll(dir, 0o777) == nil { // as git makes logs with the first entry
			write = append(write, dir)
		}
	}
	return []string{common}, write
}

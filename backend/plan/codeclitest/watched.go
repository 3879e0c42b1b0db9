package codeclitest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Watched runs the tests of a package with a separate temporary folder. They fail if one of their processes is left:
// one that works in that folder, or has it in its arguments or environment. TestMain calls it.
type Watched struct{ M interface{ Run() int } }

// patience is for process trees that end automatically, such as those of a killed program.
const patience = 2 * time.Minute

// Run implements the interface of *testing.M.
func (w Watched) Run() int {
	dir, err := os.MkdirTemp("", "tests-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir) // the name in /proc
	}
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is in the temporary folder
	code := w.M.Run()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for {
		left := leftIn(dir)
		if len(left) == 0 {
			return code
		}
		select {
		case <-tick.C:
		case <-late:
			fmt.Fprintf(os.Stderr, "FAIL: processes of these tests are left:\n%s\n", strings.Join(left, "\n"))
			return 1
		}
	}
}

// leftIn lists the other processes that use a folder.
func leftIn(dir string) (all []string) {
	own := strconv.Itoa(os.Getpid())
	places, _ := filepath.Glob("/proc/[0-9]*")
	for _, at := range places {
		if filepath.Base(at) == own {
			continue
		}
		cwd, _ := os.Readlink(filepath.Join(at, "cwd"))
		command, _ := os.ReadFile(filepath.Join(at, "cmdline"))
		environment, _ := os.ReadFile(filepath.Join(at, "environ"))
		if slices.ContainsFunc([]string{cwd, string(command), string(environment)}, func(text string) bool { return strings.Contains(text, dir) }) {
			all = append(all, strings.TrimSpace(filepath.Base(at)+" "+cwd+" "+strings.ReplaceAll(string(command), "\x00", " ")))
		}
	}
	return all
}

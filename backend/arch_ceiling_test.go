package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ceiling is a file of numbers per folder that may only fall.
type ceiling struct {
	file   string
	things string // what is counted, with a %s for its kind
	advice string // what to do about one too many
	test   string // the name of the test, for -run
}

// countKey names a row of such a file: a folder and the kind of what is counted.
type countKey struct{ folder, kind string }

// countedFolder returns the row's folder for a file: "." or the first two folders of its path.
func countedFolder(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) == 1 {
		return "."
	}
	return strings.Join(parts[:min(len(parts)-1, 2)], "/")
}

// check compares the numbers found with those of the file. With -update, it writes them, unless one has risen.
func (c ceiling) check(t *testing.T, found map[countKey]int) {
	t.Helper()
	allowed := c.read(t)
	for key := range allowed {
		found[key] += 0 // a folder that is gone
	}
	risen := false
	for key, n := range found {
		risen = risen || n > allowed[key]
	}
	if *update && !risen {
		c.write(t, found)
		return
	}
	report(t, c.problems(found, allowed))
}

func (c ceiling) problems(found, allowed map[countKey]int) []string {
	var problems []string
	for key, n := range found {
		things := fmt.Sprintf(c.things, key.kind)
		switch most := allowed[key]; {
		case n > most:
			problems = append(problems, fmt.Sprintf("%s has %d %s, %d more than before: %s",
				key.folder, n, things, n-most, c.advice))
		case n < most:
			problems = append(problems, fmt.Sprintf("%s has %d %s, fewer than the %d of %s: run "+
				"`go test ./backend -run %s -update`", key.folder, n, things, most, c.file, c.test))
		}
	}
	return problems
}

func (c ceiling) read(t *testing.T) map[countKey]int {
	t.Helper()
	allowed := map[countKey]int{}
	for line := range strings.Lines(readFile(t, c.file)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("%s: %q is not folder, kind and number", c.file, line)
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("%s: %q: %v", c.file, line, err)
		}
		allowed[countKey{fields[0], fields[1]}] = n
	}
	return allowed
}

func (c ceiling) write(t *testing.T, found map[countKey]int) {
	t.Helper()
	var lines []string
	for key, n := range found {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("%s %s %d\n", key.folder, key.kind, n))
		}
	}
	slices.Sort(lines)
	if err := os.WriteFile(filepath.Join(root, c.file), []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCeilingBites checks that a number above or below its row is a problem.
func TestCeilingBites(t *testing.T) {
	key := countKey{"a", "en"}
	for n, want := range map[int]int{3: 1, 2: 0, 1: 1} {
		c := ceiling{things: "%s things"}
		if got := c.problems(map[countKey]int{key: n}, map[countKey]int{key: 2}); len(got) != want {
			t.Errorf("%d of 2 allowed things: %q", n, got)
		}
	}
}

// Package backend holds no code: its tests hold the house to docs/architecture.md,
// docs/contributing and docs/requirements.md.
package backend

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root                = ".."
	architectureDoc     = "docs/architecture.md"
	packagesDoc         = "docs/contributing/packages.md"
	goroutinesDoc       = "docs/contributing/goroutines.md"
	sizesDoc            = "docs/contributing/sizes.md"
	requirementsDoc     = "docs/requirements.md"
	requirementTestsDoc = "docs/requirements-tests.md"
)

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}

// docRows returns the cells of every table row under the headings of doc that start
// with heading; header and rule rows are left out. A doc without such a table is an error.
func docRows(doc, heading string) ([][]string, error) {
	var rows [][]string
	inside, table := false, 0
	lines := bufio.NewScanner(strings.NewReader(doc))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "#") {
			inside = strings.HasPrefix(strings.TrimSpace(strings.TrimLeft(line, "#")), heading)
		}
		if !inside || !strings.HasPrefix(line, "|") {
			table = 0
			continue
		}
		if table++; table > 2 {
			rows = append(rows, cells(line))
		}
	}
	if len(rows) == 0 && !strings.Contains(doc, "# "+heading) {
		return nil, fmt.Errorf("no heading %q", heading)
	}
	return rows, lines.Err()
}

func cells(line string) []string {
	parts := strings.Split(strings.Trim(line, "|"), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// tableOf reads the table under heading of a document of this repository.
func tableOf(t *testing.T, doc, heading string, columns int) [][]string {
	t.Helper()
	rows, err := docRows(readFile(t, doc), heading)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	for _, r := range rows {
		if len(r) != columns {
			t.Fatalf("%s, %s: row %q has %d cells, want %d", doc, heading, r, len(r), columns)
		}
	}
	return rows
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sourceFiles lists the files of the project, slash-separated and relative to its
// root: what git tracks or would track, or, outside a checkout, what lies there.
func sourceFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return walkFiles(t)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func walkFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	skip := []string{"node_modules", "dist", "bin", ".git", ".tools", ".cache"}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(skip, d.Name()) {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// goFile is one parsed Go source file.
type goFile struct {
	name      string // relative to the root
	text      []byte
	set       *token.FileSet
	tree      *ast.File
	test      bool
	generated bool
}

func (f goFile) line(p token.Pos) int { return f.set.Position(p).Line }

func (f goFile) dir() string { return filepath.ToSlash(filepath.Dir(f.name)) }

func lineCount(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func parseGo(name string, text []byte) (goFile, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return goFile{}, err
	}
	return goFile{
		name: name, text: text, set: set, tree: tree,
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(tree),
	}, nil
}

// goFiles parses every Go file of the project, whatever its build tags.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	for _, name := range sourceFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") {
			continue
		}
		f, err := parseGo(name, []byte(readFile(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: the check looked in the wrong place")
	}
	return files
}

func TestDocRows(t *testing.T) {
	doc := "# A\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n## B more\n\n| x |\n| --- |\n| `b` |\n\n| x |\n| --- |\n| c |\n"
	rows, err := docRows(doc, "B")
	if err != nil || len(rows) != 2 || rows[0][0] != "`b`" || rows[1][0] != "c" {
		t.Fatalf("rows of B = %q, %v", rows, err)
	}
	if _, err := docRows(doc, "C"); err == nil {
		t.Fatal("a heading that is not there gave no error")
	}
}

package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const backendPath = "agentflow/backend/"

// importLaw maps a package below backend/ to what it may import from there.
type importLaw map[string][]string

func readImportLaw(rows [][]string) importLaw {
	law := importLaw{}
	for _, r := range rows {
		law[r[0]] = nil
		if r[1] == "nothing" {
			continue
		}
		for name := range strings.SplitSeq(r[1], ",") {
			law[r[0]] = append(law[r[0]], strings.TrimSpace(name))
		}
	}
	return law
}

// problems compares the law with packages and what each of them imports.
func (law importLaw) problems(imports map[string][]string) []string {
	var found []string
	for pkg, list := range imports {
		allowed, ok := law[pkg]
		if !ok {
			found = append(found, fmt.Sprintf("backend/%s has no row in the package table", pkg))
			continue
		}
		for _, imported := range list {
			if !slices.Contains(allowed, imported) {
				found = append(found, fmt.Sprintf("backend/%s imports backend/%s, which its row does not name", pkg, imported))
			}
		}
	}
	for pkg, allowed := range law {
		if _, ok := imports[pkg]; !ok {
			found = append(found, fmt.Sprintf("the package table has a row for backend/%s, which does not exist", pkg))
		}
		for _, name := range allowed {
			if _, ok := law[name]; !ok {
				found = append(found, fmt.Sprintf("the row of backend/%s names %q, which has no row", pkg, name))
			}
		}
	}
	slices.Sort(found)
	return found
}

// backendImports asks the go command for the packages below backend/ and their imports.
func backendImports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,GoFiles", "./backend/...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.String())
	}
	imports := map[string][]string{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var pkg struct {
			ImportPath string
			GoFiles    []string
			Imports    []string
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return imports
		} else if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(pkg.ImportPath, backendPath)
		if !ok || len(pkg.GoFiles) == 0 {
			continue
		}
		imports[name] = []string{}
		for _, path := range pkg.Imports {
			if inner, ok := strings.CutPrefix(path, backendPath); ok {
				imports[name] = append(imports[name], inner)
			}
		}
	}
}

func TestImportLaw(t *testing.T) {
	law := readImportLaw(tableOf(t, architectureDoc, "Packages", 3))
	report(t, law.problems(backendImports(t)))
}

func TestImportLawBites(t *testing.T) {
	law := readImportLaw([][]string{{"a", "nothing", ""}, {"b", "a", ""}, {"gone", "missing", ""}})
	got := law.problems(map[string][]string{"a": {"b"}, "b": {"a"}, "new": nil})
	want := []string{
		"backend/a imports backend/b, which its row does not name",
		"backend/new has no row in the package table",
		"the package table has a row for backend/gone, which does not exist",
		`the row of backend/gone names "missing", which has no row`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRootImports keeps logic out of the root package.
func TestRootImports(t *testing.T) {
	allowed := []string{"base/atomicfile", "cli", "base/config", "engine", "base/startupfiles", "base/proc", "base/safego"}
	for _, f := range goFiles(t) {
		if f.dir() != "." || f.test {
			continue
		}
		for _, path := range importPaths(f) {
			if name, ok := strings.CutPrefix(path, backendPath); ok && !slices.Contains(allowed, name) {
				t.Errorf("%s imports backend/%s; the root package may import only %s and frontend", f.name, name, strings.Join(allowed, ", "))
			}
		}
	}
}

func importPaths(f goFile) []string {
	var paths []string
	for _, spec := range f.tree.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// TestLibraryHomes keeps each of the named modules in the one place it belongs.
func TestLibraryHomes(t *testing.T) {
	rows := tableOf(t, architectureDoc, "Libraries with one home", 3)
	for _, f := range goFiles(t) {
		if !f.test {
			report(t, homeProblems(f, rows))
		}
	}
}

func homeProblems(f goFile, rows [][]string) []string {
	var found []string
	for _, path := range importPaths(f) {
		for _, r := range rows {
			module, home := r[0], r[1]
			if path != module && !strings.HasPrefix(path, module+"/") {
				continue
			}
			if f.name != home && f.dir() != home && !strings.HasPrefix(f.dir(), home+"/") {
				found = append(found, fmt.Sprintf("%s imports %s, which belongs in %s alone (%s)", f.name, module, home, r[2]))
			}
		}
	}
	return found
}

func TestLibraryHomesBite(t *testing.T) {
	f, err := parseGo("backend/cli/x.go", []byte("package cli\nimport _ \"example.org/lib/sub\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := homeProblems(f, [][]string{{"example.org/lib", "app.go", "why"}}); len(got) != 1 {
		t.Errorf("a foreign import gave %q", got)
	}
	if got := homeProblems(f, [][]string{{"example.org/lib", "backend/cli", "why"}}); got != nil {
		t.Errorf("an import at home gave %q", got)
	}
}

// goroutineStarts counts the go statements of a file and the calls of a method Go
// with one function (errgroup, sync.WaitGroup), which start one as well.
func goroutineStarts(f goFile) int {
	n := 0
	ast.Inspect(f.tree, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			n++
		case *ast.CallExpr:
			if sel, ok := node.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(node.Args) == 1 {
				n++
			}
		}
		return true
	})
	return n
}

func goroutineProblems(rows [][]string, counts map[string]int) []string {
	var found []string
	named := map[string]int{}
	for _, r := range rows {
		n, err := strconv.Atoi(r[1])
		if err != nil {
			found = append(found, fmt.Sprintf("goroutine table: %s: count %q is no number", r[0], r[1]))
		}
		named[r[0]] += n
	}
	for file, n := range counts {
		if n != named[file] {
			found = append(found, fmt.Sprintf("%s starts goroutines in %d places, the goroutine table says %d", file, n, named[file]))
		}
	}
	for file, n := range named {
		if _, ok := counts[file]; !ok {
			found = append(found, fmt.Sprintf("the goroutine table names %s with %d, which starts none", file, n))
		}
	}
	slices.Sort(found)
	return found
}

// TestGoroutineLaw: every goroutine has a row that says what ends it and who waits for it.
func TestGoroutineLaw(t *testing.T) {
	counts := map[string]int{}
	for _, f := range goFiles(t) {
		if n := goroutineStarts(f); n > 0 && !f.test {
			counts[f.name] = n
		}
	}
	report(t, goroutineProblems(tableOf(t, architectureDoc, "Goroutines", 5), counts))
}

func TestGoroutineLawBites(t *testing.T) {
	f, err := parseGo("x.go", []byte("package x\nfunc f() { go f(); g.Go(f); g.Go(1, 2) }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := goroutineStarts(f); n != 2 {
		t.Errorf("counted %d, want 2", n)
	}
	rows := [][]string{{"x.go", "1", "", "", ""}, {"y.go", "1", "", "", ""}}
	if got := goroutineProblems(rows, map[string]int{"x.go": 2, "z.go": 1}); len(got) != 3 {
		t.Errorf("problems = %q", got)
	}
}

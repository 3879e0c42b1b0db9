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

// districts is the import law: each may import those before it, never one after it.
var districts = strings.Fields("base model team gateway work plan talk store server engine cli")

// district returns the place of a package's district in that order, or -1 if it has none.
func district(pkg string) int {
	name, _, _ := strings.Cut(pkg, "/")
	return slices.Index(districts, name)
}

// lawProblems compares the packages that exist and what each of them imports with the order of the
// districts, and with the packages that the document names.
func lawProblems(named []string, imports map[string][]string) []string {
	var found []string
	for pkg, list := range imports {
		if !slices.Contains(named, pkg) {
			found = append(found, fmt.Sprintf("backend/%s has no row in the package table", pkg))
		}
		if district(pkg) < 0 {
			found = append(found, fmt.Sprintf("backend/%s is in no district", pkg))
			continue
		}
		for _, imported := range list {
			if district(imported) > district(pkg) {
				found = append(found,
					fmt.Sprintf("backend/%s imports backend/%s, whose district is below its own", pkg, imported))
			}
		}
	}
	for _, pkg := range named {
		if _, ok := imports[pkg]; !ok {
			found = append(found, fmt.Sprintf("the package table has a row for backend/%s, which does not exist", pkg))
		}
	}
	slices.Sort(found)
	return found
}

func firstCells(rows [][]string) []string {
	var names []string
	for _, r := range rows {
		names = append(names, r[0])
	}
	return names
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
	if got := firstCells(tableOf(t, architectureDoc, "Districts", 2)); !slices.Equal(got, districts) {
		t.Errorf("the document has the districts %q, the law %q", got, districts)
	}
	report(t, lawProblems(firstCells(tableOf(t, packagesDoc, "Packages", 2)), backendImports(t)))
}

func TestImportLawBites(t *testing.T) {
	got := lawProblems([]string{"base/a", "cli", "work/b", "work/gone"}, map[string][]string{
		"base/a": {"work/b"}, "work/b": {"base/a", "work/c"}, "work/c": {"work/b"}, "cli": {"work/b"}, "other": nil,
	})
	want := []string{
		"backend/base/a imports backend/work/b, whose district is below its own",
		"backend/other has no row in the package table",
		"backend/other is in no district",
		"backend/work/c has no row in the package table",
		"the package table has a row for backend/work/gone, which does not exist",
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRootImports keeps logic out of the root package.
func TestRootImports(t *testing.T) {
	allowed := []string{"base/atomicfile", "cli", "base/config", "engine", "base/startupfiles", "base/proc",
		"base/safego"}
	for _, f := range goFiles(t) {
		if f.dir() != "." || f.test {
			continue
		}
		for _, path := range importPaths(f) {
			if name, ok := strings.CutPrefix(path, backendPath); ok && !slices.Contains(allowed, name) {
				t.Errorf("%s imports backend/%s; the root package may import only %s and frontend", f.name, name,
					strings.Join(allowed, ", "))
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

// TestLibraryHomes keeps each of the named modules in the places where it belongs.
func TestLibraryHomes(t *testing.T) {
	rows := tableOf(t, packagesDoc, "Libraries with one home", 3)
	for _, f := range goFiles(t) {
		if !f.test {
			report(t, homeProblems(f, rows))
		}
	}
}

// within reports whether the file is that place, or lies in it or below it.
func (f goFile) within(place string) bool {
	return f.name == place || f.dir() == place || strings.HasPrefix(f.dir(), place+"/")
}

func homeProblems(f goFile, rows [][]string) []string {
	var found []string
	for _, path := range importPaths(f) {
		for _, r := range rows {
			module, home := r[0], r[1]
			if path != module && !strings.HasPrefix(path, module+"/") {
				continue
			}
			if !slices.ContainsFunc(strings.Split(home, ", "), f.within) {
				found = append(found,
					fmt.Sprintf("%s imports %s, which belongs in %s alone (%s)", f.name, module, home, r[2]))
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
	if got := homeProblems(f, [][]string{{"example.org/lib", "app.go, backend/cli", "why"}}); got != nil {
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
			found = append(found,
				fmt.Sprintf("%s starts goroutines in %d places, the goroutine table says %d", file, n, named[file]))
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
	report(t, goroutineProblems(tableOf(t, goroutinesDoc, "Goroutines", 5), counts))
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

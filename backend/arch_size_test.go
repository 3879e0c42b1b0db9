package backend

import (
	"bytes"
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The budgets. What passes one of the soft ones needs a row with a reason in
// docs/contributing/sizes.md; the hard ones have no exceptions.
const (
	fileBudget      = 400
	fileLimit       = 600
	functionLimit   = 80
	methodBudget    = 20
	componentBudget = 250
)

// exceptions are the reasons by file, type or component.
type exceptions map[string]string

func readExceptions(t *testing.T) exceptions {
	t.Helper()
	known := exceptions{}
	for _, r := range tableOf(t, sizesDoc, "Sizes", 3) {
		known[strings.Trim(r[0], "`")] = r[2]
	}
	return known
}

// over says what is wrong with a thing of n lines or methods, or nothing.
func (e exceptions) over(name, unit string, n, budget int) []string {
	if n <= budget || e[name] != "" {
		return nil
	}
	return []string{
		fmt.Sprintf("%s has %d %s, the budget is %d (or a row with a reason in %s)", name, n, unit, budget, sizesDoc),
	}
}

func (e exceptions) file(name string, text []byte) []string {
	n := lineCount(text)
	if n > fileLimit {
		return []string{fmt.Sprintf("%s has %d lines, the limit is %d", name, n, fileLimit)}
	}
	return e.over(name, "lines", n, fileBudget)
}

func TestFileSizes(t *testing.T) {
	known := readExceptions(t)
	sized := []string{".go", ".ts", ".tsx", ".css", ".mjs", ".js", ".sh"}
	for _, name := range sourceFiles(t) {
		if !slices.Contains(sized, path.Ext(name)) || strings.Contains(name, "/testdata/") || strings.HasSuffix(name, ".d.ts") {
			continue
		}
		text := []byte(readFile(t, name))
		if !generated.Match(text) {
			report(t, known.file(name, text))
		}
	}
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func TestFunctionAndTypeSizes(t *testing.T) {
	methods := map[string]int{}
	for _, f := range goFiles(t) {
		if f.generated {
			continue
		}
		report(t, functionProblems(f))
		if !f.test {
			countMethods(f, methods)
		}
	}
	known := readExceptions(t)
	for name, n := range methods {
		report(t, known.over(name, "exported methods", n, methodBudget))
	}
}

func functionProblems(f goFile) []string {
	var found []string
	for _, decl := range f.tree.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if n := f.line(fn.End()) - f.line(fn.Pos()) + 1; n > functionLimit {
			found = append(found, fmt.Sprintf("%s:%d: %s has %d lines, the limit is %d", f.name, f.line(fn.Pos()), fn.Name.Name, n, functionLimit))
		}
	}
	return found
}

// countMethods counts what others can call: a type's own helpers make it no harder to use.
func countMethods(f goFile, methods map[string]int) {
	for _, decl := range f.tree.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() {
			methods[f.dir()+"."+receiver(fn.Recv.List[0].Type)]++
		}
	}
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// TestExceptionsAreNeeded keeps the table of exceptions from outliving what it excuses.
func TestExceptionsAreNeeded(t *testing.T) {
	existing := map[string]bool{}
	for _, name := range sourceFiles(t) {
		existing[name], existing[path.Dir(name)] = true, true
	}
	for name := range readExceptions(t) {
		file, _, _ := strings.Cut(name, "#")
		if dir, _, isType := strings.Cut(path.Base(file), "."); isType && !existing[file] {
			file = path.Join(path.Dir(file), dir)
		}
		if !existing[file] {
			t.Errorf("the size table names %s, which does not exist", name)
		}
	}
}

var componentStart = regexp.MustCompile(`^(?:export )?(?:default )?(?:function|const) ([A-Z]\w*)\b`)

// components returns the lines of each top-level component of a .tsx file: from its
// declaration to the next line that closes it in the first column.
func components(text []byte) map[string]int {
	found := map[string]int{}
	name, start := "", 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		if m := componentStart.FindSubmatch(line); m != nil && name == "" {
			name, start = string(m[1]), i
		}
		if name != "" && len(line) > 0 && (line[0] == '}' || line[0] == ')') && !bytes.HasSuffix(bytes.TrimSpace(line), []byte("{")) {
			found[name] = i - start + 1
			name = ""
		}
		if name != "" && i == start && bytes.HasSuffix(bytes.TrimSpace(line), []byte(";")) {
			name = ""
		}
	}
	return found
}

func TestComponentSizes(t *testing.T) {
	known := readExceptions(t)
	for _, name := range sourceFiles(t) {
		if !strings.HasSuffix(name, ".tsx") || strings.HasSuffix(name, ".test.tsx") {
			continue
		}
		for component, n := range components([]byte(readFile(t, name))) {
			report(t, known.over(name+"#"+component, "lines", n, componentBudget))
		}
	}
}

func TestSizesBite(t *testing.T) {
	body := strings.Repeat("\tx++\n", functionLimit)
	f, err := parseGo("x.go", []byte("package x\nfunc f() {\n"+body+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := functionProblems(f); len(got) != 1 {
		t.Errorf("a long function gave %q", got)
	}
	known := exceptions{"reasoned.go": "why"}
	for n, want := range map[int]int{fileBudget: 0, fileBudget + 1: 1, fileLimit + 1: 1} {
		if got := known.file("x.go", bytes.Repeat([]byte("\n"), n)); len(got) != want {
			t.Errorf("a file of %d lines gave %q", n, got)
		}
	}
	if got := known.file("reasoned.go", bytes.Repeat([]byte("\n"), fileLimit)); got != nil {
		t.Errorf("a file with a reason gave %q", got)
	}
	if got := known.file("reasoned.go", bytes.Repeat([]byte("\n"), fileLimit+1)); len(got) != 1 {
		t.Errorf("a reason lifted the hard limit: %q", got)
	}
	tsx := "import x;\nconst One = 1;\nexport function Two({\n  a,\n}: Props) {\n  return a;\n}\nexport const Three = memo(function Three() {\n  return 1;\n});\n"
	got := components([]byte(tsx))
	if len(got) != 2 || got["Two"] != 5 || got["Three"] != 3 {
		t.Errorf("components = %v", got)
	}
	methods := map[string]int{}
	if f, err = parseGo("a/x.go", []byte("package a\nfunc (t *T[X]) A() {}\nfunc (t T) B() {}\nfunc (t T) c() {}\nfunc D() {}\n")); err != nil {
		t.Fatal(err)
	}
	if countMethods(f, methods); methods["a.T"] != 2 || len(methods) != 1 {
		t.Errorf("methods = %v", methods)
	}
}

package backend

import (
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tests column of docs/requirements.md from the source")

// How many requirements each family has. None may fall off the table unseen.
var families = map[string]int{"APP": 5, "GW": 10, "CO": 7, "AG": 7, "CH": 12, "ME": 12, "TR": 5}

var (
	idInText = regexp.MustCompile(`\b(APP|GW|CO|AG|CH|ME|TR)-([1-9][0-9]?)\b`)
	idInName = regexp.MustCompile(`(APP|GW|CO|AG|CH|ME|TR)([1-9][0-9]?)(?:_|And)`)
	webTitle = regexp.MustCompile("(?:^|[^\\w.])(?:test|it|describe)(?:\\.\\w+)?\\(\\s*(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)")
)

// requirement is one row of docs/requirements.md.
type requirement struct {
	id, state string
	tests     []string
}

func readRequirements(doc string) []requirement {
	var list []requirement
	for line := range strings.SplitSeq(doc, "\n") {
		c := cells(strings.TrimSpace(line))
		if len(c) != 4 || !idInText.MatchString(c[0]) {
			continue
		}
		r := requirement{id: c[0], state: c[2]}
		for i, part := range strings.Split(c[3], "`") {
			if i%2 == 1 {
				r.tests = append(r.tests, part)
			}
		}
		list = append(list, r)
	}
	return list
}

// idsOf finds requirement IDs in a test's name and in its comment or title.
func idsOf(name, text string) []string {
	var ids []string
	for _, m := range idInName.FindAllStringSubmatch(name, -1) {
		ids = append(ids, m[1]+"-"+m[2])
	}
	for _, m := range idInText.FindAllStringSubmatch(text, -1) {
		ids = append(ids, m[1]+"-"+m[2])
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// goTests maps the names of the test functions of a file to the IDs they carry.
// Fuzz tests count; the checks of this package itself do not.
func goTests(f goFile) map[string][]string {
	found := map[string][]string{}
	for _, decl := range f.tree.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !f.test || f.dir() == "backend" {
			continue
		}
		if name := fn.Name.Name; strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") {
			found[f.dir()+"."+name] = idsOf(name, fn.Doc.Text())
		}
	}
	return found
}

// webTests is goTests for vitest and Playwright: a test is named by file and title.
func webTests(name, text string) map[string][]string {
	found := map[string][]string{}
	for _, m := range webTitle.FindAllStringSubmatch(text, -1) {
		title := m[1] + m[2] + m[3]
		found[name+": "+strings.ReplaceAll(title, "|", "/")] = idsOf("", title)
	}
	return found
}

func allTests(t *testing.T) map[string][]string {
	t.Helper()
	tests := map[string][]string{}
	for _, f := range goFiles(t) {
		maps.Copy(tests, goTests(f))
	}
	web := regexp.MustCompile(`\.(test|spec)\.(ts|tsx|mjs)$`)
	for _, name := range sourceFiles(t) {
		if web.MatchString(name) {
			maps.Copy(tests, webTests(name, readFile(t, name)))
		}
	}
	return tests
}

func requirementProblems(list []requirement, tests map[string][]string) []string {
	var found []string
	listed := map[string][]string{}
	for _, r := range list {
		listed[r.id] = r.tests
		if r.state != "done" && r.state != "open" {
			found = append(found, fmt.Sprintf("%s: state %q is neither done nor open", r.id, r.state))
		}
		if r.state == "done" && len(r.tests) == 0 {
			found = append(found, r.id+" is done and names no test")
		}
		for _, name := range r.tests {
			if ids, ok := tests[name]; !ok {
				found = append(found, fmt.Sprintf("%s names the test %s, which does not exist", r.id, name))
			} else if !slices.Contains(ids, r.id) {
				found = append(found, fmt.Sprintf("%s names the test %s, which does not carry that ID", r.id, name))
			}
		}
	}
	for name, ids := range tests {
		for _, id := range ids {
			if !slices.Contains(listed[id], name) {
				found = append(found, fmt.Sprintf("the test %s carries %s, whose row does not name it (go test ./backend -run Requirements -update)", name, id))
			}
		}
	}
	slices.Sort(found)
	return found
}

func TestRequirements(t *testing.T) {
	tests := allTests(t)
	doc := readFile(t, requirementsDoc)
	if *update {
		doc = withTests(doc, tests)
		if err := os.WriteFile(filepath.Join(root, requirementsDoc), []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list := readRequirements(doc)
	report(t, requirementProblems(list, tests))
	var ids []string
	for _, r := range list {
		ids = append(ids, r.id)
	}
	report(t, missingIDs(ids))
}

func missingIDs(ids []string) []string {
	var found []string
	for family, n := range families {
		for i := range n {
			if id := family + "-" + strconv.Itoa(i+1); !slices.Contains(ids, id) {
				found = append(found, requirementsDoc+" has no row for "+id)
			}
		}
	}
	for i, id := range ids {
		m := idInText.FindStringSubmatch(id)
		if n, err := strconv.Atoi(m[2]); err != nil || n > families[m[1]] || slices.Contains(ids[:i], id) {
			found = append(found, requirementsDoc+" has a row for "+id+" that is unknown or there twice")
		}
	}
	return found
}

// withTests writes into the last column of each row the tests that carry its ID.
func withTests(doc string, tests map[string][]string) string {
	names := slices.Sorted(maps.Keys(tests))
	lines := strings.Split(doc, "\n")
	for i, line := range lines {
		c := cells(strings.TrimSpace(line))
		if len(c) != 4 || !idInText.MatchString(c[0]) {
			continue
		}
		var column []string
		for _, name := range names {
			if slices.Contains(tests[name], c[0]) {
				column = append(column, "`"+name+"`")
			}
		}
		lines[i] = strings.Join(strings.Fields(fmt.Sprintf("| %s | %s | %s | %s |", c[0], c[1], c[2], strings.Join(column, ", "))), " ")
	}
	return strings.Join(lines, "\n")
}

func TestRequirementsBite(t *testing.T) {
	doc := "| GW-1 | a | done | `p.TestGW1_A` |\n| GW-2 | b | done | |\n| GW-3 | c | open | `p.TestGone` |\n| GW-4 | d | maybe | `p.TestGW1_A` |\n"
	tests := map[string][]string{"p.TestGW1_A": {"GW-1"}, "p.TestNew": {"GW-2"}}
	if got := requirementProblems(readRequirements(doc), tests); len(got) != 5 {
		t.Errorf("problems =\n%s", strings.Join(got, "\n"))
	}
	if got := requirementProblems(readRequirements(withTests(doc, tests)), tests); len(got) != 1 {
		t.Errorf("after the update: %q", got)
	}
	if got := missingIDs([]string{"GW-1", "GW-1", "GW-99"}); len(got) != 58-1+2 {
		t.Errorf("%d problems with the IDs: %q", len(got), got)
	}
	f, err := parseGo("p/x_test.go", []byte("package p\n\n// TestX shows APP-5 and\n// GW-10.\nfunc TestX(t *testing.T) {}\n\nfunc TestGW7_Y(t *testing.T) {}\n\nfunc helper() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(goTests(f)); got != "map[p.TestGW7_Y:[GW-7] p.TestX:[APP-5 GW-10]]" {
		t.Errorf("Go tests = %s", got)
	}
	ts := "describe(\"canvas\", () => {\n  test('APP-1: draws', f);\n  it.each(x)(`no`, f);\n  submit(\"APP-2\");\n});"
	if got := fmt.Sprint(webTests("a.spec.ts", ts)); got != "map[a.spec.ts: APP-1: draws:[APP-1] a.spec.ts: canvas:[]]" {
		t.Errorf("web tests = %s", got)
	}
}

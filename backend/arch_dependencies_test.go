package backend

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const dependenciesDoc = "docs/contributing/dependencies.md"

var required = regexp.MustCompile(`(?m)^(?:require )?\t?([a-z][\w.~/-]+) v(\S+)(.*)$`)

// modules are the direct ones of a go.mod, and all of golang.org/x, with their versions.
func modules(goMod string) map[string]string {
	out := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(goMod, -1) {
		if !strings.Contains(m[3], "// indirect") || strings.HasPrefix(m[1], "golang.org/x/") {
			out[m[1]] = m[2]
		}
	}
	return out
}

// versionProblems says which rows of a table aren't exactly what a program is built from.
func versionProblems(rows [][]string, used map[string]string) []string {
	var found []string
	listed := map[string]string{}
	for _, r := range rows {
		listed[strings.Trim(r[0], "`")] = r[1]
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if listed[name] != used[name] {
			found = append(found, fmt.Sprintf("%s has %q as the version of %s, which is %s: look for advisories, then write it there", dependenciesDoc, listed[name], name, used[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if used[name] == "" {
			found = append(found, fmt.Sprintf("%s lists %s, which isn't used: remove its row", dependenciesDoc, name))
		}
	}
	return found
}

// TestDependencies: the page of dependencies has every module and package, with the version in use.
func TestDependencies(t *testing.T) {
	used := modules(readFile(t, "go.mod"))
	if len(used) < 20 {
		t.Fatalf("go.mod was read as %v", used)
	}
	report(t, versionProblems(tableOf(t, dependenciesDoc, "All Go modules", 2), used))
	for _, r := range tableOf(t, dependenciesDoc, "Known advisories", 4) {
		name, _, _ := strings.Cut(r[0], " ")
		if v, direct := used[name]; direct && v != r[1] {
			t.Errorf("%s: the advisories of %s are those of %s, and %s is used", dependenciesDoc, name, r[1], v)
		}
	}
	var page struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(readFile(t, "frontend/package.json")), &page); err != nil {
		t.Fatal(err)
	}
	report(t, versionProblems(tableOf(t, dependenciesDoc, "Page", 2), page.Dependencies))

	// It must see what it is for.
	bad := versionProblems([][]string{{"`a`", "1"}, {"c", "1"}}, map[string]string{"a": "2", "b": "1"})
	if len(bad) != 3 {
		t.Errorf("an old version, a missing row and one too many: %q", bad)
	}
}

package backend

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/base/config"
)

// documented fails for each name that a page of docs/reference, in either language, doesn't have.
func documented(t *testing.T, page string, names []string) {
	t.Helper()
	if len(names) == 0 {
		t.Fatalf("nothing to look for in %s", page)
	}
	for _, dir := range []string{"../docs/reference", "../docs/ja/reference"} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if !strings.Contains(string(text), "`"+n+"`") {
				t.Errorf("%s/%s has no `%s`", dir, page, n)
			}
		}
	}
}

// TestEveryVariableIsDocumented looks for the environment variables that the program names.
func TestEveryVariableIsDocumented(t *testing.T) {
	variable := regexp.MustCompile(
		`"(AGENTFLOW_[A-Z_]*[A-Z]|META_[A-Z_]+|OLLAMA_HOST|OPENAI_[A-Z]+_[A-Z]+|NO_COLOR|XDG_DATA_HOME)"`,
	)
	seen := map[string]bool{}
	var names []string
	for _, f := range goFiles(t) {
		if f.test || strings.HasSuffix(f.dir(), "test") || strings.HasPrefix(f.name, "bench/") || strings.HasPrefix(f.name, "build/") {
			continue
		}
		for _, m := range variable.FindAllStringSubmatch(string(f.text), -1) {
			if n := m[1]; !seen[n] && !strings.HasPrefix(n, "AGENTFLOW_TEST_") && !strings.HasPrefix(n, "AGENTFLOW_REAL_") && n != "AGENTFLOW_FAULTS" {
				seen[n] = true
				names = append(names, n)
			}
		}
	}
	documented(t, "environment.md", names)
}

// TestEveryErrorCodeIsDocumented looks for the codes and for the reasons that many places share.
func TestEveryErrorCodeIsDocumented(t *testing.T) {
	text, err := os.ReadFile("base/errcode/errcode.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\t(?:[A-Z]\w+\s+Code|Reason\w+)\s+= "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	documented(t, "errors.md", names)
}

// TestEverySettingIsDocumented looks for the keys of the settings file.
func TestEverySettingIsDocumented(t *testing.T) {
	var names []string
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, at string) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			path, ft := at+key, f.Type
			switch {
			case ft == reflect.TypeFor[config.Budget]() || ft == reflect.TypeFor[map[string]config.Budget]():
				names = append(names, path, "tokens", "usd", "seconds")
			case ft.Kind() == reflect.Struct:
				walk(ft, path+".")
			case (ft.Kind() == reflect.Slice || ft.Kind() == reflect.Map) && ft.Elem().Kind() == reflect.Struct && ft.Elem().PkgPath() == typ.PkgPath():
				names = append(names, path)
				walk(ft.Elem(), path+"[].")
			default:
				names = append(names, path)
			}
		}
	}
	walk(reflect.TypeFor[config.File](), "")
	documented(t, "agentflow-yaml.md", names)
}

package backend

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/config"
	"agentflow/backend/plan"
	"agentflow/backend/plan/taskfile"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/agentprocess"
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

// keysOf returns the paths of a struct's keys, by a kind of tag: a list of structs as key[].inner.
func keysOf(typ reflect.Type, tag, at string) []string {
	var names []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		path, ft := at+key, f.Type
		if key == "" || key == "-" || key == "extra" {
			continue
		}
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		if ft.Kind() == reflect.Slice {
			path, ft = path+"[]", ft.Elem()
		}
		if ft.Kind() == reflect.Struct && strings.HasPrefix(ft.PkgPath(), "agentflow/") {
			names = append(names, keysOf(ft, tag, path+".")...)
		} else {
			names = append(names, strings.TrimSuffix(path, "[]"))
		}
	}
	return names
}

// TestEveryKeyOfFilesIsDocumented looks for the keys of the files that people write.
func TestEveryKeyOfFilesIsDocumented(t *testing.T) {
	documented(t, "task-yaml.md", keysOf(reflect.TypeFor[taskfile.File](), "yaml", ""))
	documented(t, "plan-file.md", keysOf(reflect.TypeFor[plan.Plan](), "json", ""))
	documented(t, "agent-config.md", keysOf(reflect.TypeFor[agentprocess.Config](), "yaml", ""))

	team := []string{"agentflow", "name", "layout"}
	team = append(team, keysOf(reflect.TypeFor[topology.Agent](), "json", "agents[].")...)
	team = append(team, keysOf(reflect.TypeFor[topology.Group](), "json", "groups[].")...)
	team = append(team, keysOf(reflect.TypeFor[topology.Note](), "json", "notes[].")...)
	team = append(team, keysOf(reflect.TypeFor[topology.Point](), "json", "layout.ID.")...)
	team = append(team, keysOf(reflect.TypeFor[teamfile.Base](), "json", "base.")...)
	documented(t, "team-file.md", team)
}

// TestEveryKeyOfAgentsYMLIsDocumented looks for the keys that the reader of agents.yml names.
func TestEveryKeyOfAgentsYMLIsDocumented(t *testing.T) {
	text, err := os.ReadFile("team/teamfile/rooms.go")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"agents"}
	for _, m := range regexp.MustCompile(`(?m)^\t(?:[kK]ey\w+\s+=|\tcase) "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	if len(names) < 10 {
		t.Fatalf("only %q found: rooms.go is written differently now", names)
	}
	documented(t, "agents-yml.md", names)
}

func TestKeysOf(t *testing.T) {
	keys := keysOf(reflect.TypeFor[agentprocess.Config](), "yaml", "")
	for _, want := range []string{"agent.name", "agent.mcpServers[].command", "agent.security.allowedPaths", "callers[].role"} {
		if !slices.Contains(keys, want) {
			t.Errorf("%s isn't among %q", want, keys)
		}
	}
}

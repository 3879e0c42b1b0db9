package backend

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

// generatedLists are the files that -update or gen:api makes from the tables of kinds and types.
var generatedLists = map[string]bool{
	"frontend/src/api/constants.ts": true,
	"frontend/src/api/schema.d.ts":  true,
}

// listPattern finds the first two names of a table that stand side by side, as in a list that repeats it.
func listPattern(first, second string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + first + `["'` + "`" + `]?\s*[,|]\s*["'` + "`" + `]?` + second + `\b`)
}

// TestKindsAndTypesAreListedOnce fails for a list of the kinds of connections or of the types of tasks that repeats
// topology.Kinds or task.Types.
func TestKindsAndTypesAreListedOnce(t *testing.T) {
	kinds, types := topology.Kinds(), task.TypeList()
	lists := []*regexp.Regexp{
		listPattern(string(kinds[0].Kind), string(kinds[1].Kind)), listPattern(types[0], types[1]),
	}
	source, testFile := regexp.MustCompile(`\.(go|tsx?)$`), regexp.MustCompile(`[_.]test\.`)
	read := 0
	for _, dir := range []string{"backend", "frontend/src"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
			other := !source.MatchString(name) || testFile.MatchString(name) || generatedLists[name]
			if err != nil || d.IsDir() || other {
				return err
			}
			read++
			text, err := os.ReadFile(path)
			for _, list := range lists {
				if found := list.Find(text); found != nil {
					t.Errorf("%s repeats a table: %q. Read topology.Kinds or task.Types, in the page api/constants.ts.",
						name, found)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 1000 {
		t.Errorf("only %d files were read", read)
	}
}

// TestKindsAndTypesAreDocumented looks for each kind of connection and each type of task in the concepts.
func TestKindsAndTypesAreDocumented(t *testing.T) {
	var kinds []string
	for _, k := range topology.Kinds() {
		kinds = append(kinds, string(k.Kind))
	}
	pages := map[string][]string{"teams-and-connections.md": kinds, "tasks-and-delegation.md": task.TypeList()}
	for page, names := range pages {
		for _, dir := range []string{"docs/concepts/", "docs/ja/concepts/"} {
			text := readFile(t, dir+page)
			for _, name := range names {
				if !strings.Contains(text, "`"+name+"`") {
					t.Errorf("%s%s has no `%s`", dir, page, name)
				}
			}
		}
	}
}

// TestEveryFieldIsInTheInspector looks for each field of an agent in the inspector. A person sets the two numbers in
// the team file.
func TestEveryFieldIsInTheInspector(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "frontend/src/features/canvas/inspector/*.tsx"))
	if err != nil || len(files) < 10 {
		t.Fatal("the inspector is somewhere else now", err)
	}
	var text strings.Builder
	for _, file := range files {
		text.WriteString(readFile(t, strings.TrimPrefix(filepath.ToSlash(file), root+"/")))
	}
	for _, name := range topology.FieldNames() {
		shown := regexp.MustCompile(`\bfield="` + name + `"|\bagent\.` + name + `\b`).MatchString(text.String())
		if onlyInFile := name == "temperature" || name == "maxTokens"; shown == onlyInFile {
			t.Errorf("%s: shown in the inspector is %v. Give the field its place in GeneralTab.tsx.", name, shown)
		}
	}
}

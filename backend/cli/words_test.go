package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

// APP-3: the help of every command and every flag has its Japanese.
func TestAPP3_HelpHasJapanese(t *testing.T) {
	p := &program{&shell.Shell{Screen: term.NewScreen(Stdio{}, func(string) string { return "" })}, nil}
	root := p.root()
	root.InitDefaultHelpCmd()
	check := func(where, text string) {
		if text != "" && !isJapanese(i18n.Japanese.Finished(text)) {
			t.Errorf("%s: %q has no Japanese", where, text)
		}
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		check(c.CommandPath(), c.Short)
		check(c.CommandPath(), c.Long)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { check(c.CommandPath()+" --"+f.Name, f.Usage) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	for _, text := range templateWords {
		check("the template of help", text)
	}
}

// unseen are texts that no person is shown, or that are typed.
var unseen = regexp.MustCompile(
	`^<!doctype|^SQLite format|^the task has ended$|^  agentflow |^%d %ss$|^channel binding$`,
)

func isJapanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 'ぁ' && r <= '鿿' })
}

// APP-3: whatever the command line prints has its Japanese. A literal is found by where it
// goes (Print, Note, an error …) or because it reads like a sentence; parts that are joined
// with + are one text, with %s for what is no literal.
func TestAPP3_EveryPrintedTextHasJapanese(t *testing.T) {
	found := 0
	forGoFiles(t, ".", func(path string, file *ast.File) {
		for _, text := range printedIn(file) {
			found++
			if !unseen.MatchString(text) && !i18n.Known(text) {
				t.Errorf("%s: %q has no Japanese", path, text)
			}
		}
	})
	if found < 300 {
		t.Fatalf("only %d texts were found: the search misses some", found)
	}
}

// The findings of topology lint are printed by the command line and written elsewhere.
func TestAPP3_FindingsHaveJapanese(t *testing.T) {
	place := regexp.MustCompile(`(\$)?\{\w+\}`)
	found := 0
	forGoFiles(t, "../team/lint", func(path string, file *ast.File) {
		if filepath.Base(path) != "texts.go" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := literal(n); ok && strings.Contains(text, " ") {
				found++
				text = place.ReplaceAllStringFunc(text, func(s string) string {
					if strings.HasPrefix(s, "$") {
						return s
					}
					return "an-id"
				})
				if !isJapanese(i18n.Japanese.Finished(text)) {
					t.Errorf("%q has no Japanese", text)
				}
			}
			return true
		})
	})
	if found < 38 {
		t.Fatalf("only %d findings were found", found)
	}
}

func forGoFiles(t *testing.T, dir string, do func(string, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "words" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			do(path, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// printed are the functions whose argument of that number is printed.
var printed = map[string]int{
	"Print":    0,
	"Note":     0,
	"Progress": 0,
	"Say":      0,
	"say":      0,
	"Ask":      1,
	"T":        0,
	"Usage":    1,
	"New":      1,
	"Wrap":     2,
	"Errorf":   0,
	"Plural":   1,
}

// notWords are the fields of a command that hold what is typed, and those that the walk
// over the command tree sees as they are.
var notWords = map[string]bool{"Example": true, "Use": true, "Short": true, "Long": true}

var (
	verbs    = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*\d*(\.\d+)?[a-zA-Z%]`)
	letters  = regexp.MustCompile(`[A-Za-z]`)
	sentence = regexp.MustCompile(`[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}`)
)

func printedIn(file *ast.File) []string {
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && notWords[key.Name] {
				return false
			}
		case *ast.CallExpr:
			if text, ok := printedBy(n); ok {
				texts = append(texts, text...)
			}
		case *ast.BinaryExpr:
			if text, ok := joined(n); ok {
				if sentence.MatchString(text) {
					texts = append(texts, strings.TrimRight(text, "\n"))
				}
				return false
			}
		case *ast.BasicLit:
			if text, ok := literal(n); ok && sentence.MatchString(text) {
				texts = append(texts, strings.TrimRight(text, "\n"))
			}
		}
		return true
	})
	return texts
}

// printedBy is the text of a call that prints, or makes what is printed.
func printedBy(call *ast.CallExpr) ([]string, bool) {
	name := ""
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	case *ast.Ident:
		name = fun.Name
	}
	at, ok := printed[name]
	if !ok || len(call.Args) <= at {
		return nil, false
	}
	text, ok := joined(call.Args[at])
	if !ok || !letters.MatchString(verbs.ReplaceAllString(text, "")) {
		return nil, false
	}
	if name == "Plural" {
		return []string{"1 " + text, "%d " + text + "s"}, true
	}
	return []string{strings.TrimRight(text, "\n")}, true
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// joined is a text of literals and other things.
func joined(e ast.Expr) (string, bool) {
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		left, isText := joined(sum.X)
		right, isText2 := joined(sum.Y)
		if !isText {
			left = "%s"
		}
		if !isText2 {
			right = "%s"
		}
		return left + right, isText || isText2
	}
	return literal(e)
}

package backend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// phrasesFile holds the number of banned phrases per folder and language. It may only fall.
const phrasesFile = "backend/testdata/phrases.txt"

// Phrases that the style guide replaces. The list is short on purpose: each is wrong nearly everywhere, and has a plain
// word in its place.
var (
	bannedEnglish = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
		"is told", "are told", "is had", "becomes of", "nobody (says|may|asks)", "somebody (says|asks)", "at hand", "anew",
		"of its own", "by itself", "stands twice", "has no place", "is not known", "holds what", "in the place of that",
		"whoever", "what is said", "says so", "leads to nobody", "the words of", "give (it )?on", "begin with anew",
		"goes on with", "is to be had", "whom", "shall", "take back", "meta-agents?", "wishes", "colour", "cancelled by",
	}, "|") + `)\b`)
	bannedJapanese = regexp.MustCompile(strings.Join([]string{
		"置き場所がない", "置き場所がありません", "働きません", "知りません", "忘れます", "忘れる", "始め直", "が立ちます",
		"受信箱", "メタエージェント", "ローカルゲートウェイ", "呼び出し元", "人物像", "巻き戻", "保管した設定", "統合します",
		"送り先", "ブラウザ[^ー]", "フォルダ[^ー]", "サーバ[^ー]",
	}, "|"))
	japaneseText = regexp.MustCompile(`(^|[/.])ja([/.-]|$)`)
)

// phraseFolder returns the folder in whose count a file belongs, or "" for a file that is not counted: data, generated
// files, and this list.
func phraseFolder(name string) string {
	switch filepath.Ext(name) {
	case ".go", ".ts", ".tsx", ".md", ".json", ".sh", ".txt", ".txtar":
	default:
		return ""
	}
	parts := strings.Split(name, "/")
	counted := slices.Contains([]string{"backend", "frontend", "docs", "bench", "build"}, parts[0]) || len(parts) == 1
	excluded := name == phrasesFile || name == "backend/arch_words_test.go" || strings.HasSuffix(name, ".d.ts") ||
		strings.HasSuffix(name, "package-lock.json") || strings.HasSuffix(name, "requirements-tests.md")
	if !counted || excluded {
		return ""
	}
	if len(parts) == 1 {
		return "."
	}
	return strings.Join(parts[:min(len(parts)-1, 2)], "/")
}

// phraseKey names a row of the file: a folder and a language.
type phraseKey struct{ folder, language string }

func countPhrases(name, text string) (phraseKey, int) {
	if japaneseText.MatchString(name) {
		return phraseKey{phraseFolder(name), "ja"}, len(bannedJapanese.FindAllStringIndex(text, -1))
	}
	return phraseKey{phraseFolder(name), "en"}, len(bannedEnglish.FindAllStringIndex(text, -1))
}

// phraseProblems compares the numbers found with those allowed.
func phraseProblems(found, allowed map[phraseKey]int) []string {
	var problems []string
	for key, n := range found {
		switch most := allowed[key]; {
		case n > most:
			problems = append(
				problems,
				fmt.Sprintf("%s has %d banned %s phrases, %d more than before: write them plainly (they are "+
					"listed in backend/arch_words_test.go)", key.folder, n, key.language, n-most),
			)
		case n < most:
			problems = append(problems, fmt.Sprintf("%s has %d banned %s phrases, fewer than the %d of %s: run "+
				"`go test ./backend -run Phrases -update`", key.folder, n, key.language, most, phrasesFile))
		}
	}
	return problems
}

func readPhrases(t *testing.T) map[phraseKey]int {
	t.Helper()
	allowed := map[phraseKey]int{}
	for line := range strings.Lines(readFile(t, phrasesFile)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("%s: %q is not folder, language and number", phrasesFile, line)
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("%s: %q: %v", phrasesFile, line, err)
		}
		allowed[phraseKey{fields[0], fields[1]}] = n
	}
	return allowed
}

func writePhrases(t *testing.T, found map[phraseKey]int) {
	t.Helper()
	var lines []string
	for key, n := range found {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("%s %s %d\n", key.folder, key.language, n))
		}
	}
	slices.Sort(lines)
	if err := os.WriteFile(filepath.Join(root, phrasesFile), []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPhrases keeps the number of banned phrases per folder from rising. With -update, it writes the numbers, unless one
// has risen.
func TestPhrases(t *testing.T) {
	found := map[phraseKey]int{}
	for _, name := range sourceFiles(t) {
		if phraseFolder(name) == "" {
			continue
		}
		text := readFile(t, name)
		if bytes.IndexByte([]byte(text), 0) >= 0 {
			continue
		}
		key, n := countPhrases(name, text)
		found[key] += n
	}
	allowed := readPhrases(t)
	for key := range allowed {
		found[key] += 0 // a folder that is gone
	}
	risen := false
	for key, n := range found {
		risen = risen || n > allowed[key]
	}
	if *update && !risen {
		writePhrases(t, found)
		return
	}
	report(t, phraseProblems(found, allowed))
}

func TestPhrasesBite(t *testing.T) {
	for name, text := range map[string]string{
		"backend/base/x.go":                "// x is told of what becomes of it",
		"frontend/src/i18n/ja/x.json":      `"x": "受信箱"`,
		"docs/ja/how-to/x.md":              "ブラウザで開きます。",
		"frontend/src/features/x/Lead.tsx": "// a colour of its own",
	} {
		if key, n := countPhrases(name, text); n == 0 || key.folder == "" {
			t.Errorf("%s passed: %q", name, text)
		}
	}
	key := phraseKey{"a", "en"}
	for n, want := range map[int]int{3: 1, 2: 0, 1: 1} {
		if got := phraseProblems(map[phraseKey]int{key: n}, map[phraseKey]int{key: 2}); len(got) != want {
			t.Errorf("%d of 2 allowed phrases: %q", n, got)
		}
	}
}

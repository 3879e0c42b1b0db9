package backend

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// phraseCeiling holds the number of banned phrases per folder and language.
var phraseCeiling = ceiling{
	file:   "backend/testdata/phrases.txt",
	things: "banned %s phrases",
	advice: "write them plainly (they are listed in backend/arch_words_test.go)",
	test:   "Phrases",
}

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
		"送り先", "ブラウザ[^ー]", "フォルダ[^ー]", "サーバ[^ー]", "リポジトリ[^ー]",
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
	excluded := name == phraseCeiling.file || name == "backend/arch_words_test.go" || strings.HasSuffix(name, ".d.ts") ||
		strings.HasSuffix(name, "package-lock.json") ||
		strings.HasSuffix(name, "requirements-tests.md")
	if !counted || excluded {
		return ""
	}
	return countedFolder(name)
}

func countPhrases(name, text string) (countKey, int) {
	if japaneseText.MatchString(name) {
		return countKey{phraseFolder(name), "ja"}, len(bannedJapanese.FindAllStringIndex(text, -1))
	}
	return countKey{phraseFolder(name), "en"}, len(bannedEnglish.FindAllStringIndex(text, -1))
}

// TestPhrases keeps the number of banned phrases per folder from rising. With -update, it writes the numbers, unless one
// has risen.
func TestPhrases(t *testing.T) {
	found := map[countKey]int{}
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
	phraseCeiling.check(t, found)
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
}

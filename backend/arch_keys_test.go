package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	keysSource = "frontend/src/ui/shortcuts.ts"
	updateKeys = "go test ./backend -run KeyboardShortcuts -update"
)

var (
	keyRow = regexp.MustCompile(
		`(?m)^  (\w+): \{\s+(?:scope: "\w+",\s+)?group: "(\w+)",\s+(?:chords: \[([^\]]*)\]|as: "(\w+)")`)
)

// keyPage describes a language's page of keyboard shortcuts.
type keyPage struct {
	file, texts string
	intro       string
	head, and   string
}

var keyPages = []keyPage{
	{
		file: "docs/reference/keyboard-shortcuts.md", texts: "frontend/src/i18n/en/settings.json", and: ", ",
		intro: "<!-- Made from the shortcuts of the page: " + updateKeys + " -->\n\n# Keyboard shortcuts\n\n" +
			"[日本語](../ja/reference/keyboard-shortcuts.md)\n\nEvery shortcut of the page. In AgentFlow, `?` shows the same list. On a Mac, press ⌘ instead of Ctrl " +
			"and ⌥ instead of Alt. ",
		head: "| keys | what they do |",
	},
	{
		file: "docs/ja/reference/keyboard-shortcuts.md", texts: "frontend/src/i18n/ja/settings.json", and: "、",
		intro: "<!-- 画面のショートカットから作成: " + updateKeys + " -->\n\n# キーボードショートカット\n\n" +
			"[English](../../reference/keyboard-shortcuts.md)\n\n画面のすべてのショートカットです。AgentFlowでは`?`で同じ一覧を表示できます。" +
			"Macでは、Ctrlの代わりに⌘、Altの代わりに⌥を使ってください。",
		head: "| キー | 操作 |",
	},
}

// shortcutsPage returns the page of the shortcuts in source, in the language of texts.
func shortcutsPage(p keyPage, source string, texts map[string]any) string {
	groups, _ := texts["group"].(map[string]any)
	word := func(from map[string]any, id string) string { text, _ := from[id].(string); return text }
	var out strings.Builder
	out.WriteString(p.intro + word(texts, "what") + "\n")
	rows := keyRow.FindAllStringSubmatch(source, -1)
	chordsOf, group := map[string]string{}, ""
	for _, row := range rows {
		chordsOf[row[1]] = row[3]
	}
	for _, row := range rows {
		if row[2] != group {
			group = row[2]
			out.WriteString("\n## " + word(groups, group) + "\n\n" + p.head + "\n| --- | --- |\n")
		}
		var chords []string
		for chord := range strings.SplitSeq(row[3]+chordsOf[row[4]], ",") {
			chord = strings.Trim(strings.TrimSpace(chord), `"`)
			chords = append(chords, "`"+strings.ReplaceAll(chord, "Mod", "Ctrl")+"`")
		}
		out.WriteString("| " + strings.Join(chords, p.and) + " | " + word(texts, row[1]) + " |\n")
	}
	return out.String()
}

// TestKeyboardShortcutsPages compares the pages of keyboard shortcuts with those of the program. With -update, it
// writes them.
func TestKeyboardShortcutsPages(t *testing.T) {
	source := readFile(t, keysSource)
	rows := strings.Count(source, `group: "`)
	for _, p := range keyPages {
		var texts struct {
			Keys map[string]any `json:"keys"`
		}
		if err := json.Unmarshal([]byte(readFile(t, p.texts)), &texts); err != nil {
			t.Fatal(err)
		}
		page := shortcutsPage(p, source, texts.Keys)
		if n := strings.Count(page, "\n| `"); n != rows || n == 0 || strings.Contains(page, "|  |") {
			t.Fatalf("%s: %d of %d shortcuts were found: %s is written differently now", p.file, n, rows, keysSource)
		}
		at := filepath.Join(root, p.file)
		if *update {
			if err := os.WriteFile(at, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if now, err := os.ReadFile(at); err != nil || string(now) != page {
			t.Errorf("%s doesn't list the program's shortcuts: run `%s`", p.file, updateKeys)
		}
	}
}

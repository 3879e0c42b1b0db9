package backend

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	linkTarget  = regexp.MustCompile(`!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)`)
	fencedBlock = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```")
	inlineCode  = regexp.MustCompile("`[^`\n]*`")
)

// bilingualFolders are the folders of docs whose pages exist in English and Japanese. Pages for contributors are in
// English only.
var bilingualFolders = []string{"tutorials", "how-to", "reference", "concepts"}

// isPage reports whether name is a page whose links are checked.
func isPage(name string) bool {
	return strings.HasSuffix(name, ".md") && (strings.HasPrefix(name, "docs/") || !strings.Contains(name, "/"))
}

// linksOf returns the targets of the links in a page, without those in code.
func linksOf(text string) []string {
	text = inlineCode.ReplaceAllStringFunc(fencedBlock.ReplaceAllString(text, ""), func(code string) string {
		return strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(code)
	})
	var targets []string
	for _, m := range linkTarget.FindAllStringSubmatch(text, -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// anchorsOf returns the anchors of a page's headings, as GitHub makes them.
func anchorsOf(text string) []string {
	var anchors []string
	seen := map[string]int{}
	for line := range strings.Lines(fencedBlock.ReplaceAllString(text, "")) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		anchor := anchorOf(strings.TrimSpace(title))
		if n := seen[anchor]; n > 0 {
			anchors = append(anchors, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			anchors = append(anchors, anchor)
		}
		seen[anchor]++
	}
	return anchors
}

func anchorOf(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// brokenLinks returns the links of a page that lead nowhere. read returns a file's text, and whether the file, or a
// folder of that name, exists.
func brokenLinks(name, text string, read func(string) (string, bool)) []string {
	var broken []string
	for _, target := range linksOf(text) {
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		file, anchor, hasAnchor := strings.Cut(target, "#")
		to := name
		if file != "" {
			to = path.Join(path.Dir(name), file)
		}
		there, ok := read(to)
		switch {
		case !ok:
			broken = append(broken, fmt.Sprintf("%s links to %s, which doesn't exist", name, target))
		case hasAnchor && strings.HasSuffix(to, ".md") && !slices.Contains(anchorsOf(there), anchor):
			broken = append(broken, fmt.Sprintf("%s links to %s, but %s has no such heading", name, target, to))
		}
	}
	return broken
}

// TestLinksOfPages follows every relative link of README, CONTRIBUTING, SECURITY, CHANGELOG and docs.
func TestLinksOfPages(t *testing.T) {
	pages := 0
	for _, name := range sourceFiles(t) {
		if !isPage(name) {
			continue
		}
		pages++
		report(t, brokenLinks(name, readFile(t, name), func(to string) (string, bool) {
			at := filepath.Join(root, filepath.FromSlash(to))
			info, err := os.Stat(at)
			if err != nil || info.IsDir() {
				return "", err == nil
			}
			text, err := os.ReadFile(at)
			return string(text), err == nil
		}))
	}
	if pages < 20 {
		t.Fatalf("only %d pages found: the check looked in the wrong place", pages)
	}
}

// untranslated returns the pages that exist in one language only.
func untranslated(files []string) []string {
	var missing []string
	for _, name := range files {
		page, japanese := strings.CutPrefix(name, "docs/ja/")
		if !japanese {
			page = strings.TrimPrefix(name, "docs/")
		}
		folder, _, nested := strings.Cut(page, "/")
		if !strings.HasPrefix(name, "docs/") || !strings.HasSuffix(name, ".md") ||
			!(japanese || nested && slices.Contains(bilingualFolders, folder)) {
			continue
		}
		twin := "docs/ja/" + page
		if japanese {
			twin = "docs/" + page
		}
		if !slices.Contains(files, twin) {
			missing = append(missing, fmt.Sprintf("%s has no page in the other language: add %s", name, twin))
		}
	}
	return missing
}

// TestPagesInBothLanguages fails when a page for users has no page of the same name in the other language.
func TestPagesInBothLanguages(t *testing.T) {
	report(t, untranslated(sourceFiles(t)))
}

func TestDocsChecksBite(t *testing.T) {
	pages := map[string]string{
		"docs/a.md": "# One\n\n## Two `x` words\n\n```sh\n# no heading\n```\n",
		"README.md": "[a](docs/a.md#two-x-words) [b](docs/b.md) [c](docs/a.md#no-heading) `[d](nowhere.md)` [e](https://x.test/y)\n\n```\n[f](gone.md)\n```\n",
	}
	got := brokenLinks(
		"README.md",
		pages["README.md"],
		func(name string) (string, bool) { text, ok := pages[name]; return text, ok },
	)
	if len(got) != 2 || !strings.Contains(got[0], "docs/b.md") || !strings.Contains(got[1], "no-heading") {
		t.Errorf("broken links: %q", got)
	}
	one := []string{"docs/how-to/a.md", "docs/ja/how-to/a.md", "docs/how-to/b.md", "docs/ja/concepts/c.md", "docs/contributing/d.md", "docs/e.md"}
	if missing := untranslated(one); len(missing) != 2 {
		t.Errorf("untranslated pages: %q", missing)
	}
}

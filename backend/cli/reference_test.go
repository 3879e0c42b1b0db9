package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

var update = flag.Bool("update", false, "write docs/reference/cli.md and its Japanese, and the recorded output")

// referenceHeads are the parts of the pages that the command tree doesn't have.
var referenceHeads = map[i18n.Language]string{
	i18n.English: `<!-- Made from the help of the commands: go test ./backend/cli -run TestReference -update -->

# Command line

Look up every command and flag of ` + "`agentflow`" + `, with examples. A command shows the same text with ` + "`--help`" + `.
Every command has ` + "`--json`" + ` for scripts.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | failed, or something differs |
| 2 | wrong usage or invalid input |
| 3 | unauthorized or forbidden |
| 4 | not found |
| 5 | conflict, nothing was written |
| 6 | not reachable |
| 130 | interrupted |
`,
	i18n.Japanese: `<!-- コマンドのヘルプから作成: go test ./backend/cli -run TestReference -update -->

# コマンドライン

` + "`agentflow`" + `のすべてのコマンドとフラグを、例とともに調べられます。各コマンドの` + "`--help`" + `でも同じ内容が表示されます。
どのコマンドにも、スクリプト向けの` + "`--json`" + `があります。

| 終了コード | 意味 |
| --- | --- |
| 0 | 完了 |
| 1 | 失敗、または差分あり |
| 2 | 使い方または入力の誤り |
| 3 | 認証または権限の不足 |
| 4 | 見つからない |
| 5 | 競合（何も書き込まれていない） |
| 6 | 接続できない |
| 130 | 中断 |
`,
}

// reference writes what the help of every command says as one page.
func reference(language i18n.Language) string {
	p := &program{&shell.Shell{Screen: term.NewScreen(Stdio{}, func(string) string { return "" })}, nil}
	root := p.root()
	root.InitDefaultHelpCmd()
	var b strings.Builder
	b.WriteString(referenceHeads[language])
	flagHead := map[i18n.Language]string{
		i18n.English: "| flag | meaning | default |\n", i18n.Japanese: "| フラグ | 意味 | 既定値 |\n",
	}[language]
	flags := func(set *pflag.FlagSet) {
		var rows strings.Builder
		set.VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			kind, usage := pflag.UnquoteUsage(f)
			name := "`--" + f.Name + "`"
			if kind != "" {
				name = "`--" + f.Name + " " + kind + "`"
			}
			if f.Shorthand != "" {
				name = "`-" + f.Shorthand + "`, " + name
			}
			if said := language.Finished(f.Usage); said != f.Usage {
				usage = strings.ReplaceAll(said, "`", "")
			}
			none := ""
			if f.DefValue != "" && f.DefValue != unset[f.Value.Type()] && f.DefValue != "0s" {
				none = "`" + f.DefValue + "`"
			}
			fmt.Fprintf(&rows, "| %s | %s | %s |\n", name, strings.ReplaceAll(usage, "|", "\\|"), none)
		})
		if rows.Len() > 0 {
			b.WriteString("\n" + flagHead + "| --- | --- | --- |\n" + rows.String())
		}
	}
	var walk func(*cobra.Command, int)
	walk = func(c *cobra.Command, depth int) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		fmt.Fprintf(&b, "\n%s %s\n\n%s\n", strings.Repeat("#", min(depth+2, 4)), c.CommandPath(),
			language.Finished(c.Short))
		if c.Long != "" && c.Long != c.Short {
			b.WriteString("\n" + language.Finished(c.Long) + "\n")
		}
		for _, alias := range c.Aliases {
			fmt.Fprintf(&b, "\n%s `%s`\n", language.Finished("Aliases:"), alias)
		}
		if c.Runnable() && (!c.HasParent() || !c.HasSubCommands()) { // a group alone only says what it groups
			b.WriteString("\n```\n" + c.UseLine() + "\n```\n")
		}
		flags(c.LocalNonPersistentFlags())
		flags(c.PersistentFlags())
		if c.Example != "" {
			b.WriteString("\n```sh\n" + unindent(c.Example) + "\n```\n")
		}
		for _, sub := range c.Commands() {
			walk(sub, depth+1)
		}
	}
	walk(root, 0)
	return b.String()
}

// unindent takes the two blanks off that cobra's template wants before each line of an example.
func unindent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "  ")
	}
	return strings.Join(lines, "\n")
}

// TestReferenceOfTheCommandLine fails when docs/reference/cli.md says something else than the
// help of the commands, in either language.
func TestReferenceOfTheCommandLine(t *testing.T) {
	for language, file := range map[i18n.Language]string{
		i18n.English: "../../docs/reference/cli.md", i18n.Japanese: "../../docs/ja/reference/cli.md",
	} {
		want := reference(language)
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s isn't what the help says: go test ./backend/cli -run TestReference -update", file)
		}
	}
}

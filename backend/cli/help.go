package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentflow/backend/base/i18n"
)

// translate makes the help of a command tree speak the language: its texts, those of its
// flags, and cobra's own words around them. Names, placeholders and examples are what is
// typed and stay.
func translate(root *cobra.Command, language i18n.Language) {
	if language == i18n.English {
		return
	}
	root.InitDefaultHelpCmd() // or cobra adds them afterwards, in English
	helpTemplate(root, language)
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Short, cmd.Long = language.Finished(cmd.Short), language.Finished(cmd.Long)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { translateFlag(f, language) })
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// unset are the defaults that pflag does not print.
var unset = map[string]string{
	"string":      "",
	"int":         "0",
	"int64":       "0",
	"duration":    "0",
	"bool":        "false",
	"stringSlice": "[]",
	"stringArray": "[]",
	"float64":     "0",
}

// translateFlag says the default itself, because pflag has English words for that.
func translateFlag(f *pflag.Flag, language i18n.Language) {
	none, known := unset[f.Value.Type()]
	said := language.Finished(f.Usage)
	if said == f.Usage { // seen already: a flag of several commands, or one without words
		return
	}
	f.Usage = said
	if known && f.DefValue != none && f.DefValue != "0s" {
		f.Usage = language.Sprintf("%s (default %s)", f.Usage, f.DefValue)
		f.DefValue = none
	}
}

// templateWords are cobra's words in its template of a command's help.
var templateWords = []string{
	"Usage:",
	"Aliases:",
	"Examples:",
	"Available Commands:",
	"Additional Commands:",
	"Additional help topics:",
	"Global Flags:",
	"Flags:",
	`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
}

func helpTemplate(root *cobra.Command, language i18n.Language) {
	var pairs []string
	for i := len(templateWords) - 1; i >= 0; i-- { // a sentence before the words in it
		pairs = append(pairs, templateWords[i], language.Finished(templateWords[i]))
	}
	root.SetUsageTemplate(strings.NewReplacer(pairs...).Replace(root.UsageTemplate()))
}

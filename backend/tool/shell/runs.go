package shell

import (
	"path"
	"regexp"
	"strings"
)

var (
	separators = regexp.MustCompile("[;&|\n(){}<>`]+|\\$\\(")
	quotes     = strings.NewReplacer(`'`, "", `"`, "", `\`, "")
)

// runs reports whether a command line seems to run what a rule names: the rule's first word
// is a program, by its name with or without a path, and the others are among its words, single
// flags in any order. It looks at words, not at what a shell makes of them, so it catches
// mistakes; who must not run anything has no shell.
func runs(command, rule string) bool {
	want := strings.Fields(rule)
	if len(want) == 0 {
		return false
	}
	for _, part := range separators.Split(quotes.Replace(command), -1) {
		words := strings.Fields(part)
		for i, w := range words {
			if path.Base(w) == want[0] && holds(words[i+1:], want[1:]) {
				return true
			}
		}
	}
	return false
}

// holds reports whether words hold all of want.
func holds(words, want []string) bool {
	letters := ""
	for _, w := range words {
		if short(w) {
			letters += w[1:]
		}
	}
	for _, w := range want {
		if short(w) && strings.Trim(w[1:], letters) == "" {
			continue
		}
		at := index(words, w)
		if at < 0 {
			return false
		}
		if !short(w) {
			words = words[at+1:]
		}
	}
	return true
}

func short(w string) bool { return len(w) > 1 && w[0] == '-' && w[1] != '-' }

func index(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return -1
}

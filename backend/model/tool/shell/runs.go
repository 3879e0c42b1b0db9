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

// runs reports whether a command line seems to run what a rule names: the rule's first word is a program, with or
// without a path. The other words of the rule must be among its arguments, single flags in any order. It compares
// words without interpreting the shell's syntax, so it only catches mistakes. An agent that must run nothing has no
// shell.
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

// holds reports whether words contain all of want, in order.
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

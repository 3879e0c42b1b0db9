package tool

import (
	"slices"
	"strings"
)

// Hider returns a function that masks secrets in the output of tools. It ignores secrets of less than four bytes.
func Hider(secrets []string) func(string) string {
	var pairs []string
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range secrets {
		if len(s) >= 4 {
			pairs = append(pairs, s, "…")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

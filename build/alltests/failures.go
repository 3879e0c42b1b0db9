package main

import (
	"fmt"
	"io"
	"strings"
)

// failures are the tests of a suite that failed, each with the beginning of what it said. They are printed once more
// when all suites have ended: of a long run, often only the last lines are kept.
type failures struct{ texts []string }

// maxSaid is how many bytes of what a failed test said are repeated.
const maxSaid = 1500

func (f *failures) add(test, said string) {
	if f == nil {
		return
	}
	said = strings.ToValidUTF8(strings.TrimSpace(said), "\uFFFD")
	if len(said) > maxSaid {
		said = strings.ToValidUTF8(said[:maxSaid], "") + " …"
	}
	f.texts = append(f.texts, test+"\n    "+strings.ReplaceAll(said, "\n", "\n    "))
}

func (f *failures) writeTo(out io.Writer) {
	for _, text := range f.texts {
		_, _ = fmt.Fprintf(out, "failed: %s\n", text)
	}
}

package backend

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// unwanted is what no file of the project may hold. The patterns are put together
// from pieces so that this file passes its own check.
var unwanted = []struct {
	what string
	re   *regexp.Regexp
}{
	{"the host name of a package registry",
		regexp.MustCompile(`registry\.npm` + `js|proxy\.go` + `lang|sum\.go` + `lang|deb\.deb` + `ian`)},
	{"a path of one machine", regexp.MustCompile(`(^|[^\w.~-])/(work/(main|shared|steer)|root/)`)},
	{"an open end", regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)},
	{
		"a silenced linter without a reason",
		regexp.MustCompile(
			`//no` + `lint(:[\w,]+)?\s*$|eslint-` + `disable(-next-line|-line)?( [\w@/][\w@/,-]*)*\s*(\*/)?\s*$`,
		),
	},
	{"a silenced type checker", regexp.MustCompile(`@ts-` + `(ignore|nocheck)`)},
	{"a test that is skipped", regexp.MustCompile(`\b(test|it|describe)\.` + `(skip|only|todo)\b`)},
}

func hygieneProblems(name, text string) []string {
	var found []string
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		for _, u := range unwanted {
			if u.re.MatchString(line) {
				found = append(found, fmt.Sprintf("%s:%d: %s: %.120q", name, number, u.what, line))
			}
		}
	}
	return found
}

func TestHygiene(t *testing.T) {
	for _, name := range sourceFiles(t) {
		text := readFile(t, name)
		if !strings.Contains(text, "\x00") && name != "go.sum" {
			report(t, hygieneProblems(name, text))
		}
	}
}

func TestHygieneBites(t *testing.T) {
	bad := []string{
		"https://registry.npm" + "js.org/x", "cd /work/" + "main", "ls /ro" + "ot/x", "// TO" + "DO later", "x() //no" + "lint",
		"x() //no" + "lint:errcheck", "// eslint-" + "disable-next-line no-console", "/* eslint-" + "disable */", "// @ts-" + "ignore", "test." + "only('x')",
	}
	for _, line := range bad {
		if hygieneProblems("x", line) == nil {
			t.Errorf("%q passed", line)
		}
	}
	good := []string{"x() //nolint:errcheck // the peer is gone",
		"// eslint-disable-next-line no-console -- the command line", "a/wo" + "rk/main", "HOME=/home/$USER", "it.each"}
	for _, line := range good {
		if got := hygieneProblems("x", line); got != nil {
			t.Errorf("%q", got)
		}
	}
}

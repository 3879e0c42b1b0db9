package backend

import (
	"fmt"
	"regexp"
	"testing"
)

const attacksDoc = "docs/contributing/attacks.md"

// attacks is how many attacks the table has. None may fall off it unseen.
const attacks = 22

var quoted = regexp.MustCompile("`([^`]+)`")

// attackProblems says which attack has no test, or names one that does not exist.
func attackProblems(rows [][]string, tests map[string][]string) []string {
	var found []string
	for i := range attacks {
		id := fmt.Sprintf("F%d", i+1)
		if i >= len(rows) || rows[i][0] != id {
			found = append(found, fmt.Sprintf("row %d is not that of %s", i+1, id))
			continue
		}
		named := quoted.FindAllStringSubmatch(rows[i][3], -1)
		if len(named) == 0 {
			found = append(found, id+" names no test")
		}
		for _, m := range named {
			if _, ok := tests[m[1]]; !ok {
				found = append(found, fmt.Sprintf("%s names the test %s, which does not exist", id, m[1]))
			}
		}
	}
	if len(rows) > attacks {
		found = append(found, fmt.Sprintf("%d rows: raise attacks in this file, so that none can be lost", len(rows)))
	}
	return found
}

// TestAttacks: each attack that was found is tried by a test that exists.
func TestAttacks(t *testing.T) {
	rows, tests := tableOf(t, attacksDoc, "Attacks", 4), allTests(t)
	report(t, attackProblems(rows, tests))

	// It must see what it is for.
	renamed := [][]string{{"F1", "", "", "`backend/cli/hostile.TestThatWasRenamed`"}, {"F3", "", "", "`x`"},
		{"F3", "", "", "none"}}
	if got := attackProblems(renamed, tests); len(got) != attacks {
		t.Errorf("a renamed test, a lost row and a row without a test: %q", got)
	}
}

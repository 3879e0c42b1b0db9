package chatcmd

import (
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/chatagent"
)

// A lost connection is reported at once, and then at most once per period.
func TestNotes_AreRare(t *testing.T) {
	n := &notes{every: 30 * time.Second}
	start := time.Unix(1000, 0)
	var due []int
	for s := range 70 {
		if n.due(start.Add(time.Duration(s) * time.Second)) {
			due = append(due, s)
		}
	}
	if len(due) != 3 || due[0] != 0 || due[1] != 30 || due[2] != 60 {
		t.Errorf("reported at %v s", due)
	}
}

// Named agents join, without names all do. A name that the file doesn't have is an error that lists those it has.
func TestTeam_Choose(t *testing.T) {
	all := []chatagent.Config{{Name: "Planner"}, {Name: "Coder"}}
	for names, want := range map[string]int{"": 2, "Coder": 1, "Coder Planner": 2} {
		team := Team{File: "agents.yml", Names: strings.Fields(names)}
		if got, err := team.choose(all); err != nil || len(got) != want {
			t.Errorf("%q: %d agents, %v", names, len(got), err)
		}
	}
	_, err := (&Team{File: "agents.yml", Names: []string{"Coder", "Ghost"}}).choose(all)
	const says = "has no agent Ghost. Its agents are: Planner, Coder"
	if !errcode.Is(err, errcode.NotFound) || !strings.Contains(err.Error(), says) {
		t.Errorf("%v", err)
	}
}

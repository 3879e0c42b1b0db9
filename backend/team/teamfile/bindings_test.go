package teamfile

import (
	"strings"
	"testing"
)

// OC-3: bindings are in team files, in whatever form they are; what isn't a list stays an unknown key.
func TestOC3_BindingsAreInTeamFiles(t *testing.T) {
	const text = `agentflow: 1
agents:
  - id: a
bindings: # who answers
  - agentId: a
    match: {channel: telegram}
  - odd
`
	file, err := Read([]byte(text), "team.agentflow.yaml")
	if err != nil || len(file.Team.Bindings) != 2 || len(file.Unknown) != 0 {
		t.Fatalf("%v %+v", err, file)
	}
	if same, _, err := Write([]byte(text), &file.Team, nil); err != nil || string(same) != text {
		t.Errorf("%v\n%s", err, same)
	}
	fresh, _, err := Write(nil, &file.Team, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(fresh, "")
	if err != nil || !again.Team.Equal(&file.Team) {
		t.Errorf("%v\n%s", err, fresh)
	}
	config, _, err := Convert(fresh, OpenClawEntries, Options{})
	if err != nil || !strings.Contains(string(config), "bindings") || !strings.Contains(string(config), "telegram") {
		t.Errorf("%v\n%s", err, config)
	}
	file.Team.Bindings = nil
	if less, _, err := Write([]byte(text), &file.Team, nil); err != nil || strings.Contains(string(less), "telegram") {
		t.Errorf("%v\n%s", err, less)
	}
	odd, err := Read([]byte("agentflow: 1\nagents: []\nbindings: {x: 1}\n"), "")
	if err != nil || len(odd.Team.Bindings) != 0 || len(odd.Team.Extra) != 1 {
		t.Errorf("%v %+v", err, odd.Team)
	}
}

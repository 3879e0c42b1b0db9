package teamfile

import (
	"strings"
	"testing"
)

// OC-1: what every agent inherits is in team files; what isn't a map stays an unknown key.
func TestOC1_DefaultsAreInTeamFiles(t *testing.T) {
	const text = `agentflow: 1
agents:
  - id: a
defaults: # for everyone
  thinkingDefault: low
  sandbox: {mode: all}
`
	file, err := Read([]byte(text), "team.agentflow.yaml")
	if err != nil || len(file.Team.Defaults) != 2 || len(file.Unknown) != 0 {
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
	if err != nil || !strings.Contains(string(config), "defaults") ||
		!strings.Contains(string(config), "thinkingDefault") {
		t.Errorf("%v\n%s", err, config)
	}
	file.Team.Defaults = nil
	if less, _, err := Write([]byte(text), &file.Team, nil); err != nil || strings.Contains(string(less), "thinking") {
		t.Errorf("%v\n%s", err, less)
	}
	odd, err := Read([]byte("agentflow: 1\nagents: []\ndefaults: [x]\n"), "")
	if err != nil || len(odd.Team.Defaults) != 0 || len(odd.Team.Extra) != 1 {
		t.Errorf("%v %+v", err, odd.Team)
	}
}

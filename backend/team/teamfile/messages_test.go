package teamfile

import (
	"strings"
	"testing"
)

// OC-3: settings for messages between agents are in team files; what isn't a map stays an unknown key.
func TestOC3_MessageSettingsAreInTeamFiles(t *testing.T) {
	const text = `agentflow: 1
agents:
  - id: a
messages: # between agents
  enabled: true
  allow: [a, "*"]
  visibility: all
`
	file, err := Read([]byte(text), "team.agentflow.yaml")
	if err != nil || len(file.Team.Messages) != 3 || len(file.Unknown) != 0 {
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
	if err != nil || !strings.Contains(string(config), "agentToAgent") ||
		!strings.Contains(string(config), "visibility") {
		t.Errorf("%v\n%s", err, config)
	}
	file.Team.Messages = nil
	less, _, err := Write([]byte(text), &file.Team, nil)
	if err != nil || strings.Contains(string(less), "visibility") {
		t.Errorf("%v\n%s", err, less)
	}
	odd, err := Read([]byte("agentflow: 1\nagents: []\nmessages: [x]\n"), "")
	if err != nil || len(odd.Team.Messages) != 0 || len(odd.Team.Extra) != 1 {
		t.Errorf("%v %+v", err, odd.Team)
	}
}

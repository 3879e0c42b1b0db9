package teamfile

import (
	"strings"
	"testing"

	"agentflow/backend/team/topology"
)

// OC-1, OC-3: broadcast groups, what every agent inherits, and the settings for messages between agents, are in team
// files; what isn't a map stays an unknown key.
func TestOC1_OC3_SharedSettingsAreInTeamFiles(t *testing.T) {
	for key, c := range map[string]struct {
		text     string
		settings int
		inConfig []string
		of       func(*topology.Topology) *topology.Extra
	}{
		"broadcast": {
			"broadcast: # together\n  strategy: sequential\n  \"telegram:-100\": [a]\n" +
				"  120@g.us: {agents: [a], later: 1}\n", 3,
			[]string{`"broadcast"`, `"telegram:-100"`, "later"},
			func(t *topology.Topology) *topology.Extra { return &t.Broadcast },
		},
		"defaults": {
			"defaults: # for everyone\n  thinkingDefault: low\n  sandbox: {mode: all}\n", 2,
			[]string{"defaults", "thinkingDefault"},
			func(t *topology.Topology) *topology.Extra { return &t.Defaults },
		},
		"messages": {
			"messages: # between agents\n  enabled: true\n  allow: [a, \"*\"]\n  visibility: all\n", 3,
			[]string{"agentToAgent", "visibility"},
			func(t *topology.Topology) *topology.Extra { return &t.Messages },
		},
	} {
		t.Run(key, func(t *testing.T) {
			text := "agentflow: 1\nagents:\n  - id: a\n" + c.text
			file, err := Read([]byte(text), "team.agentflow.yaml")
			if err != nil || len(*c.of(&file.Team)) != c.settings || len(file.Unknown) != 0 {
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
			for _, part := range c.inConfig {
				if err != nil || !strings.Contains(string(config), part) {
					t.Errorf("%s: %v\n%s", part, err, config)
				}
			}
			*c.of(&file.Team) = nil
			if less, _, err := Write([]byte(text), &file.Team, nil); err != nil || strings.Contains(string(less), key) {
				t.Errorf("%v\n%s", err, less)
			}
			odd, err := Read([]byte("agentflow: 1\nagents: []\n"+key+": [x]\n"), "")
			if err != nil || len(*c.of(&odd.Team)) != 0 || len(odd.Team.Extra) != 1 {
				t.Errorf("%v %+v", err, odd.Team)
			}
		})
	}
}

package routes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

func teamOf(t *testing.T, config string) *topology.Topology {
	t.Helper()
	doc, err := docedit.FromJSON([]byte(config), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gatewayconfig.Read(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Topology
}

// The answers in testdata are those of the routing code in the released gateways, for random configs and messages.
func TestOC3_AnswersAsTheGatewaysDo(t *testing.T) {
	for _, version := range []string{"2026.9.6", "2026.2.26"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "openclaw-"+version+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			Config json.RawMessage
			From   From
			Want   struct {
				Agent topology.AgentID
				By    string
				Error string
			}
		}
		if err := json.Unmarshal(raw, &cases); err != nil || len(cases) == 0 {
			t.Fatal(err)
		}
		levels := map[string]Level{
			"binding.peer": LevelPeer, "binding.peer.parent": LevelParent, "binding.peer.wildcard": LevelPeerKind,
			"binding.guild+roles": LevelGuildRoles, "binding.guild": LevelGuild, "binding.team": LevelTeam,
			"binding.account": LevelAccount, "binding.channel": LevelChannel,
		}
		for i, c := range cases {
			got := Read(teamOf(t, string(c.Config)), c.Config).Who(c.From)
			if got.Agent != c.Want.Agent || c.Want.Error == "" && got.Level != levels[c.Want.By] {
				t.Errorf("%s, case %d: %+v, want %+v\n%s\n%+v", version, i, got, c.Want, c.Config, c.From)
			}
		}
	}
}

const example = `{
	"agents": {"entries": {"writer": {}, "coder": {}}, "ownership": "explicit"},
	"channels": {"defaults": {},
		"telegram": {"accounts": {"work": {"name": "Work", "botToken": "hush"}, "home": {"enabled": false}}},
		"discord": {"token": "hush"}, "signal": 5},
	"broadcast": {"strategy": "parallel", "telegram:7": {"agents": ["writer", "coder"]}},
	"bindings": [
		{"agentId": "writer", "match": {"channel": "telegram", "accountId": "*"}},
		{"agentId": "coder", "match": {"channel": "telegram", "accountId": "work"}, "comment": "office"},
		{"agentId": "ghost", "match": {"channel": "irc"}},
		{"agentId": "writer", "match": {"channel": "telegram", "accountId": "play"}},
		{"agentId": "writer", "match": {"channel": "telegram", "accountId": "Work", "roles": ["r"]}},
		{"type": "acp", "agentId": "coder", "match": {"channel": "discord"}},
		"odd", null, {"agentId": "writer"},
		{"agentId": "writer", "match": {}}, {"agentId": "writer", "match": {"channel": 5}},
		{"agentId": "writer", "match": {"channel": "telegram", "peer": {"kind": "robot", "id": "1"}}},
		{"type": "new", "agentId": "writer", "match": {"channel": "telegram"}}
	]}`

// Each rule says what is wrong with it; what isn't understood is named, and nothing of a token is in the table.
func TestOC3_RulesAndWhatIsWrongWithThem(t *testing.T) {
	table := Read(teamOf(t, example), json.RawMessage(example))
	raw, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hush") {
		t.Errorf("the table has a secret: %s", raw)
	}
	var order []int
	notes, skipped := map[int][]string{}, map[int]string{}
	for _, r := range table.Rules {
		order = append(order, r.At)
		for _, n := range r.Notes {
			notes[r.At] = append(notes[r.At], n.Code)
		}
		skipped[r.At] = r.Skipped
	}
	if !slices.Equal(order, []int{1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 10, 11, 12}) {
		t.Errorf("order: %v", order)
	}
	for at, want := range map[int][]string{
		0: nil, 1: nil, 2: {UnknownAgent, UnknownChannel}, 3: {UnknownAccount}, 4: {Shadowed},
	} {
		if !slices.Equal(notes[at], want) {
			t.Errorf("rule %d: %v, want %v", at, notes[at], want)
		}
	}
	for at := range 13 {
		want := map[bool]string{true: NotUnderstood}[at > 5]
		if at == 5 {
			want = ForACP
		}
		if skipped[at] != want {
			t.Errorf("rule %d: %q", at, skipped[at])
		}
	}
	var channels []string
	for _, c := range table.Channels {
		for _, a := range c.Accounts {
			channels = append(channels, c.ID+"/"+a.ID)
		}
		bare := slices.ContainsFunc(c.Notes, func(n Remark) bool { return n.Code == DefaultOnly })
		if bare != (c.ID != "telegram") {
			t.Errorf("%s: %v", c.ID, c.Notes)
		}
	}
	if !slices.Equal(channels, []string{"discord/default", "signal/default", "telegram/home", "telegram/work"}) {
		t.Errorf("channels: %v", channels)
	}
}

// Who explains each rule: what wins, what loses to it, and what is about other messages.
func TestOC3_WhoAnswersExplainsEachRule(t *testing.T) {
	table := Read(teamOf(t, example), json.RawMessage(example))
	group := &Peer{Kind: "group", ID: "7"}
	got := table.Who(From{Channel: "Telegram", Account: "work", Peer: group, Roles: []string{"r"}})
	if got.Agent != "coder" || got.At != 1 || got.Reason != ReasonRule || len(got.Broadcast) != 2 {
		t.Errorf("%+v", got)
	}
	want := map[int]Verdict{
		1: {At: 1, Outcome: Wins, Level: LevelAccount}, 0: {Outcome: Loses, Level: LevelChannel, Why: "level"},
		4: {At: 4, Outcome: Loses, Level: LevelAccount, Why: "order"}, 3: {At: 3, Outcome: Differs, Why: "account"},
		2: {At: 2, Outcome: Differs, Why: "channel"}, 5: {At: 5, Outcome: Skips, Why: ForACP},
	}
	for _, v := range got.Verdicts {
		if w, named := want[v.At]; named && v != w {
			t.Errorf("%+v, want %+v", v, w)
		}
	}
	if got := table.Who(From{Channel: "irc"}); got.Agent != "" || got.Reason != ReasonUnknownAgent {
		t.Errorf("an agent that doesn't exist: %+v", got)
	}
	if got := table.Who(From{Channel: "signal"}); got.Agent != "" || got.Reason != ReasonNobody || got.At != -1 {
		t.Errorf("no rule and no owner: %+v", got)
	}
}

// A team without a known config has rules and no channels, and none of its channels counts as missing.
func TestOC3_WithoutAConfigNothingIsMissing(t *testing.T) {
	table := Read(teamOf(t, example), nil)
	for _, r := range table.Rules {
		for _, n := range r.Notes {
			if n.Code == UnknownChannel || n.Code == UnknownAccount {
				t.Errorf("%d: %+v", r.At, n)
			}
		}
	}
	bare := Read(&topology.Topology{}, json.RawMessage(example))
	if table.Known || len(table.Channels) > 0 || table.Missing || !bare.Missing {
		t.Errorf("%+v", table)
	}
}

// FuzzRead shows that no config and no binding brings it down.
func FuzzRead(f *testing.F) {
	f.Add(`{"agentId":"a","match":{"channel":"x"}}`, example)
	f.Add(`[1]`, `[]`)
	f.Fuzz(func(t *testing.T, binding, config string) {
		team := &topology.Topology{Agents: []topology.Agent{{ID: "a"}}}
		team.Bindings = topology.Bindings{json.RawMessage(binding)}
		table := Read(team, json.RawMessage(config))
		if len(table.Rules) != 1 {
			t.Fatal(table.Rules)
		}
		table.Who(From{Channel: "x"})
	})
}

// OC-3: when agents join the only one of a gateway, the gateway names that one as the default (tried with OpenClaw
// 2026.9.6).
func TestOC3_TheOnlyAgentKeepsTheMessagesWhenOthersJoin(t *testing.T) {
	for config, want := range map[string]topology.AgentID{
		`{"agents": {"defaults": {}}}`:          "main",
		`{}`:                                    "main",
		`{"agents": {"entries": {"solo": {}}}}`: "solo",
		`{"agents": {"entries": {"Solo": {}}, "ownership": "explicit"}}`:             "solo",
		`{"agents": {"entries": {"gone": {}}, "ownership": "explicit"}}`:             "",
		`{"agents": {"entries": {"main": {}, "solo": {}}, "ownership": "explicit"}}`: "",
		`{"agents": {"entries": {"solo": {}}, "ownership": "explicit",
			"defaults": {"systemAgent": {"agentId": "a"}}}}`: "a",
	} {
		team := &topology.Topology{Agents: []topology.Agent{{ID: "a"}, {ID: "main"}, {ID: "solo"}}}
		if got := Read(team, json.RawMessage(config)); got.Default != want {
			t.Errorf("%s: %q answers, want %q", config, got.Default, want)
		}
	}
	if got := Read(&topology.Topology{Agents: []topology.Agent{{ID: "a"}, {ID: "main"}}}, nil); got.Default != "" {
		t.Errorf("without a config, %q answers", got.Default)
	}
}

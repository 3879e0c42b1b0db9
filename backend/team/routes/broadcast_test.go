package routes

import (
	"encoding/json"
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

func castTeam(groups string) *topology.Topology {
	team := &topology.Topology{Agents: []topology.Agent{{ID: "a"}, {ID: "b"}}}
	if err := json.Unmarshal([]byte(groups), &team.Broadcast); err != nil {
		panic(err)
	}
	return team
}

// OC-3: the agents of a conversation's group answer as the gateways have it: a group with the channel's name goes
// first, one without is WhatsApp's, and older gateways have only those. The groups are the draft's.
func TestOC3_BroadcastGroupsAnswerAsTheGatewaysDo(t *testing.T) {
	team := castTeam(`{"strategy":"parallel","telegram:7":{"agents":["B","a","ghost","b"],"maxRounds":2},
		"1@g.us":["a","b"],"whatsapp:2@g.us":["b"],"2@g.us":["a"],"odd:1":"a"}`)
	const newer = `{"agents":{"entries":{"a":{},"b":{}}},"broadcast":{"telegram:7":["a"],"telegram:8":["a"]}}`
	const older = `{"agents":{"list":[{"id":"a"},{"id":"b"}]}}`
	for _, c := range []struct {
		config, channel, peer string
		want                  []topology.AgentID
	}{
		{newer, "telegram", "7", []topology.AgentID{"b", "a"}},
		{newer, "telegram", "8", nil},
		{newer, "telegram", "1@g.us", nil},
		{newer, "whatsapp", "1@g.us", []topology.AgentID{"a", "b"}},
		{newer, "whatsapp", "2@g.us", []topology.AgentID{"b"}},
		{older, "whatsapp", "2@g.us", []topology.AgentID{"a"}},
		{older, "telegram", "7", nil},
	} {
		table := Read(team, json.RawMessage(c.config))
		answer := table.Who(From{Channel: c.channel, Peer: &Peer{Kind: "group", ID: c.peer}})
		got := answer.Broadcast
		if !slices.Equal(got, c.want) || (answer.Group != "") != (c.want != nil) {
			t.Errorf("%s %s: %q, want %q", c.channel, c.peer, got, c.want)
		}
	}
	table := Read(team, nil)
	if got := table.Who(From{Channel: "telegram"}).Broadcast; got != nil {
		t.Errorf("without a conversation: %q", got)
	}
}

// OC-3: the table has each group, with what is wrong with it.
func TestOC3_TheTableHasTheBroadcastGroups(t *testing.T) {
	team := castTeam(`{"strategy":"parallel","telegram:7":["a","ghost"],"irc:#x:y":["b"],"1@g.us":["a"],"odd:1":[]}`)
	notes := func(config string) map[string][]string {
		out := map[string][]string{}
		for _, g := range Read(team, json.RawMessage(config)).Groups {
			at := g.Channel + " " + g.Peer
			out[at] = nil
			for _, n := range g.Notes {
				out[at] = append(out[at], n.Code)
			}
		}
		return out
	}
	for config, want := range map[string]map[string][]string{
		"": {"telegram 7": {UnknownAgent}, "irc #x:y": nil, "whatsapp 1@g.us": nil},
		`{"agents":{"entries":{"a":{}}},"channels":{"telegram":{}}}`: {
			"telegram 7": {UnknownAgent}, "irc #x:y": {UnknownChannel}, "whatsapp 1@g.us": {UnknownChannel}},
		`{"agents":{"list":[{"id":"a"}]},"channels":{"telegram":{},"whatsapp":{}}}`: {
			"telegram 7": {UnknownAgent, OnlyWhatsApp}, "irc #x:y": {OnlyWhatsApp}, "whatsapp 1@g.us": nil},
	} {
		got := notes(config)
		if len(got) != len(want) {
			t.Errorf("%s: %v", config, got)
		}
		for at, codes := range want {
			if !slices.Equal(got[at], codes) {
				t.Errorf("%s: %s has %q, want %q", config, at, got[at], codes)
			}
		}
	}
}

// OC-3: groups that the gateway has and the team was never imported with are missing, as bindings are.
func TestOC3_UnreadBroadcastGroupsAreMissing(t *testing.T) {
	bare, team := &topology.Topology{}, castTeam(`{"telegram:7":["a"]}`)
	table := Read(bare, json.RawMessage(`{"broadcast":{"telegram:7":["a"]}}`))
	if !table.Missing || table.MissingIn(bare, team) || !table.MissingIn(bare, bare) {
		t.Errorf("%v", table.Missing)
	}
}

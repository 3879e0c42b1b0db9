package lint

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"agentflow/backend/team/topology"
)

// OC-3: a gateway has one list of agents that can message each other. Where it permits other messages than the team
// draws, that is a warning. A team without Message connections that permits none itself says nothing about them.
func TestOC3_MessagesThatTheGatewayPermits(t *testing.T) {
	of := &topology.Topology{}
	for _, id := range []topology.AgentID{"a", "b", "c", "d"} {
		of.Agents = append(of.Agents, topology.Agent{ID: id, Name: string(id), Model: "m"})
	}
	of.Agents[1].Connections = []topology.Connection{
		{TargetID: "a", Type: topology.Communication}, {TargetID: "c", Type: topology.Communication},
		{TargetID: "d", Type: topology.Command}, {TargetID: "gone", Type: topology.Communication},
	}
	of.Agents[2].Connections = []topology.Connection{{TargetID: "b", Type: topology.Communication}}
	older := false
	check := func(config string, want ...string) {
		t.Helper()
		got := messageCodes(of, Rules{OpenClaw: true, OptInMessages: older, Config: json.RawMessage(config)})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
	for config, want := range map[string][]string{
		`{}`:                                   {"messages_open 4 a c"},
		`{"agentToAgent":{"enabled":false}}`:   {"messages_off 2 a b"},
		`{"sessions":{"visibility":"tree"}}`:   {"messages_hidden 2 a b"},
		`{"agentToAgent":{"allow":["a","b"]}}`: {"messages_not_allowed 1 b c"},
		`{"agentToAgent":{"allow":["A*","B*","D*"]},"sessions":{"visibility":"all"}}`: {
			"messages_not_allowed 1 b c", "messages_open 2 a d",
		},
		`{"agentToAgent":{"allow":[1,null," "]},"sessions":7}`: {"messages_not_allowed 2 a b"},
		`7`: {"messages_open 4 a c"},
	} {
		check(`{"agents":{"entries":{"a":{}}},"tools":`+config+`}`, want...)
	}
	check(`"odd"`, "messages_open 4 a c")
	check("")
	older = true
	for config, want := range map[string]string{
		`{}`:                                "messages_off 2 a b",
		`{"agentToAgent":{"enabled":true}}`: "messages_hidden 2 a b",
		`{"agentToAgent":{"enabled":true},"sessions":{"visibility":"all"}}`: "messages_open 4 a c",
	} {
		check(`{"agents":{"list":[{"id":"a"}]},"tools":`+config+`}`, want)
		check(`{"tools":`+config+`}`, want) // no agents yet
	}
	off := json.RawMessage(`{"tools":{"agentToAgent":{"enabled":false}}}`)
	if got := messageCodes(of, Rules{Config: off}); got != nil {
		t.Errorf("a gateway that keeps whole agents: %q", got)
	}
	of.Agents[1].Connections, of.Agents[2].Connections = nil, nil
	if got := messageCodes(of, Rules{OpenClaw: true, Config: off}); got != nil {
		t.Errorf("nothing drawn: %q", got)
	}
}

// OC-3: what the team says of messages between agents counts like what the config says, also before it is applied.
func TestOC3_MessagesThatTheTeamPermits(t *testing.T) {
	of := team(agent("a", "a", "m"), agent("b", "b", "m"), agent("c", "c", "m"))
	config := json.RawMessage(`{"agents":{"entries":{"a":{}}},"tools":{"agentToAgent":{"enabled":false}}}`)
	check := func(messages, base topology.Extra, want ...string) {
		t.Helper()
		of.Messages = messages
		got := messageCodes(of, Rules{OpenClaw: true, Config: config, BaseMessages: base})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", messages, got, want)
		}
	}
	off, on := extra(`{"enabled":false}`), extra(`{"enabled":true,"allow":["a","c"]}`)
	check(on, off, "messages_open 1 a c") // nothing is drawn
	check(off, off)
	check(extra(`{"enabled":false,"allow":["a","c"]}`), off)
	check(extra(`{"enabled":true,"allow":["a","x"]}`), off)
	of.Agents[0].Connections = []topology.Connection{{TargetID: "b", Type: topology.Communication}}
	check(off, off, "messages_off 1 a b")
	check(on, off, "messages_not_allowed 1 a b", "messages_open 1 a c")
	check(extra(`{"enabled":true,"allow":["a","b"],"visibility":"tree"}`), off, "messages_hidden 1 a b")
	check(extra(`{"enabled":true,"allow":["a","b"],"visibility":"all"}`), off)
	check(nil, off, "messages_open 2 a c") // the team takes the switch away: it is on by default
	check(nil, nil, "messages_off 1 a b")  // the team never read it
}

// messageProblems returns one of each problem with messages.
func messageProblems() (out []topology.Problem) {
	of := team(agent("a", "A", "m"), agent("b", "B", "m"), agent("c", "C", "m"))
	of.Agents[0].Connections = []topology.Connection{{TargetID: "b", Type: topology.Communication}}
	for _, tools := range []string{
		`{}`, `{"agentToAgent":{"enabled":false}}`, `{"sessions":{"visibility":"self"}}`,
		`{"agentToAgent":{"allow":["a"]}}`,
	} {
		for _, p := range Check(of, Rules{OpenClaw: true, Config: json.RawMessage(`{"tools":` + tools + `}`)}) {
			if p.Subject == topology.SubjectMessages {
				out = append(out, p)
			}
		}
	}
	return out
}

func messageCodes(of *topology.Topology, rules Rules) (out []string) {
	for _, p := range Check(of, rules) {
		switch p.Code {
		case MessagesOff, MessagesHidden, MessagesNotAllowed, MessagesOpen:
			of := p.Params
			out = append(out, fmt.Sprint(p.Code, " ", of["count"], " ", of["agent"], " ", of["other"]))
		}
	}
	return out
}

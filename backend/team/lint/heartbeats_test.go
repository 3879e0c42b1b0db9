package lint

import (
	"testing"

	"agentflow/backend/team/topology"
)

// OC-3: one agent's heartbeat settings silence the agents that inherit theirs. That is a warning, on OpenClaw only.
func TestOC3_OneHeartbeatSilencesTheOthers(t *testing.T) {
	found := func(of *topology.Topology, rules Rules) *topology.Problem {
		for _, p := range Check(of, rules) {
			if p.Code == SilencedHeartbeat {
				return &p
			}
		}
		return nil
	}
	for _, is := range []struct {
		everyone, own string
		warns         bool
	}{
		{`{"every":"1h"}`, `{"every":"0m"}`, true},
		{`{"target":"last"}`, `{}`, true},
		{`{"every":60}`, `{"activeHours":{"start":"08:00"}}`, true},
		{`"odd"`, `"odd"`, true},
		{`{"every":"1h"}`, "", false},
		{`{"every":"1h"}`, "null", false},
		{`{"every":"0m"}`, `{"every":"1h"}`, false},
		{`{"every":" 0 "}`, `{"every":"1h"}`, false},
		{"null", `{"every":"1h"}`, false},
		{"", `{"every":"1h"}`, false},
	} {
		p := found(withHeartbeats(is.everyone, is.own), Rules{OpenClaw: true})
		if (p != nil) != is.warns {
			t.Errorf("everyone %s, one agent %s: %+v", is.everyone, is.own, p)
		}
		if p != nil && (p.Subject != topology.SubjectDefaults || p.Params["count"] != "2" ||
			p.Params["agent"] != "Agent a" || p.Params["other"] != "Agent b") {
			t.Errorf("%+v", p)
		}
	}
	if p := found(withHeartbeats(`{"every":"1h"}`, `{}`), Rules{}); p != nil {
		t.Errorf("another gateway: %+v", p)
	}
	for config, want := range map[string]string{
		`{"agents":{"defaults":{"heartbeat":{"agentId":"C"}}}}`:                        "1 Agent c",
		`{"agents":{"defaults":{"heartbeat":{"agentId":"b"}}}}`:                        "",
		`{"agents":{"list":[{"id":"a"},{"id":"b"},{"id":"c"}]}}`:                       "1 Agent a",
		`{"agents":{"list":[{"id":"a"},{"id":"b","default":true},{"id":"c"}]}}`:        "",
		`{"agents":{"entries":{"a":{},"b":{},"c":{}},"defaults":{"heartbeat":"odd"}}}`: "2 Agent a",
	} {
		got := ""
		if p := found(withHeartbeats(`{"every":"1h"}`, `{}`), Rules{OpenClaw: true, Config: []byte(config)}); p != nil {
			got = p.Params["count"] + " " + p.Params["agent"]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
	all := withHeartbeats(`{"every":"1h"}`, `{}`)
	for i := range all.Agents {
		all.Agents[i].Extra = all.Agents[1].Extra
	}
	if p := found(all, Rules{OpenClaw: true}); p != nil {
		t.Errorf("each has settings: %+v", p)
	}
}

// withHeartbeats returns a team of three with heartbeat settings of Everyone and of the second agent; "" is none.
func withHeartbeats(everyone, own string) *topology.Topology {
	of := &topology.Topology{}
	for _, id := range []topology.AgentID{"a", "b", "c"} {
		of.Agents = append(of.Agents, topology.Agent{ID: id, Name: "Agent " + string(id), Model: "m"})
	}
	if everyone != "" {
		of.Defaults = topology.Extra{{Key: "heartbeat", Value: []byte(everyone)}}
	}
	if own != "" {
		of.Agents[1].Extra = topology.Extra{{Key: "heartbeat", Value: []byte(own)}}
	}
	return of
}

func heartbeatProblems() (found []topology.Problem) {
	for _, p := range Check(withHeartbeats(`{"every":"1h"}`, `{}`), Rules{OpenClaw: true}) {
		if p.Code == SilencedHeartbeat {
			found = append(found, p)
		}
	}
	return found
}

package lint

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"agentflow/backend/team/topology"
)

const heartbeat = "heartbeat"

// heartbeats reports agents that run no heartbeat although they inherit the settings of Everyone. As soon as one agent
// has heartbeat settings, OpenClaw runs heartbeats only for agents with some, even if they only turn it off (openclaw
// #46101; resolveHeartbeatAgentIds of 2026.9.6, isHeartbeatEnabledForAgent of 2026.2.26).
func (c *checker) heartbeats() {
	inherited, _ := c.t.Defaults.Get(heartbeat)
	if !c.rules.OpenClaw || !beats(inherited) {
		return
	}
	only := onlyHeartbeat(c.rules.Config)
	var with, without []*topology.Agent
	for i := range c.t.Agents {
		a := &c.t.Agents[i]
		own, _ := a.Extra.Get(heartbeat)
		switch {
		case isSet(own):
			with = append(with, a)
		case only == "" || strings.EqualFold(string(a.ID), only):
			without = append(without, a)
		}
	}
	if len(with) == 0 || len(without) == 0 {
		return
	}
	c.add(topology.SeverityWarning, SilencedHeartbeat, "team", topology.Problem{Subject: topology.SubjectDefaults},
		"count", strconv.Itoa(len(without)), "agent", called(without[0]), "other", called(with[0]))
}

// onlyHeartbeat returns the ID of the agent that alone inherits the heartbeat of Everyone, or "" if all do: the one
// that the config names, and on gateways from before 2026.8, which keep agents in a list, the default agent.
func onlyHeartbeat(config json.RawMessage) string {
	var parts struct {
		Agents struct {
			Defaults struct {
				Heartbeat struct {
					AgentID string `json:"agentId"`
				} `json:"heartbeat"`
			} `json:"defaults"`
			List []struct {
				ID      string `json:"id"`
				Default bool   `json:"default"`
			} `json:"list"`
		} `json:"agents"`
	}
	_ = json.Unmarshal(config, &parts) // what has another form says nothing
	only := parts.Agents.Defaults.Heartbeat.AgentID
	for i, a := range parts.Agents.List {
		if i == 0 && only == "" {
			only = a.ID
		}
		if a.Default {
			return a.ID
		}
	}
	return only
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// never is a duration that turns heartbeats off, such as 0m.
var never = regexp.MustCompile(`^\s*0+(\.0+)?\s*[a-z]*\s*$`)

// beats reports whether heartbeat settings have it on. Without a duration, it runs every 30 minutes.
func beats(raw json.RawMessage) bool {
	if !isSet(raw) {
		return false
	}
	var settings struct {
		Every any `json:"every"`
	}
	_ = json.Unmarshal(raw, &settings) // the gateway's schema reports what has another form
	every, isText := settings.Every.(string)
	return !isText || !never.MatchString(every)
}

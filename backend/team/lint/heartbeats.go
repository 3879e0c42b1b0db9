package lint

import (
	"encoding/json"
	"regexp"
	"strconv"

	"agentflow/backend/team/topology"
)

const heartbeat = "heartbeat"

// heartbeats reports agents that run no heartbeat although Everyone has one. As soon as one agent has heartbeat
// settings, OpenClaw runs heartbeats only for agents with some, even if they only turn it off (openclaw #46101).
func (c *checker) heartbeats() {
	inherited, _ := c.t.Defaults.Get(heartbeat)
	if !c.rules.OpenClaw || !beats(inherited) {
		return
	}
	var with, without []*topology.Agent
	for i := range c.t.Agents {
		a := &c.t.Agents[i]
		if own, _ := a.Extra.Get(heartbeat); isSet(own) {
			with = append(with, a)
		} else {
			without = append(without, a)
		}
	}
	if len(with) == 0 || len(without) == 0 {
		return
	}
	c.add(topology.SeverityWarning, SilencedHeartbeat, "team", topology.Problem{Subject: topology.SubjectDefaults},
		"count", strconv.Itoa(len(without)), "agent", called(without[0]), "other", called(with[0]))
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

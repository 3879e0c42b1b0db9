package routes

import (
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// From says where a message comes from.
type From struct {
	Channel string   `json:"channel" minLength:"1" maxLength:"200" doc:"Channel, such as telegram."`
	Account string   `json:"account,omitempty" maxLength:"200" doc:"Account of the channel that got the message. Default: default."`
	Peer    *Peer    `json:"peer,omitempty" doc:"Conversation. Default: none that a rule could name."`
	Parent  string   `json:"parent,omitempty" maxLength:"400" doc:"ID of the channel or group that the conversation is a thread of. Default: none."`
	Guild   string   `json:"guild,omitempty" maxLength:"400" doc:"ID of the Discord server. Default: none."`
	Team    string   `json:"team,omitempty" maxLength:"400" doc:"ID of the Slack workspace. Default: none."`
	Roles   []string `json:"roles,omitempty" maxItems:"200" doc:"IDs of the sender's roles. Default: none."`
}

// Outcome is what a rule has to do with a message.
type Outcome string

// The outcomes.
const (
	Wins    Outcome = "wins"
	Loses   Outcome = "loses"   // it matches, and another rule goes first
	Differs Outcome = "differs" // it is about other messages
	Skips   Outcome = "skipped" // the gateway compares no message with it
)

// Verdict says for one rule why it wins or not.
type Verdict struct {
	At      int     `json:"at" doc:"Position of the rule in the team's bindings, from 0."`
	Outcome Outcome `json:"outcome" enum:"wins,loses,differs,skipped"`
	Level   Level   `json:"level,omitempty" enum:"peer,parent,peer_kind,guild_roles,guild,team,account,channel" doc:"How precisely the rule matches. Absent if it doesn't."`
	Why     string  `json:"why,omitempty" enum:"level,order,channel,account,peer,guild,team,roles,not_understood,acp" doc:"For loses: the winner is more precise (level) or comes first (order). For differs: the part that doesn't match. For skipped: the reason."`
}

// Answer says which agent answers a message.
type Answer struct {
	Agent     topology.AgentID   `json:"agent,omitempty" doc:"Agent that answers. Absent: no agent does."`
	Reason    string             `json:"reason" enum:"rule,default,unknown_agent,nobody" doc:"rule: a rule matches. default: no rule does, and the default agent answers. unknown_agent: the rule names an agent that doesn't exist. nobody: no rule matches, and there is no default agent."`
	At        int                `json:"at" doc:"Position of the winning rule in the team's bindings. -1: no rule matches."`
	Level     Level              `json:"level,omitempty" enum:"peer,parent,peer_kind,guild_roles,guild,team,account,channel" doc:"How precisely the winning rule matches."`
	Verdicts  []Verdict          `json:"verdicts" doc:"Each rule, in the order of the table."`
	Group     string             `json:"group,omitempty" doc:"Key of the broadcast group of the conversation. Absent: it isn't one."`
	Broadcast []topology.AgentID `json:"broadcast,omitempty" doc:"Agents that answer instead, because the conversation is a broadcast group."`
}

// Reasons of an Answer. ReasonUnknownAgent has no agent on a newer gateway.
const (
	ReasonRule         = "rule"
	ReasonDefault      = "default"
	ReasonUnknownAgent = "unknown_agent"
	ReasonNobody       = "nobody"
)

// Who says which agent answers a message, with a verdict for each rule.
func (t Table) Who(from From) Answer {
	from = from.normal()
	out := Answer{At: -1, Verdicts: make([]Verdict, 0, len(t.Rules))}
	out.Group, out.Broadcast = t.inGroup(from)
	won := -1
	for i, r := range t.Rules {
		v := Verdict{At: r.At, Outcome: Skips, Why: r.Skipped}
		if r.Skipped == "" {
			v.Outcome, v.Level, v.Why = t.compare(&r, &from)
		}
		out.Verdicts = append(out.Verdicts, v)
		if v.Outcome == Loses && (won < 0 || rank(v.Level) < rank(out.Verdicts[won].Level)) {
			won = i
		}
	}
	for i := range out.Verdicts {
		v := &out.Verdicts[i]
		switch {
		case v.Outcome != Loses:
		case i == won:
			v.Outcome = Wins
		case v.Level == out.Verdicts[won].Level:
			v.Why = "order"
		default:
			v.Why = "level"
		}
	}
	if won < 0 {
		out.Agent, out.Reason = t.Default, ReasonDefault
		if t.Default == "" {
			out.Reason = ReasonNobody
		}
		return out
	}
	out.At, out.Level, out.Agent, out.Reason = t.Rules[won].At, out.Verdicts[won].Level, t.Rules[won].Agent, ReasonRule
	if _, known := t.agents[normal(string(out.Agent))]; !known && (t.lenient || normal(string(out.Agent)) != "main") {
		out.Reason, out.Agent = ReasonUnknownAgent, ""
		if t.lenient {
			out.Agent = t.Default
		}
	}
	return out
}

func (f From) normal() From {
	f.Channel, f.Account = normal(f.Channel), account(f.Account)
	f.Guild, f.Team, f.Parent = strings.TrimSpace(f.Guild), strings.TrimSpace(f.Team), strings.TrimSpace(f.Parent)
	if f.Peer != nil {
		f.Peer = &Peer{Kind: peerKind(f.Peer.Kind), ID: strings.TrimSpace(f.Peer.ID)}
		if f.Peer.Kind == "" || f.Peer.ID == "" {
			f.Peer = nil
		}
	}
	return f
}

// compare says whether a rule is about a message; Loses stands for yes until the winner is known.
func (t Table) compare(r *Route, from *From) (Outcome, Level, string) {
	m, level := r.Match, r.Level
	switch {
	case m.Channel != from.Channel:
		return Differs, "", "channel"
	case m.Account != AnyAccount && m.Account != from.Account:
		return Differs, "", "account"
	}
	if m.Peer != nil {
		switch {
		case level == LevelPeerKind:
			if from.Peer == nil || !t.sameKind(m.Peer.Kind, from.Peer.Kind) {
				return Differs, "", "peer"
			}
		case from.Peer != nil && t.sameKind(m.Peer.Kind, from.Peer.Kind) && m.Peer.ID == from.Peer.ID:
		case from.Parent != "" && t.sameKind(m.Peer.Kind, "channel") && m.Peer.ID == from.Parent:
			level = LevelParent
		default:
			return Differs, "", "peer"
		}
	}
	has := func(role string) bool { return slices.Contains(from.Roles, role) }
	switch {
	case m.Guild != "" && m.Guild != from.Guild:
		return Differs, "", "guild"
	case m.Team != "" && m.Team != from.Team:
		return Differs, "", "team"
	case len(m.Roles) > 0 && !slices.ContainsFunc(m.Roles, has):
		return Differs, "", "roles"
	}
	return Loses, level, ""
}

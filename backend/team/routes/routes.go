// Package routes says which agent answers a message that reaches a gateway, and why. The rule of precedence is that of
// OpenClaw: a rule about one peer beats one about a guild, which beats one about an account, and so on. It is pure.
package routes

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// Level says how precise a rule is. Of the rules that match a message, one of the most precise level wins.
type Level string

// The levels, the most precise first. LevelParent is that of a rule about the channel in which a thread is.
const (
	LevelPeer       Level = "peer"
	LevelParent     Level = "parent"
	LevelPeerKind   Level = "peer_kind"
	LevelGuildRoles Level = "guild_roles"
	LevelGuild      Level = "guild"
	LevelTeam       Level = "team"
	LevelAccount    Level = "account"
	LevelChannel    Level = "channel"
)

var levels = []Level{
	LevelPeer, LevelParent, LevelPeerKind, LevelGuildRoles, LevelGuild, LevelTeam, LevelAccount, LevelChannel,
}

func rank(l Level) int { return slices.Index(levels, l) }

// AnyAccount stands for every account of a channel. A rule without an account is about the account DefaultAccount.
const (
	AnyAccount     = "*"
	DefaultAccount = "default"
)

// Peer is a person, a group or a channel that messages come from.
type Peer struct {
	Kind string `json:"kind" enum:"direct,group,channel" doc:"Kind of the conversation."`
	ID   string `json:"id" doc:"ID of the person, group or channel. * means all of the kind."`
}

// Match says which messages a rule is about. All of it must fit.
type Match struct {
	Channel string   `json:"channel" doc:"Channel, such as telegram."`
	Account string   `json:"account" doc:"Account of the channel. * means all of them."`
	Peer    *Peer    `json:"peer,omitempty" doc:"Conversation. Default: any."`
	Guild   string   `json:"guild,omitempty" doc:"ID of a Discord server. Default: any."`
	Team    string   `json:"team,omitempty" doc:"ID of a Slack workspace. Default: any."`
	Roles   []string `json:"roles,omitempty" doc:"IDs of roles, of which the sender has one. Default: any."`
}

// Route is one binding as AgentFlow understands it.
type Route struct {
	At      int              `json:"at" doc:"Position in the team's bindings, from 0."`
	Agent   topology.AgentID `json:"agent,omitempty" doc:"Agent that answers."`
	Match   *Match           `json:"match,omitempty" doc:"Messages that it is about. Absent if the rule isn't understood."`
	Level   Level            `json:"level,omitempty" enum:"peer,peer_kind,guild_roles,guild,team,account,channel" doc:"How precise the rule is."`
	Comment string           `json:"comment,omitempty"`
	Skipped string           `json:"skipped,omitempty" enum:"not_understood,acp" doc:"Why no message of a channel is compared with the rule: it isn't understood, or it is for a coding session (ACP)."`
	Notes   []Remark         `json:"notes,omitempty" doc:"What is wrong with the rule."`
	Raw     json.RawMessage  `json:"raw" doc:"The binding as the config has it."`
}

// Remark is one thing that is wrong with a rule, a group or a channel.
type Remark struct {
	Code string `json:"code" enum:"unknown_agent,unknown_channel,unknown_account,shadowed,default_only,only_whatsapp" doc:"Stable code."`
	By   int    `json:"by" doc:"For shadowed: position of the rule that takes all of its messages."`
}

// The codes of a Remark.
const (
	UnknownAgent   = "unknown_agent"
	UnknownChannel = "unknown_channel"
	UnknownAccount = "unknown_account"
	Shadowed       = "shadowed"
	DefaultOnly    = "default_only"
	OnlyWhatsApp   = "only_whatsapp" // older gateways have groups of WhatsApp only, without the channel's name
)

// Reasons for which a rule is skipped.
const (
	NotUnderstood = "not_understood"
	ForACP        = "acp"
)

// Table is the routes of one team on its gateway.
type Table struct {
	Supported bool             `json:"supported" doc:"The gateway has channels. The built-in gateway has none."`
	Known     bool             `json:"known" doc:"The gateway's config is known. If not, channels is empty."`
	Missing   bool             `json:"missing" doc:"The gateway has bindings or broadcast groups that the team was never imported with."`
	Channels  []Channel        `json:"channels" doc:"Configured channels. They never have a secret."`
	Groups    []BroadcastGroup `json:"groups" doc:"Broadcast groups of the team. They go before the bindings."`
	Rules     []Route          `json:"rules" doc:"Bindings in the order in which the gateway tries them. Those that it skips come last."`
	Default   topology.AgentID `json:"default,omitempty" doc:"Agent that answers where no rule matches. Absent: no agent does."`

	agents              map[string]topology.AgentID
	bindings, broadcast bool // the config has some
	lenient             bool // an older gateway, see config
}

// Read makes the table of a team. Config is the gateway's config as JSON, or nil if it isn't known.
func Read(team *topology.Topology, config json.RawMessage) Table {
	c := readConfig(config)
	t := Table{Known: c != nil, Channels: []Channel{}, Rules: []Route{}, agents: map[string]topology.AgentID{}}
	for _, a := range team.Agents {
		t.agents[normal(string(a.ID))] = a.ID
	}
	if c != nil {
		t.Channels, t.lenient = c.channels(), c.lenient()
		t.bindings, t.broadcast = len(c.Bindings) > 0, len(c.Broadcast) > 0
		t.Missing = t.MissingIn(team)
	}
	t.Default = t.owner(team, c)
	t.groups(team)
	for i, raw := range team.Bindings {
		t.Rules = append(t.Rules, t.rule(i, raw))
	}
	t.shadows()
	slices.SortStableFunc(t.Rules, func(a, b Route) int { return place(a) - place(b) })
	t.unanswered()
	return t
}

// MissingIn reports whether the gateway has bindings, or broadcast groups, that all the teams lack.
func (t *Table) MissingIn(teams ...*topology.Topology) bool {
	bindings, broadcast := t.bindings, t.broadcast
	for _, team := range teams {
		bindings, broadcast = bindings && len(team.Bindings) == 0, broadcast && len(team.Broadcast) == 0
	}
	return bindings || broadcast
}

// place sorts rules as they are tried; skipped ones come last.
func place(r Route) int {
	if r.Skipped != "" {
		return len(levels)
	}
	return rank(r.Level)
}

// binding is what is understood of a binding.
type binding struct {
	Type    *string `json:"type"`
	AgentID *string `json:"agentId"`
	Comment any     `json:"comment"`
	Match   *struct {
		Channel string   `json:"channel"`
		Account *string  `json:"accountId"`
		Peer    *anyPeer `json:"peer"`
		Guild   anyID    `json:"guildId"`
		Team    anyID    `json:"teamId"`
		Roles   []string `json:"roles"`
	} `json:"match"`
}

type anyPeer struct {
	Kind string `json:"kind"`
	ID   anyID  `json:"id"`
}

// anyID is an ID that is written as a text or a number.
type anyID string

// UnmarshalJSON implements json.Unmarshaler.
func (id *anyID) UnmarshalJSON(raw []byte) error {
	var n json.Number
	if len(raw) > 0 && raw[0] != '"' && json.Unmarshal(raw, &n) == nil {
		*id = anyID(n)
		return nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	*id = anyID(strings.TrimSpace(s))
	return nil
}

func (t *Table) rule(at int, raw json.RawMessage) Route {
	r := Route{At: at, Raw: raw, Skipped: NotUnderstood}
	var b binding
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || json.Unmarshal(raw, &b) != nil {
		return r
	}
	r.Comment, _ = b.Comment.(string)
	if b.AgentID != nil {
		r.Agent = t.agent(*b.AgentID)
	}
	if b.Type != nil && *b.Type == "acp" {
		r.Skipped = ForACP
		return r
	}
	if b.Type != nil && *b.Type != "route" || b.Match == nil || r.Agent == "" {
		return r
	}
	m := Match{Channel: normal(b.Match.Channel), Account: DefaultAccount, Guild: string(b.Match.Guild),
		Team: string(b.Match.Team), Roles: b.Match.Roles}
	if a := b.Match.Account; a != nil && strings.TrimSpace(*a) == AnyAccount {
		m.Account = AnyAccount
	} else if a != nil {
		m.Account = account(*a)
	}
	if p := b.Match.Peer; p != nil {
		m.Peer = &Peer{Kind: peerKind(p.Kind), ID: string(p.ID)}
		if m.Peer.Kind == "" || m.Peer.ID == "" {
			return r
		}
	}
	if m.Channel == "" {
		return r
	}
	r.Match, r.Level, r.Skipped = &m, t.level(&m), ""
	r.Notes = t.notes(&r)
	return r
}

// agent returns the agent of the team that a binding names, or the name as it is.
func (t *Table) agent(id string) topology.AgentID {
	if known, ok := t.agents[normal(id)]; ok {
		return known
	}
	return topology.AgentID(strings.TrimSpace(id))
}

func (t *Table) level(m *Match) Level {
	switch {
	case m.Peer != nil && m.Peer.ID == "*" && !t.lenient:
		return LevelPeerKind
	case m.Peer != nil:
		return LevelPeer
	case m.Guild != "" && len(m.Roles) > 0:
		return LevelGuildRoles
	case m.Guild != "":
		return LevelGuild
	case m.Team != "":
		return LevelTeam
	case m.Account != AnyAccount:
		return LevelAccount
	}
	return LevelChannel
}

func (t *Table) notes(r *Route) (out []Remark) {
	if _, known := t.agents[normal(string(r.Agent))]; !known {
		out = append(out, Remark{Code: UnknownAgent})
	}
	if !t.Known || r.Match.Channel == "webchat" {
		return out
	}
	i := slices.IndexFunc(t.Channels, func(c Channel) bool { return c.ID == r.Match.Channel })
	switch {
	case i < 0:
		return append(out, Remark{Code: UnknownChannel})
	case r.Match.Account == AnyAccount:
		return out
	}
	has := func(a Account) bool { return account(a.ID) == r.Match.Account }
	if !slices.ContainsFunc(t.Channels[i].Accounts, has) {
		out = append(out, Remark{Code: UnknownAccount})
	}
	return out
}

// shadows marks the rules that can never match, because an earlier one of the same level takes all of their messages.
func (t *Table) shadows() {
	for i := range t.Rules {
		r := &t.Rules[i]
		for k := range i {
			earlier := &t.Rules[k]
			alike := r.Skipped == "" && earlier.Skipped == "" && earlier.Level == r.Level
			if alike && t.covers(earlier.Match, r.Match) {
				r.Notes = append(r.Notes, Remark{Code: Shadowed, By: earlier.At})
				break
			}
		}
	}
}

// covers reports whether m is about every message that o is about. Both have the same level.
func (t *Table) covers(m, o *Match) bool {
	free := func(a, b string) bool { return a == "" || a == b }
	switch {
	case m.Channel != o.Channel, m.Account != AnyAccount && m.Account != o.Account,
		!free(m.Guild, o.Guild), !free(m.Team, o.Team):
		return false
	case m.Peer != nil && (o.Peer == nil || !t.sameKind(m.Peer.Kind, o.Peer.Kind) || m.Peer.ID != o.Peer.ID):
		return false
	case len(m.Roles) == 0:
		return true
	}
	other := func(role string) bool { return !slices.Contains(m.Roles, role) }
	return len(o.Roles) > 0 && !slices.ContainsFunc(o.Roles, other)
}

// unanswered marks the channels that no rule is about.
func (t *Table) unanswered() {
	for i := range t.Channels {
		c := &t.Channels[i]
		if !slices.ContainsFunc(t.Rules, func(r Route) bool { return r.Match != nil && r.Match.Channel == c.ID }) {
			c.Notes = append(c.Notes, Remark{Code: DefaultOnly})
		}
	}
}

func normal(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func peerKind(s string) string {
	switch k := normal(s); k {
	case "dm":
		return "direct"
	case "direct", "group", "channel":
		return k
	}
	return ""
}

// sameKind reports whether both kinds are one to the gateway: a newer one doesn't tell groups from channels.
func (t *Table) sameKind(a, b string) bool {
	return a == b || !t.lenient && a != "direct" && b != "direct"
}

var notInAccount = regexp.MustCompile(`[^a-z0-9_-]+`)

// account writes the name of an account as gateways compare it.
func account(s string) string {
	const most = 64
	s = strings.Trim(notInAccount.ReplaceAllString(normal(s), "-"), "-")
	if s == "" {
		return DefaultAccount
	}
	return s[:min(len(s), most)]
}

package turns

import (
	"context"

	"agentflow/backend/base/errcode"
)

// Policy says which agents answer which senders in a room, and how much agents may say.
type Policy struct {
	// Order is free: all who are meant answer at once; or round_robin: one after the other.
	Order string `json:"order" enum:"free,round_robin" doc:"Order of replies: all at once (free), or one after the other (round_robin). Default: free."`
	// ToPeople says when an agent answers a person: always, or where it is mentioned. Where
	// somebody is mentioned, only they answer.
	ToPeople string `json:"toPeople" enum:"all,mentioned" doc:"When agents reply to people: always (all), or only when mentioned. Default: all."`
	// ToAgents says when an agent answers another: always, where a communication
	// connection joins the two, where it is mentioned, or never.
	ToAgents string `json:"toAgents" enum:"all,connected,mentioned,none" doc:"When agents reply to agents: always, with a Message connection, when mentioned, or never. Default: connected for agents of a team, otherwise all."`
	// MaxAgentTurns is how many turns agents may have until a person speaks.
	MaxAgentTurns int `json:"maxAgentTurns" minimum:"1" maximum:"1000" doc:"Maximum number of turns until a person writes, 1 to 1000. Default: 8."`
	// TurnsPerMinute is how many turns may begin in a minute; more have to wait.
	TurnsPerMinute int `json:"turnsPerMinute" minimum:"1" maximum:"1000" doc:"Maximum number of turns per minute, 1 to 1000. More turns wait. Default: 30."`
	// MaxTokens is how many tokens the room's agents may use, in and out, ever.
	MaxTokens int64 `json:"maxTokens" minimum:"1" maximum:"1000000000000" doc:"Maximum number of tokens that the room can use in total, in and out. Default: 1000000."`
}

// Values of a Policy's fields.
const (
	Free          = "free"
	RoundRobin    = "round_robin"
	ToAll         = "all"
	ToConnected   = "connected"
	ToMentioned   = "mentioned"
	ToNone        = "none"
	maxPerRoom    = 1000
	maxTokensEver = 1_000_000_000_000
)

// DefaultPolicy is that of a room for which nobody has set one. Agents of a team hear
// one another along its connections, others all.
func DefaultPolicy(drawn bool) Policy {
	p := Policy{
		Order:          Free,
		ToPeople:       ToAll,
		ToAgents:       ToAll,
		MaxAgentTurns:  8,
		TurnsPerMinute: 30,
		MaxTokens:      1_000_000,
	}
	if drawn {
		p.ToAgents = ToConnected
	}
	return p
}

// Check says what is wrong with the policy.
func (p Policy) Check() error {
	for _, c := range []struct {
		field string
		ok    bool
		want  string
	}{
		{"order", p.Order == Free || p.Order == RoundRobin, "free or round_robin"},
		{"toPeople", p.ToPeople == ToAll || p.ToPeople == ToMentioned, "all or mentioned"},
		{"toAgents", p.ToAgents == ToAll || p.ToAgents == ToConnected || p.ToAgents == ToMentioned || p.ToAgents == ToNone, "all, connected, mentioned or none"},
		{"maxAgentTurns", p.MaxAgentTurns >= 1 && p.MaxAgentTurns <= maxPerRoom, "1 to 1000"},
		{"turnsPerMinute", p.TurnsPerMinute >= 1 && p.TurnsPerMinute <= maxPerRoom, "1 to 1000"},
		{"maxTokens", p.MaxTokens >= 1 && p.MaxTokens <= maxTokensEver, "1 to 1000000000000"},
	} {
		if !c.ok {
			return errcode.New(errcode.Validation, "%s can be %s", c.field, c.want).With(errcode.KeyField, c.field)
		}
	}
	return nil
}

// Cast are the agents of a team that take part in a room, and that the hub runs.
type Cast struct {
	Team   string   `json:"team" doc:"ID of the team. Empty: no agents."`
	Agents []string `json:"agents" doc:"IDs of the agents that take part."`

	// Names has the participants' names by agent ID. Renaming an agent doesn't change them.
	Names map[string]string `json:"-"`
}

// Setup is what is kept of a room beside its messages.
type Setup struct {
	Room   string  `json:"room"`
	Policy *Policy `json:"policy,omitempty"` // nil: the default
	Paused bool    `json:"paused,omitempty"`
	Cast   *Cast   `json:"cast,omitempty"`

	Names map[string]string `json:"names,omitempty"` // of the cast; empty in rooms of older versions
}

// Record is what is kept of an agent in a room.
type Record struct {
	Room  string
	Name  string
	Heard int64 // it has answered, or need not answer, what came up to this message
	Usage

	Removed bool // somebody took it out of the room
	// Of one that was removed: what its seat said. The others say it when they take theirs.
	AgentID, Model string
}

// Store keeps Setups and Records. They are gone once their room is deleted.
type Store interface {
	Setups(ctx context.Context) ([]Setup, error)
	PutSetup(ctx context.Context, s Setup) error
	Records(ctx context.Context) ([]Record, error)
	PutRecords(ctx context.Context, list []Record) error
}

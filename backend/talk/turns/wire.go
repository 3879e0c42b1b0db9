package turns

import (
	"context"
	"encoding/json"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// Turn is an agent's right to answer, once. A person's or another agent's message gives
// it, and the answer is stored with the turn's id as its ClientID, so that the same turn
// can never be answered twice.
type Turn struct {
	ID     string `json:"id"`
	UpTo   int64  `json:"upTo" doc:"Newest message to reply to."`
	Why    Why    `json:"why" enum:"person,mention,agent,wrap_up"`
	WrapUp bool   `json:"wrapUp,omitempty" doc:"This is the last message of the conversation."`
}

// Why says what gave an agent its turn.
type Why string

// The reasons of a Turn.
const (
	ByPerson  Why = "person"
	ByMention Why = "mention"
	ByAgent   Why = "agent"
	ByWrapUp  Why = "wrap_up"
)

// Outcome is how a turn ended.
type Outcome string

// The outcomes.
const (
	Answered Outcome = "answered"
	Skipped  Outcome = "skipped" // it had nothing to say
	Failed   Outcome = "failed"
	Stopped  Outcome = "stopped"
)

// Kinds of Live.
const (
	KindStatus  = "status"  // how the room stands, whole
	KindPartial = "partial" // a piece of an answer that is not stored yet
	KindEnd     = "end"     // a turn is over; what it answered is there already, as a message
	KindTurn    = "turn"    // to the agent itself: the turn it has now, or none
)

// Live is what happens in a room besides its messages. It goes to those who are there,
// and is never stored.
type Live struct {
	Type      string  `json:"type" enum:"status,partial,end,turn"`
	Room      string  `json:"room"`
	Agent     string  `json:"agent,omitempty"`
	TurnID    string  `json:"turnId,omitempty"`
	Text      string  `json:"text,omitempty" doc:"Next piece of the reply, for the type partial."`
	Whole     bool    `json:"whole,omitempty" doc:"text is the whole reply so far."`
	Outcome   Outcome `json:"outcome,omitempty" enum:"answered,skipped,failed,stopped"`
	MessageID int64   `json:"messageId,omitempty" doc:"Message that the turn ended with."`
	Turn      *Turn   `json:"turn,omitempty"`
	Status    *Status `json:"status,omitempty"`
}

// Update is what an agent tells of its turn.
type Update struct {
	TurnID string         `json:"turnId"`
	State  room.State     `json:"state,omitempty" doc:"What the agent does now."`
	Text   string         `json:"text,omitempty" doc:"Next piece of the reply."`
	Whole  bool           `json:"whole,omitempty" doc:"text is the whole reply so far."`
	Notice string         `json:"notice,omitempty" doc:"Text of a system message: what a tool did, or why it failed."`
	Cause  *errcode.Cause `json:"cause,omitempty" doc:"Reason of the notice."`
	End    *End           `json:"end,omitempty"`
}

// End is the end of a turn.
type End struct {
	Outcome   Outcome        `json:"outcome" enum:"answered,skipped,failed,stopped"`
	Text      string         `json:"text,omitempty" doc:"Reply, or why there is none."`
	Cause     *errcode.Cause `json:"cause,omitempty" doc:"Why there is no reply."`
	TokensIn  int64          `json:"tokensIn,omitempty"`
	TokensOut int64          `json:"tokensOut,omitempty"`
	CostUSD   float64        `json:"costUsd,omitempty"`
	Priced    bool           `json:"priced,omitempty" doc:"The cost is known."`
}

// Listener is what an agent hears of its room. None of its methods may block.
type Listener interface {
	// Heard gets the room's messages: each once, in order.
	Heard(m room.Message)
	// Turned gets the turn that the agent has now; nil: none.
	Turned(t *Turn)
	// Joined gets the way to tell news once the agent has taken its seat, and nil when it has
	// lost it; both may come again and again.
	Joined(v Reporter)
}

// Reporter tells the news of an agent's turn. A Chair is one.
type Reporter interface {
	Report(ctx context.Context, n Update) error
}

// States of a room as a conversation.
const (
	Open   = "open"
	Paused = "paused" // by a person, until it is resumed
	Halted = "halted" // by a limit or a wrap-up, until a person says something or resumes it
)

// Halt says why a room is halted.
type Halt string

// The reasons of a halt.
const (
	HaltTurns   Halt = "turns"   // agents spoke too often in a row
	HaltTokens  Halt = "tokens"  // its tokens are used up
	HaltWrapped Halt = "wrapped" // it was wrapped up
)

// Status is how a room stands.
type Status struct {
	Room     string   `json:"room"`
	State    string   `json:"state" enum:"open,paused,halted" doc:"halted: by a limit or a wrap-up, see halt."`
	Halt     Halt     `json:"halt,omitempty" enum:"turns,tokens,wrapped" doc:"Why the room is halted."`
	Policy   Policy   `json:"policy"`
	Turns    int      `json:"turns" doc:"Number of turns since a person wrote."`
	Tokens   int64    `json:"tokens" doc:"Tokens used in total."`
	CostUSD  float64  `json:"costUsd"`
	Unpriced int64    `json:"unpriced" doc:"Tokens without a known price."`
	Agents   []Member `json:"agents" doc:"Agents by name."`
	Cast     *Cast    `json:"cast,omitempty" doc:"Team and agents that take part."`
}

// Member is an agent of a room, as it is shown. State is offline for one that is away.
type Member struct {
	Name      string     `json:"name"`
	AgentID   string     `json:"agentId,omitempty" doc:"ID of the agent in its team."`
	Model     string     `json:"model,omitempty"`
	Elsewhere bool       `json:"elsewhere,omitempty" doc:"The agent runs in another process."`
	State     room.State `json:"status" enum:"online,thinking,answering,waiting,failed,offline"`
	Removed   bool       `json:"removed,omitempty" doc:"Somebody took the agent out of the room."`
	Queued    bool       `json:"queued,omitempty" doc:"The agent waits for a turn."`
	TurnID    string     `json:"turnId,omitempty"`
	WrapUp    bool       `json:"wrapUp,omitempty" doc:"The agent's turn is the last one of the conversation."`
	Error     string     `json:"error,omitempty" doc:"Why its last turn failed."`
	Usage
}

// Usage is what an agent has used in a room.
type Usage struct {
	Turns     int64   `json:"turns" doc:"Number of turns."`
	TokensIn  int64   `json:"tokensIn"`
	TokensOut int64   `json:"tokensOut"`
	CostUSD   float64 `json:"costUsd"`
	Unpriced  int64   `json:"unpriced" doc:"Tokens without a known price."`
}

// Frame is l as it is sent: {"live":{…}}, apart from messages and from {"error":{…}}.
func (l Live) Frame() []byte {
	text, err := json.Marshal(struct {
		Live Live `json:"live"`
	}{l})
	if err != nil {
		return nil // a Live always can be written
	}
	return text
}
